import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { timeZonesOfNumber } from '../../../../nodes/VoiceAgentCalling/callRules/timeZonesOfNumber.ts';

const NOW = Date.UTC(2026, 10, 22);

beforeAll(loadCountries);

test.each([
	['+493012345678', 'Europe/Berlin'],
	['+442079460958', 'Europe/London'],
	['+390612345678', 'Europe/Rome'],
	['+212520123456', 'Africa/Casablanca'],
	['+905321234567', 'Europe/Istanbul'],
	['+972501234567', 'Asia/Jerusalem'],
	['+995322123456', 'Asia/Tbilisi'],
])('%s is in %s', (number, zone) => {
	expect(timeZonesOfNumber(number, NOW)).toEqual([zone]);
});

test.each([
	['several zones in the country', '+34912345678'],
	['a calling code of many countries', '+12025550111'],
	['a calling code of two countries', '+74951234567'],
	['a landline of Northern Cyprus', '+903922271234'],
	['a mobile of Northern Cyprus', '+905338612345'],
	['a mobile of Northern Cyprus', '+905428512345'],
	['a mobile of Northern Cyprus', '+905488512345'],
	["a mobile of Palestine under Israel's calling code", '+972599123456'],
	["a landline of Palestine under Israel's calling code", '+97222212345'],
	['a number of Abkhazia', '+995442261234'],
	['a calling code with a country whose zone is not known', '+2908123'],
	['a worldwide number', '+80012345678'],
	['a worldwide number', '+870773111632'],
])('%s: the zone of %s is not clear', (_why, number) => {
	expect(timeZonesOfNumber(number, NOW).length).not.toBe(1);
});

test('if the zones of one possible country are not known, those of the number are not', () => {
	const { prototype } = Intl.Locale as unknown as { prototype: Intl.Locale & { getTimeZones(): string[] } };
	const zones = jest.spyOn(prototype, 'getTimeZones').mockImplementation(function (this: Intl.Locale) {
		return this.region === 'CX' ? [] : ['Australia/Perth'];
	});
	// A number of Australia, or of two islands that have its calling code.
	expect(timeZonesOfNumber('+61412345678', NOW)).toEqual([]);
	zones.mockRestore();
});
