import type { ErrorCode } from '../../shared/errors/errorCodes';
import { ServiceError } from '../../shared/errors/serviceError';

/** The results of calls that the user, or the owner of the credential, does not want to be sent, or not by hand. */
type WithheldResult = 'blocked' | 'outsideHours' | 'noConsent' | 'tooOften' | 'limitReached' | 'notTried';

const CODES = {
	blocked: 'DO_NOT_CALL',
	outsideHours: 'OUTSIDE_HOURS',
	noConsent: 'NO_CONSENT',
	tooOften: 'TOO_OFTEN',
	limitReached: 'CALL_LIMIT_REACHED',
	notTried: 'NOT_TRIED',
} satisfies Record<WithheldResult, ErrorCode>;

/**
 * Thrown instead of sending a call that the user's own rules, or the limits of the credential, do not allow. It is no failure: the item gets the result,
 * and the run continues.
 */
export class Withheld extends ServiceError {
	readonly result: WithheldResult;

	/** When the call may be sent: ISO 8601 with offset; null for never or unknown, undefined where no time helps. */
	readonly nextAllowedAt: string | null | undefined;

	constructor(result: WithheldResult, message: string, advice: string, nextAllowedAt?: string | null) {
		super(message, { code: CODES[result], advice, accepted: 'no' });
		this.result = result;
		this.nextAllowedAt = nextAllowedAt;
	}
}
