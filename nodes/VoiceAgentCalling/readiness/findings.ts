import { adviceOf } from '../../shared/errors/adviceByCode';
import { ServiceError, sentences } from '../../shared/errors/serviceError';

/** One thing that stands against a call. */
export interface Finding {
	code: string;
	/** What is wrong, in a sentence. */
	what: string;
	/** What to do about it. */
	advice: string;
}

/** @param advice by default what the code's refusal advises */
export function finding(code: string, what: string, advice = adviceOf(code) ?? ''): Finding {
	return { code, what, advice };
}

/** Whether a call can be placed or queued, and when it may begin. */
export interface Readiness {
	findings: Finding[];
	/** In E.164; null where it is no phone number. */
	normalizedTo: string | null;
	/** Milliseconds since 1970; null where no such moment comes. */
	nextSlot: number | null;
}

/** As an item shows it. @param to the number as it was given */
export function asItem(to: unknown, { findings, normalizedTo, nextSlot }: Readiness) {
	return {
		ready: findings.length === 0,
		to: to as string,
		normalizedTo,
		nextSlot: nextSlot === null ? null : new Date(nextSlot).toISOString(),
		reasons: findings.map(({ code, what, advice }) => ({ code, message: sentences(what, advice) })),
	};
}

/** @throws ServiceError `NOT_READY` with all that stands against the call */
export function assertReady({ findings }: Readiness): void {
	if (findings.length === 0) {
		return;
	}
	const whole = (texts: string[]) => [...new Set(texts)].join(' ');
	throw new ServiceError(
		`Check First found that this call is not ready: ${whole(findings.map(({ what }) => `${what}.`))}`,
		{
			code: 'NOT_READY',
			advice: whole(findings.map(({ advice }) => advice)),
			taken: 'no',
		},
	);
}
