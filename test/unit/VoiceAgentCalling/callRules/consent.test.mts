import { DateTime } from 'luxon';

import { consentRule } from '../../../../nodes/VoiceAgentCalling/callRules/consent.ts';
import { NONE_PLANNED } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';
import { type Consent, withConsent } from '../../../../nodes/VoiceAgentCalling/fields/consent.ts';
import { wanted } from './calls.mts';

const NOW = DateTime.fromISO('2031-01-15T12:00:00', { zone: 'Europe/Berlin' });
const consent = (changes: Partial<Consent> = {}): Consent => ({ purpose: '', reference: '', ...changes });
const given = (time: DateTime, more: Partial<Consent> = {}) => consent({ givenAt: String(time.toISO()), ...more });

beforeEach(() => jest.useFakeTimers({ now: NOW.toMillis(), doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

/** Why a call that starts in so many seconds must not be sent. */
const check = (rule: Consent, delay = 0) => consentRule(rule).check(wanted(), Date.now() + delay * 1000, NONE_PLANNED);
const none = (message: string) => ({
	result: 'noConsent',
	code: 'NO_CONSENT',
	advice: expect.stringMatching(/^Ask the person/),
	message: expect.stringContaining(message),
	nextAllowedAt: null,
});

test.each([
	['no date', consent({ mistake: 'is empty' }), "'Given At' is empty"],
	['a text that is no date', consent({ mistake: 'is not a date' }), "'Given At' is not a date"],
	['neither date nor reason', consent(), "'Given At' is not a date"],
	['a date that is none after all', consent({ givenAt: 'soon' }), "'Given At' is not a date"],
	['a date in the future', given(NOW.plus(1)), 'in the future'],
	['one that is over now', given(NOW.minus({ days: 30 }), { validForDays: 30 }), 'valid for 30 days'],
	['one that has long been over', given(NOW.minus({ years: 9 }), { validForDays: 1 }), 'valid for 1 day'],
	['a validity that is no number', given(NOW.minus({ days: 1 }), { validForDays: Number.NaN }), 'valid for NaN days'],
])('with %s, nobody is called, and no time helps', (_what, rule, message) => {
	expect(check(rule)).toEqual(none(message));
});

test.each([
	['given now', given(NOW)],
	['without an end, however old', given(NOW.minus({ years: 40 }))],
	['with a millisecond left', given(NOW.minus({ days: 30 }).plus(1), { validForDays: 30 })],
])('a consent %s is valid', (_what, rule) => {
	expect(check(rule)).toBeUndefined();
});

test('has to be valid when the call starts, after its delay', () => {
	const rule = given(NOW.minus({ days: 30 }).plus({ seconds: 60 }), { validForDays: 30 });
	expect(check(rule, 59)).toBeUndefined();
	expect(check(rule, 60)).toEqual(none('valid for 30 days'));
});

test('ends as many days of 24 hours later as luxon says, for 300 dates', () => {
	for (let index = 1; index <= 300; index++) {
		const validForDays = (index * 37) % 400 || 1;
		const givenAt = NOW.minus({ hours: index * 31, minutes: index % 60 });
		const valid = givenAt.plus({ hours: validForDays * 24 }) > NOW;
		const result = check(given(givenAt, { validForDays })) === undefined;
		expect([index, result]).toEqual([index, valid]);
	}
});

describe('in the metadata', () => {
	const rule = given(NOW, { purpose: 'reminders', reference: 'form-7' });
	const sent = { givenAt: NOW.toISO(), purpose: 'reminders', reference: 'form-7' };

	test('stands beside what the user has there', () => {
		const values = { to: '+493012345678', context: { row: 7, of: { list: [1] } } };
		expect(withConsent(values, { consent: rule })).toEqual({
			...values,
			context: { ...values.context, consent: sent },
		});
		expect(values.context).toEqual({ row: 7, of: { list: [1] } });
		expect(withConsent({ to: '1' }, { consent: rule })).toEqual({ to: '1', context: { consent: sent } });
		expect(withConsent({}, { consent: given(NOW) })).toEqual({ context: { consent: { givenAt: NOW.toISO() } } });
	});

	test('never replaces a field of the user, and is left out where there is none', () => {
		for (const theirs of ['mine', null, {}, undefined]) {
			expect(() => withConsent({ context: { consent: theirs } }, { consent: rule })).toThrow(
				expect.objectContaining({ code: 'INVALID_INPUT', accepted: 'no' }),
			);
		}
		const values = { context: { consent: 'mine' } };
		expect(withConsent(values, {})).toBe(values);
		expect(withConsent(values, { consent: consent({ mistake: 'is empty' }) })).toBe(values);
	});
});
