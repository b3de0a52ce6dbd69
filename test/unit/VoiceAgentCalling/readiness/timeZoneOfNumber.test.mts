import { readFileSync } from 'node:fs';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { IANAZone } from 'luxon';

import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { possibleCountries } from '../../../../nodes/shared/phoneNumbers/possibleCountries.ts';
import { timeZoneOfNumber } from '../../../../nodes/VoiceAgentCalling/readiness/timeZoneOfNumber.ts';

const NOW = Date.UTC(2026, 10, 22);
const HOUR_MS = 3_600_000;

beforeAll(loadCountries);

/** The zones of each country in the time zone database of IANA. */
const zonesOf = new Map<string, string[]>();
for (const line of readFileSync(new URL('zone.tab', import.meta.url), 'utf8').split('\n')) {
	const [country = '', , zone = ''] = line.split('\t');
	if (/^[A-Z]{2}$/.test(country)) {
		zonesOf.set(country, [...(zonesOf.get(country) ?? []), zone]);
	}
}

const offsets = new Map<string, string>();

/** The offsets of a zone, twice a day for a year, by luxon. */
function offsetsOf(name: string): string {
	const zone = IANAZone.create(name);
	const times = Array.from({ length: 2 * 366 }, (_none, index) => NOW + index * 12 * HOUR_MS);
	const known = offsets.get(name) ?? times.map((time) => zone.offset(time)).join();
	offsets.set(name, known);
	return known;
}

/** Whether two zones show the same time during a year. */
const agree = (one: string, other: string) => offsetsOf(one) === offsetsOf(other);

const numbers = getCountries().flatMap((country) => {
	const number = getExampleNumber(country, examples)?.number;
	return number === undefined ? [] : [{ country, number }];
});

/** The countries that share the calling code of a number, by the library's metadata. */
const sharing = (number: string) =>
	(metadata.country_calling_codes as Record<string, CountryCode[]>)[
		String(parsePhoneNumberFromString(number)?.countryCallingCode)
	] ?? [];

test('the country of a number is one of the possible ones, by the library', () => {
	expect(numbers.length).toBeGreaterThan(200);
	for (const { country, number } of numbers) {
		expect({ number, countries: possibleCountries(number) }).toEqual({
			number,
			countries: expect.arrayContaining([country]),
		});
	}
});

test('in every country, the zone of a number shows the time of all zones of the country, or is not clear', () => {
	const clear: string[] = [];
	for (const { country, number } of numbers) {
		const zone = timeZoneOfNumber(number, NOW);
		if (zone === undefined) {
			continue;
		}
		clear.push(country);
		for (const other of zonesOf.get(country) ?? ['none']) {
			expect({ country, zone, other, agrees: agree(zone, other) }).toMatchObject({ agrees: true });
		}
	}
	expect(clear.length).toBeGreaterThan(150);
});

test('a country whose calling code is its own, and whose zones show one time, has a clear zone', () => {
	const unclear = numbers.filter(({ country, number }) => {
		const [zone = '', ...others] = zonesOf.get(country) ?? [];
		const isSimple = zone !== '' && sharing(number).length === 1 && others.every((other) => agree(zone, other));
		return isSimple && timeZoneOfNumber(number, NOW) === undefined;
	});
	expect(unclear.map(({ country }) => country)).toEqual([]);
});

test.each([
	['+493012345678', 'Europe/Berlin'],
	['+442079460958', 'Europe/London'],
	['+390612345678', 'Europe/Rome'],
	['+4721234567', 'Europe/Oslo'],
	['+358401234567', 'Europe/Helsinki'],
	['+212520123456', 'Africa/Casablanca'],
	['+81312345678', 'Asia/Tokyo'],
	['+905321234567', 'Europe/Istanbul'],
	['+972501234567', 'Asia/Jerusalem'],
	['+995322123456', 'Asia/Tbilisi'],
])('%s is in %s', (number, zone) => {
	expect(timeZoneOfNumber(number, NOW)).toBe(zone);
});

test.each([
	['several zones in the country', '+34912345678'],
	['several zones in the country', '+351211234567'],
	['a calling code of many countries', '+12025550111'],
	['a calling code of two countries', '+74951234567'],
	['a calling code of two countries', '+77172123456'],
	['several zones in the country', '+61212345678'],
	['a landline of Northern Cyprus', '+903922271234'],
	['a mobile of Northern Cyprus', '+905338612345'],
	['a mobile of Northern Cyprus', '+905428512345'],
	['a mobile of Northern Cyprus', '+905488512345'],
	["a mobile of Palestine under Israel's calling code", '+972599123456'],
	["a landline of Palestine under Israel's calling code", '+97222212345'],
	['a number of Abkhazia', '+995442261234'],
	['a worldwide number', '+80012345678'],
	['a worldwide number', '+870773111632'],
])('%s: the zone of %s is not clear', (_why, number) => {
	expect(timeZoneOfNumber(number, NOW)).toBeUndefined();
});
