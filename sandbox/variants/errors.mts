import type { Variant, WireFields, WireRequest, WireResponse } from '../world/variant.mts';
import { about, type Change, defined, eachObject, fieldsOf, isFields, response, status } from './shapes.mts';

/** The data of an error in any format. */
interface Failure {
	status: number;
	code: string;
	message: unknown;
	/** The messages by field, of a 422. */
	errors: unknown;
	/** Further data, such as `existing_call`. */
	more: WireFields;
}

/** The codes for errors without a code. */
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
function readFailure({ status: of, body }: WireResponse): Failure {
	const fields = fieldsOf(body);
	const { error: word } = fields;
	const { code, message, details, ...rest } = isFields(word) ? word : fields;
	const { success: _success, error: _error, errors, status_code: _status, ...own } = rest;
	const { errors: nestedErrors, ...more } = fieldsOf(details);
	return {
		status: of,
		code: [code, word, CODES[of]].find((one) => typeof one === 'string') as string,
		message: message ?? word,
		errors: errors ?? nestedErrors,
		more: { ...own, ...more },
	};
}

/** Changes the errors with a status. @param of the status; all errors if it is undefined */
export function failing(
	does: string,
	of: number | undefined,
	change: (response: WireResponse, request: WireRequest) => void,
): Change {
	return response(does, (made, request) => {
		if (made.status >= 400 && made.type === undefined && made.status === (of ?? made.status)) {
			change(made, request);
		}
	});
}

/** Sends all errors in another format. */
const inFormat = (does: string, write: (failure: Failure) => Partial<WireResponse>) =>
	failing(does, undefined, (made) => void Object.assign(made, write(readFailure(made))));

/** Changes each object in the errors with a status. */
const inBody = (does: string, of: number | undefined, change: (fields: WireFields) => WireFields) =>
	failing(does, of, (made) => {
		made.body = eachObject(made.body, change);
	});

const page = (of: number) =>
	`<html>\r\n<head><title>${of} Error</title></head>\r\n<body>\r\n<center><h1>${of} Error</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

/** The form of errors. Variants that replace JSON by text come last. */
export const errors: Variant[] = [
	...about('Which status has an error?', {
		'error-403-for-404': status('returns 403 for a missing object', 404, 403),
		'error-400-for-422': status('returns 400 for wrong fields', 422, 400),
		'error-422-for-400': status('returns 422 where the state forbids something', 400, 422),
		'error-400-for-409': status('returns 400 for a conflict', 409, 400),
		'error-422-for-409': status('returns 422 for a conflict', 409, 422),
	}),
	...about('How does a 422 name its fields?', {
		'error-fields-list': inBody('lists the mistakes of a 422 as objects with `field` and `message`', 422, (fields) => {
			const errors = Object.entries(fieldsOf(fields.errors)).flatMap(([field, texts]) =>
				[texts].flat().map((message) => ({ field, message })),
			);
			return isFields(fields.errors) ? { ...fields, errors } : fields;
		}),
	}),
	...about('What does the 409 of a duplicate call have?', {
		'error-without-existing-call': inBody(
			'leaves out the `existing_call` of a 409',
			409,
			({ existing_call: _call, ...fields }) => fields,
		),
		'error-existing-call-id': inBody(
			'has only the ID of the existing call in a 409, as `existing_call_id`',
			409,
			({ existing_call: call, ...fields }) => (isFields(call) ? { ...fields, existing_call_id: call.id } : fields),
		),
	}),
	...about('Do flat errors carry `code`?', {
		'error-without-code': inBody('sends no code with an error', undefined, ({ code: _code, error, ...fields }) =>
			isFields(error) ? { ...fields, error } : fields,
		),
	}),
	...about('Which format has an error?', {
		'error-nested': inFormat('sends all errors in the nested format', ({ code, message, errors: found, more }) => {
			const details = defined({ errors: found, ...more });
			return { body: { error: { code, message, ...(Object.keys(details).length > 0 ? { details } : {}) } } };
		}),
		'error-authentication': inFormat(
			'sends all errors in the authentication format',
			({ code, message, status: of, errors: found, more }) => ({
				body: defined({ error: code, message, status_code: of, errors: found, ...more }),
			}),
		),
		'error-html': inFormat('sends all errors as the HTML page of a proxy', ({ status: of }) => ({
			body: page(of),
			type: 'text/html',
		})),
		'error-empty': inFormat('sends errors without a body', () => ({ body: undefined })),
	}),
];
