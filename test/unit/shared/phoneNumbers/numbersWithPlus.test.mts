import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';

beforeAll(loadCountries);

const adviceOn = (given: unknown) => parsePhoneNumber(given).advice;

describe('A number with + that its country cannot have is rejected', () => {
	test.each([
		['the Russian trunk prefix', '+7 8 912 345-67-89', 'Remove the 8', '+79123456789'],
		['the German trunk prefix', '+49 030 1234567', 'Remove the 0', '+49301234567'],
		['the British trunk prefix in parentheses', '+44 (020) 7946 0958', 'Remove the 0', '+442079460958'],
		['the Hungarian trunk prefix', '+36 06 20 123 4567', 'Remove the 06', '+36201234567'],
		['a trunk prefix after 00', '0033 06 12 34 56 78', 'Remove the 0', '+33612345678'],
	])('%s: %s', (_what, given, advice, meant) => {
		expect(toE164(given)).toBeUndefined();
		expect(adviceOn(given)).toContain(advice);
		expect(adviceOn(given)).toContain(meant);
		expect(toE164(meant)).toBe(meant);
	});

	test.each([
		['a second ending after a slash', '+1 415 555 2671/2672', 'more than one phone number'],
		['a digit too few', '+1 202 555 012', 'It is not a valid number of +1'],
		['a digit too many', '+44 20 7946 09588', 'It is not a valid number of +44'],
		['an area code that starts with 1', '+1 102 555 0123', 'It is not a valid number of +1'],
		['an unassigned calling code', '+999 1234567', 'It does not start with the calling code'],
		['too few digits for any country', '+49 30 12', '7 to 15 digits'],
		['a country code that starts with 0', '+0301234567', 'does not start with 0'],
	])('%s: %s', (_what, given, advice) => {
		expect(toE164(given)).toBeUndefined();
		expect(adviceOn(given)).toContain(advice);
	});

	test.each([
		['toll-free numbers', '+18002345678'],
		['premium numbers', '+491900123456'],
		['a city of Italy', '+390612345678'],
		['a number of no country', '+80012345678'],
		['satellite phones', '+881612345678'],
	])('%s are accepted: %s', (_what, number) => {
		expect(toE164(number)).toBe(number);
	});
});

describe('The advice says what is wrong with', () => {
	test.each([
		['an extension', '+1 202 555 0101 ext. 5', 'Remove the extension'],
		['a short extension', '+12025550101x5', 'Remove the extension'],
		['an extension after a sign', '+1 202 555 0101 #5', 'Remove the extension'],
		['an extension in the form of a link', 'tel:+12025550101;ext=5', 'Remove the extension'],
		['two numbers with a comma', '+12025550101, +12025550102', 'more than one phone number'],
		['two numbers with a semicolon', '+12025550101;+12025550102', 'more than one phone number'],
		['two numbers with a word', '+12025550101 or +12025550102', 'more than one phone number'],
		['two numbers with a space', '+12025550101 +12025550102', 'more than one phone number'],
		['two numbers on two lines', '+4930123456\n+4930123457', 'more than one phone number'],
		['two short numbers on two lines', '+493012345\n12346', 'more than one phone number'],
		['two endings after a slash', '+49 30 1234567/68', 'more than one phone number'],
		['words', 'n/a', 'It contains no phone number'],
		['a dash', '-', 'It contains no phone number'],
		['words with a number', '+49 CALL ME', 'It contains letters'],
		['letters on the keys', '+1800FLOWERS', 'It contains letters'],
		['a link', 'tel:+12025550101', 'It contains letters'],
		['no country code', '030 1234567', 'Enter it with + and the country code'],
	])('%s: %s', (_what, given, advice) => {
		expect(toE164(given)).toBeUndefined();
		expect(adviceOn(given)).toContain(advice);
	});

	test('what a default country cannot correct: only a number without a country code lacks a country', () => {
		const lacking = ['030 1234567', '2025550101', 2025550101];
		expect(lacking.map((given) => parsePhoneNumber(given).lacksCountry)).toEqual([true, true, true]);
		const others = [
			'n/a',
			'+49 CALL ME',
			'+1 102 555 0123',
			'202 555 0101 ext. 5',
			'2025550101, 2025550102',
			'0044 020',
			{},
		];
		expect(others.map((given) => parsePhoneNumber(given).lacksCountry)).toEqual(others.map(() => false));
	});
});

describe('A spreadsheet leaves its marks', () => {
	test.each(["'+12025550101", '’+12025550101', "' +1 202 555 0101"])('the apostrophe of %s is dropped', (given) => {
		expect(toE164(given)).toBe('+12025550101');
	});

	test('with a default country, too', () => {
		expect(toE164("'030 1234567", 'DE')).toBe('+49301234567');
	});

	test.each([
		['a fraction', 15112345678.5, 'DE'],
		['a fraction that lost its last zero', 151.1234567, 'DE'],
		['a subtraction that was computed', -15112345678, 'DE'],
		['a large number', 1.5e15, 'DE'],
	])('%s is no phone number', (_what, given, country) => {
		expect(toE164(given, country)).toBeUndefined();
	});
});

test('the advice for a number that is stored as a number is about its country, unless it was computed', () => {
	expect(parsePhoneNumber(4930901820)).toMatchObject({ number: undefined, lacksCountry: true });
	expect(parsePhoneNumber(4930901820).advice).toMatch(/^Enter it with \+ and the country code/);
	expect(parsePhoneNumber(-4930901820).advice).toContain('calculated number');
	expect(parsePhoneNumber(49309018.5).advice).toContain('calculated number');
});

describe('A text whose digits alone would be another number is rejected', () => {
	const computed = 'calculated number or one with decimals';
	test.each([
		['a number of a table as a decimal number', '15112345678.0', 'DE', computed],
		['the same with its country code', '393331234567.0', 'IT', computed],
		['the same with +', '+4930123456.0', undefined, computed],
		['a fraction', '15112345678.5', 'DE', computed],
		['a subtraction that was computed', '-15112345678', 'DE', computed],
		['a date', '01.02.2026', 'DE', 'a date'],
		['a date where numbers have 8 digits', '22.11.2026', 'NO', 'a date'],
		['a date as computers write it', '2026-11-22', 'NO', 'a date'],
		['an addition in parentheses', '+49 30 1234567 (2)', undefined, 'in parentheses'],
		['the number of a list', '1. 15112345678', 'DE', 'before the number'],
		['the number of a list in parentheses', '(2) 030 1234567', 'DE', 'before the number'],
		['two cells of a table', '1\t0301234567', 'DE', 'more than one phone number'],
	])('%s: %j', (_what, given, country, advice) => {
		expect(parsePhoneNumber(given, country)).toMatchObject({ number: undefined, lacksCountry: false });
		expect(parsePhoneNumber(given, country).advice).toContain(advice);
	});

	test.each([
		['DE', '0151.12345678', '+4915112345678'],
		['FR', '06.12.34.56.78', '+33612345678'],
		['NO', '22 11 20 26', '+4722112026'],
		['US', '(202) 555-0123', '+12025550123'],
		['AT', '(01) 234 5678', '+4312345678'],
		['DE', '0151. 12345678', '+4915112345678'],
	])('%s: %s is a number all the same', (country, given, expected) => {
		expect(toE164(given, country)).toBe(expected);
	});
});

test.each(['1', '/', '1/', '(0)', ' ', '+', "'", 'x', '1,'])('a long text of %j is rejected at once', (part) => {
	const text = part.repeat(100_000);
	expect(toE164(text)).toBeUndefined();
	expect(toE164(text, 'DE')).toBeUndefined();
	expect(adviceOn(text)).not.toBe('');
});

describe('What can be two numbers is rejected', () => {
	test.each([
		['DE', '030 1234567/68', '+49301234567'],
		['AT', '01 5123456/78', '+4315123456'],
		[undefined, '+49 170 1234567 / 030 12', '+491701234567'],
		['DE', '15122345678/79', '+4915122345678'],
	])('%s: %s may be %s and another one', (country, given, first) => {
		expect(toE164(given, country)).toBeUndefined();
		expect(parsePhoneNumber(given, country).advice).toContain('more than one phone number');
		expect(toE164(first)).toBe(first);
	});

	test.each([
		['DE', '030/1234567', '+49301234567'],
		['DE', '036874/1234', '+49368741234'],
		['DE', '030/123456-0', '+49301234560'],
		['BE', '0475/12/34/56', '+32475123456'],
		['BA', '061/123/456', '+38761123456'],
		[undefined, '+49 30/1234567', '+49301234567'],
	])('%s: %s has slashes within the number', (country, given, expected) => {
		expect(toE164(given, country)).toBe(expected);
	});

	test('an Italian landline that lost its first zero can be a short mobile number', () => {
		expect(toE164('331 181500', 'IT')).toBeUndefined();
		expect(toE164(331181500, 'IT')).toBeUndefined();
		expect(toE164('0331 181500', 'IT')).toBe('+390331181500');
		expect(toE164('+39 331 181500')).toBe('+39331181500');
	});
});
