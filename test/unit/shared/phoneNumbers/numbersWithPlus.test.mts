import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import fc from '../../../fastCheck.mts';

beforeAll(loadCountries);

const mobile = '+4915112345678';
const london = '+442079460958';

describe('A phone number is converted to E.164', () => {
	test.each<[given: unknown, expected: string, country?: string]>([
		[mobile, mobile],
		['+49 (0)30 1234-567', '+49301234567'],
		['0049 (0)30 1234567', '+49301234567'],
		['+375 (0)17 2345678', '+375172345678'],
		['+39 (0)331 1815000', '+3903311815000'],
		['+378 (0)549 886377', '+3780549886377'],
		['+225 (0)7 01 23 45 67', '+2250701234567'],
		['44 (0)20 7946 0958', london, 'GB'],
		['(0)20 7946 0958', london, 'GB'],
		['0044 20 7946 0958', london],
		[' +33\u00a01\u202f23.45.67/89 ', '+33123456789'],
		['\u202a+12025550123\u202c', '+12025550123'],
		// Of all types, and of no country.
		...['+18002345678', '+491900123456', '+390612345678', '+80012345678', '+881612345678'].map(
			(number): [string, string] => [number, number],
		),
		// Mobiles of Italy with the 0 of the years before 2001, and a landline.
		['+39 (0)347 1234567', '+393471234567'],
		['+39 0335 1234567', '+393351234567'],
		['+39 0331 123456', '+390331123456'],
		// A 0 that ends a country code and begins a number.
		['+38 (067) 123-45-67', '+380671234567', 'UA'],
		['+88 01712-345678', '+8801712345678'],
		['+2 0100 123 4567', '+201001234567'],
		// As links and spreadsheets have it.
		['tel:+49-30-1234567', '+49301234567'],
		['callto:+442079460958', london],
		['="+442079460958"', london],
		['\uff0b\uff14\uff14 20 7946 0958', london],
		['+36 (1) 449-5062', '+3614495062'],
		// As spreadsheets mark and forms fill a text.
		["'+49 151 12345678", mobile],
		[' \u2019+49 151 12345678 ', mobile],
		[mobile.padEnd(100), mobile],
		["'030 1234567", '+49301234567', 'DE'],
		// As lists leave it.
		...['+44 20 7946 0958,', '"+44 20 7946 0958"', '\u201c+442079460958\u201d; '].map((given): [string, string] => [
			given,
			london,
		]),
		['+49.15112345678', mobile],
		['(+49) 30 1234567', '+49301234567'],
		['+(49) (30) 1234567', '+49301234567'],
		// Digits that a dot, a slash or a hyphen separates.
		['0151.12345678', mobile, 'DE'],
		['0151. 12345678', mobile, 'DE'],
		['06.12.34.56.78', '+33612345678', 'FR'],
		['22 11 20 26', '+4722112026', 'NO'],
		['(01) 234 5678', '+4312345678', 'AT'],
		['030/1234567', '+49301234567', 'DE'],
		['036874/1234', '+49368741234', 'DE'],
		['030/123456-0', '+49301234560', 'DE'],
		['0475/12/34/56', '+32475123456', 'BE'],
		['061/123/456', '+38761123456', 'BA'],
		['+49 30/1234567', '+49301234567'],
	])('%j becomes %s', (given, number, country = undefined) => {
		expect(parsePhoneNumber(given, country)).toEqual({
			given,
			number,
			advice: '',
			lacksCountry: false,
			readings: [number],
		});
	});

	test('with any spaces and punctuation between the digits', () => {
		const digits = fc.stringMatching(/^1[2-9]\d{9}$|^491[5-7]\d{8,9}$|^390[0-24-9]\d{4,10}$/);
		const separators = fc.array(fc.constantFrom(' ', '-', '\u2013', '\u00a0'), { maxLength: 5 });
		fc.assert(
			fc.property(digits, separators, (number, signs) => {
				const decorated = [...number].map((digit, index) => digit + (signs[index] ?? '')).join('');
				expect(toE164(`+${decorated}`)).toBe(`+${number}`);
			}),
		);
	});

	test.each(['0049151', '00999123456', '0039 06', '0049 30 1234567'])('%s is the same with a country', (given) => {
		expect(parsePhoneNumber(given, 'DE')).toEqual(parsePhoneNumber(given));
	});
});

const E164 = '7 to 15 digits';
const COUNTRY = 'Enter it with + and the country code';
const SEVERAL = 'more than one phone number';
const EXTENSION = 'Remove the extension';
const LETTERS = 'It contains letters';
const NONE = 'It contains no phone number';
const COMPUTED = 'calculated number or one with decimals';
const SHORTENED = 'A spreadsheet has shortened the number';

describe('What is not a valid number is rejected, with advice', () => {
	test.each<[what: string, given: unknown, advice: string, country?: string]>([
		['what a spreadsheet shows of a long number', '4.91512E+12', SHORTENED],
		['the same with a comma, and a country', '4,91512e+12', SHORTENED, 'DE'],
		[
			'the Russian trunk prefix',
			'+7 8 912 345-67-89',
			'Remove the 8, which is dialed only within the country: +79123456789',
		],
		[
			'the German trunk prefix',
			'+49 030 1234567',
			'Remove the 0, which is dialed only within the country: +49301234567',
		],
		[
			'the British one in parentheses',
			'+44 (020) 7946 0958',
			`Remove the 0, which is dialed only within the country: ${london}`,
		],
		[
			'the Hungarian trunk prefix',
			'+36 06 20 123 4567',
			'Remove the 06, which is dialed only within the country: +36201234567',
		],
		[
			'a trunk prefix after 00',
			'0033 06 12 34 56 78',
			'Remove the 0, which is dialed only within the country: +33612345678',
		],
		['a trunk prefix before another number', '+540111512345678', 'check its digits'],
		['a zero in brackets where there is none', '+1 (0)202 555 0123', 'Enter it'],
		['a zero in brackets after the area code', '+49 30 (0)1234567', 'Enter it'],
		['two zeros in brackets', '+49 (0)30 (0)1234567', 'Enter it'],
		['another calling code before a zero in brackets', '44 (0)20 7946 0958', COUNTRY, 'DE'],
		['brackets with more than the calling code', '+(205) 221-2310', 'more than the calling code +20: check its digits'],
		['the Russian trunk prefix as a country code', '+8 495 123 45 67', 'No country has the code 8'],
		['the same after 00', '00 8-495-123-45-67', 'No country has the code 8'],
		['the same where people dial another prefix than 00', '00 8-495-123-45-67', 'It is not a phone number of RU', 'RU'],
		['the same after a divided 00', '0 08 495 123 45 67', 'It is not a phone number of RU', 'RU'],
		['two signs before it', '++44 (0)20 7946 0958', 'Write one +'],
		['a letter before it', '+44a (0)20 7946 0958', LETTERS],
		['a digit too few', '+1 202 555 012', 'It is not a valid number of +1'],
		['a digit too many', '+44 20 7946 09588', 'It is not a valid number of +44'],
		['an area code that starts with 1', '+1 102 555 0123', 'It is not a valid number of +1'],
		['an unassigned calling code', '+999 1234567', 'It does not start with the calling code'],
		['too few digits for any country', '+49 30 12', E164],
		['too many', '+4915112345678901', E164],
		['a country code that starts with 0', '+0301234567', 'does not start with 0'],
		['no country code', '030 1234567', COUNTRY],
		['no plus', '4915112345678', COUNTRY],
		['nothing', '', COUNTRY],
		['spaces', '   ', COUNTRY],
		['an underscore', '12025550123 _', 'Remove "_"'],
		['an apostrophe inside', "+49151'12345678", `Remove "'"`],
		['a picture', '📞 +442079460958', 'Remove "📞" from the number'],
		['an angle bracket', '<+442079460958>', 'Remove "<"'],
		['more than a hundred signs', mobile.padEnd(101), 'Enter it'],
		...[{ number: mobile }, [mobile], { length: 3 }, null, true].map(
			(given) => ['no text', given, 'Enter it'] as const,
		),
		['words', 'n/a', NONE],
		['other words', 'call me', NONE],
		['a dash', '-', NONE],
		['words with a number', '+49 CALL ME', LETTERS],
		['letters on the keys', '+1800FLOWERS', LETTERS],
		['a name', '12025550123 (Anna)', LETTERS],
		['an expression', '{{ $json.phone }}', 'It is an expression as text'],
		['a part of one', '$json.phone', 'It is an expression as text'],
		...[' ext. 5', 'x5', ' #5', ' extension 42', ' x 5 '].map(
			(end) => ['an extension', `+12025550101${end}`, EXTENSION] as const,
		),
		['an extension after a star', '+12025550143*227', EXTENSION],
		['an extension after a hyphen', '+1-202-555-0144-x11', EXTENSION],
		['the formula of a spreadsheet', '=+442079460958', 'Remove the ='],
		['a word before it', 'Mobile: +442079460958', 'Remove the words'],
		['two numbers between colons', '0612345678 ::: 0712345678', SEVERAL, 'FR'],
		['a footnote', '+43 1 5134505 3)', 'Remove what follows'],
		['a bracket too many', '+49 30) 1234567', 'Check the parentheses'],
		['an extension in a link', 'tel:+12025550101;ext=5', EXTENSION],
		...[', ', ';', ' or ', ' ', '\n', '  or  '].map(
			(between) => ['two numbers', `+12025550101${between}+12025550102`, SEVERAL] as const,
		),
		['two short numbers on two lines', '+493012345\n12346', SEVERAL],
		['two numbers without +', '12025550123\n12025550124', SEVERAL],
		['an extension in another language', '+39 06 1234567 int. 12', EXTENSION],
		['an extension in another language', '+43 1 5123456 Klappe 12', EXTENSION],
		['an extension of two', '12025550123 ext 4 or 5', SEVERAL],
		['two endings after a slash', '+49 30 1234567/68', SEVERAL],
		['a second ending after a slash', '+1 415 555 2671/2672', SEVERAL],
		['two endings of a national number', '030 1234567/68', SEVERAL, 'DE'],
		['a short first number', '01 5123456/78', SEVERAL, 'AT'],
		['a longer second number', '+49 170 1234567 / 030 12', SEVERAL],
		['two endings of a number without +', '15122345678/79', SEVERAL, 'DE'],
		['two cells of a table', '1\t0301234567', SEVERAL, 'DE'],
		['a number of a table as a decimal number', '15112345678.0', COMPUTED, 'DE'],
		['the same with its country code', '393331234567.0', COMPUTED, 'IT'],
		['the same with +', '+4930123456.0', COMPUTED],
		['the same with a comma', '442079460958,00', COMPUTED],
		['thousands', '2,025,550,123', COMPUTED, 'US'],
		['a coordinate', '-2.1234567', COMPUTED, 'GB'],
		['a fraction', '15112345678.5', COMPUTED, 'DE'],
		['a subtraction that was computed', '-15112345678', COMPUTED, 'DE'],
		['a date', '01.02.2026', 'a date', 'DE'],
		['a date where numbers have 8 digits', '22.11.2026', 'a date', 'NO'],
		['a date as computers write it', '2026-11-22', 'a date', 'NO'],
		['an addition in parentheses', '+49 30 1234567 (2)', 'in parentheses'],
		['the number of a list', '1. 15112345678', 'before the number', 'DE'],
		['the number of a list in parentheses', '(2) 030 1234567', 'before the number', 'DE'],
		['a landline or a mobile of Italy', '331815000', '+39331815000 or +390331815000', 'IT'],
		...[0, -4915112345678, 15112345678.5, 151.1234567, 2 ** 60].map(
			(given) => ['a computed number', given, 'Store the number as text', 'DE'] as const,
		),
		...[-4930901820, 49309018.5].map((given) => ['a computed number', given, 'calculated number'] as const),
	] as Array<[string, unknown, string, string?]>)('%s: %j', (_what, given, advice, country = undefined) => {
		expect(parsePhoneNumber(given, country)).toMatchObject({
			number: undefined,
			advice: expect.stringContaining(advice),
		});
	});

	test('only a number without a country code lacks a country', () => {
		const lacking = (all: unknown[]) => all.filter((given) => parsePhoneNumber(given).lacksCountry);
		const national = ['030 1234567', '2025550101', 2025550101];
		expect(lacking(national)).toEqual(national);
		const others = ['n/a', '+49 CALL ME', '+1 102 555 0123', '202 555 0101 ext. 5', '2025550101, 2025550102', {}];
		expect(lacking([...others, '0044 020', '+49 30 1234567 (2)', '15112345678.0'])).toEqual([]);
	});

	test.each(['1', '/', '1/', '(0)', ' ', '+', "'", 'x', '1,'])('a long text of %j is rejected at once', (part) => {
		const text = part.repeat(100_000);
		expect([toE164(text), toE164(text, 'DE')]).toEqual([undefined, undefined]);
		expect(parsePhoneNumber(text).advice).not.toBe('');
	});

	test('an Italian landline that lost its first zero can be a short mobile number', () => {
		expect(toE164('331 181500', 'IT')).toBeUndefined();
		expect(toE164(331181500, 'IT')).toBeUndefined();
		expect(toE164('0331 181500', 'IT')).toBe('+390331181500');
		expect(toE164('+39 331 181500')).toBe('+39331181500');
	});
});
