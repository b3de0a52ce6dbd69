/**
 * What went wrong with one request or one item, told to the user.
 *
 * `taken` says if the service has acted on the request: `no` is certain (it refused, or nothing was
 * sent), `unknown` means that it was sent and no clear answer came back.
 */
export class ServiceError extends Error {
	readonly code: string;

	/** What to do next, in a sentence or two. */
	readonly advice: string;

	readonly httpStatus: number | undefined;

	readonly taken: 'no' | 'unknown';

	/** The body that the service answered with, where it answered. */
	readonly body: unknown;

	/** How many seconds the service asks to wait, where it does. */
	readonly retryAfter: number | undefined;

	constructor(
		message: string,
		details: {
			code: string;
			advice: string;
			httpStatus?: number;
			taken: 'no' | 'unknown';
			body?: unknown;
			retryAfter?: number;
		},
	) {
		super(message);
		this.name = 'ServiceError';
		this.code = details.code;
		this.advice = details.advice;
		this.httpStatus = details.httpStatus;
		this.taken = details.taken;
		this.body = details.body;
		this.retryAfter = details.retryAfter;
	}
}

/** Takes whatever was thrown as an error with a code and an advice. */
export function asServiceError(error: unknown): ServiceError {
	if (error instanceof ServiceError) {
		return error;
	}
	return new ServiceError(error instanceof Error ? error.message : String(error), {
		code: 'UNEXPECTED',
		advice: '',
		taken: 'no',
	});
}

/**
 * The error for a success that holds something else than the description says.
 *
 * @param what how it is different, after "The service answered with success, but"
 */
export function unreadable(what: string, status?: number): ServiceError {
	return new ServiceError(`The service answered with success, but ${what}`, {
		code: 'UNREADABLE_ANSWER',
		advice: "Check that the credential's Base URL is the service itself, and not a web page or a proxy before it.",
		httpStatus: status,
		taken: 'unknown',
	});
}

/** Waits for a promise and gives its rejection as a value. */
export async function attempt<Value>(
	work: Promise<Value>,
): Promise<{ value: Value; error?: undefined } | { value?: undefined; error: ServiceError }> {
	try {
		return { value: await work };
	} catch (error) {
		return { error: asServiceError(error) };
	}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What happened and what to do, as one text. */
export function sentences(what: string, advice: string): string {
	return `${what.replace(/\.$/, '')}. ${advice}`.trim();
}

/** What is to be deleted and is not there is as good as deleted. */
export function isGone({ httpStatus }: ServiceError): boolean {
	return httpStatus === 404 || httpStatus === 410;
}
