import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	type PhoneNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

import { loadCountries, parsePhoneNumber, toE164 } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { root } from '../../../../scripts/lib/places.mts';
import { expectGenerated } from '../../../docs/generated.mts';
import { type Known, patternsOf, validNumbers } from './randomNumbers.mts';

/** Countries with and without a trunk prefix, on four continents. */
const countries = 'AT AU BE BR CH CZ DE DK ES FI FR GB GR HU IE IT NL NO PL PT RU SE SG US'.split(' ') as CountryCode[];

const NUMBERS = 10_000;

/** The first two types of numbers. */
const LANDLINE = 0;
const MOBILE = 1;

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

test('a mobile that lost its + is called with its own country as Default Country', () => {
	const withMobiles = getCountries().filter((country) => patternsOf(country)[MOBILE]);
	const refused = withMobiles.filter((country) => {
		const mobiles = validNumbers(country, patternsOf(country)[MOBILE] ?? '', 30);
		const called = mobiles.map(({ number }) => toE164(withoutPlus(number), country));
		return called.filter((number) => number === undefined).length > mobiles.length / 4;
	});
	// There, the library has mobiles that are as short as local numbers.
	expect(refused).toEqual(['AT', 'MM']);
});

/** E.164 has no longer numbers: the library knows some. */
const LONGEST = '+'.length + 15;

/** How many numbers are tried in each country for the page. */
const OF_EACH_COUNTRY = 150;

/** Numbers of people: random landlines and mobiles of a country. */
function people(country: CountryCode): PhoneNumber[] {
	const [landlines = '', mobiles = ''] = patternsOf(country);
	return [landlines, mobiles]
		.filter((pattern) => pattern !== '')
		.flatMap((pattern, type) => validNumbers(country, pattern, OF_EACH_COUNTRY, 1 + type))
		.map(({ number }) => number)
		.filter((number) => number.country === country && number.number.length <= LONGEST);
}

/** The numbers that are refused in a notation: they may be local, or of another country, or something else is wrong. */
function refused(country: CountryCode, write: (number: PhoneNumber) => string) {
	const all = people(country);
	const refusals = all
		.map((number) => parsePhoneNumber(write(number), country))
		.filter(({ number }) => number === undefined);
	const share = (some: readonly unknown[]) => (100 * some.length) / all.length;
	const others = refusals
		.map(({ readings }) => readings.find((reading) => !reading.startsWith(`+${getCountryCallingCode(country)}`)))
		.filter((reading) => reading !== undefined);
	const codes = others.map((reading) => `+${parsePhoneNumberFromString(reading)?.countryCallingCode}`);
	return {
		percent: share(refusals),
		local: share(refusals.filter(({ advice }) => advice.startsWith('It may be a local number'))),
		several: share(refusals.filter(({ readings }) => readings.length > 1)),
		codes: [...new Set(codes)].sort(),
	};
}

const shown = (percent: number) => `${percent.toFixed(1)} %`;

test('docs/reference/phone-numbers.md has the share of numbers that are refused in each country', () => {
	const asDialed = getCountries()
		.map((country) => ({ country, ...refused(country, (number) => number.formatNational()) }))
		.filter(({ percent }) => percent > 1);
	// Every other reason would be a mistake.
	expect(asDialed.filter(({ percent, several }) => percent !== several)).toEqual([]);
	const rows = asDialed.map(
		({ country, percent, codes }) =>
			`| ${country} | ${shown(percent)} | they can be numbers of ${codes.join(', ')} |\n`,
	);
	const digitsAlone = countries.map((country) => {
		const { several, local } = refused(country, ({ nationalNumber }) => nationalNumber);
		const { percent } = refused(country, withoutPlus);
		return `| ${country} | ${shown(several)} | ${shown(local)} | ${shown(percent)} |\n`;
	});
	const page = readFileSync(join(root, 'docs/reference/phone-numbers.md'), 'utf8');
	const written = page
		.replace(/(?<=\| Country \| Refused \|.*\n\|[-|]+\n)(?:\| .*\n)*/, rows.join(''))
		.replace(/(?<=\| Country \| Can be two.*\n\|[-|]+\n)(?:\| .*\n)*/, digitsAlone.join(''));
	expect(written).toContain(rows.join(''));
	expect(written).toContain(digitsAlone.join(''));
	expectGenerated('docs/reference/phone-numbers.md', written);
});
