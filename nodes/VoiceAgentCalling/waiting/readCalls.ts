import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, readPage } from '../../shared/client/pagination';
import { objectIn } from '../../shared/client/refusals';
import type { SendRequest } from '../../shared/client/request';
import { type ServiceError, toResult, unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';
import { DAY_MS, utcDay } from '../../shared/lib/time';
import type { CallerIdField } from '../operation/call';
import { type CallOutcome, outcomeOfCall } from './callOutcome';
import { isFinal, mainError } from './lastLook';
import type { ReadOutcomes } from './polling';
import type { AwaitedCall } from './state';

/** How far calls are read. */
interface Extent {
	/** Whether reading ends with the first call that is not over. */
	onlyIfAllAreOver?: boolean;
	/** Whether reading goes on with the next agent or campaign, whatever happens. It always does after a refusal. */
	goesOnAfterErrors?: boolean;
}

/**
 * Asks the service which of some calls are over. The calls of a campaign come with the campaign, in one response; those
 * of an agent are listed page by page.
 *
 * @param since when the first of them was placed, in milliseconds since 1970
 * @returns the outcomes of the calls that are over, as far as they were read
 */
export async function readCalls(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	calls: readonly AwaitedCall[],
	since: number,
	{ onlyIfAllAreOver = false, goesOnAfterErrors = false }: Extent = {},
): Promise<ReadOutcomes<CallOutcome>> {
	const outcomes = new Map<number, CallOutcome>();
	/** @returns whether nothing more has to be read */
	const readOwner = async (owner: string) => {
		const items = new Map(calls.filter((call) => call.owner === owner).map(({ id, item }) => [id, item]));
		for await (const page of pagesOfCalls(sendRequest, callerIdField, owner, [...items.keys()], since)) {
			const own = page.flatMap((call) => {
				const item = items.get(String(call.id));
				return item === undefined ? [] : [{ item, outcome: outcomeOfCall(call, callerIdField) }];
			});
			for (const { item, outcome } of own) {
				if (outcome !== undefined) {
					outcomes.set(item, outcome);
				}
			}
			if (onlyIfAllAreOver && own.some(({ outcome }) => outcome === undefined)) {
				return true;
			}
		}
		return false;
	};
	const errors: ServiceError[] = [];
	for (const owner of new Set(calls.map((call) => call.owner))) {
		const { value: isEnough, error } = await toResult(readOwner(owner));
		errors.push(...(error ? [error] : []));
		if (isEnough || (error !== undefined && !goesOnAfterErrors && !isFinal(error))) {
			break;
		}
	}
	return { outcomes, error: mainError(errors) };
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
	for await (const page of pagesOfCalls(sendRequest, callerIdField, owner, [id], since)) {
		if (page.some((call) => String(call.id) === id)) {
			return true;
		}
	}
	return false;
}

/**
 * Reads the calls of an agent or campaign page by page until all IDs are found, or the listing ends. A call may come twice:
 * a new one moves it to the next page.
 *
 * @throws ServiceError
 */
async function* pagesOfCalls(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	owner: string,
	ids: readonly string[],
	since: number,
): AsyncGenerator<IDataObject[]> {
	if (callerIdField === 'campaignId') {
		yield await callsOfCampaign(sendRequest, owner);
		return;
	}
	// One day earlier: the time zone of the service's dates is not published.
	const date_from = utcDay(since - DAY_MS);
	const missing = new Set(ids);
	let page: number | undefined = 1;
	while (page !== undefined && missing.size > 0) {
		const query: IDataObject = { date_from, page, per_page: PAGE_SIZE };
		const path = ['agents', owner, 'calls'];
		const body = await sendRequest({ method: 'GET', path, query, codes: { 404: 'AGENT_NOT_FOUND' } });
		const { items, next }: ReturnType<typeof readPage> = readPage(body, ({ data }) => data, page);
		yield items;
		for (const { id } of items) {
			missing.delete(String(id));
		}
		page = next;
	}
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
