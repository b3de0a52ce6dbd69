import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, readPage } from '../../shared/client/pagination';
import { objectIn } from '../../shared/client/refusals';
import type { SendRequest } from '../../shared/client/request';
import { unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { DAY_MS, utcDay } from '../callRules/wallClock';
import type { CallerIdField } from '../operation/call';
import { type CallOutcome, outcomeOfCall } from './callOutcome';
import type { AwaitedCall } from './state';

/**
 * Asks the service which of some calls are over. The calls of a campaign come with the campaign, in one response; those
 * of an agent are listed page by page.
 *
 * @param since when the first of them was placed, in milliseconds since 1970
 * @param onlyIfAllAreOver whether reading ends with the first call that is not over
 * @returns the outcomes of the calls that are over, as far as they were read, by item
 * @throws ServiceError
 */
export async function readCalls(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	calls: readonly AwaitedCall[],
	since: number,
	onlyIfAllAreOver = false,
): Promise<Map<number, CallOutcome>> {
	const outcomes = new Map<number, CallOutcome>();
	const isOpen = (call: IDataObject) => onlyIfAllAreOver && outcomeOfCall(call, callerIdField) === undefined;
	for (const owner of new Set(calls.map((call) => call.owner))) {
		const items = new Map(calls.filter((call) => call.owner === owner).map(({ id, item }) => [id, item]));
		const listed =
			callerIdField === 'campaignId'
				? await callsOfCampaign(sendRequest, owner)
				: await callsOfAgent(sendRequest, owner, new Set(items.keys()), since, isOpen);
		for (const call of listed) {
			const item = items.get(String(call.id));
			const outcome = outcomeOfCall(call, callerIdField);
			if (item !== undefined && outcome) {
				outcomes.set(item, outcome);
			}
		}
		if (listed.some((call) => items.has(String(call.id)) && isOpen(call))) {
			break;
		}
	}
	return outcomes;
}

/**
 * Whether the service lists a call of an agent or campaign.
 *
 * @param since a time before the call was placed, in milliseconds since 1970
 * @throws ServiceError
 */
export async function isListed(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	{ owner, id }: Pick<AwaitedCall, 'owner' | 'id'>,
	since: number,
): Promise<boolean> {
	const listed =
		callerIdField === 'campaignId'
			? await callsOfCampaign(sendRequest, owner)
			: await callsOfAgent(sendRequest, owner, new Set([id]), since);
	return listed.some((call) => String(call.id) === id);
}

async function callsOfCampaign(sendRequest: SendRequest, owner: string): Promise<IDataObject[]> {
	const body = await sendRequest({
		method: 'GET',
		path: ['campaigns', owner],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	});
	const data = objectIn(body, 'the campaign');
	if (!Array.isArray(data.calls)) {
		throw unreadable('without the calls of the campaign');
	}
	return data.calls.filter(isRecord) as IDataObject[];
}

/**
 * Reads pages until all IDs are found, or the listing ends. A call may come twice: a new one moves it to the next page.
 *
 * @param isEnough whether a call with one of the IDs ends the reading, too
 */
async function callsOfAgent(
	sendRequest: SendRequest,
	owner: string,
	ids: ReadonlySet<string>,
	since: number,
	isEnough: (call: IDataObject) => boolean = () => false,
): Promise<IDataObject[]> {
	// One day earlier: the time zone of the service's dates is not published.
	const date_from = utcDay(since - DAY_MS);
	const calls = new Map<string, IDataObject>();
	let page: number | undefined = 1;
	while (page !== undefined && calls.size < ids.size) {
		const query: IDataObject = { date_from, page, per_page: PAGE_SIZE };
		const path = ['agents', owner, 'calls'];
		const body = await sendRequest({ method: 'GET', path, query, codes: { 404: 'AGENT_NOT_FOUND' } });
		const { items, next } = readPage(body, ({ data }) => data, page);
		for (const call of items.filter(({ id }) => ids.has(String(id)))) {
			calls.set(String(call.id), call);
		}
		page = [...calls.values()].some(isEnough) ? undefined : next;
	}
	return [...calls.values()];
}
