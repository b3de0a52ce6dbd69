import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, readPage } from '../../shared/client/pagination';
import { objectIn } from '../../shared/client/refusals';
import type { SendRequest } from '../../shared/client/request';
import { isGone, type ServiceError, toResult, unreadable } from '../../shared/errors/serviceError';
import { readEvent, type ServiceEvent } from '../../shared/events/event';
import { isRecord } from '../../shared/lib/json';
import { DAY_MS, timeIn, utcDay } from '../../shared/lib/time';
import type { CallerIdField } from '../operation/call';
import { type CallOutcome, DELETED, outcomeOfCall } from './callOutcome';
import { isFinal, mainError } from './serviceRequests';
import type { AwaitedCall } from './wait';

/** The outcomes that were read, by item. */
export interface ReadOutcomes<End> {
	/** The outcomes of the calls or campaigns that have ended. */
	outcomes: Map<number, End>;
	/** Why something could not be read. */
	error?: ServiceError;
}

/** How many calls are read. */
interface Extent {
	/** Whether reading stops at the first call that is not over. */
	onlyIfAllAreOver?: boolean;
	/** Whether reading continues with the next agent or campaign after any error. It always does after a refusal. */
	goesOnAfterErrors?: boolean;
}

/**
 * Reads from the service which of some calls are over. The calls of a campaign come with the campaign, in one response;
 * the calls of an agent are listed page by page.
 *
 * @param since when the first call was placed, in milliseconds since 1970
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
		if (error?.code === 'CAMPAIGN_NOT_FOUND' && isGone(error)) {
			for (const { item } of calls.filter((call) => call.owner === owner)) {
				outcomes.set(item, DELETED);
			}
			continue;
		}
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
 * Reads the calls of an agent or campaign page by page until all IDs are found, or the listing ends. A call may be
 * listed twice: a new call moves it to the next page.
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

/** How many pages of a log are read at most. */
const MAX_LOG_PAGES = 20;

/** The log has whole seconds, and the clock of the service may differ. */
const LOG_MARGIN_MS = 60_000;

/**
 * Finds the events of calls in the log of a webhook, which lists what was delivered to any process. Reads from the
 * newest entry on, and stops where the service does not show what was sent: it documents that for agent webhooks only.
 *
 * @param owner ID of the agent or campaign, and `webhook` the ID of its webhook
 * @param since a time before the first call was placed, in milliseconds since 1970
 * @param isDone whether no more events are needed; called before each page
 * @param onEvent called with each event of one of the calls
 * @throws ServiceError
 */
export async function readDeliveries(
	sendRequest: SendRequest,
	callerIdField: CallerIdField,
	{ owner, webhook }: { owner: string; webhook: string },
	{ calls, since }: { calls: readonly AwaitedCall[]; since: number },
	{ isDone, onEvent }: { isDone(): boolean; onEvent(call: AwaitedCall, event: ServiceEvent): void },
): Promise<void> {
	const byId = new Map(calls.map((call) => [call.id, call]));
	const path = [callerIdField === 'agentId' ? 'agents' : 'campaigns', owner, 'webhooks', webhook, 'logs'];
	let page: number | undefined = 1;
	while (page !== undefined && page <= MAX_LOG_PAGES && !isDone()) {
		const query: IDataObject = { page, per_page: PAGE_SIZE };
		const body = await sendRequest({ method: 'GET', path, query });
		const { items, next } = readPage(body, ({ data }) => data, page);
		const shown = items.filter(({ request_payload: sent }) => isRecord(sent));
		for (const { request_payload: sent, event: type } of shown) {
			const event = readEvent(sent as IDataObject, type);
			const call = byId.get(event.callId ?? '');
			if (call !== undefined) {
				onEvent(call, event);
			}
		}
		const isOld = items.some(({ created_at: at }) => (timeIn(at) ?? Number.POSITIVE_INFINITY) < since - LOG_MARGIN_MS);
		page = isOld || shown.length === 0 ? undefined : next;
	}
}
