import type { Api } from '../../shared/client/api';
import { type Withheld, withheld } from '../../shared/errors/withheld';
import { WEEKDAYS } from '../../shared/fields/timeKinds';
import { DAY_MS, isoOf, utcDay } from '../../shared/lib/time';
import { type CallingHours, EVERY_ZONE, OUTSIDE } from '../fields/callingHours';
import { MAX_DELAY_MS } from '../operation/call';
import { campaignState } from './campaign';
import { assertExists } from './findings';
import { commonOpeningsOf, compareHours, isOpen, openingsOf, type WeeklyHours, weekdayOf } from './openings';
import type { CallRule } from './rule';
import { dayOf, type Schedule, secondOf } from './schedule';
import { timeZonesOfNumber } from './timeZonesOfNumber';
import { isoAt, minuteAt, type Span, type WallClock, wallClockOf } from './wallClock';

/** How far ahead the times of a campaign are compared: long enough for all clock changes of a year. */
const HORIZON_MS = 400 * DAY_MS;

/** The calling hours in one time zone. */
interface HoursInZone extends WeeklyHours {
	/** IANA name. */
	timeZone: string;
	/** See {@link openingsOf}. */
	next: ReturnType<typeof openingsOf>;
}

/** The calling hours of one person. A call must be within them in each time zone in which the person may be. */
interface PersonalHours {
	inZones: readonly HoursInZone[];
	/** See {@link commonOpeningsOf}. */
	next: ReturnType<typeof openingsOf>;
}

/** Caches the hours by the names of their time zones, because items with the same option share its value. */
const hoursByZones = new WeakMap<CallingHours, Map<string, PersonalHours>>();

const UNCLEAR_TIME_ZONE = withheld(
	'outsideHours',
	'the time zone of the number is not clear, so it counts as outside the calling hours',
	"Phones with such a number are in several time zones, or in an unknown one. Set 'Time Zone' or 'If Time Zone Is Unclear' in Options → Calling Hours.",
	null,
);

/** The rule that a call starts within the calling hours, and how the call can be delayed until they begin. */
export interface HoursRule extends CallRule {
	/**
	 * Returns when the call starts if it may be delayed.
	 *
	 * @param startsAt when it starts without a delay, in milliseconds since 1970
	 * @returns when the hours begin, if that is within an hour; otherwise `startsAt`
	 */
	delayed(startsAt: number): number;
}

/**
 * Makes the rule that a call starts within the calling hours. For a call that an agent places, its start counts; for a
 * queued call, all times at which the campaign may call.
 *
 * @param call with a `campaignId` only if it is queued there
 * @throws ServiceError if the campaign cannot be read
 */
export async function hoursRule(
	api: Api,
	{ to, campaignId, delayMs }: { to: string; campaignId?: string; delayMs: number },
	callingHours: CallingHours,
): Promise<HoursRule> {
	const hours = hoursOf(callingHours, to, Date.now());
	if (hours === undefined) {
		return { check: () => UNCLEAR_TIME_ZONE, delayed: (startsAt) => startsAt };
	}
	if (campaignId !== undefined) {
		const conflict = await compareCampaign(api, campaignId, hours);
		return { check: () => conflict, delayed: (startsAt) => startsAt };
	}
	return {
		check: (_call, startsAt) => outsideAt(hours, startsAt, delayMs > 0),
		delayed(startsAt) {
			const next = hours.next(startsAt);
			if (next === null || next === startsAt) {
				return startsAt;
			}
			const now = Date.now();
			// The service accepts delays in whole seconds.
			const delay = Math.ceil((next - now) / 1000) * 1000;
			return delay <= MAX_DELAY_MS ? now + delay : startsAt;
		},
	};
}

/** Returns the hours of the person with a number; undefined if their time zone is not clear. */
function hoursOf(rules: CallingHours, number: string, now: number): PersonalHours | undefined {
	const zones = zonesOf(rules, number, now);
	if (zones.length === 0 || zones.some((zone) => wallClockOf(zone) === undefined)) {
		return undefined;
	}
	const byZones = hoursByZones.get(rules) ?? new Map<string, PersonalHours>();
	hoursByZones.set(rules, byZones);
	const known = byZones.get(zones.join()) ?? hoursIn(zones, rules);
	byZones.set(zones.join(), known);
	return known;
}

/** Returns the time zones in which a call must be within the hours; empty if they are not clear. */
function zonesOf({ timeZone, unclearTimeZone }: CallingHours, number: string, now: number): readonly string[] {
	if (timeZone !== undefined) {
		return [timeZone];
	}
	const zones = timeZonesOfNumber(number, now);
	if (zones.length === 1 || unclearTimeZone === EVERY_ZONE) {
		return zones;
	}
	return unclearTimeZone === OUTSIDE ? [] : [unclearTimeZone];
}

function hoursIn(zones: readonly string[], { hours, holidays }: CallingHours): PersonalHours {
	const inSeconds = Object.entries(hours).map(([weekday, ranges]) => [
		weekday,
		ranges.map(({ from, to }) => ({ from: secondOf(from) ?? 0, to: secondOf(to) ?? 0 })),
	]);
	const times = {
		first: -Infinity,
		last: Infinity,
		hours: Object.fromEntries(inSeconds),
		holidays: new Set(holidays.map((date) => dayOf(date) ?? 0)),
	};
	const inZones = zones.flatMap((timeZone) => {
		const wallClock = wallClockOf(timeZone);
		const weekly = wallClock && { ...times, wallClock, timeZone };
		return weekly ? [{ ...weekly, next: openingsOf(weekly) }] : [];
	});
	return { inZones, next: commonOpeningsOf(inZones) };
}

/** Returns why a call does not start within the hours, if so. @param isDelayed whether the user has set a delay */
function outsideAt({ inZones, next }: PersonalHours, startsAt: number, isDelayed: boolean): Withheld | undefined {
	// Of the zones that are outside, the one whose hours begin last is the reason for the next time.
	const [zone] = inZones
		.filter((inZone) => !isOpen(inZone, startsAt))
		.sort((one, other) => (other.next(startsAt) ?? Infinity) - (one.next(startsAt) ?? Infinity));
	if (zone === undefined) {
		return undefined;
	}
	const opening = next(startsAt);
	const at = opening === null ? null : isoAt(zone.wallClock, opening);
	const start = `${minuteAt(zone.wallClock, startsAt)} (${zone.timeZone})`;
	const isOneOf = inZones.length > 1;
	const place = isOneOf ? `${start}, one of ${inZones.length} time zones of the number,` : start;
	const what = isDelayed
		? `with its delay the call would start at ${isOneOf ? place : `${start},`} outside the calling hours`
		: `${place} is outside the calling hours`;
	return withheld('outsideHours', what, adviceFor(at, isOneOf), at);
}

/** @param at when a call is allowed, if ever @param isOneOf whether several time zones count */
function adviceFor(at: string | null, isOneOf: boolean): string {
	if (!isOneOf) {
		return at === null ? 'The calling hours allow no call.' : `The calling hours allow a call from ${at} on.`;
	}
	return at === null
		? "At no time do all of them allow a call. Set 'Time Zone' or 'If Time Zone Is Unclear' in Options → Calling Hours."
		: `All of them allow a call from ${at} on.`;
}

/**
 * Compares the times at which a campaign may call with the hours.
 *
 * @returns why they do not fit; undefined if they do
 * @throws ServiceError if the campaign does not exist or cannot be read
 */
async function compareCampaign(api: Api, campaignId: string, hours: PersonalHours): Promise<Withheld | undefined> {
	const campaign = await campaignState(api, campaignId);
	assertExists('CAMPAIGN_NOT_FOUND', campaign);
	const { schedule } = campaign;
	for (const inZone of hours.inZones) {
		const key = JSON.stringify([campaignId, inZone.timeZone, inZone.hours, [...(inZone.holidays ?? [])]]);
		const conflict = await api.remember(`calling hours ${key}`, async () => conflictOf(schedule, inZone));
		if (conflict) {
			return conflict;
		}
	}
	return undefined;
}

/** Returns why calls of a campaign would be, or may be, outside the hours of a zone; undefined if they cannot be. */
function conflictOf(campaign: Schedule | undefined, hours: HoursInZone): Withheld | undefined {
	const outside = (what: string, advice: string) => withheld('outsideHours', what, advice, null);
	if (campaign === undefined) {
		return outside(
			'the service does not say clearly when the campaign may call, so its calls count as outside the calling hours',
			'Give the campaign days, hours and a time zone with Campaign → Update, or use Place, which calls at once.',
		);
	}
	const results = spansToCompare(campaign, hours, Math.floor(Date.now() / 1000) * 1000).map((span) =>
		compareHours(campaign, hours, span),
	);
	const conflict = results.find((result) => result.conflict)?.conflict;
	if (conflict) {
		return outside(
			conflictText(conflict, campaign, hours),
			"Change the campaign's hours with Campaign → Update, or use a campaign whose hours lie inside the calling hours.",
		);
	}
	return results.some(({ hasSpans }) => hasSpans)
		? undefined
		: outside('the campaign has no calling time left', 'Change its dates, days and hours with Campaign → Update.');
}

/**
 * Returns when to compare: a year with all its clock changes, and each later holiday, up to the end of the campaign.
 *
 * @param now whole seconds
 */
function spansToCompare({ first, last }: Schedule, { holidays = new Set() }: HoursInZone, now: number): Span[] {
	// In every time zone, a day starts and ends less than 24 hours before or after it does so in UTC.
	const from = Math.max(now, (first - 1) * DAY_MS);
	const horizon = from + HORIZON_MS;
	const later = [...holidays].filter((day) => (day + 2) * DAY_MS > horizon).sort((one, other) => one - other);
	return [
		{ from, to: horizon },
		// The years before a holiday are skipped: somebody may enter 9999-12-31.
		...later.map((day) => ({ from: Math.max(horizon, (day - 1) * DAY_MS), to: (day + 2) * DAY_MS })),
	]
		.map((span) => ({ ...span, to: Math.min(span.to, (last + 2) * DAY_MS) }))
		.filter((span) => span.from < span.to);
}

/**
 * Returns a text such as "the campaign may call on Saturday 2026-11-28 10:00-12:00 (Europe/Madrid), which is
 * 09:00-11:00 in Atlantic/Canary…"
 */
function conflictText(span: Span, campaign: Schedule, hours: HoursInZone): string {
	const theirs = timesOf(span, campaign.wallClock);
	const own = timesOf(span, hours.wallClock);
	const when = `the campaign may call on ${theirs.day} ${theirs.times} (${campaign.timeZone})`;
	const day = own.day === theirs.day ? '' : `${own.day} `;
	const isSame = day === '' && own.times === theirs.times;
	return `${when}${isSame ? '' : `, which is ${day}${own.times} in ${hours.timeZone}`}: outside the calling hours`;
}

/** Returns the weekday, date and times of a span on a clock. */
function timesOf({ from, to }: Span, wallClock: WallClock): { day: string; times: string } {
	const start = wallClock(from);
	const end = start + to - from;
	const day = Math.floor(start / DAY_MS);
	const clock = (time: number) => isoOf(time).slice(11, 16);
	const until = end === (day + 1) * DAY_MS ? '24:00' : clock(end);
	return { day: `${WEEKDAYS[weekdayOf(day) - 1]} ${utcDay(day * DAY_MS)}`, times: `${clock(start)}-${until}` };
}
