import type { IDataObject } from 'n8n-workflow';

import { adviceOf, type ErrorCode, textsOfStatus } from '../errors/catalog';
import { isErrorOfService, ServiceError, serviceError, unreadable } from '../errors/serviceError';
import { isRecord } from '../lib/json';
import { targetOf } from '../lib/text';
import { type ResponseHeaders, retryAfterOf } from './rateLimit';
import type { ServiceRequest } from './request';

// Turns a response that is not a success into the error that the user reads: the meaning of the status and the advice
// of the error code, from errors/catalog.ts, with the service's own message and field errors. run/sendItems.ts adds the
// labels of the editor to field names. A 422 on the validation of a flow becomes a result (agents/flows/validation.ts).
// missingResponse.ts creates the errors for requests without a response.

/** Longer values in an error are cut. */
const MAX_VALUE_LENGTH = 60;

function join(...texts: Array<string | undefined>): string {
	return texts.filter((part) => part !== undefined).join(' ');
}

function text(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Joins a map or a list of messages: "to: is required; delay_seconds: must be at most 3600". */
function fieldMessages(errors: unknown): string | undefined {
	if (Array.isArray(errors)) {
		return text(errors.map(String).join('; '));
	}
	if (!isRecord(errors)) {
		return undefined;
	}
	const lines = Object.entries(errors).map(
		([field, messages]) => `${field}: ${[messages].flat().join(' ').replace(/\.$/, '')}`,
	);
	return text(lines.join('; '));
}

/** Returns the top-level field names in a map of messages: "to" and "ranges" for `to` and `ranges.0.start`. */
function fieldNames(errors: unknown): string[] {
	return isRecord(errors) ? [...new Set(Object.keys(errors).map((name) => name.split('.')[0]))] : [];
}

/** Returns a value as JSON, cut if it is long. */
function shortened(value: unknown): string {
	const json = String(JSON.stringify(value));
	return json.length > MAX_VALUE_LENGTH ? `${json.slice(0, MAX_VALUE_LENGTH)}...` : json;
}

/** The error in the body of a response. */
interface ParsedBody {
	code?: ErrorCode;
	message?: string;
	/** The messages about single fields, as one text. */
	fields?: string;
	/** The fields that the error is about, by the service's names. */
	fieldNames: string[];
	/** The rejected field and its value, as one text. */
	rejected?: string;
	/** Seconds. */
	retryAfter?: number;
}

/**
 * Parses every error format of the service: flat with or without `code`, nested in `error`, the authentication format
 * with `status_code`, `errors` as a map or a list, and a plain `error` or `message`.
 */
function parseBody(body: unknown): ParsedBody {
	if (!isRecord(body)) {
		const plain = text(body);
		const message = plain?.startsWith('<') ? undefined : plain?.slice(0, 300);
		return { message, fieldNames: [] };
	}
	const nested = isRecord(body.error) ? body.error : body;
	const bareError = text(body.error);
	const isCode = bareError !== undefined && /^[A-Z][A-Z0-9_]*$/.test(bareError);
	const code = text(nested.code) ?? (isCode ? bareError : undefined);
	const details = isRecord(nested.details) ? nested.details : {};
	const field = text(details.field);
	const retryAfter = Number(details.retry_after ?? nested.retry_after);
	return {
		code: code as ErrorCode | undefined,
		message: text(nested.message) ?? (isCode ? undefined : bareError) ?? text(nested.detail),
		fields: fieldMessages(body.errors) ?? fieldMessages(nested.errors),
		fieldNames: [...fieldNames(body.errors ?? nested.errors), ...(field === undefined ? [] : [field])],
		rejected: field === undefined || !('value' in details) ? field : `${field}: ${shortened(details.value)}`,
		retryAfter: retryAfter > 0 ? retryAfter : undefined,
	};
}

/**
 * The statuses that prove that the service did not act. Others do not: a 408, a 5xx or a redirect after a POST can come
 * from a proxy that timed out, or from a service that acted before it failed.
 */
const CERTAINLY_NOT_ACCEPTED = [307, 308, 400, 401, 402, 403, 404, 405, 407, 409, 410, 413, 415, 422, 429];

/** Returns `no` if a status proves that the service did not act. @param isService whether the service itself sent it */
function acceptedBy(status: number, isService: boolean): ServiceError['accepted'] {
	// A proxy can also use 403 to withhold the service's response.
	const isProof = CERTAINLY_NOT_ACCEPTED.includes(status) && (isService || status !== 403);
	return isProof ? 'no' : 'unknown';
}

/**
 * Creates the error for a response that is not a JSON object and therefore not from the service, but from a proxy, a
 * firewall, a login page, or another server at the Base URL.
 */
export function notTheService(status: number, body?: unknown, headers: ResponseHeaders = {}): ServiceError {
	const details = {
		httpStatus: status,
		accepted: acceptedBy(status, false),
		body,
		retryAfter: retryAfterOf(headers, Date.now()),
	};
	if (status >= 300 && status < 400) {
		return serviceError('REDIRECTED', { target: targetOf(headers.location), status }, details);
	}
	const error = serviceError(status === 404 ? 'SERVICE_NOT_FOUND' : 'NOT_THE_SERVICE', { status }, details);
	if (status < 300) {
		return error.with({ code: 'UNREADABLE_ANSWER' });
	}
	const detail = parseBody(body).message;
	return detail === undefined ? error : error.with({ message: `${error.message}: ${detail}` });
}

/** Creates the error for a response to a request that is not a success, see {@link refusal}. */
export function errorOf(
	status: number,
	body: unknown,
	request: ServiceRequest,
	headers?: ResponseHeaders,
): ServiceError {
	return isFromElsewhere(status, body, request)
		? notTheService(status, body, headers)
		: refusal(status, body, request.codes, headers);
}

/**
 * Whether a 404 shows that the service is not at the Base URL: it does not have the form of the service, or concerns a
 * list, which exists even without entries. In a path that a user wrote, the mistake may be in the path.
 */
function isFromElsewhere(status: number, body: unknown, { method, path, codes }: ServiceRequest): boolean {
	const isOfUser = codes?.[404] === 'PATH_NOT_FOUND';
	return status === 404 && !isOfUser && (!isErrorOfService(body) || (method === 'GET' && path.length === 1));
}

/**
 * Creates the error for a response that is not a success, but has the form of the service.
 *
 * @param codes the error codes of this endpoint by status, because most flat bodies lack a code
 */
export function refusal(
	status: number,
	body: unknown,
	codes: ServiceRequest['codes'] = {},
	headers: ResponseHeaders = {},
): ServiceError {
	if (!isRecord(body) || (status >= 300 && status < 400)) {
		return notTheService(status, body, headers);
	}
	const { retryAfter = retryAfterOf(headers, Date.now()), ...parsed } = parseBody(body);
	const { message, fields, rejected } = parsed;
	const general = textsOfStatus(status);
	const named = endpointCode(codes[status], parsed);
	const code = parsed.code ?? named ?? general.code;
	const isRepeated = message !== undefined && fields?.includes(message.replace(/\.$/, ''));
	const said = join(isRepeated ? undefined : message, fields) || undefined;
	const detail = rejected === undefined ? said : join(said?.replace(/\.$/, ''), `(${rejected})`);
	return new ServiceError(messageOf(status, general.meaning, code, detail), {
		code,
		advice: join(
			adviceOf(code) ?? adviceOf(named) ?? general.advice,
			retryAfter === undefined ? undefined : `The service asks to wait ${Math.ceil(retryAfter)} seconds.`,
		),
		httpStatus: status,
		accepted: acceptedBy(status, true),
		body,
		fieldNames: parsed.fieldNames,
		retryAfter,
	});
}

/** Combines the meaning of the status with the service's own message. */
function messageOf(status: number, meaning: string, code: ErrorCode, detail: string | undefined): string {
	if (status === 404 && detail !== undefined && NOT_FOUND.test(detail)) {
		return detail.replace(/\.$/, '');
	}
	// AGENT_NOT_FOUND: Agent not found
	const what = NOT_FOUND.test(code) ? code[0] + code.slice(1).toLowerCase().replaceAll('_', ' ') : meaning;
	return detail === undefined ? what : `${what}: ${detail}`;
}

/** Matches an error code, and a message of the service that needs no introduction. */
const NOT_FOUND = /not[ _]found/i;

/** Returns the code that an endpoint declares for an HTTP status; undefined if this body may mean something else. */
function endpointCode(
	declared: NonNullable<ServiceRequest['codes']>[number] | undefined,
	{ message = '', fieldNames }: ParsedBody,
): ErrorCode | undefined {
	if (typeof declared !== 'object') {
		return declared;
	}
	const isMeant = fieldNames.length === 0 && declared.when.test(message);
	return isMeant ? declared.code : undefined;
}

/**
 * Returns the object in the body of a success.
 *
 * @param what the object, to follow "The service reported success, but without"
 * @param id the expected ID, if another object must not be accepted
 * @throws ServiceError if the body lacks the object
 */
export function objectIn(body: IDataObject, what: string, id?: string): IDataObject {
	const isIt = isRecord(body.data) && (id === undefined || isSameId(body.data.id, id));
	if (!isIt) {
		throw unreadable(messageIn(body) ?? `without ${what}`);
	}
	return body.data as IDataObject;
}

/** Whether two IDs are the same. The service may use other upper and lower case than the user. */
function isSameId(given: unknown, id: string): boolean {
	return String(given).toLowerCase() === id.toLowerCase();
}

/** Returns the message in a success body that lacks the expected data. */
export function messageIn(body: IDataObject): string | undefined {
	return parseBody(body).message;
}
