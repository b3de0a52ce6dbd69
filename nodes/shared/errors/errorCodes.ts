import type { adviceByCode } from './adviceByCode';

/** The codes of errors that the nodes themselves raise. */
type OwnCode =
	// The user's own rules do not allow the call: nothing was sent.
	| 'DO_NOT_CALL'
	| 'OUTSIDE_HOURS'
	| 'NO_CONSENT'
	| 'TOO_OFTEN'
	// The input or the settings are invalid: nothing was sent.
	| 'FLOW_INVALID'
	| 'FLOW_WARNINGS'
	| 'INVALID_INPUT'
	| 'MISSING_VARIABLES'
	| 'N8N_REFUSED'
	| 'N8N_TOO_OLD'
	| 'NOT_APPLICABLE'
	| 'NOT_A_TRIGGER'
	| 'NOT_CONNECTED'
	| 'NOT_ON_THIS_N8N'
	| 'OTHER_ADDRESS'
	| 'NOT_PUBLISHED'
	| 'NOT_REGISTERED'
	| 'NOT_REGISTERED_BY_TRIGGER'
	| 'NOT_ROTATED'
	| 'NO_FLOW'
	| 'NO_TRIGGER'
	| 'SECRET_HEADER_MISSING'
	| 'SLOT_TAKEN'
	| 'TEST_URL'
	| 'TRIGGER_NOT_PROVEN'
	| 'TRIGGER_OF_ANOTHER'
	| 'VARIABLES_NOT_READ'
	| 'WEBHOOK_URL_NOT_PUBLIC'
	| 'WEBHOOK_URL_TOO_LONG'
	// Not allowed for an AI agent: nothing was sent.
	| 'CALL_LIMIT_REACHED'
	| 'NOT_FOR_TOOLS'
	| 'NUMBER_NOT_ALLOWED'
	// The service took one object for another: what it created by mistake was deleted.
	| 'WRONG_NODE_ID'
	// The run ended before the item was processed.
	| 'CANCELED'
	| 'NOT_TRIED'
	// It goes on although the service has said that it has ended.
	| 'STILL_ACTIVE'
	// There is no response, or an unreadable one.
	| 'CERTIFICATE_NOT_TRUSTED'
	| 'CONNECTION_LOST'
	| 'HOST_NOT_FOUND'
	| 'NO_ANSWER'
	| 'NOT_THE_SERVICE'
	| 'NO_LIST'
	| 'OUTCOME_UNKNOWN'
	| 'PROXY_REFUSED'
	| 'TIMEOUT'
	| 'UNEXPECTED'
	| 'UNREACHABLE'
	| 'UNREADABLE_ANSWER';

/** The codes of error responses without a code in the body, derived from the HTTP status. */
type StatusCode =
	| 'BAD_REQUEST'
	| 'CONFLICT'
	| 'FORBIDDEN'
	| 'NOT_FOUND'
	| 'RATE_LIMIT_EXCEEDED'
	| 'REDIRECTED'
	| 'SERVER_ERROR'
	| 'UNAUTHORIZED'
	| 'VALIDATION_ERROR'
	| `HTTP_${number}`;

/** Every code that the nodes know. For other codes that the service sends, see {@link errorCodeOf}. */
export type ErrorCode = OwnCode | StatusCode | keyof typeof adviceByCode;

/** Casts a code that the service sent, known or not. */
export function errorCodeOf(sent: string): ErrorCode {
	return sent as ErrorCode;
}
