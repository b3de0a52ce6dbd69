import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { openApiDocument } from '../openApi/document.mts';

type Node = Record<string, unknown>;

/** Compares answers with an OpenAPI document. */
export interface DocumentCheck {
	/** The documented path that a path belongs to; undefined if there is none. Words win over variables. */
	patternOf(path: string): string | undefined;
	/**
	 * What is wrong with an answer, one text for each difference, without values of the answer.
	 * @param type the content type of a body that is not JSON, where it is known
	 */
	differences(method: string, pattern: string, status: number, body: unknown, type?: string): string[];
	/** The fields of an answer that the document does not have. */
	unknownFields(method: string, pattern: string, status: number, body: unknown): string[];
	/** All words that the document defines: names of fields, and values of enumerations. */
	vocabulary: Set<string>;
}

let shared: DocumentCheck | undefined;

/** The sandbox's document, read once: to compile its schemas takes time. */
export function sharedDocument(): DocumentCheck {
	shared ??= readDocument(openApiDocument());
	return shared;
}

/** Reads a document. The comparison is stricter than the document: fields that it does not have are differences too. */
export function readDocument(given: object): DocumentCheck {
	const document = closed(given) as Node & { paths: Record<string, Node> };
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats.default(ajv);
	// The id makes the references of the schemas lead into the document.
	ajv.addSchema({ $id: 'openapi', ...document } as Node);
	const compiled = new Map<string, ValidateFunction>();
	const patterns = Object.keys(document.paths).map((pattern) => ({
		pattern,
		variables: pattern.split('{').length,
		form: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`),
	}));
	patterns.sort((one, other) => one.variables - other.variables);

	const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
	const at = (pointer: string) =>
		pointer
			.split('/')
			.slice(1)
			.reduce<unknown>((node, part) => (node as Node)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);

	/** The validator of a response; or, if it is no JSON, its content type; undefined if it is not documented. */
	function validatorOf(method: string, pattern: string, status: number): ValidateFunction | string | undefined {
		let pointer = `/paths/${escaped(pattern)}/${method.toLowerCase()}/responses/${status}`;
		const response = at(pointer) as { $ref?: string } | undefined;
		if (!response) {
			return undefined;
		}
		pointer = response.$ref?.slice(1) ?? pointer;
		const [documented] = Object.keys((at(pointer) as { content: Node }).content);
		if (documented !== 'application/json') {
			return documented;
		}
		return ajv.compile({ $ref: `openapi#${encodeURI(pointer)}/content/application~1json/schema` });
	}

	/** The errors of a body of JSON; or why there is nothing to compare. */
	function errorsOf(
		method: string,
		pattern: string,
		status: number,
		body: unknown,
	): ErrorObject[] | string | undefined {
		const name = `${method} ${pattern} ${status}`;
		const known = compiled.get(name) ?? validatorOf(method, pattern, status);
		if (known === undefined || typeof known === 'string') {
			return known;
		}
		compiled.set(name, known);
		return known(body) ? [] : (known.errors ?? []);
	}

	return {
		patternOf: (path) => patterns.find(({ form }) => form.test(path))?.pattern,
		differences(method, pattern, status, body, type) {
			const errors = errorsOf(method, pattern, status, body);
			if (errors === undefined) {
				return ['this status is not documented'];
			}
			if (typeof errors === 'string') {
				return type === undefined || type === errors ? [] : [`the content type is not ${errors}`];
			}
			return [...new Set(errors.map(describe))];
		},
		unknownFields(...answer) {
			const errors = errorsOf(...answer);
			return Array.isArray(errors)
				? [...new Set(errors.flatMap(({ params }) => (params as Named).additionalProperty ?? []))]
				: [];
		},
		vocabulary: wordsOf(document),
	};
}

/** What an error says of a field that is not documented. */
interface Named {
	additionalProperty?: string;
}

function describe({ instancePath, message, params }: ErrorObject): string {
	const field = (params as Named).additionalProperty;
	const place = instancePath.replace(/\/\d+(?=\/|$)/g, '/*') || 'the body';
	return field === undefined ? `${place} ${message}` : `${place} has the field "${field}", which is not documented`;
}

/** Objects with a list of fields accept no others. */
function closed(node: unknown): unknown {
	if (Array.isArray(node)) {
		return node.map(closed);
	}
	if (typeof node !== 'object' || node === null) {
		return node;
	}
	const fields = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
	const lists =
		fields.type === 'object' && fields.properties !== undefined && fields.additionalProperties === undefined;
	return lists ? { ...fields, additionalProperties: false } : fields;
}

function wordsOf(document: unknown): Set<string> {
	const words = new Set<string>();
	const add = (value: unknown) => typeof value === 'string' && words.add(value);
	JSON.stringify(document, (key, value: unknown) => {
		if (key === 'enum' && Array.isArray(value)) {
			value.forEach(add);
		}
		if (key === 'const') {
			add(value);
		}
		if (key === 'properties') {
			Object.keys(value as object).forEach(add);
		}
		// Examples have names and numbers of people.
		return key === 'example' || key === 'examples' ? undefined : value;
	});
	return words;
}
