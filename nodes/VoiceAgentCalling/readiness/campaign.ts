import { toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { toE164 } from '../../shared/phoneNumbers/e164';
import { isFinished } from '../../shared/service/finishedCampaign';
import type { Api } from '../sending/api';
import { found, UNDER_WAY } from './agent';
import { type Finding, finding } from './findings';
import { type Schedule, type Slots, scheduleOf, slotsOf } from './schedule';

/** The statuses of a campaign call that is not over. Until then, the service queues no second call to the number. */
const OPEN = ['queued', 'scheduled', ...UNDER_WAY];

/** What applies to every call that is queued in a campaign. */
export interface CampaignState {
	/** Problems that do not depend on the time. */
	findings: Finding[];
	/** Undefined if the campaign does not exist or has no agent. */
	agentId: string | undefined;
	/** See {@link slotsOf}; undefined if it is not clear when the campaign calls. */
	nextSlot: Slots | undefined;
	/** Undefined if it is not clear when the campaign calls. */
	schedule: Schedule | undefined;
	exists: boolean;
	/** The numbers (E.164) that have a queued or active call; undefined if the campaign came without its calls. */
	queued: Set<unknown> | undefined;
}

/** Reads what applies to all calls of a campaign. Cached for the run. @throws ServiceError */
export function campaignState(api: Api, campaignId: string): Promise<CampaignState> {
	return api.remember(`campaign ${campaignId}`, async () => {
		const campaign = await found(api, ['campaigns', campaignId]);
		if (campaign === undefined) {
			const findings = [finding('CAMPAIGN_NOT_FOUND', 'The campaign does not exist')];
			return {
				findings,
				agentId: undefined,
				nextSlot: undefined,
				schedule: undefined,
				exists: false,
				queued: new Set(),
			};
		}
		const { status, agent_id, calls } = campaign;
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
		};
	});
}

function statusFindings(status: string): Finding[] {
	if (status === 'active') {
		return [];
	}
	const advice = isFinished(status)
		? `A ${status} campaign cannot be started again: create a new one with Campaign → Create.`
		: undefined;
	return [finding('CAMPAIGN_NOT_ACTIVE', `The campaign is ${status}`, advice)];
}

/**
 * How long it takes until a campaign can call a number that was just queued.
 *
 * @returns milliseconds; 0 if the campaign cannot be read, or does not say clearly when it calls
 */
export async function msUntilNextSlot(api: Api, campaignId: string): Promise<number> {
	const { value } = await toResult(campaignState(api, campaignId));
	const now = Date.now();
	return (value?.nextSlot?.(now) ?? now) - now;
}
