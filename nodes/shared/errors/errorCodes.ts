import type { adviceByCode } from './adviceByCode';

/** The codes that the nodes give errors of their own. */
type OwnCode =
	// The input or the settings cannot be used: nothing was sent.
	| 'INVALID_INPUT'
	| 'N8N_TOO_OLD'
	| 'NOT_A_TRIGGER'
	| 'NOT_ON_THIS_N8N'
	| 'NOT_PUBLISHED'
	| 'NOT_READY'
	| 'NOT_REGISTERED'
	| 'NOT_ROTATED'
	| 'NO_TRIGGER'
	| 'TEST_URL'
	| 'TRIGGER_NOT_PROVEN'
	| 'WEBHOOK_URL_NOT_PUBLIC'
	| 'WEBHOOK_URL_TOO_LONG'
	// An AI agent may not do this: nothing was sent.
	| 'CALL_LIMIT_REACHED'
	| 'NOT_FOR_TOOLS'
	| 'NUMBER_NOT_ALLOWED'
	// The run ended before the item's turn.
	| 'CANCELED'
	| 'NOT_TRIED'
	// There is no answer, or none that can be read.
	| 'CERTIFICATE_NOT_TRUSTED'
	| 'CONNECTION_LOST'
	| 'FILE_UNAVAILABLE'
	| 'HOST_NOT_FOUND'
	| 'NO_ANSWER'
	| 'NO_LIST'
	| 'OUTCOME_UNKNOWN'
	| 'TIMEOUT'
	| 'UNEXPECTED'
	| 'UNREACHABLE'
	| 'UNREADABLE_ANSWER';

/** The codes of refusals whose body names none, by the HTTP status. */
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

/** Every code that the nodes know. The service may send others: {@link errorCodeOf}. */
export type ErrorCode = OwnCode | StatusCode | keyof typeof adviceByCode;

/** A code that the service sent, known or not. */
export function errorCodeOf(sent: string): ErrorCode {
	return sent as ErrorCode;
}
