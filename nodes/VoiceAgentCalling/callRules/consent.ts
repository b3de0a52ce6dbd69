import { withheld } from '../../shared/errors/withheld';
import { quantity } from '../../shared/lib/text';
import { DAY_MS, timeIn } from '../../shared/lib/time';
import type { Consent } from '../fields/consent';
import type { CallRule } from './rule';

/** Makes the rule that a person has consented to a call, and that the consent is valid when the call starts. */
export function consentRule(consent: Consent): CallRule {
	return {
		check(_call, startsAt) {
			const what = whyInvalid(consent, startsAt);
			const advice = 'Ask the person for it, and store when they gave it. If they have, check Options → Consent.';
			return what === undefined ? undefined : withheld('noConsent', `there is no valid consent: ${what}`, advice, null);
		},
	};
}

function whyInvalid(
	{ givenAt, mistake, validForDays = Number.POSITIVE_INFINITY }: Consent,
	startsAt: number,
): string | undefined {
	const given = timeIn(givenAt);
	if (given === undefined) {
		return `'Given At' ${mistake ?? 'is not a date'}`;
	}
	if (given > Date.now()) {
		return `it is dated in the future, at ${givenAt}`;
	}
	// Written so that the consent is invalid if the sum is NaN.
	return startsAt < given + validForDays * DAY_MS
		? undefined
		: `it was given at ${givenAt} and valid for ${quantity(validForDays, 'day')}`;
}
