import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { offeredEventsIn, pageQuery, readPage } from '../client/pagination';
import { connect, send } from '../client/transport';
import { asNodeError } from '../errors/nodeError';
import { isInMenu } from '../events/eventTypes';
import { groupBy } from '../lib/collections';
import { webhooksPath } from '../owner';
import { type Listing, type ListingName, listings, type Section } from './listings';
import { timeZones } from './timeZones';
import { triggersOfService } from './triggersOfService';
import { usersOfCalendars } from './users';

/** The number of entries per request of a picker. */
const PICKER_PAGE_SIZE = 50;

/** A search returns to the editor after this many pages with few matches; the editor can then ask for more. */
const PAGES_AT_ONCE = 10;

/**
 * The number of entries that certainly fill the editor's list: while somebody searches, the editor requests the next
 * page only when the list is scrolled.
 */
const FILLS_LIST = 20;

/** The maximum number of entries in a menu without a search. */
const LONGEST_MENU = 500;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The minimum length of a search text that can be the beginning of a word, such as a status. */
const SHORTEST_WORD = 3;

/**
 * Returns the parts of a list that together are the results of a search, in this order: the parts with a word that the
 * text begins, the parts that come first, then everything.
 */
function sectionsOf({ searchedByService, words = {}, first = [] }: Listing, text: string): Section[] {
	const found: IDataObject = searchedByService && text !== '' ? { search: text } : {};
	const isNamed = (word: string) => text.length >= SHORTEST_WORD && word.startsWith(text.toLowerCase());
	const named = Object.keys(words).flatMap((word) => (isNamed(word) ? [words[word]] : []));
	const others = [...first.filter((section) => !named.includes(section)), EVERYTHING];
	return [...named, ...others.map(({ query, has }) => ({ query: { ...found, ...query }, has }))];
}

const EVERYTHING: Section = { query: {}, has: () => true };

/** How many characters of an ID tell objects with the same name apart. */
const SHORT_ID = 8;

/** Adds the beginning of the ID to names that several entries have. */
function distinguished(entries: readonly INodeListSearchItems[]): INodeListSearchItems[] {
	const byName = groupBy(entries, ({ name }) => name);
	return entries.map((entry) =>
		(byName.get(entry.name) ?? []).length > 1
			? { ...entry, name: `${entry.name} · ${String(entry.value).slice(0, SHORT_ID)}` }
			: entry,
	);
}

/**
 * Returns a page of a list, and further pages until there is something to scroll through.
 *
 * @param paginationToken the section and the page in it, from the result of the previous page: `0:2`
 * @throws NodeApiError or NodeOperationError with a message for the user
 */
async function search(
	caller: ILoadOptionsFunctions,
	listing: Listing,
	filter = '',
	paginationToken = '0:1',
): Promise<INodeListSearchResult> {
	const ids = (listing.under ?? []).map((parameter) =>
		caller.getCurrentNodeParameter(parameter, { extractValue: true }),
	);
	if (!ids.every((id) => typeof id === 'string' && id !== '')) {
		return { results: [] };
	}
	const { searchedByService, items = ({ data }) => data, entry } = listing;
	const text = filter.trim();
	const sections = sectionsOf(listing, text);
	const searchText = searchedByService ? '' : text.toLowerCase();
	const results: INodeListSearchItems[] = [];
	let [section, page] = paginationToken.split(':').map(Number);
	try {
		for (let pages = 1; ; pages++) {
			const path = listing.path(...(ids as string[]));
			const body = await send(caller, await connect(caller), {
				method: 'GET',
				path,
				query: { ...sections[section].query, ...pageQuery(path, page, PICKER_PAGE_SIZE) },
			});
			const { items: pageItems, next } = readPage(body, items, page);
			const earlier = sections.slice(0, section);
			const entries = pageItems
				.filter((item) => sections[section].has(item) && !earlier.some(({ has }) => has(item)))
				.map(entry)
				.filter(({ name, description = '' }) => `${name} ${description}`.toLowerCase().includes(searchText));
			results.push(...entries);
			const isEnd = next === undefined && section === sections.length - 1;
			[section, page] = next === undefined ? [section + 1, 1] : [section, next];
			if (results.length >= FILLS_LIST || isEnd || pages === PAGES_AT_ONCE) {
				return { results: distinguished(results), paginationToken: isEnd ? undefined : `${section}:${page}` };
			}
		}
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

const listingSearch = Object.fromEntries(
	Object.entries<Listing>(listings).map(([name, listing]) => {
		const method: ListSearch = async function (this, filter, paginationToken) {
			return await search(this, listing, filter, paginationToken);
		};
		return [name, method];
	}),
) as Record<ListingName, ListSearch>;

/** The search methods of the resource locators: the names in `listings.ts`, and the searches for users and triggers. */
export const listSearch = {
	...listingSearch,

	async searchUsers(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		try {
			return { results: await usersOfCalendars(this, filter) };
		} catch (error) {
			throw asNodeError(this.getNode(), error);
		}
	},

	async searchTriggers(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		try {
			return { results: await triggersOfService(this, filter) };
		} catch (error) {
			throw asNodeError(this.getNode(), error);
		}
	},
};

/** Creates a method that loads all pages of a list, up to {@link LONGEST_MENU} entries. */
function menu(name: ListingName) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const entries: INodePropertyOptions[] = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await search(this, listings[name], '', token);
			entries.push(...results);
			token = paginationToken as string | undefined;
		} while (token !== undefined && entries.length < LONGEST_MENU);
		return entries;
	};
}

/** Loads the event types that the service offers for the selected agent or campaign and the built-in lists lack. */
async function loadAdditionalEvents(caller: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const ownerType = caller.getCurrentNodeParameter('source') === 'agent' ? 'agent' : 'campaign';
	const ownerId = caller.getCurrentNodeParameter(ownerType, { extractValue: true });
	if (typeof ownerId !== 'string' || ownerId === '') {
		return [];
	}
	try {
		const path = webhooksPath({ ownerType, ownerId });
		const offered = offeredEventsIn(await send(caller, await connect(caller), { method: 'GET', path }));
		return offered
			.filter(([event]) => !isInMenu(ownerType, event))
			.map(([event, description]) => ({ name: event, value: event, description }));
	} catch (error) {
		throw asNodeError(caller.getNode(), error);
	}
}

/** The load methods of the multi-select menus and of the time zone menu. */
export const loadOptions = {
	async getAdditionalEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await loadAdditionalEvents(this);
	},
	getAgents: menu('searchAgents'),
	getCalendars: menu('searchCalendars'),
	getCallbackSources: menu('searchCallbackSources'),
	getCampaigns: menu('searchCampaigns'),
	getCampaignFiles: menu('searchCampaignFiles'),
	getPhoneNumbers: menu('searchPhoneNumbers'),

	async getTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return timeZones();
	},

	/** Returns the time zones for Calling Hours. */
	async getRecipientTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return [{ name: 'From the Number', value: 'fromNumber' }, ...timeZones()];
	},

	/** Returns the choices of Calling Hours for numbers whose time zone is not clear. */
	async getUnclearTimeZones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const choices = [
			{ name: 'Allowed in Every Zone of the Country', value: 'everyZone' },
			{ name: 'Treat as Outside', value: 'outside' },
		];
		return [...choices, ...timeZones()];
	},
};
