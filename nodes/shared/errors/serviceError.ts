import type { ErrorCode } from './errorCodes';

/** What a {@link ServiceError} says beside its message. */
interface ErrorDetails {
	code: ErrorCode;
	/** What to do next, in a sentence or two. */
	advice: string;
	httpStatus?: number;
	/**
	 * Whether the service acted on the request: `no` is proven (it refused, or nothing was sent), `unknown` is
	 * everything else.
	 */
	accepted: 'no' | 'unknown';
	/** The body that the service answered with, where it answered. */
	body?: unknown;
	/** The values that the service found wrong, by its own names. */
	fieldNames?: readonly string[];
	/** How many seconds the service asks to wait, where it does. */
	retryAfter?: number;
}

/** What went wrong with one request or one item, in words for the user. */
export class ServiceError extends Error {
	readonly code: ErrorCode;

	readonly advice: string;

	readonly httpStatus: number | undefined;

	readonly accepted: 'no' | 'unknown';

	readonly body: unknown;

	readonly fieldNames: readonly string[];

	readonly retryAfter: number | undefined;

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
	}

	/** The same error with some details changed. */
	with(changes: Partial<ErrorDetails> & { message?: string }): ServiceError {
		return new ServiceError(changes.message ?? this.message, { ...this, ...changes });
	}
}

/**
 * Takes whatever was thrown as an error with a code and an advice.
 *
 * @param accepted whether the service may have acted; something unexpected proves nothing, so the default is `unknown`
 */
export function asServiceError(error: unknown, accepted: ServiceError['accepted'] = 'unknown'): ServiceError {
	if (error instanceof ServiceError) {
		return error;
	}
	const message = error instanceof Error ? error.message : String(error);
	return new ServiceError(message, { code: 'UNEXPECTED', advice: '', accepted });
}

/** The error for values that cannot be sent. */
export function invalid(message: string, advice: string): ServiceError {
	return new ServiceError(message, { code: 'INVALID_INPUT', advice, accepted: 'no' });
}

/**
 * The error for a success whose body is not what the service describes.
 *
 * @param what how it differs, after "The service answered with success, but"
 * @param status the HTTP status of the answer
 */
export function unreadable(what: string, status?: number): ServiceError {
	return new ServiceError(`The service answered with success, but ${what}`, {
		code: 'UNREADABLE_ANSWER',
		advice: "Check that the credential's Base URL is the service itself, and not a web page or a proxy before it.",
		httpStatus: status,
		accepted: 'unknown',
	});
}

/** What work that can fail gave: its value or its error. */
export type Result<Value> = { value: Value; error?: undefined } | { value?: undefined; error: ServiceError };

/** Waits for a promise and returns its rejection as a value. */
export async function toResult<Value>(work: Promise<Value>): Promise<Result<Value>> {
	try {
		return { value: await work };
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

/** What happened and what to do, as one text. */
export function sentences(what: string, advice: string): string {
	return `${what.replace(/\.$/, '')}. ${advice}`.trim();
}

/** Whether an object that was to be deleted no longer exists. */
export function isGone({ httpStatus }: ServiceError): boolean {
	return httpStatus === 404 || httpStatus === 410;
}
