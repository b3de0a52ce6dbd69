import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ErrorCode } from '../errors/catalog';

/** Whether a request may be sent again when its outcome is unknown. A `check` may, because it changes nothing. */
export type Repeat = 'check' | 'safe' | 'never';

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
	 * The error code that an HTTP status means for this endpoint, for bodies without a more specific code. For an
	 * ambiguous status, the code applies only to a message that matches `when`, in a body without messages about fields.
	 */
	codes?: Readonly<Record<number, ErrorCode | { code: ErrorCode; when: RegExp }>>;
	/** By default, the operation decides, or else the HTTP method. */
	repeat?: Repeat;
	/** Whether this request makes a phone ring; by default, the operation decides. */
	placesCall?: boolean;
	/** Whether `success: false` in a success response is a result, such as that of a test, and not a failure. */
	readsFailure?: boolean;
	/**
	 * Distinguishes requests of one item with the same method and path, if each of them must be sent exactly once.
	 */
	identity?: string;
}

/** Sends one request and returns its body. @throws ServiceError */
export type SendRequest = (request: ServiceRequest) => Promise<IDataObject>;
