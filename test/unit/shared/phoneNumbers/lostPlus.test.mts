import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	type PhoneNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };

import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { root } from '../../../../scripts/lib/places.mts';
import { expectGenerated } from '../../../docs/generated.mts';
import fc from '../../../fastCheck.mts';

/** Countries with and without a trunk prefix, on four continents. */
const countries = 'AT AU BE BR CH CZ DE DK ES FI FR GB GR HU IE IT NL NO PL PT RU SE SG US'.split(' ') as CountryCode[];

const NUMBERS = 10_000;

/** The column of the library's metadata with the types of numbers, and the first two types. */
const TYPES = 11;
const LANDLINE = 0;
const MOBILE = 1;

/** The patterns of the types of numbers in a country; empty for a type that it does not have. */
function patternsOf(country: CountryCode): string[] {
	const types = (metadata.countries[country] as unknown as Record<number, Array<0 | [pattern: string]>>)[TYPES] ?? [];
	return types.map((type) => (type === 0 ? '' : type[0]));
}

/** A number and its country. */
interface Known {
	country: CountryCode;
	number: PhoneNumber;
}

/** Random numbers of a pattern that the library calls valid. */
function validNumbers(country: CountryCode, pattern: string, count: number, seed = 1): Known[] {
	return fc
		.sample(fc.noBias(fc.stringMatching(new RegExp(`^(?:${pattern})$`))), { numRuns: 2 * count, seed })
		.map((digits) => parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${digits}`))
		.filter((number) => number?.isValid() === true)
		.filter((number) => number !== undefined)
		.slice(0, count)
		.map((number) => ({ country, number }));
}

let numbers: Known[];
beforeAll(async () => {
	await loadCountries();
	const count = Math.ceil(NUMBERS / countries.length / 2);
	numbers = countries.flatMap((country) => {
		const patterns = patternsOf(country);
		// In some countries, mobiles look like landlines.
		const ofType = (type: number) => patterns[type] || patterns[LANDLINE] || '';
		return [LANDLINE, MOBILE].flatMap((type) => validNumbers(country, ofType(type), count, 1 + type));
	});
});

const withoutPlus = ({ number }: PhoneNumber) => number.slice(1);

/** Expects that digits call the number that was meant or none, with each of the other countries as Default Country. */
function expectNoOther(all: readonly Known[], defaults: readonly CountryCode[], write = withoutPlus): void {
	const wrong = all.flatMap(({ country, number }) =>
		defaults
			.filter((other) => other !== country)
			.map((other) => ({ text: write(number), other, called: toE164(write(number), other) }))
			.filter(({ called }) => called !== undefined && called !== number.number),
	);
	expect({ wrong: wrong.length, first: wrong.slice(0, 3) }).toEqual({ wrong: 0, first: [] });
}

test('a number that lost its + is called as no other number, whatever the default country', () => {
	const some = numbers.filter((_known, index) => index % 4 === 0);
	expect(some.length).toBeGreaterThanOrEqual(2_500);
	expectNoOther(some, countries);
});

test('the same is true for numbers of all types and of all countries', () => {
	const all = getCountries().flatMap((country) => {
		const patterns = patternsOf(country).filter((pattern) => pattern !== '');
		return patterns.flatMap((pattern) => validNumbers(country, pattern, 4));
	});
	expect(all.length).toBeGreaterThan(4000);
	expectNoOther(all, ['AT', 'BR', 'DE', 'IT', 'RU', 'US']);
});

test('the same is true with the zero in it that is dialed only within the country', () => {
	const withZero = ({ countryCallingCode, nationalNumber }: PhoneNumber) => `${countryCallingCode}0${nationalNumber}`;
	const isSame = ({ number }: Known) => parsePhoneNumberFromString(`+${withZero(number)}`)?.number === number.number;
	expectNoOther(numbers.filter((_known, index) => index % 20 === 0).filter(isSame), countries, withZero);
});

/** The share of texts that are refused because they can be a number of another country. */
function refused(country: CountryCode, write: (number: PhoneNumber) => string): string {
	const all = numbers.filter((known) => known.country === country).map(({ number }) => number);
	const several = all.filter((number) => {
		const { advice, readings } = parsePhoneNumber(write(number), country);
		return (
			advice.startsWith('It can be') && readings.some((reading) => !reading.startsWith(`+${number.countryCallingCode}`))
		);
	});
	return `${((100 * several.length) / all.length).toFixed(1)} %`;
}

test('docs/reference/phone-numbers.md has the share of numbers that are refused in each country', () => {
	const rows = countries.map((country) => {
		const asDialed = refused(country, (number) => number.formatNational());
		const digitsAlone = refused(country, ({ nationalNumber }) => nationalNumber);
		return `| ${country} | ${asDialed} | ${digitsAlone} |\n`;
	});
	const page = readFileSync(join(root, 'docs/reference/phone-numbers.md'), 'utf8');
	const written = page.replace(/(?<=\| Country \|.*\n\|[-|]+\n)(?:\| .* % \|\n)*/, rows.join(''));
	expect(written).toContain(rows.join(''));
	expectGenerated('docs/reference/phone-numbers.md', written);
});
