import type { IDataObject } from 'n8n-workflow';

import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import { readPage, readWhole, totalIn } from '../../shared/service/pagination';
import { dateIn } from '../../shared/service/rateLimit';
import type { SendRequest, ServiceRequest } from '../../shared/service/request';
import { assertLimits, type Connection } from '../../shared/service/transport';
import { type OperationRun, refuseItem, throwIfCanceled } from '../operation/operationRun';
import { Withheld } from '../operation/withheld';
import { createSharedApi } from '../sending/api';
import type { CallCount } from '../sending/run';
import { SentRequests } from '../sending/sentRequests';
import { contextOf } from './executionContext';
import { withheldOutcome } from './outcomes';
import { sharedCalls } from './sendItems';

const DAY_MS = 86_400_000;

const NO_COUNT = "Nothing was sent: the calls of today could not be counted for 'Calls per Day' of the credential.";

/** The calls that an execution has sent with a credential. Kept in n8n's context of the execution, also for a Retry. */
interface Counted {
	calls: number;
	/** Its real calls of one day, such as 2026-11-26, and when it first counted on that day. */
	day: string;
	ofDay: number;
	since: number;
}

/** Numbers of calls: all, and real ones. */
interface Numbers {
	all: number;
	real: number;
}

/** Counts the calls of an execution for the limits of the credential. */
class CallLimits implements CallCount {
	private readonly counted: Counted;

	private readonly limits: Connection;

	/** The real calls of the day that this execution did not send. */
	private ofOthers = 0;

	constructor(counted: Counted, limits: Connection) {
		this.counted = counted;
		this.limits = limits;
	}

	/**
	 * Counts the calls of the day that others have sent. The service lists a queued or delayed call late, so what this
	 * execution has sent is counted here.
	 *
	 * @param wanted how many real calls are to be sent
	 * @throws ServiceError where they cannot be counted
	 */
	async readDay(sendRequest: SendRequest, wanted: number): Promise<void> {
		const { callsPerDay } = this.limits;
		if (callsPerDay === undefined || wanted === 0) {
			return;
		}
		const now = this.beginDay();
		const { counted } = this;
		const { day } = counted;
		// One day earlier: the time zone of the service's dates is not published.
		const query = { direction: 'outbound', date_from: dayOf(now - DAY_MS) };
		const request: ServiceRequest = { method: 'GET', path: ['calls'], query };
		const items = ({ data }: IDataObject) => data;
		const page = await sendRequest({ ...request, query: { ...query, page: 1, per_page: 1 } });
		// The list has test calls and the day before, too: its total is the most that there can be.
		const most = Math.max(totalIn(page), readPage(page, items, 1).items.length);
		if (most + counted.ofDay + wanted <= callsPerDay) {
			this.ofOthers = most;
			return;
		}
		const isOther = (call: IDataObject) =>
			call.is_testing === true || call.direction === 'inbound' || createdAt(call) < Date.parse(day);
		const keep = (call: IDataObject) => !isOther(call);
		const listed = await readWhole(sendRequest, request, { items, keep, limit: callsPerDay });
		const before = listed.filter((call) => !(createdAt(call) >= counted.since)).length;
		this.ofOthers = Math.max(before, listed.length - counted.ofDay);
	}

	/** After midnight, the calls that this execution has sent before count no more. @returns the time */
	private beginDay(): number {
		const now = Date.now();
		const day = dayOf(now);
		if (this.counted.day !== day) {
			// The service's times have no milliseconds.
			Object.assign(this.counted, { day, ofDay: 0, since: now - (now % 1000) } satisfies Partial<Counted>);
		}
		return now;
	}

	/** @param planned the calls that are sent before it */
	reached(isTest: boolean, planned: Numbers = { all: 0, real: 0 }): Withheld | undefined {
		const { callsPerRun = Number.POSITIVE_INFINITY, callsPerDay = Number.POSITIVE_INFINITY } = this.limits;
		const { calls, ofDay, day } = this.counted;
		if (calls + planned.all >= callsPerRun) {
			const advice = 'Send this item in another run.';
			const sent = `Sent before: ${callsPerRun - planned.all}`;
			return limitReached("'Calls per Run'", callsPerRun, sent, planned.all, advice);
		}
		if (!isTest && this.ofOthers + ofDay + planned.real >= callsPerDay) {
			const next = new Date(Date.parse(day) + DAY_MS).toISOString();
			const advice = `Send this item from ${next} on.`;
			const sent = `Sent before: ${callsPerDay - planned.real} or more`;
			return limitReached("'Calls per Day' (UTC)", callsPerDay, sent, planned.real, advice, next);
		}
		return undefined;
	}

	count(isTest: boolean): () => void {
		this.beginDay();
		const { counted } = this;
		const { day } = counted;
		const real = isTest ? 0 : 1;
		counted.calls += 1;
		counted.ofDay += real;
		return () => {
			counted.calls -= 1;
			// A new day has begun without it.
			counted.ofDay -= counted.day === day ? real : 0;
		};
	}
}

function limitReached(
	name: string,
	limit: number,
	sent: string,
	planned: number,
	advice: string,
	next?: string,
): Withheld {
	return new Withheld(
		'limitReached',
		`Not sent: ${name} of the credential allows ${limit}. ${sent}; for items before this one: ${planned}`,
		`${advice} Who manages the credential can raise the limit.`,
		next,
	);
}

/** The day of a time, in UTC. */
function dayOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

/** When a call was created, in milliseconds since 1970; NaN if the service does not say. */
function createdAt({ created_at: created }: IDataObject): number {
	return dateIn(created) ?? Number.NaN;
}

/** What the execution has sent with the credential of the node. */
function countedIn({ caller }: OperationRun['run']): Counted {
	const byCredential = (contextOf(caller, 'flow').callsByCredential ??= {}) as unknown as Record<string, Counted>;
	const { id } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
	return (byCredential[String(id)] ??= { calls: 0, day: '', ofDay: 0, since: 0 });
}

/**
 * Takes out the calls beyond the limits of the credential, before the first one is sent: those within are the first ones
 * in the order of the items. A call that an earlier try has sent counts there, and an item that shares the call of another
 * one does not count.
 *
 * @throws ServiceError where a limit cannot be read, or the calls of the day cannot be counted: nothing may be sent
 */
export async function limitCalls(operationRun: OperationRun): Promise<void> {
	const { run, operation, items } = operationRun;
	const { callsPerRun, callsPerDay, testCallsOnly } = run.connection;
	if (callsPerRun === undefined && callsPerDay === undefined) {
		return;
	}
	const itemBefore = sharedCalls(operationRun);
	const calls = [...items.entries()].flatMap(([itemIndex, item]) => {
		const call = item.input && operation.callIn(item.input.values);
		const isSent =
			call !== undefined &&
			(run.sent.callSentEarlier(itemIndex, false) ?? run.sent.recall(SentRequests.keyOfCall(itemIndex, call)));
		return call && !isSent ? [{ itemIndex, item, isTest: call.isTest || testCallsOnly }] : [];
	});
	if (calls.length === 0) {
		return;
	}
	assertLimits(run.connection);
	const limits = new CallLimits(countedIn(run), run.connection);
	const api = createSharedApi(run, () => throwIfCanceled(operationRun));
	const real = calls.filter(({ itemIndex, isTest }) => !isTest && !itemBefore.has(itemIndex)).length;
	const { error } = await toResult(limits.readDay(api.request, real));
	if (error !== undefined) {
		throw notCounted(error);
	}
	run.limits = limits;
	const planned: Numbers = { all: 0, real: 0 };
	const withheld = new Map<number, Withheld | undefined>();
	for (const { itemIndex, item, isTest } of calls) {
		const before = itemBefore.get(itemIndex);
		const reached = before === undefined ? limits.reached(isTest, planned) : withheld.get(before);
		withheld.set(itemIndex, reached);
		if (reached !== undefined) {
			refuseItem(item, reached, withheldOutcome(reached, isTest));
		} else if (before === undefined) {
			planned.all++;
			planned.real += isTest ? 0 : 1;
		}
	}
}

function notCounted(error: ServiceError): ServiceError {
	return error.with({ message: `${NO_COUNT} ${error.message}`, accepted: 'no' });
}
