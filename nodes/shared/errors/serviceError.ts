import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { type CodeWithTexts, type ErrorCode, textsOf } from './catalog';

/** The properties of a {@link ServiceError} other than its message. */
interface ErrorDetails {
	code: ErrorCode;
	/** What the user should do next, in one or two sentences. */
	advice: string;
	/** What comes first, but only for the item itself: items that were not tried because of it get only `advice`. */
	itemAdvice?: string;
	httpStatus?: number;
	/** Whether the service acted on the request. `no` needs proof: it refused, or nothing was sent. */
	accepted: 'no' | 'unknown';
	/** The body of the response, if there was one. */
	body?: unknown;
	/** The names of the fields that the service rejected, as the service names them. */
	fieldNames?: readonly string[];
	/** The number of seconds to wait before the next attempt, if the service states it. */
	retryAfter?: number;
	/** Additional fields for the output item of a failed item, such as the steps that succeeded before the error. */
	report?: IDataObject;
	/** The error of another item, because of which this one was not tried. */
	stoppedBy?: ServiceError;
}

/** The error of one request or one item. Its message and advice are shown to the user. */
export class ServiceError extends Error {
	readonly code: ErrorCode;

	readonly advice: string;

	readonly itemAdvice: string | undefined;

	readonly httpStatus: number | undefined;

	readonly accepted: 'no' | 'unknown';

	readonly body: unknown;

	readonly fieldNames: readonly string[];

	readonly retryAfter: number | undefined;

	readonly report: IDataObject | undefined;

	readonly stoppedBy: ServiceError | undefined;

	constructor(message: string, details: ErrorDetails) {
		super(message);
		this.name = 'ServiceError';
		this.code = details.code;
		this.advice = details.advice;
		this.itemAdvice = details.itemAdvice;
		this.httpStatus = details.httpStatus;
		this.accepted = details.accepted;
		this.body = details.body;
		this.fieldNames = details.fieldNames ?? [];
		this.retryAfter = details.retryAfter;
		this.report = details.report;
		this.stoppedBy = details.stoppedBy;
	}

	/** Returns a copy of the error with some properties changed. */
	with(changes: Partial<ErrorDetails> & { message?: string }): ServiceError {
		return new ServiceError(changes.message ?? this.message, { ...this, ...changes });
	}
}

/**
 * Converts anything thrown to a {@link ServiceError}; an unexpected error gets the code `UNEXPECTED`.
 *
 * @param accepted whether the service may have acted; `unknown` by default, because an unexpected error proves nothing
 */
export function asServiceError(error: unknown, accepted: ServiceError['accepted'] = 'unknown'): ServiceError {
	if (error instanceof ServiceError) {
		return error;
	}
	const message = error instanceof Error ? error.message : String(error);
	return new ServiceError(message, { code: 'UNEXPECTED', advice: '', accepted });
}

/** Creates an error with the texts of the catalog. @param details by default, nothing was sent */
export function serviceError(
	code: CodeWithTexts,
	values?: Readonly<Record<string, unknown>>,
	details?: Partial<ErrorDetails>,
): ServiceError {
	const [message, advice] = textsOf(code, values);
	return new ServiceError(message, { code, advice, accepted: 'no', ...details });
}

/** Creates the error for invalid input: nothing was sent. */
export function invalid(message: string, advice: string, code: ErrorCode = 'INVALID_INPUT'): ServiceError {
	return new ServiceError(message, { code, advice, accepted: 'no' });
}

/**
 * Creates the error for a success response with an unexpected body.
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

/** Returns the value of a result. @throws ServiceError its error */
export function unwrap<Value>({ value, error }: Result<Value>): Value {
	if (error !== undefined) {
		throw error;
	}
	return value as Value;
}

/** Returns a description as a sentence, followed by the advice, if any. */
export function sentences(what: string, advice = ''): string {
	return `${what.replace(/\.$/, '')}. ${advice}`.trim();
}

/** Returns the whole advice of an error. @param more a sentence to append */
export function wholeAdvice({ itemAdvice, advice }: Pick<ServiceError, 'advice' | 'itemAdvice'>, more = ''): string {
	return [itemAdvice, advice, more].filter(Boolean).join(' ');
}

/** Returns the message of an error with its advice, for places where n8n shows only one text. */
export function messageWithAdvice(error: ServiceError, more = ''): string {
	const advice = wholeAdvice(error, more);
	return advice === '' ? error.message : sentences(error.message, advice);
}

/** Matches a code of the service, such as `AGENT_NOT_FOUND`. */
const CODE = /^[A-Z]+(?:_[A-Z]+)+$/;

/** Matches a message that names an object, as the service's messages do: "Agent not found in this environment." */
const NAMES_OBJECT =
	/\b(?:action|agent|attendee|calendar|call|campaign|configuration|event|log|member|number|rule|template|training|trunk|webhook) not found\b/i;

/**
 * Whether a body has one of the forms in which the service reports an error. A gateway sends JSON, too, such as
 * `{message}` for an unknown address.
 */
export function isErrorOfService(body: unknown): boolean {
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

/** Whether the service itself, not a gateway or proxy, sent one of these HTTP statuses. */
export function hasServiceStatus({ httpStatus, body }: ServiceError, ...statuses: number[]): boolean {
	return httpStatus !== undefined && statuses.includes(httpStatus) && isErrorOfService(body);
}

/** Whether the service reports that the object does not exist: HTTP status 404 or 410. */
export function isGone(error: ServiceError): boolean {
	return hasServiceStatus(error, 404, 410);
}
