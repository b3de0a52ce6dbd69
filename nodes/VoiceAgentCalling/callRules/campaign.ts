import type { Api } from '../../shared/client/api';
import { isFinished, statusWord } from '../../shared/client/statuses';
import { toResult } from '../../shared/errors/serviceError';
import { isBlank, isRecord } from '../../shared/lib/json';
import { toE164 } from '../../shared/phoneNumbers/e164';
import { IN_PROGRESS, readObject } from './agent';
import { type Finding, finding } from './findings';
import { type Schedule, type Slots, scheduleOf, slotsOf } from './schedule';

/** The statuses of a campaign call that is not over. The service does not queue a second call to its number. */
const OPEN = ['queued', 'scheduled', ...IN_PROGRESS];

/** The statuses of a campaign call that is over. With any other status, it may ring again. */
const OVER = ['completed', 'failed', 'cancelled'];

/** The statuses of an attempt that reached nobody. After the last attempt the call is over. */
const MISSED = ['no-answer', 'busy'];

/** What applies to every call that is queued in a campaign. */
interface CampaignState {
	/** Problems that do not depend on the time. */
	findings: Finding[];
	/** Undefined if the campaign does not exist or has no agent. */
	agentId: string | undefined;
	/** See {@link slotsOf}; undefined if it is not clear when the campaign calls. */
	nextSlot: Slots | undefined;
	/** Undefined if it is not clear when the campaign calls. */
	schedule: Schedule | undefined;
	exists: boolean;
	/** The numbers (E.164) with a queued or active call; undefined if the response lacks the calls. */
	queued: Set<unknown> | undefined;
	/** The maximum number of retries; undefined if it cannot be read. */
	maxRetries: number | undefined;
	/** The calls that may ring again; undefined if the response lacks some or all calls. */
	pending: ReadonlyArray<Record<string, unknown>> | undefined;
}

/** Reads what applies to all calls of a campaign. Cached for the run. @throws ServiceError */
export function campaignState(api: Api, campaignId: string): Promise<CampaignState> {
	return api.remember(`campaign ${campaignId}`, async () => {
		const campaign = await readObject(api, ['campaigns', campaignId]);
		if (campaign === undefined) {
			const findings = [finding('CAMPAIGN_NOT_FOUND', 'The campaign does not exist')];
			return {
				findings,
				agentId: undefined,
				nextSlot: undefined,
				schedule: undefined,
				exists: false,
				queued: new Set(),
				maxRetries: undefined,
				pending: undefined,
			};
		}
		const { status, agent_id, calls, max_retries: retries, stats } = campaign;
		// The total does not include test calls.
		const total = isRecord(stats) ? stats.total_calls : undefined;
		const maxRetries = isBlank(retries) || !(Number(retries) >= 0) ? undefined : Number(retries);
		const mayRing = (call: Record<string, unknown>) => {
			const word = statusWord(call.status);
			const isLast = maxRetries !== undefined && Number(call.retries) >= maxRetries;
			return !OVER.includes(word) && !(isLast && MISSED.includes(word));
		};
		const open = Array.isArray(calls)
			? calls.filter((call) => isRecord(call) && OPEN.includes(String(call.status)))
			: undefined;
		return {
			findings: statusFindings(String(status)),
			agentId: typeof agent_id === 'string' ? agent_id : undefined,
			nextSlot: isFinished(status) ? undefined : slotsOf(campaign),
			schedule: scheduleOf(campaign),
			exists: true,
			queued: open && new Set(open.map(({ to }: { to: unknown }) => toE164(to))),
			maxRetries,
			pending:
				Array.isArray(calls) && !(Number(total) > calls.length) ? calls.filter(isRecord).filter(mayRing) : undefined,
		};
	});
}

function statusFindings(status: string): Finding[] {
	if (status === 'active') {
		return [];
	}
	const advice = isFinished(status)
		? `A ${status} campaign cannot be started again: create a new one with Campaign → Create.`
		: 'Set it to Active with Campaign → Set Status.';
	return [finding('CAMPAIGN_NOT_ACTIVE', `The campaign is ${status}`, advice)];
}

/**
 * Returns how long it takes until a campaign can call a number that was just queued.
 *
 * @returns milliseconds; 0 if the campaign cannot be read, or its calling times are not clear
 */
export async function msUntilNextSlot(api: Api, campaignId: string): Promise<number> {
	const { value } = await toResult(campaignState(api, campaignId));
	const now = Date.now();
	return (value?.nextSlot?.(now) ?? now) - now;
}
