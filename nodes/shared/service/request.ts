import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ErrorCode } from '../errors/errorCodes';

/** Whether a request may be sent again when its outcome is unclear. */
export type Repeat = 'safe' | 'never';

/** One request to the service. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** The path after `/api/v1`, a segment each. */
	path: readonly string[];
	/** Absent values are left out; a list is written as `name[]`, once for each value. */
	query?: IDataObject;
	/** Absent values are left out. */
	body?: IDataObject;
	/**
	 * What a refusal of this endpoint means, by HTTP status; where the status can mean something else too, with what
	 * the message then says.
	 */
	codes?: Readonly<Record<number, ErrorCode | { code: ErrorCode; says: RegExp }>>;
	/** What to do about this endpoint's refusals, by HTTP status, where it is more than the status tells. */
	advice?: Readonly<Record<number, string>>;
	/** By default the operation's, else by the HTTP method. */
	repeat?: Repeat;
	/** True where this request makes a phone ring; by default as the operation says. */
	placesCall?: boolean;
}
