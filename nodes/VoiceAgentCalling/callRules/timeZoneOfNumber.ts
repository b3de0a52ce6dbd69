import { DAY_MS, isoOf } from '../../shared/lib/time';
import { possibleCountries } from '../../shared/phoneNumbers/countries';
import { clockChanges, offsetAt, wallClockOf } from './wallClock';

/**
 * Regions whose phones have numbers of a country with another clock: how the numbers begin, and a country with the
 * clock of the region.
 */
const REGIONS = [
	// Northern Cyprus: its landlines, and its mobile networks.
	[/^\+90(392|5338|5428|5488)/, 'CY'],
	// Palestine, whose phones also have a number under Israel's calling code: mobiles and landlines.
	[/^\+972(5[69]|22[2-47-9]|42[45]|82[014-68]|92[3569])/, 'PS'],
	// Abkhazia, which has the time of Moscow.
	[/^\+99544/, 'RU'],
] as const;

/** How long two zones must show the same time to count as one. */
const SAME_TIME_MS = 2 * 365 * DAY_MS;

/** The zone of a set of countries, by the countries and the month; null if it is not clear. */
const zones = new Map<string, string | null>();

/**
 * Returns the time zone of a phone number, from its country. For a number of several possible countries or time zones,
 * the time zone is clear only if all of these zones always show the same time.
 *
 * @param number valid, in E.164
 * @param now milliseconds since 1970; the zones must show the same time for two years from then on
 * @returns its IANA name; undefined if it is not clear
 */
export function timeZoneOfNumber(number: string, now: number): string | undefined {
	const regions = REGIONS.filter(([start]) => start.test(number)).map(([, country]) => country);
	const countries = [...possibleCountries(number), ...regions];
	const key = [isoOf(now).slice(0, 7), ...countries].join();
	const known = zones.get(key);
	if (known !== undefined) {
		return known ?? undefined;
	}
	const zone = commonZone(countries, Math.floor(now / DAY_MS) * DAY_MS);
	zones.set(key, zone ?? null);
	return zone;
}

function commonZone(countries: readonly string[], from: number): string | undefined {
	const names = countries.map(zonesOfCountry);
	const [zone, ...others] = names.flat();
	const areKnown = names.length > 0 && names.every(({ length }) => length > 0);
	return areKnown && others.every((other) => showSameTime(zone, other, from)) ? zone : undefined;
}

/** Returns the time zones of a country from Node.js; empty for an unknown country. */
function zonesOfCountry(country: string): string[] {
	// A property in older releases of Node.js, a function in newer ones.
	const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] };
	return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Whether two zones always show the same time. */
function showSameTime(zone: string, other: string, from: number): boolean {
	const [one, another] = [zone, other].map(wallClockOf);
	if (!one || !another || offsetAt(one, from) !== offsetAt(another, from)) {
		return false;
	}
	const within = { from, to: from + SAME_TIME_MS };
	const timesOf = (clock: typeof one) => clockChanges(clock, within).map((time) => [time, offsetAt(clock, time)]);
	return JSON.stringify(timesOf(one)) === JSON.stringify(timesOf(another));
}
