import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';

beforeAll(loadCountries);

const adviceOn = (given: unknown, country?: string) => parsePhoneNumber(given, country).advice;
const mobile = '+4915112345678';

describe('What a spreadsheet or a form makes of a number', () => {
	test.each([["'+49 151 12345678"], [' \u2019+49 151 12345678 '], [`${mobile}${' '.repeat(100 - mobile.length)}`]])(
		'is read: %j',
		(given) => {
			expect(parsePhoneNumber(given)).toEqual({
				given,
				number: mobile,
				advice: '',
				lacksCountry: false,
				readings: [mobile],
			});
		},
	);

	test.each([
		[`${mobile}${' '.repeat(101 - mobile.length)}`],
		["+49151'12345678"],
		[[mobile]],
		[{ length: 3 }],
		[null],
		[true],
	])('is no number: %j', (given) => {
		expect(parsePhoneNumber(given)).toEqual({
			given,
			number: undefined,
			advice: expect.stringMatching(/\w{3}/),
			lacksCountry: false,
			readings: [],
		});
	});

	test.each([0, -4915112345678, 15112345678.5, 2 ** 60])('is computed, and no number: %d', (given) => {
		expect(toE164(given, 'DE')).toBeUndefined();
		expect(adviceOn(given, 'DE')).toMatch(/^Store the number as text/);
	});
});

describe('A zero in parentheses', () => {
	test.each([
		['44 (0)20 7946 0958', 'GB', '+442079460958'],
		['44 (0)20 7946 0958', 'DE', undefined],
		['++44 (0)20 7946 0958', undefined, undefined],
		['+44a (0)20 7946 0958', undefined, undefined],
		['(0)20 7946 0958', 'GB', '+442079460958'],
	])('%s with country %s', (given, country, expected) => {
		expect(toE164(given, country)).toBe(expected);
	});
});

test.each(['0049151', '00999123456', '0039 06', '0049 30 1234567'])(
	'%s is read with a country as it is read without one',
	(given) => {
		expect(parsePhoneNumber(given, 'DE')).toEqual(parsePhoneNumber(given));
	},
);

describe('The advice', () => {
	test.each([
		['+49 030 1234567', 'Remove the 0, which is dialed only within the country: +49301234567'],
		['+7 8 912 345 67 89', 'Remove the 8, which is dialed only within the country: +79123456789'],
		['+540111512345678', 'check its digits'],
	])('names the trunk prefix in %s', (given, advice) => {
		expect(adviceOn(given)).toContain(advice);
	});

	test('names both numbers that a text can mean', () => {
		expect(adviceOn('331815000', 'IT')).toContain('+39331815000 or +390331815000');
	});

	test.each([
		['12025550123 ext. 4', /^Remove the extension/],
		['12025550123 extension 42', /^Remove the extension/],
		['12025550123 x 5 ', /^Remove the extension/],
		['12025550123 #12', /^Remove the extension/],
		['12025550123 ext 4 or 5', /more than one/],
		['12025550123  or  12025550124', /more than one/],
		['12025550123\n12025550124', /more than one/],
		['12025550123 (Anna)', /^It contains letters/],
		['12025550123 _', /^Enter it/],
		['   ', /^Enter it/],
		['call me', /^It contains no phone number/],
	])('on %j says what is wrong', (given, advice) => {
		expect(adviceOn(given)).toMatch(advice);
	});
});
