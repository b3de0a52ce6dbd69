import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { PAGE_SIZE, readPage } from '../../shared/service/pagination';
import type { ServiceRequest } from '../../shared/service/request';
import { type Operation } from '../operation/operation';
import { type CallOutcome, outcomeOfCall } from './callOutcome';
import type { AwaitedCall } from './state';

const DAY_MS = 86_400_000;

/** Sends one request and gives its body. @throws ServiceError */
type Request = (wanted: ServiceRequest) => Promise<IDataObject>;

/**
 * Asks the service which of some calls are over. A campaign shows all of its calls at once; those of an agent are listed.
 *
 * @param since when the first of them was placed, in milliseconds since 1970
 * @returns what became of each that is over, by its item
 * @throws ServiceError
 */
export async function readCalls(
	request: Request,
	calledBy: Operation['calledBy'],
	calls: readonly AwaitedCall[],
	since: number,
): Promise<Map<number, CallOutcome>> {
	const found = new Map<number, CallOutcome>();
	for (const owner of new Set(calls.map((call) => call.owner))) {
		const items = new Map(calls.filter((call) => call.owner === owner).map(({ id, item }) => [id, item]));
		const listed =
			calledBy === 'campaignId'
				? await callsOfCampaign(request, owner)
				: await callsOfAgent(request, owner, new Set(items.keys()), since);
		for (const call of listed) {
			const item = items.get(String(call.id));
			const outcome = outcomeOfCall(call, calledBy);
			if (item !== undefined && outcome) {
				found.set(item, outcome);
			}
		}
	}
	return found;
}

async function callsOfCampaign(request: Request, owner: string): Promise<IDataObject[]> {
	const { data } = await request({ method: 'GET', path: ['campaigns', owner], codes: { 404: 'CAMPAIGN_NOT_FOUND' } });
	if (!isRecord(data) || !Array.isArray(data.calls)) {
		throw unreadable('without the calls of the campaign');
	}
	return data.calls.filter(isRecord) as IDataObject[];
}

/** Reads until it has found all. */
async function callsOfAgent(
	request: Request,
	owner: string,
	ids: ReadonlySet<string>,
	since: number,
): Promise<IDataObject[]> {
	// The service's days need not be those of UTC.
	const date_from = new Date(since - DAY_MS).toISOString().slice(0, 10);
	const found: IDataObject[] = [];
	let page: number | undefined = 1;
	while (page !== undefined && found.length < ids.size) {
		const query: IDataObject = { date_from, page, per_page: PAGE_SIZE };
		const path = ['agents', owner, 'calls'];
		const read = readPage(
			await request({ method: 'GET', path, query, codes: { 404: 'AGENT_NOT_FOUND' } }),
			({ data }) => data,
			page,
		);
		found.push(...read.items.filter(({ id }) => ids.has(String(id))));
		page = read.next;
	}
	return found;
}
