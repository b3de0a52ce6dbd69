import { toResult } from '../../shared/errors/serviceError';
import { WEEKDAYS } from '../../shared/fields/timeKinds';
import { quantity } from '../../shared/lib/quantity';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { CallingHours } from '../fields/callingHours';
import type { Consent } from '../fields/consent';
import type { FrequencyCap } from '../fields/frequencyCap';
import type { CallerIdField } from '../operation/operation';
import { Withheld } from '../operation/withheld';
import type { Api } from '../sending/api';
import type { LastCheck } from '../sending/requests';
import { campaignState } from './campaign';
import { assertExists } from './findings';
import { capCheckOf } from './frequency';
import { compareHours, isOpen, openingsOf, type WeeklyHours, weekdayOf } from './openings';
import { dayOf, type Schedule, secondOf } from './schedule';
import { timeZoneOfNumber } from './timeZoneOfNumber';
import { DAY_MS, isoAt, type Span, type WallClock, wallClockOf } from './wallClock';

/** How far a delay of the service reaches. */
const MAX_DELAY_MS = 3_600_000;

/** How far ahead the times of a campaign are compared: all clock changes of a year. */
const HORIZON_MS = 400 * DAY_MS;

/** The options about whom to call, and when. */
export interface CallRules {
	callingHours?: CallingHours;
	/** See {@link phoneOf}. */
	blockedNumbers?: { phones: ReadonlySet<string> };
	consent?: Consent;
	frequencyCap?: FrequencyCap;
	/** By default the call is not sent. */
	ifOutside?: 'delay' | 'skip';
}

/** A call that is to be sent or checked. */
export interface CallToCheck {
	/** In E.164. */
	to: string;
	campaignId?: string;
	/** How long the service waits before it places the call. */
	delay_seconds?: number;
}

/** The calling hours of one person. */
interface PersonalHours extends WeeklyHours {
	/** IANA name. */
	timeZone: string;
	/** See {@link openingsOf}. */
	next: ReturnType<typeof openingsOf>;
}

/** The hours in each time zone: items with the same option share its value. */
const hoursInZones = new WeakMap<CallingHours, Map<string, PersonalHours>>();

/** Whether the user's rules restrict calls at all. */
export function hasRules({ callingHours, blockedNumbers, consent, frequencyCap }: CallRules): boolean {
	return [callingHours, blockedNumbers, consent, frequencyCap].some((rule) => rule !== undefined);
}

/**
 * Checks that the user's rules allow a call now: the number is not blocked, the person has consented, the call will be
 * within the calling hours, and the phone is not called too often.
 *
 * @returns checks all that changes until the request is sent, and counts the call; undefined if nothing does
 * @throws Withheld if they do not; ServiceError if the campaign cannot be read
 */
export async function mayCall(
	api: Api,
	callerIdField: CallerIdField,
	call: CallToCheck,
	{ callingHours, blockedNumbers, consent, frequencyCap, ifOutside = 'skip' }: CallRules,
): Promise<LastCheck | undefined> {
	if (blockedNumbers?.phones.has(phoneOf(call.to))) {
		throw new Withheld('blocked', 'Not sent: the number is one of the Blocked Numbers', '');
	}
	const startsAt = (delay = call.delay_seconds ?? 0) => Date.now() + delay * 1000;
	if (consent) {
		assertConsent(consent, startsAt());
	}
	const hoursCheck = callingHours && (await hoursCheckOf(api, callerIdField, call, callingHours, ifOutside));
	hoursCheck?.();
	const capCheck = frequencyCap && (await capCheckOf(api, callerIdField, call, frequencyCap));
	capCheck?.assert(startsAt());
	if (!consent && !hoursCheck && !capCheck) {
		return undefined;
	}
	const lastCheck = () => {
		const changes = hoursCheck?.();
		const start = startsAt(changes?.delay_seconds);
		if (consent) {
			assertConsent(consent, start);
		}
		capCheck?.take(start);
		return changes;
	};
	return Object.assign(lastCheck, { undo: () => capCheck?.giveBack() });
}

/** Checks that a person has consented to a call that starts at a time. @throws Withheld */
function assertConsent({ givenAt, mistake, validForDays = Number.POSITIVE_INFINITY }: Consent, startsAt: number): void {
	const given = Date.parse(String(givenAt));
	const why = () => {
		if (givenAt === undefined || Number.isNaN(given)) {
			return `'Given At' ${mistake ?? 'is not a date'}`;
		}
		if (given > Date.now()) {
			return `it is given in the future, at ${givenAt}`;
		}
		// Also where the sum is no number.
		return startsAt < given + validForDays * DAY_MS
			? undefined
			: `it was given at ${givenAt} and valid for ${quantity(validForDays, 'day')}`;
	};
	const what = why();
	if (what !== undefined) {
		const advice = 'Ask the person for it, and store when they gave it. If they have, check Options → Consent.';
		throw new Withheld('noConsent', `Not sent: there is no valid consent: ${what}`, advice);
	}
}

/** Prepares the check of the calling hours. @throws Withheld; ServiceError if the campaign cannot be read */
async function hoursCheckOf(
	api: Api,
	callerIdField: CallerIdField,
	call: CallToCheck,
	callingHours: CallingHours,
	ifOutside: 'delay' | 'skip',
): Promise<() => { delay_seconds: number } | undefined> {
	const hours = hoursOf(callingHours, call.to, Date.now());
	if (hours === undefined) {
		const what = 'Not sent: the time zone of the number is not clear, so it counts as outside the calling hours';
		const advice =
			"Phones with such a number are in several time zones, or in none that is known. Set 'Time Zone' or 'If Time Zone Is Unclear' in Options → Calling Hours.";
		throw new Withheld('outsideHours', what, advice, null);
	}
	return callerIdField === 'agentId'
		? () => assertOpenAtStart(hours, (call.delay_seconds ?? 0) * 1000, ifOutside)
		: await campaignCheck(api, String(call.campaignId), hours);
}

/** The hours of the person with a number; undefined if their time zone is not clear. */
function hoursOf(rules: CallingHours, number: string, now: number): PersonalHours | undefined {
	const { from, to, days, holidays, timeZone, unclearTimeZone } = rules;
	const zone = timeZone ?? timeZoneOfNumber(number, now) ?? unclearTimeZone;
	const wallClock = zone === undefined ? undefined : wallClockOf(zone);
	if (zone === undefined || wallClock === undefined) {
		return undefined;
	}
	const inZones = hoursInZones.get(rules) ?? new Map<string, PersonalHours>();
	hoursInZones.set(rules, inZones);
	const known = inZones.get(zone);
	if (known) {
		return known;
	}
	const weekly: WeeklyHours = {
		wallClock,
		first: -Infinity,
		last: Infinity,
		weekdays: days,
		hours: [{ from: secondOf(from) ?? 0, to: secondOf(to) ?? 0 }],
		holidays: new Set(holidays.map((date) => dayOf(date) ?? 0)),
	};
	const hours = { ...weekly, timeZone: zone, next: openingsOf(weekly) };
	inZones.set(zone, hours);
	return hours;
}

/**
 * Checks that a call that an agent places now starts within the hours.
 *
 * @param delay how long the service waits before it places the call, in milliseconds
 * @returns another delay, if the hours begin within an hour and the user wants that
 * @throws Withheld
 */
function assertOpenAtStart(
	hours: PersonalHours,
	delay: number,
	ifOutside: 'delay' | 'skip',
): { delay_seconds: number } | undefined {
	const now = Date.now();
	if (isOpen(hours, now + delay)) {
		return undefined;
	}
	const next = hours.next(now + delay);
	const seconds = next === null ? undefined : Math.ceil((next - now) / 1000);
	if (ifOutside === 'delay' && seconds !== undefined && seconds * 1000 <= MAX_DELAY_MS) {
		return { delay_seconds: seconds };
	}
	const at = next === null ? null : isoAt(hours.wallClock, next);
	const start = `${isoAt(hours.wallClock, now + delay)
		.slice(0, 16)
		.replace('T', ' ')} (${hours.timeZone})`;
	const what =
		delay === 0
			? `Not sent: ${start} is outside the calling hours`
			: `Not sent: with its delay the call would start at ${start}, outside the calling hours`;
	const advice = at === null ? 'The calling hours allow no call.' : `The calling hours allow a call from ${at} on.`;
	throw new Withheld('outsideHours', what, advice, at);
}

/**
 * Compares the times at which a campaign may call with the hours.
 *
 * @returns throws the result of the comparison
 * @throws ServiceError if there is no such campaign, or it cannot be read
 */
async function campaignCheck(api: Api, campaignId: string, hours: PersonalHours): Promise<() => undefined> {
	const campaign = await campaignState(api, campaignId);
	assertExists('CAMPAIGN_NOT_FOUND', campaign);
	const { schedule } = campaign;
	const key = JSON.stringify([campaignId, hours.timeZone, hours.weekdays, hours.hours, [...(hours.holidays ?? [])]]);
	const conflict = await api.remember(`calling hours ${key}`, async () => conflictOf(schedule, hours));
	return () => {
		if (conflict !== undefined) {
			throw conflict;
		}
		return undefined;
	};
}

/** Why calls of a campaign would be, or may be, outside the hours; undefined if they cannot be. */
function conflictOf(campaign: Schedule | undefined, hours: PersonalHours): Withheld | undefined {
	const outside = (what: string, advice: string) => new Withheld('outsideHours', `Not sent: ${what}`, advice, null);
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
			inWords(conflict, campaign, hours),
			"Change the campaign's hours with Campaign → Update, or use a campaign whose hours lie inside the calling hours.",
		);
	}
	return results.some(({ hasSpans }) => hasSpans)
		? undefined
		: outside('the campaign has no calling time left', 'Change its dates, days and hours with Campaign → Update.');
}

/**
 * When to compare: a year with all its clock changes, and each later holiday; not after the campaign ends.
 *
 * @param now whole seconds
 */
function spansToCompare({ first, last }: Schedule, { holidays = new Set() }: PersonalHours, now: number): Span[] {
	// In every time zone, a day starts and ends less than 24 hours before or after it does so in UTC.
	const from = Math.max(now, (first - 1) * DAY_MS);
	const horizon = from + HORIZON_MS;
	const later = [...holidays].filter((day) => (day + 2) * DAY_MS > horizon).sort((one, other) => one - other);
	return [
		{ from, to: horizon },
		// Not the years before it: somebody may enter 9999-12-31.
		...later.map((day) => ({ from: Math.max(horizon, (day - 1) * DAY_MS), to: (day + 2) * DAY_MS })),
	]
		.map((span) => ({ ...span, to: Math.min(span.to, (last + 2) * DAY_MS) }))
		.filter((span) => span.from < span.to);
}

/** "the campaign may call on Saturday 2026-11-28 10:00-12:00 (Europe/Madrid), which is 09:00-11:00 in Atlantic/Canary…" */
function inWords(span: Span, campaign: Schedule, hours: PersonalHours): string {
	const theirs = timesOf(span, campaign.wallClock);
	const own = timesOf(span, hours.wallClock);
	const when = `the campaign may call on ${theirs.day} ${theirs.times} (${campaign.timeZone})`;
	const day = own.day === theirs.day ? '' : `${own.day} `;
	const isSame = day === '' && own.times === theirs.times;
	return `${when}${isSame ? '' : `, which is ${day}${own.times} in ${hours.timeZone}`}: outside the calling hours`;
}

/** The weekday, date and times of a span on a clock. */
function timesOf({ from, to }: Span, wallClock: WallClock): { day: string; times: string } {
	const start = wallClock(from);
	const end = start + to - from;
	const day = Math.floor(start / DAY_MS);
	const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
	const until = end === (day + 1) * DAY_MS ? '24:00' : clock(end);
	const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
	return { day: `${WEEKDAYS[weekdayOf(day) - 1]} ${date}`, times: `${clock(start)}-${until}` };
}

/** What the rules say about a call that is only checked. */
export interface RulesResult {
	withheld?: Withheld;
	/** See {@link mayCall}: what would be sent with the call instead, of a call that counts from then on. */
	lastCheck?: LastCheck;
}

/** As {@link mayCall}, for a check. @param call `to` is undefined for an invalid number, which is not checked here */
export async function checkRules(
	api: Api,
	callerIdField: CallerIdField,
	{ to, ...call }: Omit<CallToCheck, 'to'> & { to: string | undefined },
	rules: CallRules,
): Promise<RulesResult> {
	if (to === undefined) {
		return {};
	}
	const { value: lastCheck, error } = await toResult(mayCall(api, callerIdField, { ...call, to }, rules));
	if (error instanceof Withheld) {
		return { withheld: error };
	}
	// The check reports this one itself.
	if (error?.code === 'CAMPAIGN_NOT_FOUND') {
		return {};
	}
	if (error) {
		throw error;
	}
	return { lastCheck };
}
