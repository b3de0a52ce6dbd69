import type { IDataObject } from 'n8n-workflow';

import { ServiceError, sentences } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { type ForecastSettings, forecastDefaults } from '../fields/forecast';
import { failed } from '../operation/items';
import type { CalledBy, RunItem } from '../operation/operation';
import type { Api } from '../sending/api';
import { assumptionsOf } from './assumptions';
import { type CampaignState, campaignState } from './campaign';
import { type Price, priceOf } from './pricing';

const HOUR_MS = 3_600_000;

/** Costs are rounded to a hundredth of a cent: a short call costs less than a cent. */
const DECIMALS = 4;

/** The cost of some calls, or why it is not known. */
interface Cost {
	currency: string | null;
	costLow: number | null;
	costLikely: number | null;
	costHigh: number | null;
	costReason: string | null;
}

/** When all calls are over, or why that is not known. */
interface End {
	/** ISO 8601. */
	endsAt: string | null;
	/** How many ready numbers are not called before the campaign ends; null if that is not known. */
	callsLeft: number | null;
	endReason: string | null;
}

/** What is needed to forecast the calls of one agent or campaign. */
interface Caller {
	id: string;
	itemCount: number;
	/** The settings of its items that are ready. */
	ready: ForecastSettings[];
	/** Undefined for an agent, and if it is not needed. */
	campaign: CampaignState | undefined;
	/** Undefined for a campaign that has no agent or was not read. */
	agentId: string | undefined;
	/** Undefined if it is not needed, or without an agent. */
	price: Price | undefined;
}

/**
 * The forecast for the calls that the items of a run have checked. A figure that is not known is null and has a reason.
 *
 * @param calledBy who would place the calls
 * @throws ServiceError if the execution is canceled
 */
export async function forecastOf(api: Api, items: readonly RunItem[], calledBy: CalledBy): Promise<IDataObject> {
	const now = Date.now();
	const callers = await callersOf(api, items, calledBy);
	const figures = callers.map((caller) => ({
		caller,
		cost: api.testCallsOnly || caller.ready.length === 0 ? freeOf(caller) : costOf(caller),
		end: endOf(caller, now),
	}));
	const calling = figures.filter(({ caller }) => caller.ready.length > 0);
	const readyCount = calling.reduce((sum, { caller }) => sum + caller.ready.length, 0);
	const settings = calling.flatMap(({ caller }) => caller.ready);
	return {
		result: 'forecast',
		itemCount: items.length,
		readyCount,
		notReadyCount: items.length - readyCount,
		reasons: reasonsOf(items),
		...totalCost(calling.map(({ cost }) => cost)),
		...totalEnd(calling.map(({ end }) => end)),
		assumptions: assumptionsOf({
			now,
			testCallsOnly: api.testCallsOnly,
			settings,
			isOptimized: callers.some(({ price }) => price?.isOptimized),
			campaigns: calling.flatMap(({ caller: { campaign } }) => (campaign ? [campaign] : [])),
		}),
		[calledBy === 'agentId' ? 'agents' : 'campaigns']: figures.map(({ caller, cost, end }) => ({
			...(calledBy === 'campaignId' && { campaign_id: caller.id }),
			agent_id: caller.agentId ?? null,
			itemCount: caller.itemCount,
			readyCount: caller.ready.length,
			...(calledBy === 'campaignId' && { waitingCalls: caller.campaign?.waitingCalls ?? null }),
			costPerMinute: caller.price?.perMinute ?? null,
			...cost,
			...end,
		})),
	};
}

/** Groups the valid items by agent or campaign, and reads what the figures need. Agents and campaigns are read once. */
async function callersOf(api: Api, items: readonly RunItem[], calledBy: CalledBy): Promise<Caller[]> {
	const callers = new Map<string, Caller>();
	for (const { input, outcome } of items) {
		if (input instanceof ServiceError) {
			continue;
		}
		const id = String(input.values[calledBy]);
		const caller: Caller = callers.get(id) ?? {
			id,
			itemCount: 0,
			ready: [],
			campaign: undefined,
			agentId: calledBy === 'agentId' ? id : undefined,
			price: undefined,
		};
		caller.itemCount++;
		if (resultIn(outcome)?.ready === true) {
			caller.ready.push((input.local.forecast ?? forecastDefaults) as ForecastSettings);
		}
		callers.set(id, caller);
	}
	const prices = new Map<string, Price>();
	for (const caller of callers.values()) {
		if (caller.ready.length === 0) {
			continue;
		}
		if (calledBy === 'campaignId') {
			// The checks of its items have read it.
			caller.campaign = await campaignState(api, caller.id);
			caller.agentId = caller.campaign.agentId;
		}
		const { agentId } = caller;
		if (agentId !== undefined && !api.testCallsOnly) {
			const price = prices.get(agentId) ?? (await priceOf(api, agentId));
			prices.set(agentId, price);
			caller.price = price;
		}
	}
	return [...callers.values()];
}

/** The result of the check of an item; undefined if it failed. */
function resultIn(outcome: RunItem['outcome']): IDataObject | undefined {
	const [result] = outcome === undefined || failed(outcome) ? [] : outcome.items;
	return isRecord(result) ? (result as IDataObject) : undefined;
}

/**
 * Why items are not ready: how many for each code, most frequent first. An item can have several reasons.
 *
 * Of several messages for a code, such as one for each variable, it has the most frequent.
 */
function reasonsOf(items: readonly RunItem[]): Array<{ code: string; count: number; message: string }> {
	const messagesByCode = new Map<string, Map<string, number>>();
	for (const { outcome } of items) {
		const reasons = failed(outcome)
			? [{ code: outcome.error.code, message: sentences(outcome.error.message, outcome.error.advice) }]
			: ((resultIn(outcome)?.reasons ?? []) as Array<{ code: string; message: string }>);
		for (const { code, message } of reasons) {
			const messages = messagesByCode.get(code) ?? new Map<string, number>();
			messages.set(message, (messages.get(message) ?? 0) + 1);
			messagesByCode.set(code, messages);
		}
	}
	const reasons = [...messagesByCode].map(([code, messages]) => {
		const [[message]] = [...messages].sort(([, one], [, other]) => other - one);
		return { code, count: [...messages.values()].reduce((sum, count) => sum + count, 0), message };
	});
	return reasons.sort((one, other) => other.count - one.count);
}

const rounded = (cost: number) => Number(cost.toFixed(DECIMALS));

const unknownCost = (costReason: string): Cost => ({
	currency: null,
	costLow: null,
	costLikely: null,
	costHigh: null,
	costReason,
});

/** The cost of no calls, or of test calls. */
function freeOf({ price }: Caller): Cost {
	return { currency: price?.currency ?? null, costLow: 0, costLikely: 0, costHigh: 0, costReason: null };
}

function costOf({ id, ready, price }: Caller): Cost {
	const { perMinute, currency = null } = price ?? {};
	if (perMinute === undefined) {
		return unknownCost(price?.reason ?? `Campaign ${id} has no agent.`);
	}
	const cost = (minutesOf: (settings: ForecastSettings) => number) =>
		rounded(perMinute * ready.reduce((sum, settings) => sum + minutesOf(settings), 0));
	return {
		currency,
		costLow: cost(({ minutesLow }) => minutesLow),
		costLikely: cost(({ minutesLikely }) => minutesLikely),
		costHigh: cost(({ minutesHigh }) => minutesHigh),
		costReason: null,
	};
}

function totalCost(costs: readonly Cost[]): Cost {
	const reasons = unique(costs.map(({ costReason }) => costReason));
	const currencies = unique(costs.map(({ currency }) => currency));
	if (reasons.length > 0) {
		return unknownCost(reasons.join(' '));
	}
	if (currencies.length > 1) {
		return unknownCost(`The prices are in different currencies: ${currencies.join(', ')}.`);
	}
	const sum = (of: (cost: Cost) => number | null) => rounded(costs.reduce((total, cost) => total + (of(cost) ?? 0), 0));
	return {
		currency: currencies[0] ?? null,
		costLow: sum(({ costLow }) => costLow),
		costLikely: sum(({ costLikely }) => costLikely),
		costHigh: sum(({ costHigh }) => costHigh),
		costReason: null,
	};
}

const unknownEnd = (endReason: string, callsLeft: number | null = null): End => ({
	endsAt: null,
	callsLeft,
	endReason,
});

const iso = (time: number) => new Date(time).toISOString();

/** When all calls of an agent or campaign that start now are over. Calls that wait in the campaign come first. */
function endOf({ id, ready, campaign }: Caller, now: number): End {
	if (ready.length === 0) {
		return unknownEnd('No number is ready.');
	}
	if (ready.some(({ callsPerHour }) => callsPerHour === 0)) {
		return unknownEnd("Set 'Calls per Hour' in the option Forecast to estimate the end.");
	}
	const ownTime = ready.reduce((sum, { callsPerHour }) => sum + HOUR_MS / callsPerHour, 0);
	if (campaign === undefined) {
		return endAt(now + ownTime);
	}
	const calls = ready.length + campaign.waitingCalls;
	const time = (ownTime / ready.length) * calls;
	const called = campaign.callingTime?.(now, time);
	if (called === undefined) {
		return unknownEnd(`It is not clear from its days, hours and time zone when campaign ${id} calls.`);
	}
	if (called.end !== undefined) {
		return endAt(called.end);
	}
	if (!called.isOver) {
		return unknownEnd(`At this rate, campaign ${id} takes longer than two years.`);
	}
	// A quotient such as 2.9999999999999996 is 3 calls.
	const placed = Math.floor((called.open / time) * calls + 1e-9);
	const left = Math.min(ready.length, calls - placed);
	return unknownEnd(`Campaign ${id} ends before all numbers are called: ${left} of ${ready.length} remain.`, left);
}

const endAt = (time: number): End => ({ endsAt: iso(time), callsLeft: 0, endReason: null });

function totalEnd(ends: readonly End[]): End {
	if (ends.length === 0) {
		return unknownEnd('No number is ready.');
	}
	const reasons = unique(ends.map(({ endReason }) => endReason));
	const left = ends.map(({ callsLeft }) => callsLeft);
	const callsLeft = left.includes(null) ? null : left.reduce((sum: number, calls) => sum + (calls ?? 0), 0);
	if (reasons.length > 0) {
		return unknownEnd(reasons.join(' '), callsLeft);
	}
	// ISO 8601 in UTC sorts by time.
	const [endsAt] = ends
		.map((end) => end.endsAt)
		.sort()
		.reverse();
	return { endsAt, callsLeft, endReason: null };
}

/** The values that are not null, each once. */
function unique(values: ReadonlyArray<string | null>): string[] {
	return [...new Set(values.filter((value) => value !== null))];
}
