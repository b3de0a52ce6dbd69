import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
	type CountryCode,
	getCountryCallingCode,
	type PhoneNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };

import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { root } from '../../../../scripts/lib/places.mts';
import { expectGenerated } from '../../../docs/generated.mts';

/** Countries with and without a trunk prefix, on four continents. */
const countries = 'AT AU BE BR CH CZ DE DK ES FI FR GB GR HU IE IT NL NO PL PT RU SE SG US'.split(' ') as CountryCode[];

const NUMBERS = 10_000;

/** The column of the library's metadata with the types of numbers, and the first two types. */
const TYPES = 11;
const LANDLINE = 0;
const MOBILE = 1;

/** Random numbers of a type that the library calls valid. */
function validNumbers(country: CountryCode, type: number, count: number): PhoneNumber[] {
	const types = (metadata.countries[country] as unknown as Record<number, Array<[pattern: string]>>)[TYPES] ?? [];
	// In some countries, mobiles look like landlines.
	const pattern = types[type]?.[0] || types[LANDLINE]?.[0];
	const national = fc.stringMatching(new RegExp(`^(?:${pattern})$`));
	return fc
		.sample(fc.noBias(national), { numRuns: 2 * count, seed: 1 + type })
		.map((digits) => parsePhoneNumberFromString(`+${getCountryCallingCode(country)}${digits}`))
		.filter((number) => number?.isValid() === true)
		.filter((number) => number !== undefined)
		.slice(0, count);
}

let numbers: Map<CountryCode, PhoneNumber[]>;
beforeAll(async () => {
	await loadCountries();
	const count = Math.ceil(NUMBERS / countries.length / 2);
	numbers = new Map(
		countries.map((country) => [country, [LANDLINE, MOBILE].flatMap((type) => validNumbers(country, type, count))]),
	);
});

/** What is called instead of the number that was meant, with each of the other countries as Default Country. */
function calledInstead(write: (number: PhoneNumber) => string | undefined, every: number): unknown[] {
	const all = [...numbers].flatMap(([country, ofCountry]) => ofCountry.map((number) => ({ country, number })));
	return all
		.filter((_one, index) => index % every === 0)
		.flatMap(({ country, number }) => {
			const text = write(number);
			const others = text === undefined ? [] : countries.filter((other) => other !== country);
			return others.map((other) => ({ text, other, meant: number.number, called: toE164(text, other) }));
		})
		.filter(({ meant, called }) => called !== undefined && called !== meant);
}

test('a number that lost its + is called as no other number, whatever the default country', () => {
	expect([...numbers.values()].flat().length).toBeGreaterThanOrEqual(NUMBERS);
	const wrong = calledInstead(({ number }) => number.slice(1), 1);
	expect({ wrong: wrong.length, first: wrong.slice(0, 3) }).toEqual({ wrong: 0, first: [] });
});

test('the same, with the zero in it that is dialed only within the country', () => {
	const withZero = ({ number, countryCallingCode, nationalNumber }: PhoneNumber) => {
		const digits = `${countryCallingCode}0${nationalNumber}`;
		return parsePhoneNumberFromString(`+${digits}`)?.number === number ? digits : undefined;
	};
	const wrong = calledInstead(withZero, 5);
	expect({ wrong: wrong.length, first: wrong.slice(0, 3) }).toEqual({ wrong: 0, first: [] });
});

/** The share of texts that are refused because they can be a number of another country. */
function refused(country: CountryCode, write: (number: PhoneNumber) => string): string {
	const all = numbers.get(country) ?? [];
	const several = all.filter((number) => {
		const { advice, readings } = parsePhoneNumber(write(number), country);
		return (
			advice.startsWith('It can be') && readings.some((reading) => !reading.startsWith(`+${number.countryCallingCode}`))
		);
	});
	return `${((100 * several.length) / all.length).toFixed(1)} %`;
}

test('docs/phone-numbers.md has the share of numbers that are refused in each country', () => {
	const rows = countries.map((country) => {
		const asDialed = refused(country, (number) => number.formatNational());
		const digitsAlone = refused(country, ({ nationalNumber }) => nationalNumber);
		return `| ${country} | ${asDialed} | ${digitsAlone} |\n`;
	});
	const page = readFileSync(join(root, 'docs/phone-numbers.md'), 'utf8');
	const written = page.replace(/(?<=\| Country \|.*\n\|[-|]+\n)(?:\| .* % \|\n)*/, rows.join(''));
	expect(written).toContain(rows.join(''));
	expectGenerated('docs/phone-numbers.md', written);
});
