import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Node = Record<string, unknown>;

/** Compares responses with an OpenAPI document. */
export interface DocumentCheck {
	/** Returns the documented path that matches a path, or undefined. Words take precedence over variables. */
	patternOf(path: string): string | undefined;
	/**
	 * Returns a text for each difference of a response. The texts do not contain values of the response.
	 * @param type the content type of a body that is not JSON, if known
	 */
	differences(method: string, pattern: string, status: number, body: unknown, type?: string): string[];
}

/** Reads a document. The comparison is stricter than the document: unknown fields are differences too. */
export function readDocument(given: object): DocumentCheck {
	const document = closed(given) as Node & { paths: Record<string, Node> };
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats.default(ajv);
	// With this id, the references of the schemas resolve within the document.
	ajv.addSchema({ $id: 'openapi', ...document } as Node);
	const compiled = new Map<string, ValidateFunction | string | undefined>();
	const patterns = Object.keys(document.paths).map((pattern) => ({
		pattern,
		variables: pattern.split('{').length,
		form: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`),
	}));
	patterns.sort((one, other) => one.variables - other.variables);

	const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
	const plain = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
	const at = (pointer: string) =>
		pointer
			.split('/')
			.slice(1)
			.reduce<unknown>((node, part) => (node as Node)?.[plain(part)], document);

	/** Returns the validator of a JSON response, or the content type of another response; undefined if undocumented. */
	function validatorOf(method: string, pattern: string, status: number): ValidateFunction | string | undefined {
		let pointer = `/paths/${escaped(pattern)}/${method.toLowerCase()}/responses/${status}`;
		const response = at(pointer) as { $ref?: string } | undefined;
		if (!response) {
			return undefined;
		}
		pointer = response.$ref?.slice(1) ?? pointer;
		const [documented] = Object.keys((at(pointer) as { content: Node }).content);
		return documented === 'application/json'
			? ajv.compile({ $ref: `openapi#${encodeURI(pointer)}/content/application~1json/schema` })
			: documented;
	}

	return {
		patternOf: (path) => patterns.find(({ form }) => form.test(path))?.pattern,
		differences(method, pattern, status, body, type) {
			const name = `${method} ${pattern} ${status}`;
			const validate = compiled.get(name) ?? validatorOf(method, pattern, status);
			compiled.set(name, validate);
			if (validate === undefined) {
				return ['this status is not documented'];
			}
			if (typeof validate === 'string') {
				return type === undefined || type === validate ? [] : [`the content type is not ${validate}`];
			}
			return validate(body) ? [] : [...new Set((validate.errors ?? []).map(describe))];
		},
	};
}

function describe({ instancePath, message, params }: ErrorObject): string {
	const field = (params as { additionalProperty?: string }).additionalProperty;
	const place = instancePath.replace(/\/\d+(?=\/|$)/g, '/*') || 'the body';
	return field === undefined ? `${place} ${message}` : `${place} has the field "${field}", which is not documented`;
}

/** Makes objects with a list of fields reject other fields. */
function closed(node: unknown): unknown {
	if (Array.isArray(node)) {
		return node.map(closed);
	}
	if (typeof node !== 'object' || node === null) {
		return node;
	}
	const fields = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
	const isList =
		fields.type === 'object' && fields.properties !== undefined && fields.additionalProperties === undefined;
	return isList ? { ...fields, additionalProperties: false } : fields;
}
