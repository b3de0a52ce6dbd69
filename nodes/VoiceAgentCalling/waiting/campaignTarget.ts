import type { INodeExecutionData } from 'n8n-workflow';

import { type ServiceError, toResult, unwrap } from '../../shared/errors/serviceError';
import { eventsIn, readEvent, typeInHeaders } from '../../shared/events/event';
import { verifySignature } from '../../shared/events/signature';
import { fromJsonBytes } from '../../shared/lib/json';
import { storedInput } from '../../shared/n8nInternals';
import { readRawBody, respond } from '../../shared/webhookResponse';
import {
	CAMPAIGN_PARAMETER,
	COMPLETED_EVENT,
	campaignSecret,
	deleteCampaignWebhooks,
	readAgain,
} from './campaignRequests';
import type { RunningWait, WaitTarget } from './memory';
import { isFinal } from './serviceRequests';
import { type AwaitedCampaign, type CampaignWaitState, hasEnded, waitIdOf } from './wait';

type RunningCampaignWait = RunningWait<CampaignWaitState>;

/** How many campaigns are read at the same time at the time limit. */
const MAX_CONCURRENT = 5;

/** The campaigns that an execution waits for. The service delivers their events directly to the execution. */
export function campaignTarget(wait: RunningCampaignWait): WaitTarget {
	const { caller, state, memory, sendRequest } = wait;
	const open = () => state.campaigns.map(({ id }) => id).filter((id) => !hasEnded(campaignOf(wait, id)));
	return {
		async take(message) {
			if (message !== undefined) {
				return respond(caller, 409, 'Nothing waits for this');
			}
			const delivery = await readDelivery(wait);
			if (delivery === undefined) {
				caller.logger.warn(
					`"${caller.getNode().name}" refused a delivery that the service has not signed for its wait`,
				);
				return respond(caller, 401, 'Unauthorized');
			}
			const { id, isEnd } = delivery;
			if (!memory.resumed && !hasEnded(campaignOf(wait, id))) {
				memory.mentioned.set(id, isEnd || memory.mentioned.get(id) === true);
			}
			return undefined;
		},

		isComplete: () => open().length === 0,

		needsPoll: () => true,

		lateEventsMs: () => undefined,

		async poll(timeIsUp, isLastTime = timeIsUp) {
			if (timeIsUp) {
				await readAll(wait, open(), (error) => isLastTime || isFinal(error));
				return true;
			}
			const readIsOpen = async (id: string) => {
				memory.campaigns.set(id, await readAgain(sendRequest, campaignOf(wait, id)));
				return !hasEnded(campaignOf(wait, id));
			};
			let goesOn = false;
			for (const [id, isEnd] of memory.mentioned) {
				memory.mentioned.delete(id);
				const isOpen = await readIsOpen(id);
				// The event of the end may arrive before the campaign shows the end. A change event need not be the end.
				if (isEnd && isOpen) {
					return false;
				}
				goesOn ||= isOpen;
			}
			// One running campaign is enough to keep waiting.
			for (const id of goesOn ? [] : open()) {
				if (await readIsOpen(id)) {
					break;
				}
			}
			return true;
		},

		items() {
			const idAt = (index: number) => state.campaigns.find(({ items }) => items.includes(index))?.id;
			return storedInput(caller).map((item, index): INodeExecutionData => {
				const id = idAt(index);
				return id === undefined ? item : { ...item, json: campaignOf(wait, id) };
			});
		},

		ended: () => void deleteCampaignWebhooks(caller, state.campaigns),
	};
}

/** Returns a campaign as this process has last read it, or as it was stored with the execution. */
function campaignOf({ caller, state, memory }: RunningCampaignWait, id: string): AwaitedCampaign {
	const read = memory.campaigns.get(id);
	if (read !== undefined) {
		return read;
	}
	const items = storedInput(caller);
	for (const {
		id: each,
		items: [index],
	} of state.campaigns) {
		memory.campaigns.set(each, items[index]?.json as AwaitedCampaign);
	}
	return memory.campaigns.get(id) as AwaitedCampaign;
}

/** Reads a delivery of the service; undefined if it is not signed with the secret of the campaign in its URL. */
async function readDelivery({
	caller,
	keys,
	state,
}: RunningCampaignWait): Promise<{ id: string; isEnd: boolean } | undefined> {
	const { headers, query } = caller.getRequestObject();
	const rawBody = await readRawBody(caller);
	const campaign = state.campaigns.find(({ id }) => id === query[CAMPAIGN_PARAMETER]);
	if (campaign === undefined) {
		return undefined;
	}
	const secret = campaignSecret(keys, waitIdOf(caller, state.run), campaign.id);
	const { authentic } = verifySignature({ rawBody, headers, now: Date.now() }, [{ secret }]);
	const events = authentic ? eventsIn(fromJsonBytes(rawBody)) : undefined;
	const eventTypes = events?.map((event) => readEvent(event, typeInHeaders(headers)).type);
	return eventTypes && { id: campaign.id, isEnd: eventTypes.includes(COMPLETED_EVENT) };
}

/**
 * Reads campaigns. A campaign that cannot be read keeps its last values.
 *
 * @param mayFail whether an error is only logged
 * @throws ServiceError the first other error; the remaining campaigns are then not read
 */
async function readAll(
	wait: RunningCampaignWait,
	ids: readonly string[],
	mayFail: (error: ServiceError) => boolean,
): Promise<void> {
	const { caller, memory, sendRequest } = wait;
	const readOne = async (id: string) => {
		const { value, error } = await toResult(readAgain(sendRequest, campaignOf(wait, id)));
		if (error === undefined) {
			memory.campaigns.set(id, value);
		} else if (mayFail(error)) {
			caller.logger.warn(`"${caller.getNode().name}" could not read a campaign when its time was up: ${error.message}`);
		} else {
			throw error;
		}
	};
	for (let first = 0; first < ids.length; first += MAX_CONCURRENT) {
		const results = await Promise.all(
			ids.slice(first, first + MAX_CONCURRENT).map(async (id) => await toResult(readOne(id))),
		);
		results.forEach(unwrap);
	}
}
