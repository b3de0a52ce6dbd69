import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Node = Record<string, unknown>;
type Content = Record<string, { schema: Node }>;

/** An answer of a route, as the sandbox hands it to `onAnswer`. */
export interface CheckedAnswer {
	status: number;
	body: unknown;
	type?: string;
}

/**
 * Compares answers with docs/openapi.json. It is stricter than the document: fields that the document does not have
 * are mistakes too.
 * @returns a function that returns what is wrong with an answer of a route; undefined if nothing is
 */
export function answerCheck(
	file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json'),
): (request: { method: string; path: string }, answer: CheckedAnswer) => string | undefined {
	const document = closed(JSON.parse(readFileSync(file, 'utf8'))) as Node;
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats.default(ajv);
	// The id makes the references of the schemas lead into the document.
	ajv.addSchema({ $id: 'openapi', ...document } as Node);
	const compiled = new Map<string, ValidateFunction | string>();

	const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
	const at = (pointer: string) =>
		pointer
			.split('/')
			.slice(1)
			.reduce<unknown>((node, part) => (node as Node)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);

	/** The validator of a response, or why there is none. */
	function validatorOf({ method, path }: { method: string; path: string }, status: number): ValidateFunction | string {
		const name = `${method} ${path} ${status}`;
		const pattern = path.replace(/:(\w+)/g, '{$1}');
		let pointer = `/paths/${escaped(pattern)}/${method.toLowerCase()}/responses/${status}`;
		const response = at(pointer) as { $ref?: string; content?: Content } | undefined;
		if (!response) {
			return `${name} is not documented`;
		}
		pointer = response.$ref?.slice(1) ?? pointer;
		const [type] = Object.keys((at(pointer) as { content: Content }).content);
		if (type !== 'application/json') {
			return String(type);
		}
		return ajv.compile({ $ref: `openapi#${encodeURI(pointer)}/content/application~1json/schema` });
	}

	return (request, { status, body, type }) => {
		const name = `${request.method} ${request.path} ${status}`;
		const known = compiled.get(name) ?? validatorOf(request, status);
		compiled.set(name, known);
		if (typeof known === 'string') {
			return known === type ? undefined : known;
		}
		// As it is sent: without values that are undefined.
		const sent: unknown = JSON.parse(JSON.stringify(body));
		return known(sent) ? undefined : `${name}: ${ajv.errorsText(known.errors)}\n${JSON.stringify(sent).slice(0, 2000)}`;
	};
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
