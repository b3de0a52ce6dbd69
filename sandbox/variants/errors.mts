import type { WireAnswer, WireFields } from '../world/variant.mts';
import { about, type Entry } from './entry.mts';
import { fieldsOf, isFields, status } from './shapes.mts';

const ANY = 'GET|POST|PUT|PATCH|DELETE';

/** What an error says, in whichever format. */
interface Failure {
	status: number;
	/** Undefined where the error has none. */
	code: string | undefined;
	message: unknown;
	/** The messages by field, of a 422. */
	errors: unknown;
	/** What else it says, such as `existing_call`. */
	more: WireFields;
}

/** Codes for errors that have none. */
const CODES: Record<number, string> = {
	400: 'BAD_REQUEST',
	401: 'UNAUTHORIZED',
	402: 'INSUFFICIENT_CREDITS',
	403: 'FORBIDDEN',
	404: 'NOT_FOUND',
	409: 'CONFLICT',
	422: 'VALIDATION_ERROR',
	429: 'RATE_LIMIT_EXCEEDED',
	500: 'SERVER_ERROR',
};

/** Reads an error in any of the three formats. */
function readFailure({ status: of, body }: WireAnswer): Failure {
	const fields = fieldsOf(body);
	const nested = isFields(fields.error) ? fields.error : undefined;
	const word = typeof fields.error === 'string' ? fields.error : undefined;
	const { code, message, details, ...rest } = nested ?? fields;
	const { success: _success, error: _error, errors, status_code: _status, ...own } = rest;
	const { errors: nestedErrors, ...more } = fieldsOf(details);
	return {
		status: of,
		code: typeof code === 'string' ? code : word,
		message: message ?? word,
		errors: errors ?? nestedErrors,
		more: { ...own, ...more },
	};
}

const codeOf = ({ code, status: of }: Failure) => code ?? CODES[of] ?? 'ERROR';
const without = (fields: WireFields) =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The three formats, each for any error. */
const FORMATS: Record<'flat' | 'nested' | 'authentication', (failure: Failure) => WireFields> = {
	flat: ({ code, message, errors, more }) => without({ success: false, message, code, errors, ...more }),
	nested(failure) {
		const { message, errors, more } = failure;
		const details = without({ errors, ...more });
		return { error: { code: codeOf(failure), message, ...(Object.keys(details).length > 0 ? { details } : {}) } };
	},
	authentication: (failure) =>
		without({
			error: codeOf(failure),
			message: failure.message,
			status_code: failure.status,
			errors: failure.errors,
			...failure.more,
		}),
};

/** Changes the errors with some status; all without one. */
export function failing(change: (answer: WireAnswer, failure: Failure) => void, only?: number): Pick<Entry, 'answer'> {
	return {
		answer(answer) {
			if (answer.status >= 400 && answer.type === undefined && (only === undefined || answer.status === only)) {
				change(answer, readFailure(answer));
			}
		},
	};
}

/** Sends the errors with some status in a format; all without one. */
export function inFormat(format: keyof typeof FORMATS, only?: number): Pick<Entry, 'answer'> {
	return failing((answer, failure) => {
		answer.body = FORMATS[format](failure);
	}, only);
}

/** Gives each code of an error another form; undefined leaves it out. */
function code(change: (code: string, status: number) => unknown): Pick<Entry, 'answer'> {
	return failing((answer) => {
		const fields = fieldsOf(answer.body);
		const nested = isFields(fields.error);
		const name = nested || 'code' in fields ? 'code' : 'error';
		const holder = nested ? fieldsOf(fields.error) : fields;
		if (typeof holder[name] === 'string') {
			const changed = without({ ...holder, [name]: change(holder[name], answer.status) });
			answer.body = nested ? { ...fields, error: changed } : changed;
		}
	});
}

const page = (of: number) =>
	`<html>\r\n<head><title>${of} Error</title></head>\r\n<body>\r\n<center><h1>${of} Error</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

const formats = about('Which format has an error?', [
	{ name: 'error-flat', does: 'sends all errors in the flat format', ...inFormat('flat') },
	{ name: 'error-nested', does: 'sends all errors in the nested format', ...inFormat('nested') },
	{
		name: 'error-authentication',
		does: 'sends all errors in the authentication format',
		...inFormat('authentication'),
	},
	{
		name: 'error-problem-json',
		does: 'sends all errors as RFC 9457 has them, as `application/problem+json`',
		...failing((answer, { status: of, message, errors, more }) => {
			answer.body = JSON.stringify(
				without({ type: 'about:blank', title: 'Error', status: of, detail: message, errors, ...more }),
			);
			answer.type = 'application/problem+json';
		}),
	},
	{
		name: 'error-html',
		does: 'sends all errors as the HTML page of a proxy',
		...failing((answer, { status: of }) => {
			answer.body = page(of);
			answer.type = 'text/html';
		}),
	},
	{
		name: 'error-empty',
		does: 'sends errors without a body',
		...failing((answer) => {
			answer.body = undefined;
		}),
	},
]);

const codes = about('Do flat errors carry `code`?', [
	{ name: 'error-without-code', does: 'sends no code with an error', ...code(() => undefined) },
	{
		name: 'error-code-lower-case',
		does: 'sends codes in lower case with hyphens',
		...code((known) => known.toLowerCase().replaceAll('_', '-')),
	},
	{
		name: 'error-code-number',
		does: 'sends numbers as codes: the status and two digits',
		...code((_known, of) => of * 100 + 1),
	},
	{
		name: 'error-code-other',
		does: 'sends codes that are not documented',
		...code((known) => `ERR_${known}`),
	},
]);

const contents: Entry[] = [
	{
		name: 'error-fields-list',
		question: 'How does a 422 name its fields?',
		does: 'lists the mistakes of a 422 as objects with `field` and `message`',
		...failing((answer, { errors }) => {
			if (isFields(errors)) {
				const list = Object.entries(errors).flatMap(([field, texts]) =>
					(Array.isArray(texts) ? texts : [texts]).map((message: unknown) => ({ field, message })),
				);
				answer.body = replaced(answer.body, list);
			}
		}, 422),
	},
	{
		name: 'error-fields-one-text',
		question: 'How does a 422 name its fields?',
		does: 'has one text for each field of a 422, and no list',
		...failing((answer, { errors }) => {
			if (isFields(errors)) {
				const entries = Object.entries(errors).map(([field, texts]) => [field, [texts].flat().join(' ')]);
				answer.body = replaced(answer.body, Object.fromEntries(entries));
			}
		}, 422),
	},
	{
		name: 'error-fields-absent',
		question: 'How does a 422 name its fields?',
		does: 'names the fields of a 422 in its message only',
		...failing((answer) => {
			answer.body = replaced(answer.body, undefined);
		}, 422),
	},
	{
		name: 'error-without-existing-call',
		question: 'What does the 409 of a duplicate call have?',
		does: 'leaves out the `existing_call` of a 409',
		...failing((answer) => {
			const { existing_call: _call, ...rest } = fieldsOf(answer.body);
			answer.body = rest;
		}, 409),
	},
	{
		name: 'error-existing-call-id',
		question: 'What does the 409 of a duplicate call have?',
		does: 'has only the ID of the existing call in a 409, as `existing_call_id`',
		...failing((answer) => {
			const { existing_call: call, ...rest } = fieldsOf(answer.body);
			answer.body = call === undefined ? rest : { ...rest, existing_call_id: fieldsOf(call).id };
		}, 409),
	},
];

/** The body of a 422 with other `errors`. */
function replaced(body: unknown, errors: unknown): unknown {
	const fields = fieldsOf(body);
	if (isFields(fields.error)) {
		const { details, ...rest } = fields.error;
		return { error: without({ ...rest, details: errors && { ...fieldsOf(details), errors } }) };
	}
	return without({ ...fields, errors });
}

const statuses = about('Which status has an error?', [
	{ name: 'error-403-for-404', does: 'answers 403 for what does not exist', ...status(404, 403, ANY) },
	{ name: 'error-410-for-404', does: 'answers 410 for what does not exist', ...status(404, 410, ANY) },
	{ name: 'error-400-for-422', does: 'answers 400 for wrong fields', ...status(422, 400, ANY) },
	{ name: 'error-422-for-400', does: 'answers 422 where the state forbids something', ...status(400, 422, ANY) },
	{ name: 'error-400-for-409', does: 'answers 400 for a conflict', ...status(409, 400, ANY) },
	{ name: 'error-403-for-401', does: 'answers 403 for a wrong token', ...status(401, 403, ANY) },
]);

/** What errors look like. Those that make text of JSON come last. */
export const errors: Entry[] = [...statuses, ...contents, ...codes, ...formats];
