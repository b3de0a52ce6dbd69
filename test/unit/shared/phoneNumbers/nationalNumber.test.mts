import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

import { countryOf, loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';

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

describe('A number without + is read in the national format of its country', () => {
	test.each([
		['DE', '030 1234567', '+49301234567'],
		['DE', '(0)30 / 123 45-67', '+49301234567'],
		['de', '0151 12345678', '+4915112345678'],
		['GB', '020 7946 0958', '+442079460958'],
		['US', '(202) 555-0123', '+12025550123'],
		['US', '1-202-555-0123', '+12025550123'],
		['CA', '613.555.0123', '+16135550123'],
		['RU', '8 (912) 345-67-89', '+79123456789'],
		['RU', '8 800 555 35 35', '+78005553535'],
		['HU', '06 20 123 4567', '+36201234567'],
		['FR', '06 12 34 56 78', '+33612345678'],
		['ES', '612 34 56 78', '+34612345678'],
		['AR', '011 15-2345-6789', '+5491123456789'],
		['AR', '011 4345-6789', '+541143456789'],
		['BR', '(11) 96123-4567', '+5511961234567'],
		['BR', '0 15 11 96123-4567', '+5511961234567'],
		['MX', '55 1234 5678', '+525512345678'],
		['JP', '090-1234-5678', '+819012345678'],
		['BB', '250-1234', '+12462501234'],
	])('%s: %s is %s', (country, written, expected) => {
		expect(toE164(written, countryOf(country).code)).toBe(expected);
	});

	test('a leading 0 that is part of the number is kept', () => {
		expect(toE164('06 1234 5678', 'IT')).toBe('+390612345678');
		expect(toE164('(0)6 1234 5678', 'IT')).toBe('+390612345678');
		expect(toE164('312 345 6789', 'IT')).toBe('+393123456789');
	});

	test('a number from a spreadsheet is read', () => {
		expect(toE164(2025550123, 'US')).toBe('+12025550123');
		expect(toE164(15112345678, 'DE')).toBe('+4915112345678');
		expect(toE164(1e21, 'US')).toBeUndefined();
		expect(toE164(Number.NaN, 'US')).toBeUndefined();
	});

	test.each([
		['DE', '0044 20 7946 0958', '+442079460958'],
		['US', '011 44 20 7946 0958', '+442079460958'],
		['US', '0044 20 7946 0958', '+442079460958'],
		['AU', '0011 44 20 7946 0958', '+442079460958'],
		['AU', '0044 20 7946 0958', '+442079460958'],
		['RU', '8 10 44 20 7946 0958', '+442079460958'],
		['JP', '010 44 20 7946 0958', '+442079460958'],
		['BR', '00 15 44 20 7946 0958', '+442079460958'],
		['TH', '001 44 20 7946 0958', '+442079460958'],
	])('%s: %s has an international prefix', (country, written, expected) => {
		expect(toE164(written, country)).toBe(expected);
	});

	test.each([
		['DE', '49301234567', '+49301234567'],
		['US', '12025550123', '+12025550123'],
		['GB', '44 7911 123456', '+447911123456'],
		['GB', '44 (0)7911 123456', '+447911123456'],
		['IN', '919876543210', '+919876543210'],
		['FR', '33612345678', '+33612345678'],
		['IT', '390612345678', '+390612345678'],
	])('%s: %s only lacks the +', (country, written, expected) => {
		expect(toE164(written, country)).toBe(expected);
	});
});

describe('An ambiguous or invalid number is rejected with advice', () => {
	test.each([
		['DE', '4915123456789', 'It can be +494915123456789 or +4915123456789'],
		['DE', '4915123456789', 'write it with +, or as 04915123456789 if it is a number of DE'],
		['DE', '442079460958', 'It can be +49442079460958 or +442079460958: write it with +, or as 0442079460958'],
		['DE', 33612345678, 'It can be +4933612345678 or +33612345678'],
		['DE', '4402079460958', 'It can be +494402079460958 or +442079460958'],
		['US', '203 555 0111', 'It can be +12035550111 or +2035550111: write it with +, or as 12035550111'],
		['IT', '328 123 4567', /It can be \+393281234567 or \+3281234567: write it with \+$/],
		['RU', '8 863 234 56 78', 'It can be +78632345678 or +88632345678'],
		['FR', '442079460958', 'It is not a phone number of FR: if it is +442079460958, add the +'],
		['ID', '62812345678', 'It can be +6262812345678 or +62812345678'],
		['KR', '001 203 555 0123', 'It can be +2035550123 or +12035550123'],
		['DE', '1234567', 'It may be a local number'],
		['DE', '301234567', 'It may be a local number'],
		['CN', '6123 4567', 'It may be a local number'],
		['GB', '800 1111', 'It is not a phone number of GB'],
		['US', '555-0123', 'It is not a phone number of US'],
		['BR', '96123-4567', 'It is not a phone number of BR'],
		['AU', '9123 4567', 'It is not a phone number of AU'],
		['IT', '6 12', 'It is not a phone number of IT'],
		['FR', '06 12 34 56', 'It is not a phone number of FR'],
		['FR', '06 12 34 56 78 90', 'It is not a phone number of FR'],
		['DE', '112', 'It is not a phone number of DE'],
		['US', '0', 'It is not a phone number of US'],
		['US', '1800FLOWERS', 'Enter it with + and the country code'],
		['US', '202 555 0123 ext. 4', 'Remove the extension'],
		['US', '202 555 0123, 202 555 0124', 'more than one phone number'],
		['US', '202+5550123', 'more than one phone number'],
		['US', '', 'Enter it with + and the country code'],
		['US', { number: '2025550123' }, 'Enter it with + and the country code'],
		['DE', '000 44 20 7946 0958', 'It is not a phone number of DE'],
	])('%s: %s', (country, written, advice) => {
		expect([toE164(written, country), adviceOn(written, country)]).toEqual([
			undefined,
			typeof advice === 'string' ? expect.stringContaining(advice) : expect.stringMatching(advice),
		]);
	});

	test('without a country, a national number is rejected', () => {
		for (const written of ['030 1234567', '2025550123', '49301234567', 4915112345678]) {
			expect(toE164(written)).toBeUndefined();
		}
	});
});

describe('A country has a two-letter code', () => {
	test.each(['DE', 'de', ' Gb ', 'XK'])('%s is valid', (written) => {
		expect(countryOf(written)).toEqual({ code: written.trim().toUpperCase(), mistake: undefined });
	});

	test.each([
		['UK', 'Enter GB'],
		['el', 'Enter GR'],
		['XX', 'Enter the two-letter code of a country'],
		['DEU', 'Enter the two-letter code of a country'],
		['Germany', 'Enter the two-letter code of a country'],
		['+49', 'Enter the two-letter code of a country'],
		['49', 'Enter the two-letter code of a country'],
		['', 'Enter the two-letter code of a country'],
		[undefined, 'Enter the two-letter code of a country'],
	])('%s is invalid', (written, mistake) => {
		expect(countryOf(written).mistake).toContain(mistake);
	});
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
			{ numRuns: 40_000, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
		// A function that rejects everything must not pass.
		expect(valid / all).toBeGreaterThan(0.05);
	});

	test('spaces and punctuation make no difference, unless they make it a decimal number or a date', () => {
		const other = /^\d+\.\d{1,2}$|^\d{1,4}([.-])\d{1,2}\1\d{2,4}$/;
		fc.assert(
			fc.property(
				written,
				fc.array(fc.constantFrom('', ' ', '-', '.', '\u2013'), { maxLength: 14 }),
				({ country: of, text }, separators) => {
					const decorated = [...text].map((digit, index) => digit + (separators[index] ?? '')).join('');
					fc.pre(!other.test(decorated));
					expect(toE164(decorated, of)).toBe(toE164(text, of));
				},
			),
		);
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
			{ numRuns: 10_000, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
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
		expect(rejected((of) => exampleOf(of).formatNational())).toEqual('CN CO MN MP MS SO TC US'.split(' '));
		expect(rejected((of) => exampleOf(of).formatInternational())).toEqual([]);
		expect(rejected((of) => exampleOf(of).number.slice(1))).toEqual(['DE', 'ID', 'XK']);
		expect(rejected((of) => exampleOf(of).nationalNumber)).toEqual(
			'AL AR AT AX BA BG CD CN CO CU DE FI ID IE KH MM MN MP MS MY NZ PM RS SO TC US VN XK'.split(' '),
		);
	});
});
