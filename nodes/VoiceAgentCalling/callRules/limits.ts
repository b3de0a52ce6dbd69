import type { IDataObject } from 'n8n-workflow';

import type { Pace } from '../../shared/client/pace';
import { readPage, readWhole, totalIn } from '../../shared/client/pagination';
import type { SendRequest, ServiceRequest } from '../../shared/client/request';
import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import { type Withheld, withheld } from '../../shared/errors/withheld';
import { quantity } from '../../shared/lib/text';
import { DAY_MS, isoOf, timeIn, utcDay } from '../../shared/lib/time';
import { type ChainedCall, isFirst, phoneInChain, recentCalls } from '../../shared/triggerSecrets/callChain';
import type { CallBook } from './book';
import type { WantedCall } from './bookEntries';
import { listedCall, matchOwnCalls } from './listedCalls';
import { callsInProcess, thisMoment } from './processCalls';
import type { CallRule, PlannedCalls } from './rule';

/** The shortest time between two counts of the day's calls. */
const MIN_INTERVAL_MS = 2000;

/** The part of the service's rate limit that counting may use up. */
const SHARE_OF_RATE_LIMIT = 0.1;

const MINUTE_MS = 60_000;

const NO_COUNT = "Nothing was sent: the calls of today could not be counted for 'Calls per Day' of the credential.";

// The texts name who can change a limit.
const MANAGER = 'The owner of the credential can raise the limit.';
const AUTHOR = 'The author of the workflow can raise';

/** Makes the rule of 'Calls per Run' of the credential. */
export function runLimit(book: CallBook, limit: number): CallRule {
	return {
		dependsOnOtherCalls: true,
		check({ credential, isTool }, _startsAt, planned) {
			const sent = book.count(credential);
			if (sent + planned.all < limit) {
				return undefined;
			}
			const what = `'Calls per Run' of the credential allows ${limit}. Sent before: ${sent}; for items before this one: ${planned.all}`;
			// A model must not call again at once.
			return withheld('limitReached', what, `Send this item in another run. ${MANAGER}`, isTool ? null : undefined);
		},
	};
}

/** The rule of 'Calls per Day' of the credential. Days are in UTC. */
export class DayLimit implements CallRule {
	readonly dependsOnOtherCalls = true;

	private readonly book: CallBook;

	private readonly credential: string;

	private readonly limit: number;

	private readonly pace: Pick<Pace, 'requestsPerMinute'>;

	/** The last count: the length of the list, with test calls and the day before. `at` is by the monotonic clock. */
	private last: { day: string; at: number; moment: number; total: number } | undefined;

	/** The result of the last reading of records: the real calls of others that rang on the day or later, or may have. */
	private counted: { day: string; total: number; others: number; nextDay: number } | undefined;

	private reading: Promise<void> | undefined;

	constructor(book: CallBook, credential: string, limit: number, pace: DayLimit['pace']) {
		this.book = book;
		this.credential = credential;
		this.limit = limit;
		this.pace = pace;
	}

	/**
	 * Counts the calls of the day that others have placed. Reads records only if the length of the list leaves too little
	 * room for the wanted calls.
	 *
	 * @param wanted how many real calls are to be sent
	 * @throws ServiceError if they cannot be counted
	 */
	async read(wanted: number, read: SendRequest): Promise<void> {
		const { error } = await toResult(this.readCalls(wanted, read));
		if (error !== undefined) {
			throw notCounted(error);
		}
	}

	/** @throws ServiceError if the calls cannot be counted */
	async refresh({ isTest }: WantedCall, read: SendRequest): Promise<void> {
		const perMinute = this.pace.requestsPerMinute ?? Number.POSITIVE_INFINITY;
		const interval = Math.max(MIN_INTERVAL_MS, MINUTE_MS / (perMinute * SHARE_OF_RATE_LIMIT));
		const isFresh = this.last?.day === utcDay(Date.now()) && performance.now() < this.last.at + interval;
		if (isTest || isFresh) {
			return;
		}
		this.reading ??= this.read(1, read).finally(() => {
			this.reading = undefined;
		});
		await this.reading;
	}

	check({ isTest }: WantedCall, startsAt: number, planned: PlannedCalls): Withheld | undefined {
		if (isTest) {
			return undefined;
		}
		const day = utcDay(startsAt);
		const sent = this.othersOn(day) + this.book.realCallsOn(this.credential, day);
		const ahead = planned.realOn(day);
		if (sent + ahead < this.limit) {
			return undefined;
		}
		const today = utcDay(Date.now());
		// Before its day has begun, a call is checked against the calls of today.
		const next = isoOf(startsAt - (startsAt % DAY_MS) + (day > today ? 0 : DAY_MS));
		const what = `'Calls per Day' (UTC) of the credential allows ${this.limit}. Sent before: ${sent} or more; for items before this one: ${ahead}`;
		return withheld('limitReached', what, `Send this item from ${next} on. ${MANAGER}`, next);
	}

	/** Returns how many real calls of a day others have placed at most; for a day to come, those delayed until then. */
	private othersOn(day: string): number {
		const { last, counted } = this;
		if (last === undefined || day < last.day) {
			return 0;
		}
		// Calls listed since the records were read may be own calls. As that is unknown, they count.
		const more = counted !== undefined && last.total > counted.total ? last.total - counted.total : 0;
		const known = day === last.day ? counted?.others : counted?.nextDay;
		const listed = known !== undefined && counted?.day === last.day ? known + more : last.total;
		const meanwhile = callsInProcess(this.credential).since(last.moment, this.book);
		return listed + meanwhile.filter(({ isTest }) => !isTest).length;
	}

	private async readCalls(wanted: number, read: SendRequest): Promise<void> {
		const [at, moment] = [performance.now(), thisMoment()];
		const now = Date.now();
		const day = utcDay(now);
		// Starts one day earlier, because the time zone of the service's dates is not published.
		const query = { direction: 'outbound', date_from: utcDay(now - DAY_MS) };
		const request: ServiceRequest = { method: 'GET', path: ['calls'], query };
		const items = ({ data }: IDataObject) => data;
		const page = await read({ ...request, query: { ...query, page: 1, per_page: 1 } });
		const listedTotal = totalIn(page);
		// Without a total, the calls have to be counted from the records.
		const total = Number.isNaN(listedTotal)
			? Number.POSITIVE_INFINITY
			: Math.max(listedTotal, readPage(page, items, 1).items.length);
		this.last = { day, at, moment, total };
		const days = [day, utcDay(now + DAY_MS)];
		const own = days.map((one) => this.book.realCallsOn(this.credential, one));
		const atMost = this.othersOn(day) + Math.max(...own) + wanted;
		if (Number.isFinite(total) && atMost <= this.limit) {
			return;
		}
		const records = await readWhole(read, request, { items, keep: isReal });
		const phoneIn = ({ to }: IDataObject) => this.book.phoneOf(`+${String(to).replace('+', '')}`);
		const listed = records
			.map((call) => listedCall(call, phoneIn(call)))
			// A call whose time cannot be read counts.
			.filter(({ startedAt }) => !(startedAt < now - (now % DAY_MS)));
		// Only the calls that the book counts for this day or a later one.
		const ownCalls = this.book
			.callsWith(this.credential)
			.filter(({ group, startsAt }) => !group.isTest && utcDay(startsAt) >= day);
		const matched = matchOwnCalls(ownCalls, listed);
		const found = new Set(matched.values());
		const others = listed.filter((one) => !found.has(one));
		const tomorrow = now - (now % DAY_MS) + DAY_MS;
		const nextDay = others.filter(({ startedAt }) => !(startedAt < tomorrow)).length;
		this.counted = { day, total, others: others.length, nextDay };
	}
}

/** Whether a listed call is a real outbound call. */
function isReal({ is_testing, direction }: IDataObject): boolean {
	return is_testing !== true && direction !== 'inbound';
}

function notCounted(error: ServiceError): ServiceError {
	return error.with({ message: `${NO_COUNT} ${error.message}`, accepted: 'no' });
}

const HOUR_MS = 3_600_000;

/**
 * The calls of a time until now, by a scope. They are in the memory of this process, because n8n lacks a storage that
 * nodes can rely on: they end with the process, and each worker of queue mode counts separately.
 */
class RecentCalls {
	private readonly windowMs: number;

	/** When the calls of each scope were sent, oldest first, in milliseconds since 1970. */
	private readonly times = new Map<string, number[]>();

	constructor(windowMs: number) {
		this.windowMs = windowMs;
	}

	/**
	 * Returns how long it takes until the next call of a scope may be sent.
	 *
	 * @param scope what is counted together
	 * @param maxCalls the maximum number of calls in any such time
	 * @param ahead how many calls come before it
	 * @param at when it would be sent, in milliseconds since 1970
	 * @returns milliseconds from then on; 0 if it may be sent
	 */
	msUntilNext(scope: string, maxCalls: number, ahead: number, at = Date.now()): number {
		const times = [...this.recent(scope, at), ...Array.from({ length: ahead }, () => at)];
		return times.length < maxCalls ? 0 : times[times.length - maxCalls] + this.windowMs - at;
	}

	/** Counts a call that is about to be sent. @returns a function that undoes the count */
	count(scope: string): () => void {
		const now = Date.now();
		for (const [other, times] of this.times) {
			if (!(times.at(-1)! > now - this.windowMs)) {
				this.times.delete(other);
			}
		}
		this.times.set(scope, [...this.recent(scope, now), now]);
		return () => {
			const left = [...(this.times.get(scope) ?? [])];
			const index = left.indexOf(now);
			if (index !== -1) {
				left.splice(index, 1);
				this.times.set(scope, left);
			}
		};
	}

	private recent(scope: string, now: number): number[] {
		return (this.times.get(scope) ?? []).filter((time) => time > now - this.windowMs);
	}
}

/** The calls of the tools of each workflow, and those after events that cannot be read. */
export const hourlyCalls = new RecentCalls(HOUR_MS);

/** The calls to each phone to which the events of one call have led. */
const dailyCalls = new RecentCalls(DAY_MS);

/** How often events may lead to another call to a phone within 24 hours: as often as a campaign retries by default. */
const MAX_REDIALS = 3;

/** How often a phone may be called within 24 hours by all executions to which the events of one call have led. */
const MAX_IN_TREE = 5;

/**
 * Makes the rule that ends a circle: the event of a call starts a workflow that calls the phone again, whose event starts
 * it once more. A Frequency Cap of the user replaces it.
 *
 * A call can have several events, and an execution several calls, so that a circle has branches, and each of them a
 * chain of its own. So the calls of all branches are also counted, in the memory of this process.
 *
 * @param chain the calls that led to the event that began the execution; if unknown, any call may be a redial
 */
export function redialRule(chain: readonly ChainedCall[] | 'unknown'): CallRule {
	const scopesOf = ({ credential, isTest, to }: WantedCall) => {
		const trees = new Set(chain === 'unknown' ? ['unknown'] : chain.filter(isFirst).map(({ phone }) => phone));
		return [...trees].map((tree) => JSON.stringify([tree, credential, isTest, phoneInChain(to)]));
	};
	const counted = chain === 'unknown' ? hourlyCalls : dailyCalls;
	/** Returns when each limit that is reached allows the next call, in milliseconds since 1970. */
	const reached = (call: WantedCall, startsAt: number, ahead: number): number[] => {
		const [at, limit] = chain === 'unknown' ? [Date.now(), MAX_REDIALS] : [startsAt, MAX_IN_TREE];
		const waits = scopesOf(call).map((scope) => counted.msUntilNext(scope, limit, ahead, at));
		const phone = phoneInChain(call.to);
		const onPath = (chain === 'unknown' ? [] : recentCalls(chain, startsAt)).filter((one) => one.phone === phone);
		const times = onPath.map((one) => timeIn(one.at) ?? 0).sort((one, other) => one - other);
		return [
			...waits.filter((wait) => wait > 0).map((wait) => at + wait),
			...(times.length < MAX_REDIALS ? [] : [times[times.length - MAX_REDIALS] + DAY_MS]),
		];
	};
	return {
		dependsOnOtherCalls: true,
		check(call, startsAt, planned) {
			const next = reached(call, startsAt, planned.to(call).length);
			return next.length === 0
				? undefined
				: withheld(
						'tooOften',
						'events of calls have led to several calls to this phone',
						"To allow more, set the option 'Frequency Cap', which then counts.",
						isoOf(Math.max(...next)),
					);
		},
		count(call) {
			const undo = scopesOf(call).map((scope) => counted.count(scope));
			return () => undo.forEach((one) => one());
		},
	};
}

/** How many calls a tool may place or queue. */
interface ToolLimits {
	/** In one run of the workflow. */
	maxCalls: number;
	/** In any 60 minutes, over all runs. */
	maxCallsPerHour: number;
}

/** Makes the rules of a tool's own limits. @param workflow ID; its tools with one credential share the hourly limit */
export function toolRules(book: CallBook, { maxCalls, maxCallsPerHour }: ToolLimits, workflow: string): CallRule[] {
	const scopeOf = ({ credential }: WantedCall) => JSON.stringify([credential, workflow]);
	const reached = (limit: number, per: string, wait: string, name: string, nextAllowedAt: string | null) =>
		withheld(
			'limitReached',
			`this tool has reached its limit of ${quantity(limit, 'call')} per ${per}`,
			`Do not place more calls now${wait}. ${AUTHOR} '${name}'.`,
			nextAllowedAt,
		);
	return [
		{
			dependsOnOtherCalls: true,
			check: ({ credential }, _startsAt, planned) =>
				book.count(credential, true) + planned.all < maxCalls
					? undefined
					: reached(maxCalls, 'run', '', 'Max Calls per Run', null),
		},
		{
			dependsOnOtherCalls: true,
			check(call, _startsAt, planned) {
				const waitMs = hourlyCalls.msUntilNext(scopeOf(call), maxCallsPerHour, planned.all);
				if (waitMs === 0) {
					return undefined;
				}
				const wait = `: the next one is possible in ${quantity(Math.ceil(waitMs / MINUTE_MS), 'minute')}`;
				const next = isoOf(Date.now() + waitMs);
				return reached(maxCallsPerHour, 'hour', wait, 'Max Calls per Hour', next);
			},
			count: (call) => hourlyCalls.count(scopeOf(call)),
		},
	];
}
