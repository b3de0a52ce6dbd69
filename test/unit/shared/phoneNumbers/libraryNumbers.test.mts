import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	type PhoneNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };

import { loadCountries, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import fc from '../../../fastCheck.mts';

/** How many random numbers of each type there are in a country, besides its example. */
const OF_EACH_TYPE = 2;

/** The columns of the library's metadata: pattern of all numbers, trunk prefix, and types with their patterns. */
const FORM = 2;
const TRUNK = 5;
const TYPES = 11;

type Row = Record<number, unknown>;
const row = (country: CountryCode) => (metadata.countries as unknown as Record<string, Row>)[country] as Row;

/** Valid numbers of all types: the library's example, and random ones that the library confirms. */
function numbersOf(country: CountryCode): PhoneNumber[] {
	const types = (row(country)[TYPES] ?? []) as Array<0 | [pattern: string]>;
	const random = types
		.filter((type) => type !== 0 && type[0] !== '')
		.flatMap((type) =>
			fc.sample(fc.stringMatching(new RegExp(`^(?:${(type as [string])[0]})$`)), { numRuns: OF_EACH_TYPE }),
		)
		.map((national) => parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${national}`))
		.filter((number) => number?.isValid());
	return [getExampleNumber(country, examples), ...random].filter((number) => number !== undefined);
}

/** A text for a number, and the countries that Default Country may name; undefined without it. */
interface Notation {
	write(number: PhoneNumber, country: CountryCode): string;
	countries(country: CountryCode): Array<CountryCode | undefined>;
}

/** Separates the digits in groups of two or three. */
const grouped = (digits: string, separator: string) => digits.match(/\d{2,3}(?!\d$)|\d+/g)?.join(separator) ?? digits;
const withCode = (separator: string) => (number: PhoneNumber) =>
	`+${number.countryCallingCode}${separator}${grouped(number.nationalNumber, separator)}`;
const always = (country: CountryCode) => [undefined, country, country === 'DE' ? 'US' : 'DE'] as CountryCode[];
const own = (country: CountryCode) => [country];

const withCallingCode: Record<string, Notation> = {
	international: { write: (number) => number.formatInternational(), countries: always },
	'with spaces': { write: withCode(' '), countries: always },
	'with dots': { write: withCode('.'), countries: always },
	'with hyphens': { write: withCode('-'), countries: always },
	'with brackets': {
		write: (number) =>
			`+${number.countryCallingCode} (${number.nationalNumber.slice(0, 3)}) ${number.nationalNumber.slice(3)}`,
		countries: always,
	},
	'with 00': {
		write: ({ countryCallingCode, nationalNumber }) => `00${countryCallingCode} ${nationalNumber}`,
		countries: () => [undefined, 'DE', 'FR'],
	},
	'as a link': { write: (number) => number.format('RFC3966').replace('tel:', ''), countries: always },
};

const dialed = {
	'with 00': { write: (number) => `00${number.countryCallingCode} ${number.nationalNumber}`, countries: always },
	'with 011': {
		write: (number) => `011 ${number.countryCallingCode} ${number.nationalNumber}`,
		countries: () => ['US', 'CA', 'JM'],
	},
	'with (0)': {
		write: ({ countryCallingCode, nationalNumber }) => `+${countryCallingCode} (0)${nationalNumber.replace(/^0/, '')}`,
		countries: always,
	},
	'with the trunk prefix': {
		write: ({ countryCallingCode, nationalNumber }, country) =>
			`+${countryCallingCode} ${row(country)[TRUNK] || 0}${nationalNumber}`,
		countries: always,
	},
	national: { write: (number) => number.formatNational(), countries: own },
	'without trunk prefix': { write: (number) => number.nationalNumber, countries: own },
	'without +': { write: (number) => number.number.slice(1), countries: own },
} satisfies Record<string, Notation>;

/** How many texts were read, and the numbers that were rejected in one of them, by country. */
interface Tally {
	checked: number;
	landlinesAndMobiles: number;
	rejected: Array<{ number: PhoneNumber; country: CountryCode; of: CountryCode | undefined }>;
}

const isLandlineOrMobile = (number: PhoneNumber) => /FIXED_LINE|MOBILE/.test(number.getType() ?? '');

/** Reads all numbers in a notation. Each is read as the number that was written, as the library reads it, or not at all. */
function readAll({ write, countries }: Notation, included: (country: CountryCode) => boolean = () => true): Tally {
	const tally: Tally = { checked: 0, landlinesAndMobiles: 0, rejected: [] };
	for (const [country, all] of [...numbers].filter(([of]) => included(of))) {
		for (const number of all) {
			const text = write(number, country);
			for (const of of countries(country)) {
				tally.checked++;
				tally.landlinesAndMobiles += Number(isLandlineOrMobile(number));
				const result = toE164(text, of);
				if (result === undefined) {
					tally.rejected.push({ number, country, of });
				} else if (result !== number.number) {
					const byLibrary = parsePhoneNumberFromString(text, of)?.number;
					expect({ text, of, result }).toEqual({ text, of, result: byLibrary });
				}
			}
		}
	}
	return tally;
}

let numbers: Map<CountryCode, PhoneNumber[]>;
beforeAll(async () => {
	await loadCountries();
	numbers = new Map(getCountries().map((country) => [country, numbersOf(country)]));
});

/** Whether E.164 has room for a number. The library knows shorter and longer ones. */
const isE164 = ({ number }: PhoneNumber) => /^\+\d{7,15}$/.test(number);

test('there are numbers of every country and type', () => {
	const all = [...numbers.values()].flat();
	expect(numbers.size).toBe(245);
	expect(all.length).toBeGreaterThan(2_400);
	expect(new Set(all.map((number) => number.getType())).size).toBe(11);
	expect(all.filter((number) => !isE164(number)).length / all.length).toBeLessThan(0.005);
});

describe('Every valid number with its calling code is read as itself', () => {
	test.each(Object.entries(withCallingCode))('%s', (_name, notation) => {
		const { checked, rejected } = readAll(notation);
		expect(checked).toBeGreaterThan(7_400);
		expect(rejected.filter(({ number }) => isE164(number))).toEqual([]);
	});

	test('numbers of no country', () => {
		for (const [code, { [FORM]: form }] of Object.entries(metadata.nonGeographic as unknown as Record<string, Row>)) {
			const all = fc.sample(fc.stringMatching(new RegExp(`^(?:${form})$`)), { numRuns: 300 });
			const valid = all.filter((number) => parsePhoneNumberFromString(`+${code}${number}`)?.isValid());
			expect(valid.length).toBeGreaterThan(0);
			expect(valid.map((number) => toE164(`+${code} ${number}`))).toEqual(valid.map((number) => `+${code}${number}`));
		}
	});
});

describe('No number is read as another one, and few landlines and mobiles are rejected', () => {
	/** The share of landlines and mobiles that are rejected, in percent. */
	function rejectedPercent({ rejected, landlinesAndMobiles }: Tally): number {
		return (rejected.filter(({ number }) => isLandlineOrMobile(number)).length / landlinesAndMobiles) * 100;
	}

	test.each([
		['with 00', 'with 00', 0.8],
		['as dialed from the United States', 'with 011', 0.1],
		['as dialed within the country', 'national', 5],
		['without +', 'without +', 2.5],
		['without trunk prefix', 'without trunk prefix', 18],
	] as const)('%s', (_what, name, percent) => {
		const tally = readAll(dialed[name]);
		expect(tally.checked).toBeGreaterThan(2_000);
		expect(rejectedPercent(tally)).toBeLessThan(percent);
	});

	test('with (0), also where it does not belong', () => {
		const withTrunkZero = (country: CountryCode) => row(country)[TRUNK] === '0';
		expect(rejectedPercent(readAll(dialed['with (0)'], withTrunkZero))).toBeLessThan(1.5);
		expect(rejectedPercent(readAll(dialed['with (0)']))).toBeLessThan(60);
	});

	test('with a trunk prefix that does not belong after the calling code', () => {
		const { checked, rejected } = readAll(dialed['with the trunk prefix']);
		expect(rejected.length / checked).toBeGreaterThan(0.97);
	});
});
