import fc from 'fast-check';

import { loadCountries, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';

beforeAll(loadCountries);

describe('A phone number is converted to E.164', () => {
	test.each([
		['+4915112345678', '+4915112345678'],
		['+49 (0)30 1234-567', '+49301234567'],
		['0049 (0)30 1234567', '+49301234567'],
		['+375 (0)17 2345678', '+375172345678'],
		['+39 (0)331 1815000', '+3903311815000'],
		['+378 (0)549 886377', '+3780549886377'],
		['+225 (0)7 01 23 45 67', '+2250701234567'],
		['+1 (202) 555-0123', '+12025550123'],
		['0044 20 7946 0958', '+442079460958'],
		[' +33\u00a01\u202f23.45.67/89 ', '+33123456789'],
		['\u202a+12025550123\u202c', '+12025550123'],
	])('%s becomes %s', (given, expected) => {
		expect(toE164(given)).toBe(expected);
	});

	test('with any spaces and punctuation between the digits', () => {
		const digits = fc.stringMatching(/^1[2-9]\d{9}$|^491[5-7]\d{8,9}$|^390\d{5,11}$/);
		fc.assert(
			fc.property(
				digits,
				fc.array(fc.constantFrom(' ', '-', '.', '\u2013', '\u00a0'), { maxLength: 14 }),
				(number, separators) => {
					const decorated = [...number].map((digit, index) => digit + (separators[index] ?? '')).join('');
					expect(toE164(`+${decorated}`)).toBe(`+${number}`);
				},
			),
		);
	});
});

describe('A value that is not a valid international number is rejected', () => {
	test.each([
		['no country code', '015112345678'],
		['no plus', '4915112345678'],
		['a number from a spreadsheet', 4915112345678],
		['a zero in brackets where there is none', '+1 (0)202 555 0123'],
		['a zero in brackets after the area code', '+49 30 (0)1234567'],
		['two zeros in parentheses', '+49 (0)30 (0)1234567'],
		['too short', '+49151'],
		['too long', '+4915112345678901'],
		['a country code that starts with 0', '+0151123456'],
		['letters', '+1800FLOWERS'],
		['an extension', '+12025550123 ext. 4'],
		['two numbers', '+12025550123, +12025550124'],
		['a plus inside', '+1202+5550123'],
		['nothing', ''],
		['an object', { number: '+12025550123' }],
	])('%s', (_what, value) => {
		expect(toE164(value)).toBeUndefined();
	});
});
