import { readFileSync } from 'node:fs';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { IANAZone } from 'luxon';

import type { Api } from '../../../../nodes/shared/client/api.ts';
import { possibleCountries } from '../../../../nodes/shared/phoneNumbers/countries.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import type { WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { hoursRule } from '../../../../nodes/VoiceAgentCalling/callRules/callingHours.ts';
import { NONE_PLANNED } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';
import { timeZonesOfNumber } from '../../../../nodes/VoiceAgentCalling/callRules/timeZonesOfNumber.ts';
import { EVERY_ZONE } from '../../../../nodes/VoiceAgentCalling/fields/callingHours.ts';
import { readOpeningHours } from '../../../../nodes/VoiceAgentCalling/fields/openingHours.ts';
import fc from '../../../fastCheck.mts';

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
	const all = numbers.map(({ country, number }) => ({ country, zones: timeZonesOfNumber(number, NOW) }));
	const found = all.flatMap(({ country, zones: [zone = '', ...others] }) =>
		zone === '' || others.length > 0 ? [] : [{ country, zone }],
	);
	expect(found.length).toBeGreaterThan(150);
	const differ = ({ country, zone }: { country: string; zone: string }) =>
		!(zonesOf.get(country) ?? ['none']).every((other) => agree(zone, other));
	expect(found.filter(differ)).toEqual([]);
});

test('a country whose calling code is its own, and whose zones show one time, has a clear zone', () => {
	const unclear = numbers.filter(({ country, number }) => {
		const [zone = '', ...others] = zonesOf.get(country) ?? [];
		const isSimple = zone !== '' && sharing(number).length === 1 && others.every((other) => agree(zone, other));
		return isSimple && timeZonesOfNumber(number, NOW).length !== 1;
	});
	expect(unclear.map(({ country }) => country)).toEqual([]);
});

/** So many whole numbers below a limit: the same ones in each run. */
const someBelow = (limit: number, count: number) => fc.sample(fc.nat(limit - 1), { numRuns: count, unbiased: true });
/** So many texts of digits. */
const someDigits = (length: number, count: number) =>
	someBelow(10 ** length, count).map((number) => String(number).padStart(length, '0'));

/** Numbers of all kinds and areas of a country that are valid by the library. */
function validNumbers(country: CountryCode, count: number): string[] {
	const code = `+${getCountryCallingCode(country)}`;
	const example = getExampleNumber(country, examples)?.nationalNumber ?? '';
	const isOfCountry = (text: string) => {
		const parsed = parsePhoneNumberFromString(text);
		// The library also reads a trunk prefix after +.
		return parsed?.number === text && parsed.country === country && parsed.isValid();
	};
	const beginnings = new Set([`${code}${example.slice(0, -4)}`]);
	for (const digits of someDigits(example.length, 1000)) {
		const number = `${code}${digits}`;
		if (beginnings.size < 50 && isOfCountry(number)) {
			beginnings.add(number.slice(0, -4));
		}
	}
	const all = [...beginnings];
	return someDigits(4, count)
		.map((digits, index) => `${all[index % all.length]}${digits}`)
		.filter(isOfCountry);
}

test('of 40,000 numbers in countries with several time zones, none is called outside the hours of any of them', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const countries = getCountries().filter((country) => {
		const [zone = '', ...others] = zonesOf.get(country) ?? [];
		return others.some((other) => !agree(zone, other));
	});
	const isOpen = (zone: string, time: number) => {
		const local = new Date(time + IANAZone.create(zone).offset(time) * 60_000);
		const [day, hour] = [local.getUTCDay(), local.getUTCHours()];
		return day >= 1 && day <= 5 && hour >= 9 && hour < 20;
	};
	const read = readOpeningHours('Mon-Fri 9-20');
	const rules = { hours: 'week' in read ? read.week : {}, holidays: [], unclearTimeZone: EVERY_ZONE };
	const called = new Map<CountryCode, number>();
	const wronglyCalled: string[] = [];
	let numbers = 0;
	for (const country of countries) {
		const found = validNumbers(country, Math.ceil(42_000 / countries.length));
		const times = someBelow(365 * 24 * 60, found.length)
			.map((minutes) => NOW + minutes * 60_000)
			.sort((one, other) => one - other);
		numbers += found.length;
		for (const [index, to] of found.entries()) {
			const time = times[index] ?? 0;
			const rule = await hoursRule({} as Api, { to, delayMs: 0 }, rules);
			if (rule.check({} as WantedCall, time, NONE_PLANNED) === undefined) {
				called.set(country, (called.get(country) ?? 0) + 1);
				const closed = (zonesOf.get(country) ?? []).filter((zone) => !isOpen(zone, time));
				wronglyCalled.push(...closed.map((zone) => `${to} in ${zone} at ${new Date(time).toISOString()}`));
			}
		}
	}
	jest.restoreAllMocks();
	expect(wronglyCalled).toEqual([]);
	expect(numbers).toBeGreaterThan(40_000);
	expect(countries.filter((country) => !called.has(country))).toEqual([]);
	expect([...called.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(5000);
});
