import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { asNodeError } from './nodeErrors';
import { readPage, webhooksIn } from './pagination';
import { connect, send } from './transport';

/** How many entries a picker loads at a time. */
const PICKER_PAGE_SIZE = 50;

interface Listing {
	path: string[];
	query?: IDataObject;
	items: (body: IDataObject) => unknown;
	entry: (item: IDataObject) => INodeListSearchItems;
}

/** One page of entries for a picker. @param paginationToken the number of the page, as text */
async function search(
	caller: ILoadOptionsFunctions,
	{ path, query, items, entry }: Listing,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = Number(paginationToken ?? 1);
	try {
		const body = await send(caller, await connect(caller), {
			method: 'GET',
			path,
			query: { ...query, page, per_page: PICKER_PAGE_SIZE },
		});
		const { items: found, next } = readPage(body, items, page);
		return {
			results: found.map(entry),
			paginationToken: next === undefined ? undefined : String(next),
		};
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

function named({ id, name, label, current_status: current, status = current }: IDataObject): INodeListSearchItems {
	const title = String(name ?? label ?? id);
	return { name: status === undefined ? title : `${title} (${String(status)})`, value: String(id) };
}

const data = (body: IDataObject) => body.data;

/** Agents, by name or label. */
export async function searchAgents(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = { search: filter || undefined };
	return await search(this, { path: ['agents'], query, items: data, entry: named }, paginationToken);
}

/** Agents that can place calls: published and outbound. */
export async function searchCallingAgents(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = { search: filter || undefined, status: 'published', direction: 'outbound' };
	return await search(this, { path: ['agents'], query, items: data, entry: named }, paginationToken);
}

/** Campaigns, by name or description. */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const query = { search: filter || undefined };
	return await search(this, { path: ['campaigns'], query, items: data, entry: named }, paginationToken);
}

/** The webhooks of the chosen campaign; the service neither searches nor pages them. */
export async function searchCampaignWebhooks(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const campaignId = this.getCurrentNodeParameter('campaign', { extractValue: true });
	if (typeof campaignId !== 'string' || campaignId === '') return { results: [] };
	const { results } = await search(this, {
		path: ['campaigns', campaignId, 'webhooks'],
		items: webhooksIn,
		entry: (webhook) => ({
			name: `${String(webhook.name)} (${String(webhook.webhook_url)})`,
			value: String(webhook.id),
		}),
	});
	const wanted = filter.toLowerCase();
	return { results: results.filter(({ name }) => name.toLowerCase().includes(wanted)) };
}
