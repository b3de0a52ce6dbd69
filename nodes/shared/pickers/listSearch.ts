import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { asNodeError } from '../errors/nodeError';
import { readPage } from '../service/pagination';
import { connect, send } from '../service/transport';
import { type Listing, type ListingName, listings } from './listings';

/** How many entries a picker loads at a time. */
const PICKER_PAGE_SIZE = 50;

/** After how many pages without a match a search tells the editor that it has found nothing so far. */
const PAGES_AT_ONCE = 10;

/** The most entries that a menu without a search is filled with. */
const LONGEST_MENU = 500;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** One page of a list, or the next one that has what is searched for. @param paginationToken the number of the page, as text */
async function search(
	caller: ILoadOptionsFunctions,
	listing: Listing,
	filter = '',
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	const ids = (listing.under ?? []).map((parameter) =>
		caller.getCurrentNodeParameter(parameter, { extractValue: true }),
	);
	if (!ids.every((id) => typeof id === 'string' && id !== '')) {
		return { results: [] };
	}
	const page = Number(paginationToken);
	const { searchedByService, items = ({ data }) => data, entry, query } = listing;
	try {
		const body = await send(caller, await connect(caller), {
			method: 'GET',
			path: listing.path(...(ids as string[])),
			query: {
				...query,
				search: searchedByService ? filter || undefined : undefined,
				page,
				per_page: PICKER_PAGE_SIZE,
			},
		});
		const { items: found, next } = readPage(body, items, page);
		const token = next === undefined ? undefined : String(next);
		const wanted = searchedByService ? '' : filter.toLowerCase();
		const results = found.map(entry).filter(({ name }) => name.toLowerCase().includes(wanted));
		// The editor asks for more only once it shows something to scroll.
		if (results.length > 0 || token === undefined || page % PAGES_AT_ONCE === 0) {
			return { results, paginationToken: token };
		}
		return await search(caller, listing, filter, token);
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

/** The pickers of the locators, by the names in `listings.ts`. */
export const listSearch = Object.fromEntries(
	Object.entries<Listing>(listings).map(([name, listing]) => {
		const method: ListSearch = async function (this, filter, paginationToken) {
			return await search(this, listing, filter, paginationToken);
		};
		return [name, method];
	}),
) as Record<ListingName, ListSearch>;

/** The entries of a menu, from as many pages as it takes. */
function menu(name: ListingName) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const entries: INodePropertyOptions[] = [];
		let token: string | undefined = '1';
		while (token !== undefined && entries.length < LONGEST_MENU) {
			const { results, paginationToken } = await search(this, listings[name], '', token);
			entries.push(...results.map(({ name, value }) => ({ name, value })));
			token = paginationToken as string | undefined;
		}
		return entries;
	};
}

/** What fills the menus in which several can be chosen, and the one of the time zones. */
export const loadOptions = {
	getCalendars: menu('searchCalendars'),
	getCampaignFiles: menu('searchCampaignFiles'),
	getPhoneNumbers: menu('searchPhoneNumbers'),

	/** The time zones of the machine's own table; the service takes the same names. */
	async getTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
		return [...new Set(zones)].map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone }));
	},
};
