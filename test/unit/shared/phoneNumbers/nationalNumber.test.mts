import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

import { countryOf, loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import fc from '../../../fastCheck.mts';

const adviceOn = (written: unknown, country?: string) => parsePhoneNumber(written, country).advice;

beforeAll(loadCountries);

const countries = getCountries();
function exampleOf(country: CountryCode) {
	const example = getExampleNumber(country, examples);
	if (!example) {
		throw new Error(`${country} has no example`);
	}
	return example;
}

const digits = '20 7946 0958';

describe('A number without + is read in the national format of its country', () => {
	test.each<[country: string, expected: string, ...written: unknown[]]>([
		['DE', '+49301234567', '030 1234567', '(0)30 / 123 45 67', '30 1234567'],
		['de', '+4915112345678', '0151 12345678', 15112345678],
		['GB', '+442079460958', `0${digits}`],
		['GB', '+447911123456', '44 7911 123456', '44 (0)7911 123456'],
		['US', '+12025550123', '(202) 555-0123', '1-202-555-0123', '12025550123', 2025550123],
		['CA', '+16135550123', '613.555.0123'],
		['RU', '+79123456789', '8 (912) 345-67-89'],
		['RU', '+78632345678', '8 863 234 56 78', '8 (863) 234-56-78'],
		['HU', '+36201234567', '06 20 123 4567'],
		['FR', '+33612345678', '06 12 34 56 78', '33612345678'],
		['ES', '+34612345678', '612 34 56 78'],
		['AR', '+5491123456789', '011 15-2345-6789'],
		['AR', '+541143456789', '011 4345-6789'],
		['BR', '+5511961234567', '(11) 96123-4567', '0 15 11 96123-4567'],
		['MX', '+525512345678', '55 1234 5678'],
		['JP', '+819012345678', '090-1234-5678'],
		['BB', '+12462501234', '250-1234'],
		['IN', '+919876543210', '919876543210'],
		// Nothing but the + is missing: landlines with that many digits are not in use.
		['DE', '+4915123456789', '4915123456789', 4915123456789],
		['ID', '+62811028091', '62811028091'],
		['XK', '+38344123456', '38344123456'],
		// Digits and signs of other scripts.
		['JP', '+81312345678', '０３－１２３４－５６７８', '03ー1234ー5678', '03\u22121234\u22125678'],
		['SA', '+966501234567', '٠٥٠١٢٣٤٥٦٧'],
		['IR', '+982188881234', '۰۲۱-۸۸۸۸۱۲۳۴'],
		['IN', '+919876543210', '०९८७६५४३२१०'],
		// A spreadsheet has dropped the first 0 of the trunk prefix 06.
		['HU', '+3614495062', 614495062, '06 1 449 5062', '(06 1) 449 5062'],
		// The groups tell it from a number of another country.
		['US', '+12022245251', '202-224-5251', '202.224.5251', '(202) 2245251'],
		['US', '+15016018979', '501-601-8979', '(501) 601-8979'],
		['BR', '+5533918823589', '(33) 91882-3589'],
		// A calling code is neither divided nor a part of brackets.
		...['8 (4922) 37-70-03', '8(4922)377003', '8-4922-377003', '(4922) 377003'].map(
			(written): [string, string, string] => ['RU', '+74922377003', written],
		),
		['KZ', '+77122345678', '8 (7122) 34-56-78', '(7122) 345678'],
		['UA', '+380322345678', '(0322) 34-56-78', '(32) 234 56 78'],
		['TR', '+902842127961', '0(284)212-79-61', '(284) 212 79 61'],
		['CN', '+8613523333233', '135 2333 3233'],
		['JM', '+16582281549', '(658) 228-1549'],
		// The usual format has no trunk prefix, or the groups show the area code.
		['MN', '+97688112345', '8811 2345', 88112345],
		['MC', '+37793300000', '93 30 00 00'],
		['LI', '+4232345678', '234 56 78', '234 5678'],
		['LB', '+9613123456', '3 123 456'],
		['LT', '+37068640932', '(0-686) 40932'],
		['LT', '+37052123456', '8 (5) 212 3456'],
		['DE', '+49211456789', '0211/4567-89'],
		['DE', '+4930186810', '030 / 18 681-0', '030 / 18 681 - 0'],
		['KR', '+8223123456', '02)312-3456'],
		['RU', '+74951234567', '(495) 123-45-67'],
		['PL', '+48226201234', '22 - 620 12 34'],
		['ES', '+34911234567', '91 - 123 45 67', '91.1234567'],
		['AT', '+4366401234567', '0664 01234567'],
		// The leading 0 is part of the number, also of short ones.
		['IT', '+39035640230', '035-640230'],
		['IT', '+39054460323', '(0544) 60323'],
		['IT', '+390612345678', '06 1234 5678', '(0)6 1234 5678', '390612345678'],
		['IT', '+393123456789', '312 345 6789'],
		// With an international prefix.
		['DE', '+442079460958', `0044 ${digits}`],
		['US', '+442079460958', `011 44 ${digits}`, `0044 ${digits}`],
		['AU', '+442079460958', `0011 44 ${digits}`, `0044 ${digits}`],
		['RU', '+442079460958', `8 10 44 ${digits}`],
		['JP', '+442079460958', `010 44 ${digits}`],
		['BR', '+442079460958', `00 15 44 ${digits}`],
		['TH', '+442079460958', `001 44 ${digits}`],
	])('of %s: %s is %j', (country, expected, ...written) => {
		for (const one of written) {
			expect([one, toE164(one, countryOf(country).code)]).toEqual([one, expected]);
		}
	});
});

describe('An ambiguous or invalid number is rejected with advice', () => {
	test.each<[string, unknown, string | RegExp]>([
		['DE', '442079460958', 'It can be +49442079460958 or +442079460958: write it with +, or as 0442079460958'],
		['DE', 33612345678, 'It can be +4933612345678 or +33612345678'],
		['DE', '4402079460958', 'It can be +494402079460958 or +442079460958'],
		['US', '203 55 50 111', 'It can be +12035550111 or +2035550111: write it with +, or as 12035550111'],
		['IT', 3281234567, /It can be \+393281234567 or \+3281234567: write it with \+$/],
		['RU', 88632345678, 'It can be +78632345678 or +88632345678'],
		['RU', '8 800 555 35 35', 'neither a landline nor a mobile of RU: if it is +78005553535, write it with +'],
		['FR', '442079460958', 'It is not a phone number of FR: if it is +442079460958, add the +'],
		['FR', '15112345678', 'It is not a phone number of FR: correct it, or write it with + and the country code'],
		['HU', 6702123539, '+36702123539 or +6702123539: write it with +, or as 06702123539 if it is a number of HU'],
		['RU', '3534756514', '+73534756514 or +3534756514: write it with +, or as 83534756514 if it is a number of RU'],
		// Phones of Kosovo had these numbers until 2019.
		['XK', 38649123456, 'It can be +38338649123456 or +38649123456'],
		['XK', '386-49-123-456', '+38649123456'],
		['XK', 38138123456, 'It can be +38338138123456 or +38138123456'],
		['DE', '38649123456', 'It can be +4938649123456 or +38649123456'],
		// The signs contradict + or 00.
		...['+(205) 221-2310', '+205-221-2310', '(+205) 221 2310'].map((written) => [
			'US',
			written,
			'It can be +2052212310 or +12052212310: write it with +, and without other signs',
		]),
		['GB', '0020 3416 5000', 'It can be +2034165000 or +442034165000'],
		['DE', '(4420) 79460958', 'It can be +49442079460958 or +442079460958'],
		['KR', '001 203 555 0123', 'It can be +2035550123 or +12035550123'],
		...[
			['DE', '0900 1 123456'],
			['FR', '0892 683 292'],
			['GB', '0906 123 4567'],
			['US', '(900) 555-1234'],
			['ES', '806 123 456'],
		].map(([country, written]) => [country, written, `neither a landline nor a mobile of ${country}`]),
		...[
			['US', '9999999999'],
			['US', '555-555-5555'],
			['US', '(612) 627-6691 8'],
			['DE', '0000000000'],
		].map(([country, written]) => [country, written, `It is not a phone number of ${country}`]),
		...[
			'1. 030 1234567',
			'1.030 1234567',
			'1)030 1234567',
			'(2) 030 1234567',
			'1 - 030 1234567',
			'[1] 030 1234567',
			'*1 030 1234567',
			'03. 0171 1234567',
			'(03) 0171 1234567',
			'03 - 0171 1234567',
			'203. 0171 1234567',
			// A postal code.
			'80331 089 2330',
			'04109 0341 1230',
		].map((written) => ['DE', written, 'Remove the list mark before the number']),
		...['030 1234567 1)', '030 1234567*', '030 1234567 [1]', '030 1234567 – 1', '030 1234567¹', '030 12345 10-19'].map(
			(written) => ['DE', written, 'Remove what follows the number'],
		),
		...[
			'030-12345 10-19',
			'030 12345-67-69',
			'030 12345 100 - 199',
			'030 1234567 8-12',
			'030 123456 9.00-17.00',
			'030 123456 12.00',
			'030 - 1234567 - 12',
		].map((written) => ['DE', written, 'Remove what follows the number']),
		...['030 123456 22.11.', '22.11. 030 123456', '2024-11-29 0930'].map((written) => ['DE', written, 'a date']),
		...['30123456/78', '56687 56687'].map((written) => ['DE', written, 'more than one phone number']),
		...['020 8367 1729 0208 366 1763', '0844 387 9911 01342 777478'].map((written) => ['GB', written, 'more than one']),
		...['0559677928 ou 0681153031', '05 59 67 79 28 et 06 81 15 30 31', '0559677928 (bureau) 0681153031'].map(
			(written) => ['FR', written, 'more than one'],
		),
		['DE', '52.9248046875', 'Store the number as text'],
		['IT', '0.612345678', 'Store the number as text'],
		['ES', '609 91 44 36 9', 'Remove what follows the number'],
		['US', '1-800-555-0123', 'neither a landline nor a mobile of US'],
		['US', '004. 312-555-0123', 'Remove the list mark'],
		...['030 1234567--1', '030 12345...67'].map((written) => ['DE', written, 'Enter it with +']),
		['DE', '44-20-7946-0958', 'if it is +442079460958, add the +'],
		['DE', '4420 79460958', 'It can be +49442079460958 or +442079460958'],
		...[
			['DE', '1234567'],
			['DE', '301234567'],
			['CN', '6123 4567'],
			['US', '555-0123'],
			['BR', '96123-4567'],
			['AU', '9123 4567'],
		].map(([country, written]) => [country, written, 'It may be a local number']),
		...[
			['IT', '6 12'],
			['FR', '06 12 34 56'],
			['FR', '06 12 34 56 78 90'],
			['DE', '112'],
			['US', '0'],
			['DE', `000 44 ${digits}`],
		].map(([country, written]) => [country, written, `It is not a phone number of ${country}`]),
		['US', '202+5550123', 'more than one phone number'],
		['US', '1800FLOWERS', 'It contains letters: remove them, or write them as the digits of their keys'],
		...[1e21, Number.NaN].map((given) => ['US', given, 'Store the number as text']),
	] as Array<[string, unknown, string | RegExp]>)('%s: %s', (country, written, advice) => {
		expect(toE164(written, country)).toBeUndefined();
		const given = adviceOn(written, country);
		expect(given).toEqual(typeof advice === 'string' ? expect.stringContaining(advice) : expect.stringMatching(advice));
	});
});

describe('A country', () => {
	test.each([
		['DE', 'de', ' De ', 'DEU', 'Germany', 'GERMANY', '+49', '+ 49', '(+49)', '49', 49, '0049', '＋４９', 'DE\u200b'],
		['GB', 'gb', 'UK', 'U.K.', 'uk', 'United Kingdom', 'the united  kingdom', 'Great Britain'],
		['GB', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
		['IE', 'Ireland', 'Republic of Ireland'],
		['AD', 'Andorra', 'AND'],
		['KR', 'South Korea', 'Korea, South', 'Korea, Republic of', 'Republic of Korea', 'Korea (the Republic of)'],
		['KP', "Korea, Democratic People's Republic of", 'North Korea'],
		['NL', 'The Netherlands', 'Holland', 'Netherlands, Kingdom of the'],
		['RU', 'Russia', 'Russian Federation'],
		['BS', 'Bahamas (the)'],
		['VI', 'Virgin Islands, U.S.'],
		['SH', 'Saint Helena', 'St Helena'],
		['MO', 'Macau', 'Macao SAR'],
		['TT', '+1-868', '+1 868', '+1 (868)', '1-868', 1868],
		['DO', '+1 809', '+1-829', '+1849'],
		['US', 'USA', 'u.s.a.', 'United States', 'The United States of America'],
		['GR', 'el', 'Greece', '+30'],
		['CI', 'Côte d’Ivoire', "cote d'ivoire", 'Ivory Coast'],
		['TT', 'Trinidad & Tobago', 'Trinidad and Tobago'],
		['CD', 'Congo - Kinshasa'],
		['HK', 'Hong Kong', 'Hong Kong SAR China'],
		['UA', '+380', '00380'],
		['XK', 'Kosovo', '383'],
		['+1', '+1', '1', 1],
		['+44', '+44', '44'],
		['+7', '+7', '7'],
	])('%s can be written in these ways', (code, ...written) => {
		expect(written.map((one) => [one, countryOf(one)])).toEqual(written.map((one) => [one, { code }]));
	});

	test.each([
		...['XX', 'XXX', 'Korea', 'Congo', 'Germany, Austria', 'Germany 49', 'DE +49', '', ' ', '+', undefined],
		...['+4', '4', '+4930', '49 30', '+800', '276', '-49', 4.9, '+1 212', '+49 DE'],
	])('%j is refused as a whole', (written) => {
		expect(countryOf(written)).toEqual({ code: '', mistake: expect.stringMatching(/^Enter one country.*DE, Germany/) });
	});

	test('with three digits that are the ISO number of another country is refused, and both are named', () => {
		const mistake = (written: unknown) => countryOf(written).mistake;
		expect(mistake('380')).toBe('380 can be +380 (Ukraine) or the ISO number of Italy: enter +380 or IT');
		expect(mistake(356)).toContain('+356 (Malta) or the ISO number of India');
		// Here both are the same country, or only one of them exists.
		expect(['353', '972', '599'].map((one) => countryOf(one).code)).toEqual(['IE', 'IL', '+599']);
	});

	test.each(['long', 'short'] as const)('is found by each of the %s English names that the runtime knows', (style) => {
		const names = new Intl.DisplayNames('en', { type: 'region', style });
		const found = countries.map((country) => countryOf(names.of(country)).code);
		expect(found).toEqual(countries);
	});

	test('is found by its calling code, alone or with the countries that share it', () => {
		for (const country of countries) {
			const callingCode = `+${getCountryCallingCode(country)}`;
			const shared = countries.filter((other) => `+${getCountryCallingCode(other)}` === callingCode);
			expect(countryOf(callingCode)).toEqual({ code: shared.length === 1 ? country : callingCode });
		}
	});
});

test('With a shared calling code, a number is the same as with each of its countries, or is refused', () => {
	const shared = countries.filter((country) => countryOf(`+${getCountryCallingCode(country)}`).code.startsWith('+'));
	expect(shared.length).toBeGreaterThan(40);
	const texts = shared.flatMap((country) => {
		const example = exampleOf(country);
		const { nationalNumber: digits } = example;
		const dialed = [
			example.formatNational(),
			digits,
			`0${digits}`,
			`8${digits}`,
			`1${digits}`,
			example.number.slice(1),
		];
		// Local numbers, which some territories complete.
		return [...dialed, ...[5, 6, 7, 8].map((length) => digits.slice(-length))];
	});
	let read = 0;
	for (const country of shared) {
		const callingCode = `+${getCountryCallingCode(country)}`;
		expect(toE164(exampleOf(country).formatNational(), callingCode)).toBe(exampleOf(country).number);
		for (const text of texts) {
			const number = toE164(text, callingCode);
			if (number !== undefined) {
				read++;
				expect([country, text, toE164(text, country) ?? number]).toEqual([country, text, number]);
			}
		}
	}
	expect(read).toBeGreaterThan(1000);
	expect(toE164('250-1234', 'BB')).toBe('+12462501234');
	expect(toE164('250-1234', '+1')).toBeUndefined();
	expect(adviceOn('555-555-5555', '+1')).toContain('not a phone number of +1');
});

describe('Compared with libphonenumber-js', () => {
	const country = fc.constantFrom(...countries);

	/** Prefixes from various countries. */
	const prefixes = fc
		.tuple(country, fc.constantFrom('', '0', '00', '000', '01', '011', '0011', '06', '8', '810', '1', '15', '90'))
		.map(([of, prefix]) => ({ of, prefix }));

	/** Digits that resemble a number of the country: its example with a prefix and other digits at the end. */
	const written = fc
		.record({
			country,
			keep: fc.nat(12),
			end: fc.stringMatching(/^\d{0,9}$/),
			complete: fc.constantFrom(true, true, true, false),
			first: prefixes,
			code: fc.constantFrom('none', 'none', 'none', 'own', 'other'),
			trunk: fc.constantFrom('', '', '', '0', '0', '8', '1', '06'),
		})
		.map(({ country: own, keep, end, complete, first, code, trunk }) => {
			const codes = { none: '', own: getCountryCallingCode(own), other: getCountryCallingCode(first.of) };
			const example = exampleOf(own).nationalNumber;
			const begun = example.slice(0, keep) + end;
			const national = complete ? (begun + example.slice(begun.length)).slice(0, example.length) : begun;
			return { country: own, text: first.prefix + codes[code] + trunk + national };
		});

	/** The numbers that libphonenumber-js reads. A leading 00 also counts as +, whatever the country. */
	const expectedNumbers = (text: string, of: CountryCode) => [
		parsePhoneNumberFromString(text, of)?.number,
		text.startsWith('00') ? `+${text.slice(2)}` : undefined,
		// Only the + of a number of the country is missing.
		text.startsWith(getCountryCallingCode(of)) ? parsePhoneNumberFromString(`+${text}`)?.number : undefined,
		// The 0 of an Italian landline is lost.
		parsePhoneNumberFromString(`0${text}`, of)?.number,
	];

	test('no digits are read as a different number', () => {
		let valid = 0;
		let all = 0;
		fc.assert(
			fc.property(
				fc.oneof(
					{ weight: 4, arbitrary: written },
					{ weight: 1, arbitrary: fc.record({ country, text: fc.stringMatching(/^\d{3,15}$/) }) },
				),
				({ country: of, text }) => {
					all++;
					const number = toE164(text, of);
					if (number === undefined) {
						return;
					}
					valid++;
					expect(expectedNumbers(text, of)).toContain(number);
				},
			),
			{ numRuns: 10_000 },
		);
		// A function that rejects everything must not pass.
		expect(valid / all).toBeGreaterThan(0.03);
	});

	test('spaces and punctuation make no other number of the same digits', () => {
		let both = 0;
		fc.assert(
			fc.property(
				written,
				fc.array(fc.constantFrom('', ' ', '-', '.', '\u2013'), { maxLength: 14 }),
				({ country: of, text }, separators) => {
					const decorated = [...text].map((digit, index) => digit + (separators[index] ?? '')).join('');
					const numbers = [text, decorated].map((one) => toE164(one, of)).filter((number) => number !== undefined);
					both += Number(numbers.length === 2);
					expect(new Set(numbers).size).toBeLessThanOrEqual(1);
				},
			),
			{ numRuns: 3_000 },
		);
		expect(both).toBeGreaterThan(10);
	});

	test('the country makes no difference to a number with +', () => {
		fc.assert(
			fc.property(country, fc.stringMatching(/^\+\d{1,16}$/), (of, text) => {
				expect(toE164(text, of)).toBe(toE164(text));
				expect([undefined, text]).toContain(toE164(text, of));
			}),
		);
	});

	test('a zero in brackets after the calling code never makes a different number', () => {
		let valid = 0;
		let all = 0;
		const number = fc.record({
			of: country,
			end: fc.stringMatching(/^\d{4}$/),
			zeros: fc.constantFrom('(0)', ' (0) ', '-(0)'),
		});
		fc.assert(
			fc.property(number, fc.boolean(), ({ of, end, zeros }, withCountry) => {
				all++;
				const national = exampleOf(of).nationalNumber.slice(0, -4) + end;
				const text = `+${getCountryCallingCode(of)}${zeros}${national.replace(/^0/, '')}`;
				const read = toE164(text, withCountry ? of : undefined);
				if (read !== undefined) {
					valid++;
					expect({ text, read }).toEqual({ text, read: parsePhoneNumberFromString(text)?.number });
				}
			}),
			{ numRuns: 3_000 },
		);
		expect(valid / all).toBeGreaterThan(0.2);
	});

	/** Returns the countries whose example is rejected in this format. */
	const rejected = (form: (of: CountryCode) => string) =>
		countries.filter((of) => {
			const number = toE164(form(of), of);
			expect([undefined, exampleOf(of).number]).toContain(number);
			return number === undefined;
		});

	test('the example of every country is read, unless it is ambiguous or may be a local number', () => {
		expect(countries).toHaveLength(245);
		expect(rejected((of) => exampleOf(of).formatNational())).toEqual([]);
		expect(rejected((of) => exampleOf(of).formatInternational())).toEqual([]);
		expect(rejected((of) => exampleOf(of).number.slice(1))).toEqual([]);
		expect(rejected((of) => exampleOf(of).nationalNumber)).toEqual(
			'AT AX BA BG CD CN CO CU DE FI ID IE KH MM MP MS MY NZ PM RS TC US VN XK'.split(' '),
		);
	});
});
