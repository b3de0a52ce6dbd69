import type { ErrorCode } from './catalog';

/** The result of a call that a rule of the user or a limit does not allow; `notTried` in a manual test run. */
export type WithheldResult = 'blocked' | 'outsideHours' | 'noConsent' | 'tooOften' | 'limitReached' | 'notTried';

const CODES = {
	blocked: 'DO_NOT_CALL',
	outsideHours: 'OUTSIDE_HOURS',
	noConsent: 'NO_CONSENT',
	tooOften: 'TOO_OFTEN',
	limitReached: 'CALL_LIMIT_REACHED',
	notTried: 'NOT_TRIED',
} satisfies Record<WithheldResult, ErrorCode>;

/** Why a call is not sent. This is a result, not an error: the run continues. */
export interface Withheld {
	result: WithheldResult;
	code: ErrorCode;
	/** The description, without a period. */
	message: string;
	/** The advice in sentences; may be empty. */
	advice: string;
	/** When the call may be sent: ISO 8601 with offset; null for never or unknown, undefined for any other run. */
	nextAllowedAt?: string | null;
}

/** Creates the reason why a call is not sent. @param why the rest of a sentence that begins with "Not sent: " */
export function withheld(result: WithheldResult, why: string, advice: string, nextAllowedAt?: string | null): Withheld {
	const message = `Not sent: ${why}`;
	return { result, code: CODES[result], message, advice, ...(nextAllowedAt !== undefined && { nextAllowedAt }) };
}
