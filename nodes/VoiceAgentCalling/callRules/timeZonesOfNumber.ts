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

/** No zone changes its clocks there and back within a week, and longer steps take less time: a country can have 30 zones. */
const STEP_MS = 7 * DAY_MS;

/** The zones of a set of countries, by the countries and the month. */
const zones = new Map<string, readonly string[]>();

/**
 * Returns the time zones in which the phone with a number can be: those of its country, or of all its possible
 * countries. Zones that always show the same time count as one.
 *
 * @param number valid, in E.164
 * @param now milliseconds since 1970; zones must show the same time for two years from then on
 * @returns their IANA names; empty if the zones of a country are not known
 */
export function timeZonesOfNumber(number: string, now: number): readonly string[] {
	const regions = REGIONS.filter(([start]) => start.test(number)).map(([, country]) => country);
	const countries = [...possibleCountries(number), ...regions];
	const key = [isoOf(now).slice(0, 7), ...countries].join();
	const known = zones.get(key) ?? differentZones(countries, Math.floor(now / DAY_MS) * DAY_MS);
	zones.set(key, known);
	return known;
}

function differentZones(countries: readonly string[], from: number): string[] {
	const names = countries.map(zonesOfCountry);
	if (names.some(({ length }) => length === 0)) {
		return [];
	}
	const byTimes = new Map<string, string>();
	for (const zone of names.flat()) {
		const times = timesOf(zone, from);
		byTimes.set(times, byTimes.get(times) ?? zone);
	}
	return [...byTimes.values()];
}

/** Returns the time zones of a country from Node.js; empty for an unknown country. */
function zonesOfCountry(country: string): string[] {
	// A property in older releases of Node.js, a function in newer ones.
	const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[]; timeZones?: string[] };
	return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Returns the offset of a zone at a time, and each later one with the time of its change, as text. */
function timesOf(zone: string, from: number): string {
	const wallClock = wallClockOf(zone);
	if (!wallClock) {
		return zone;
	}
	const changes = clockChanges(wallClock, { from, to: from + SAME_TIME_MS }, STEP_MS);
	return JSON.stringify([from, ...changes].map((time, index) => [index && time, offsetAt(wallClock, time)]));
}
