import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ErrorCode } from '../errors/catalog';

/** Whether a request may be sent again when its outcome is unknown. */
export type Repeat = 'safe' | 'never';

/** One request to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** The segments of the path after `/api/v1`. */
	path: readonly string[];
	/** Undefined values are left out; a list is sent as `name[]`, once for each value. */
	query?: IDataObject;
	/** Undefined values are left out. */
	body?: IDataObject;
	/**
	 * What an HTTP status means for this endpoint, as an error code, where the body has none that says more. Where the status is ambiguous, the code
	 * is only for a message that matches `when`, in a body without messages about fields.
	 */
	codes?: Readonly<Record<number, ErrorCode | { code: ErrorCode; when: RegExp }>>;
	/** By default, the operation says so, or else the HTTP method. */
	repeat?: Repeat;
	/** Whether this request makes a phone ring; by default, the operation says so. */
	placesCall?: boolean;
	/** Whether `success: false` in a success response is a result, as of a test, and no failure of the request. */
	readsFailure?: boolean;
	/**
	 * Distinguishes requests of one item with the same method and path, where each must be sent, and must not be sent
	 * twice.
	 */
	identity?: string;
}

/** Sends one request and returns its body. @throws ServiceError */
export type SendRequest = (request: ServiceRequest) => Promise<IDataObject>;
