import type { IDataObject } from 'n8n-workflow';

import { objectIn } from '../../shared/client/refusals';
import type { SendRequest } from '../../shared/client/request';
import { isFinished, statusWord } from '../../shared/client/statuses';
import { isGone, toResult, unreadable, unwrap } from '../../shared/errors/serviceError';

/** A campaign that is awaited, as the node outputs it. */
export interface AwaitedCampaign extends IDataObject {
	id: string;
	name?: string;
	/** As the service tells it. */
	status?: string;
	/** The statistics, as the service tells them. */
	stats?: IDataObject;
	/** How the campaign ended; `timedOut` as long as it has not. */
	outcome: 'completed' | 'cancelled' | 'deleted' | 'timedOut';
}

/** Whether a campaign is over. */
export function hasEnded({ outcome }: AwaitedCampaign): boolean {
	return outcome !== 'timedOut';
}

/** Reads a campaign. @throws ServiceError also if it does not exist */
export async function readCampaign(sendRequest: SendRequest, id: string): Promise<AwaitedCampaign> {
	const body = await sendRequest({
		method: 'GET',
		path: ['campaigns', id],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	});
	const data = objectIn(body, 'the campaign');
	if (typeof data.status !== 'string') {
		throw unreadable('without the status of the campaign');
	}
	const { name, status, stats } = data as IDataObject & AwaitedCampaign;
	const outcome = isFinished(status) ? (statusWord(status) as AwaitedCampaign['outcome']) : 'timedOut';
	return { id, name, status, stats, outcome };
}

/** Reads a campaign again. @param known as it was read before: what a deleted campaign keeps @throws ServiceError */
export async function readAgain(sendRequest: SendRequest, known: AwaitedCampaign): Promise<AwaitedCampaign> {
	const result = await toResult(readCampaign(sendRequest, known.id));
	if (result.error && isGone(result.error)) {
		return { ...known, outcome: 'deleted' };
	}
	return unwrap(result);
}
