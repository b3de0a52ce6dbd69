import { readFileSync } from 'node:fs';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { IANAZone } from 'luxon';

import { possibleCountries } from '../../../../nodes/shared/phoneNumbers/countries.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { timeZoneOfNumber } from '../../../../nodes/VoiceAgentCalling/callRules/timeZoneOfNumber.ts';

const NOW = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

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

/** The offsets of a zone on each day of a year, by luxon. */
function offsetsOf(name: string): string {
	const zone = IANAZone.create(name);
	const known = offsets.get(name);
	if (known !== undefined) {
		return known;
	}
	const times = Array.from({ length: 366 }, (_none, index) => NOW + index * DAY_MS);
	const found = times.map((time) => zone.offset(time)).join();
	offsets.set(name, found);
	return found;
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
	expect(numbers.filter(({ country, number }) => !possibleCountries(number).includes(country))).toEqual([]);
});

test('in every country, the zone of a number shows the time of all zones of the country, or is not clear', () => {
	const all = numbers.map(({ country, number }) => ({ country, zone: timeZoneOfNumber(number, NOW) }));
	const found = all.flatMap(({ country, zone }) => (zone === undefined ? [] : [{ country, zone }]));
	expect(found.length).toBeGreaterThan(150);
	const differ = ({ country, zone }: { country: string; zone: string }) =>
		!(zonesOf.get(country) ?? ['none']).every((other) => agree(zone, other));
	expect(found.filter(differ)).toEqual([]);
});

test('a country whose calling code is its own, and whose zones show one time, has a clear zone', () => {
	const unclear = numbers.filter(({ country, number }) => {
		const [zone = '', ...others] = zonesOf.get(country) ?? [];
		const isSimple = zone !== '' && sharing(number).length === 1 && others.every((other) => agree(zone, other));
		return isSimple && timeZoneOfNumber(number, NOW) === undefined;
	});
	expect(unclear.map(({ country }) => country)).toEqual([]);
});
