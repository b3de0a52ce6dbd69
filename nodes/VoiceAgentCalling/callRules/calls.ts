// The calls of a run. Before anything is sent, `Calls.prepare` takes out the calls that the user's rules do not allow.
// `Calls.planCalls` checks all rules, each call as if the earlier items had been sent, and takes out all but the first
// five phones of a manual execution. A `CallGuard` (callGuard.ts) checks all rules again right before a call is sent.

import { sleep } from 'n8n-workflow';

import { type Api, createSharedApi, type RulesCheck } from '../../shared/client/api';
import { assertLimits } from '../../shared/client/transport';
import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import { withheld } from '../../shared/errors/withheld';
import { isRecord } from '../../shared/lib/json';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { CallingHours } from '../fields/callingHours';
import type { Consent } from '../fields/consent';
import type { FrequencyCap } from '../fields/frequencyCap';
import type { Call } from '../operation/call';
import type { ItemInput } from '../operation/items';
import { failItem, type OperationRun, readyItems, settleItem } from '../operation/operationRun';
import type { CallBook } from './book';
import type { Known, WantedCall } from './bookEntries';
import { CallGuard, type RulesOfCall } from './callGuard';
import { consentRule } from './consent';
import { DayLimit, redialRule, runLimit, toolRules } from './limits';
import type { ListedCalls } from './listedCalls';
import { type CallRule, Plan } from './rule';

/** How many items are checked before other work of the event loop runs. */
const CHUNK = 200;

/** The options about whom to call, and when. */
interface CallOptions {
	callingHours?: CallingHours;
	/** See {@link phoneOf}. */
	blockedNumbers?: { phones: ReadonlySet<string> };
	consent?: Consent;
	frequencyCap?: FrequencyCap;
	/** By default the call is not sent. */
	ifOutside?: 'delay' | 'skip';
	repeatedNumber?: string;
}

/** The node that calls, in its execution. */
export type CallingNode = Pick<WantedCall, 'credential' | 'node' | 'run' | 'isTool'>;

/** The calls of one run of the node, and the rules and limits for them. */
export class Calls {
	readonly book: CallBook;

	private readonly operationRun: OperationRun;

	private readonly node: CallingNode;

	private readonly api: Api;

	private readonly guards = new Map<number, CallGuard>();

	/** The calls of the items that were planned or checked so far. */
	private plan = new Plan(phoneOf);

	/** The items that a rule does not allow if the calls of earlier items are sent. */
	private takenOut: number[] = [];

	private readonly dayLimit: DayLimit | undefined;

	/** The limits of the credential, which apply to all items. */
	private readonly limits: readonly CallRule[];

	private ofTool: readonly CallRule[] | undefined;

	constructor(operationRun: OperationRun, book: CallBook, node: CallingNode) {
		this.operationRun = operationRun;
		this.book = book;
		this.node = node;
		const { run } = operationRun;
		this.api = createSharedApi(run);
		const { callsPerRun, callsPerDay } = run.connection;
		this.dayLimit = callsPerDay === undefined ? undefined : new DayLimit(book, node.credential, callsPerDay, run.pace);
		this.limits = [
			...(callsPerRun === undefined ? [] : [runLimit(book, callsPerRun)]),
			...(this.dayLimit ? [this.dayLimit] : []),
		];
	}

	/** Returns the call that an item requests; undefined if the item does not place a call. */
	wantedCallOf(itemIndex: number): WantedCall | undefined {
		const { input } = this.operationRun.items[itemIndex];
		const call = input && (input.call ?? this.checkedCall(input));
		return call && this.asWanted(call, itemIndex, input.local);
	}

	/** Whether an earlier attempt has sent the call of an item, or this execution another call for it. */
	hasCalledFor(itemIndex: number): boolean {
		const call = this.wantedCallOf(itemIndex);
		return this.book.hasCalledFor({ ...this.node, item: itemIndex }, call?.to);
	}

	/** Returns what the book knows about the call of an item; undefined if it may be sent, or without a call. */
	knownCallOf(itemIndex: number): Known | undefined {
		const { operation, items } = this.operationRun;
		const call = this.wantedCallOf(itemIndex);
		if (operation.checksCall || (call === undefined && items[itemIndex].input !== undefined)) {
			return undefined;
		}
		if (call !== undefined) {
			return this.book.find(call);
		}
		// The item is invalid now. The items of a tool are not the same in another run.
		const entry = this.node.isTool ? undefined : this.book.ownOf({ ...this.node, item: itemIndex });
		return entry && { is: 'own', entry, valuesChanged: true };
	}

	/** Returns the guard for the call of an item, after {@link Calls.prepare}. */
	guardOf(itemIndex: number): CallGuard | undefined {
		return this.operationRun.operation.checksCall ? undefined : this.guards.get(itemIndex);
	}

	/** Returns the check of the rules for the call of an item that is only checked. */
	rulesCheckOf(itemIndex: number): RulesCheck | undefined {
		const guard = this.operationRun.operation.checksCall ? this.guards.get(itemIndex) : undefined;
		return (
			guard && {
				check: async () => {
					await guard.refresh?.(this.api.request);
					return guard.check(this.plan);
				},
				count: () => {
					const held = guard.check(this.plan);
					if (held !== undefined) {
						return { withheld: held };
					}
					const startsAt = guard.startsAt();
					this.plan.add(guard.call, startsAt);
					return { startsAt };
				},
			}
		);
	}

	/** Takes out the calls that the user's own rules do not allow, before anything else is read or checked for them. */
	async prepare(): Promise<void> {
		const { operationRun } = this;
		const { run, operation } = operationRun;
		const ready = readyItems(operationRun);
		const days = ready.flatMap(({ input }) => (input.local as CallOptions).frequencyCap?.days ?? []);
		const { value: listed, error: notListed } = days.length > 0 ? await toResult(this.readCalls(days)) : {};
		for (const [count, { itemIndex, input }] of ready.entries()) {
			if (count % CHUNK === CHUNK - 1) {
				await sleep(0);
			}
			if (run.stop.isForAll) {
				return;
			}
			const call = this.wantedCallOf(itemIndex);
			const options = input.local as CallOptions;
			if (call === undefined) {
				continue;
			}
			if (notListed !== undefined && options.frequencyCap !== undefined) {
				failItem(operationRun, itemIndex, notListed.with({ accepted: 'no' }));
				continue;
			}
			const { callingHours, blockedNumbers, consent, frequencyCap } = options;
			const hasRules = callingHours ?? blockedNumbers ?? consent ?? frequencyCap ?? run.chain;
			const delayMs = delayIn(input.values);
			const { value: own, error } =
				hasRules === undefined ? {} : await toResult(this.ownRules(call, input, { listed, delayMs }));
			if (error !== undefined) {
				this.failCall(itemIndex, error);
				continue;
			}
			const limits = this.limitsFor(input);
			const guard = new CallGuard(this.book, call, { rules: [], ...own, limits, delayMs });
			this.guards.set(itemIndex, guard);
			const reason = hasRules === undefined || operation.checksCall ? undefined : guard.checkOwn();
			if (reason !== undefined) {
				settleItem(operationRun, itemIndex, { is: 'withheld', reason, isTest: call.isTest });
			}
		}
	}

	/**
	 * Takes out the calls beyond a limit, before the first call is sent. The calls of the first items stay within the
	 * limit. This comes last, so that the limits count only calls that nothing else takes out.
	 *
	 * @throws ServiceError if a limit cannot be read, or the calls of the day cannot be counted: nothing may be sent
	 */
	async planCalls(): Promise<void> {
		const guards = this.guardsToPlan();
		if (guards.length === 0) {
			return;
		}
		assertLimits(this.operationRun.run.connection);
		if (this.dayLimit !== undefined) {
			const real = new Set(guards.flatMap(({ call }) => (call.isTest ? [] : [this.sameCallKey(call)])));
			if (real.size > 0) {
				await this.dayLimit.read(real.size, this.api.request);
			}
		}
		await this.takeOut(guards);
	}

	/**
	 * Plans again the items that were taken out because of earlier items: calls that the campaign had already, or that the
	 * service refused, do not count.
	 *
	 * @returns whether some of them can be sent now, or are not sent for the reason that has stopped the run
	 * @throws ServiceError if the rules of a call cannot be read
	 */
	async planAgain(): Promise<boolean> {
		const { items } = this.operationRun;
		const before = this.takenOut;
		this.takenOut = [];
		for (const itemIndex of before) {
			const { state } = items[itemIndex];
			const reason = this.guards.get(itemIndex)?.check();
			if (reason === undefined) {
				items[itemIndex].state = { is: 'ready' };
				continue;
			}
			this.takenOut.push(itemIndex);
			// Another rule than in the plan: its reason counted calls that were not sent.
			if (state.is === 'withheld' && (state.reason.code !== reason.code || state.reason.advice !== reason.advice)) {
				items[itemIndex].state = { ...state, reason };
			}
		}
		if (this.takenOut.length === before.length) {
			return false;
		}
		this.plan = new Plan(phoneOf);
		await this.takeOut(this.guardsToPlan());
		return true;
	}

	/** Returns the guards of the calls that can be sent. What is not sent for another reason needs no plan. */
	private guardsToPlan(): CallGuard[] {
		const { operation, run } = this.operationRun;
		if (operation.checksCall) {
			return [];
		}
		const sendable = readyItems(this.operationRun).filter(
			({ input }) => run.stop.reasonFor(input.values) === undefined,
		);
		return sendable.flatMap(({ itemIndex }) => this.guards.get(itemIndex) ?? []);
	}

	/** Adds calls to the plan, and takes out those that are not allowed then. @throws ServiceError */
	private async takeOut(guards: readonly CallGuard[]): Promise<void> {
		const { operationRun, plan } = this;
		const { operation, run, rootMode } = operationRun;
		const isTrial = operation.callerIdField !== undefined && rootMode === 'manual';
		if (!isTrial && !guards.some((guard) => guard.hasLimits)) {
			return;
		}
		const isInTrial = (itemIndex: number) =>
			isTrial && run.caller.getNodeParameter('testCall', itemIndex, '') === 'automatic';
		let trials = operationRun.items.filter(
			({ state }, itemIndex) => state.is === 'done' && state.result !== 'sameNumber' && isInTrial(itemIndex),
		).length;
		const planned = new Set<string>();
		for (const [count, guard] of guards.entries()) {
			if (count % CHUNK === CHUNK - 1) {
				await sleep(0);
			}
			const { call } = guard;
			const key = this.sameCallKey(call);
			// An item that shares the call of another item does not count.
			if (planned.has(key)) {
				continue;
			}
			// A call that the frequency cap does not allow must not use up a limit.
			if (this.limits.length > 0 || this.ofTool !== undefined || isTrial) {
				await guard.refreshOwn(this.api.request);
			}
			const countsAsTrial = isInTrial(call.item);
			const reason = countsAsTrial && trials >= TRIAL_CALLS ? TRIAL_OVER : guard.check(plan);
			if (reason !== undefined) {
				settleItem(operationRun, call.item, { is: 'withheld', reason, isTest: call.isTest });
				if (reason !== TRIAL_OVER) {
					this.takenOut.push(call.item);
				}
				continue;
			}
			trials += countsAsTrial ? 1 : 0;
			planned.add(key);
			plan.add(call, guard.startsAt());
		}
	}

	private asWanted(call: Call, item: number, { repeatedNumber }: CallOptions): WantedCall {
		return {
			...this.node,
			ownerField: call.callerIdField,
			owner: call.callerId?.toLowerCase() ?? '',
			isTest: call.isTest,
			to: call.to,
			item,
			isEachTime: repeatedNumber === 'callEachTime',
		};
	}

	/** Returns the call that a check is about; undefined if its number is invalid. */
	private checkedCall({ values }: ItemInput): Call | undefined {
		const { to } = values as { to?: { number?: string } };
		if (!this.operationRun.operation.checksCall || to?.number === undefined) {
			return undefined;
		}
		const callerIdField = 'agentId' in values ? 'agentId' : 'campaignId';
		const isTest = values.is_testing === true || this.operationRun.run.connection.testCallsOnly;
		return { callerIdField, callerId: String(values[callerIdField]), to: to.number, isTest };
	}

	/** Returns the same text for calls that count as one and are placed once. */
	private sameCallKey({ isTest, to, item, isEachTime }: WantedCall): string {
		return JSON.stringify([isTest, phoneOf(to), isEachTime ? item : -1]);
	}

	private async readCalls(days: readonly number[]): Promise<ListedCalls> {
		const { ListedCalls: Listed } = await import('./listedCalls.js');
		const longest = days.reduce((most, one) => Math.max(most, one));
		return await Listed.read(this.api, longest);
	}

	/** Returns the rules that the user has set for a call. @throws ServiceError if the data for them cannot be read */
	private async ownRules(
		call: WantedCall,
		{ values, local }: ItemInput,
		{ listed, delayMs }: { listed: ListedCalls | undefined; delayMs: number },
	): Promise<Pick<RulesOfCall, 'rules' | 'delayedBy'>> {
		const { callingHours, blockedNumbers, consent, frequencyCap, ifOutside = 'skip' } = local as CallOptions;
		if (blockedNumbers?.phones.has(phoneOf(call.to))) {
			return { rules: [{ check: () => BLOCKED }] };
		}
		const campaignId = call.ownerField === 'campaignId' ? String(values.campaignId) : undefined;
		const { chain } = this.operationRun.run;
		const rules: CallRule[] = consent ? [consentRule(consent)] : [];
		const { hoursRule } = callingHours ? await import('./callingHours.js') : {};
		const hours = callingHours && (await hoursRule?.(this.api, { to: call.to, campaignId, delayMs }, callingHours));
		if (hours) {
			rules.push(hours);
		}
		if (frequencyCap && listed) {
			const { capRule } = await import('./frequencyCap.js');
			rules.push(await capRule(this.api, this.book, call, { cap: frequencyCap, campaignId, listed }));
		} else if (chain) {
			rules.push(redialRule(chain));
		}
		return { rules, ...(ifOutside === 'delay' && hours && { delayedBy: hours }) };
	}

	/** Returns the limits of the tool and of the credential. Check Before Calling does not check limits. */
	private limitsFor({ toolLimits }: ItemInput): readonly CallRule[] {
		if (this.operationRun.operation.checksCall) {
			return [];
		}
		if (toolLimits !== undefined) {
			this.ofTool ??= toolRules(this.book, toolLimits, String(this.operationRun.run.caller.getWorkflow().id));
		}
		return this.ofTool === undefined ? this.limits : [...this.ofTool, ...this.limits];
	}

	/** Fails a call whose rules cannot be read. A check itself reports that a campaign does not exist. */
	private failCall(itemIndex: number, error: ServiceError): void {
		const { operation } = this.operationRun;
		if (!operation.checksCall || error.code !== 'CAMPAIGN_NOT_FOUND') {
			failItem(this.operationRun, itemIndex, error.with({ accepted: 'no' }));
		}
	}
}

/** How many phones each run of a node with Test Call at Automatic calls in a manual execution. */
const TRIAL_CALLS = 5;

/**
 * Why manual executions are limited: a test call may ring, and a queued test call holds its number, so that the real
 * call to it would not be queued.
 */
const TRIAL_OVER = withheld(
	'notTried',
	`in a manual execution, 'Test Call' at Automatic calls the first ${TRIAL_CALLS} phones only`,
	"For test calls to all, set 'Test Call' to Always. For real calls, publish the workflow, or set it to Never.",
);

const BLOCKED = withheld('blocked', 'the number is one of the Blocked Numbers', '', null);

/**
 * Returns how long the service waits before it places a call.
 *
 * @param values with a `body` if the user wrote the request
 */
function delayIn({ delay_seconds, body }: ItemInput['values']): number {
	const seconds = delay_seconds ?? (isRecord(body) ? body.delay_seconds : 0);
	return (Number(seconds) || 0) * 1000;
}
