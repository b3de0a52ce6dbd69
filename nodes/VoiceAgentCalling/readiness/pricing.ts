import { sentences, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import type { Api } from '../sending/api';

/** What a minute of a call costs, or why that is not known. */
export interface Price {
	/** In `currency`; undefined if it is not known. */
	perMinute: number | undefined;
	currency: string | null;
	/** Whether the price counts on the agent's optimized costs. */
	isOptimized: boolean;
	/** Whole sentences, if the price is not known. */
	reason: string | undefined;
}

/** Reads the price of an agent's calls. It never fails: what cannot be read is not known. */
export async function priceOf(api: Api, agentId: string): Promise<Price> {
	const { value: body, error } = await toResult(
		api.request({
			method: 'GET',
			path: ['agents', agentId, 'pricing', 'summary'],
			codes: { 404: 'AGENT_NOT_FOUND' },
			repeat: 'safe',
		}),
	);
	const data = isRecord(body?.data) ? body.data : {};
	const { estimated_cost_per_minute: given, currency, optimized_costs_enabled } = data;
	const perMinute = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	const isPrice = typeof perMinute === 'number' && Number.isFinite(perMinute) && perMinute >= 0;
	if (isPrice && typeof currency === 'string' && currency !== '') {
		return { perMinute, currency, isOptimized: optimized_costs_enabled === true, reason: undefined };
	}
	const why = error
		? sentences(error.message, error.advice)
		: 'The answer of the service has no price per minute with a currency.';
	const reason = `The price of agent ${agentId} is not known: ${why}`;
	return { perMinute: undefined, currency: null, isOptimized: false, reason };
}
