import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { type CodeWithTexts, type ErrorCode, textsOf } from './catalog';

/** The properties of a {@link ServiceError} other than its message. */
interface ErrorDetails {
	code: ErrorCode;
	/** What the user should do next, in one or two sentences. */
	advice: string;
	httpStatus?: number;
	/**
	 * Whether the service acted on the request. `no` is proven: it refused, or nothing was sent. Everything else is
	 * `unknown`.
	 */
	accepted: 'no' | 'unknown';
	/** The body of the response, if there was one. */
	body?: unknown;
	/** The names of the fields that the service rejected, as the service names them. */
	fieldNames?: readonly string[];
	/** The number of seconds that the service asks to wait, if it does. */
	retryAfter?: number;
	/** What else the output item of a failed item has, such as what was done before the error. */
	report?: IDataObject;
}

/** An error of one request or one item. Its message and advice are shown to the user. */
export class ServiceError extends Error {
	readonly code: ErrorCode;

	readonly advice: string;

	readonly httpStatus: number | undefined;

	readonly accepted: 'no' | 'unknown';

	readonly body: unknown;

	readonly fieldNames: readonly string[];

	readonly retryAfter: number | undefined;

	readonly report: IDataObject | undefined;

	constructor(message: string, details: ErrorDetails) {
		super(message);
		this.name = 'ServiceError';
		this.code = details.code;
		this.advice = details.advice;
		this.httpStatus = details.httpStatus;
		this.accepted = details.accepted;
		this.body = details.body;
		this.fieldNames = details.fieldNames ?? [];
		this.retryAfter = details.retryAfter;
		this.report = details.report;
	}

	/** A copy of the error with some properties changed. */
	with(changes: Partial<ErrorDetails> & { message?: string }): ServiceError {
		return new ServiceError(changes.message ?? this.message, { ...this, ...changes });
	}
}

/**
 * Converts anything thrown to a {@link ServiceError}; an unexpected error gets the code `UNEXPECTED`.
 *
 * @param accepted whether the service may have acted; an unexpected error proves nothing, so the default is `unknown`
 */
export function asServiceError(error: unknown, accepted: ServiceError['accepted'] = 'unknown'): ServiceError {
	if (error instanceof ServiceError) {
		return error;
	}
	const message = error instanceof Error ? error.message : String(error);
	return new ServiceError(message, { code: 'UNEXPECTED', advice: '', accepted });
}

/** The error for something that the node itself found. @param details by default, nothing was sent */
export function serviceError(
	code: CodeWithTexts,
	values?: Readonly<Record<string, unknown>>,
	details?: Partial<ErrorDetails>,
): ServiceError {
	const [message, advice] = textsOf(code, values);
	return new ServiceError(message, { code, advice, accepted: 'no', ...details });
}

/** The error for invalid input: nothing was sent. */
export function invalid(message: string, advice: string, code: ErrorCode = 'INVALID_INPUT'): ServiceError {
	return new ServiceError(message, { code, advice, accepted: 'no' });
}

/**
 * The error for a success response with an unexpected body.
 *
 * @param what the difference, to follow "The service reported success, but"
 */
export function unreadable(what: string): ServiceError {
	return serviceError('UNREADABLE_ANSWER', { what }, { accepted: 'unknown' });
}

/** The outcome of an operation that can fail: its value or its error. */
export type Result<Value> = { value: Value; error?: undefined } | { value?: undefined; error: ServiceError };

/** Awaits a promise. A rejection is returned as `error`, not thrown. */
export async function toResult<Value>(promise: Promise<Value>): Promise<Result<Value>> {
	try {
		return { value: await promise };
	} catch (error) {
		return { error: asServiceError(error) };
	}
}

/** The value of a result. @throws ServiceError its error */
export function unwrap<Value>({ value, error }: Result<Value>): Value {
	if (error !== undefined) {
		throw error;
	}
	return value as Value;
}

/** Joins what happened and what to do into one text. */
export function sentences(what: string, advice: string): string {
	return `${what.replace(/\.$/, '')}. ${advice}`.trim();
}

/** The message of an error with its advice, for where n8n shows one text. */
export function messageWithAdvice({ message, advice }: ServiceError): string {
	return advice === '' ? message : sentences(message, advice);
}

/** A code of the service, such as `AGENT_NOT_FOUND`. */
const CODE = /^[A-Z]+(?:_[A-Z]+)+$/;

/** A message that names the object, as those of the service do: "Agent not found in this environment." */
const NAMES_OBJECT =
	/\b(?:action|agent|attendee|calendar|call|campaign|configuration|event|log|member|number|rule|template|training|trunk|webhook) not found\b/i;

/**
 * Whether a body has one of the forms in which the service reports an error. A gateway answers with JSON, too, such as
 * `{message}` for an address that it does not know.
 */
function isErrorOfService(body: unknown): boolean {
	if (!isRecord(body)) {
		return false;
	}
	const { code, error, errors, message, status_code: status, success } = body;
	const codes = [code, error, isRecord(error) ? error.code : undefined];
	return (
		success === false ||
		codes.some((one) => typeof one === 'string' && CODE.test(one)) ||
		(typeof error === 'string' && typeof status === 'number') ||
		isRecord(errors) ||
		NAMES_OBJECT.test(String(message))
	);
}

/** Whether the service itself, and no gateway or proxy, has answered with one of some HTTP statuses. */
export function hasServiceStatus({ httpStatus, body }: ServiceError, ...statuses: number[]): boolean {
	return httpStatus !== undefined && statuses.includes(httpStatus) && isErrorOfService(body);
}

/** Whether the service says that the object does not exist: HTTP status 404 or 410. */
export function isGone(error: ServiceError): boolean {
	return hasServiceStatus(error, 404, 410);
}
