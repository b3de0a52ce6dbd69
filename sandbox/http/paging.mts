/** A page of a list, and its position. */
interface ListPage<Item> {
	items: Item[];
	currentPage: number;
	perPage: number;
	total: number;
	lastPage: number;
}

/** Returns the requested page of a list. A page beyond the last page is empty. */
export function pageOf<Item>(list: Item[], query: { page: number; per_page: number }): ListPage<Item> {
	const start = (query.page - 1) * query.per_page;
	return {
		items: list.slice(start, start + query.per_page),
		currentPage: query.page,
		perPage: query.per_page,
		total: list.length,
		lastPage: Math.max(1, Math.ceil(list.length / query.per_page)),
	};
}

/** Returns the `meta` object of the agent list and the `pagination` object of an agent webhook's logs. */
export function meta(page: ListPage<unknown>): Record<string, number> {
	return {
		current_page: page.currentPage,
		per_page: page.perPage,
		total: page.total,
		last_page: page.lastPage,
	};
}

/** Returns the `pagination` of the call and campaign lists. `from` and `to` count from 1; null on an empty page. */
export function pagination(page: ListPage<unknown>): Record<string, number | null> {
	const before = (page.currentPage - 1) * page.perPage;
	const empty = page.items.length === 0;
	return {
		current_page: page.currentPage,
		last_page: page.lastPage,
		per_page: page.perPage,
		total: page.total,
		from: empty ? null : before + 1,
		to: empty ? null : before + page.items.length,
	};
}

/** Returns the `pagination` object of a campaign's logs. */
export function logPagination({ currentPage, perPage, total }: ListPage<unknown>): Record<string, number> {
	return { current_page: currentPage, per_page: perPage, total };
}
