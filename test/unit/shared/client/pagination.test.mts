import type { IDataObject } from 'n8n-workflow';

import { readPage, readPages, readWhole } from '../../../../nodes/shared/client/pagination.ts';

const item = (id: number) => ({ id });
const items = (count: number, first = 0) => Array.from({ length: count }, (_, index) => item(first + index));

/** Reads a listing of the service with this many items. @returns the items, and the queries that were sent */
async function listed(
	count: number,
	limit: number,
	{ paged = true, ...selection }: { keep?: (one: IDataObject) => boolean; paged?: boolean } = {},
) {
	const queries: IDataObject[] = [];
	const notes = new Set<string>();
	const found = await readPages(
		{
			async request({ query, method, path }) {
				expect([method, path]).toEqual(['GET', ['calls']]);
				queries.push(query ?? {});
				const { page, per_page: size } = query as { page: number; per_page: number };
				const pagination = { last_page: Math.ceil(count / size) };
				return paged
					? { data: items(count).slice((page - 1) * size, page * size), pagination }
					: { data: items(Math.min(count, 100)) };
			},
			notes,
		},
		{ method: 'GET', path: ['calls'], query: { status: 'busy' } },
		{ items: ({ data }) => data, limit, ...selection },
	);
	return { ids: found.map(({ id }) => id), queries, notes: [...notes] };
}

const ids = (count: number) => items(count).map(({ id }) => id);

describe('A listing is read', () => {
	test('page by page until it ends, with the query of the request', async () => {
		const { ids: found, queries, notes } = await listed(250, Number.POSITIVE_INFINITY);
		expect(found).toEqual(ids(250));
		expect(queries).toEqual([1, 2, 3].map((page) => ({ status: 'busy', page, per_page: 100 })));
		expect(notes).toEqual([]);
	});

	test.each([
		[7, [7]],
		[100, [100]],
		[150, [100, 100]],
	])('up to the limit of %i, without asking for more', async (limit, sizes) => {
		const { queries, ...found } = await listed(250, limit);
		expect(found).toEqual({ ids: ids(limit), notes: [] });
		expect(queries).toEqual(sizes.map((per_page, index) => ({ status: 'busy', page: index + 1, per_page })));
	});

	test('in whole pages where the node itself selects, up to as many selected items as the limit says', async () => {
		const keep = ({ id }: IDataObject) => Number(id) % 100 === 99;
		const { ids: found, queries } = await listed(500, 2, { keep });
		expect(found).toEqual([99, 199]);
		expect(queries.map(({ per_page }) => per_page)).toEqual([100, 100]);
	});

	test.each([
		[120, Number.POSITIVE_INFINITY, 1],
		[120, 101, 1],
		[99, Number.POSITIVE_INFINITY, 0],
		[120, 100, 0],
	])('without pages, of %i items up to %d: a full one may be incomplete', async (count, limit, notes) => {
		expect((await listed(count, limit, { paged: false })).notes).toEqual(
			Array.from({ length: notes }, () => expect.stringContaining('may be more')),
		);
	});
});

const all = items(130);
const listing = { method: 'GET', path: ['calls'] } as const;
const data = (body: IDataObject): unknown => body.data;
/** A service that gives these answers to a page. */
const serviceOf =
	(answer: (page: number) => IDataObject) =>
	async ({ query }: { query?: IDataObject }) =>
		answer(Number(query?.page ?? 1));

describe('A listing of 130 items of which the service shows only a part', () => {
	const first = all.slice(0, 100);

	test.each<[what: string, answer: (page: number) => IDataObject, count: number]>([
		['the first page again', () => ({ data: first, meta: { current_page: 1, last_page: 2, total: 130 } }), 100],
		['the first items again', () => ({ data: first, meta: { last_page: 2 } }), 100],
		[
			'an empty page before the last one',
			(page) => ({ data: page === 1 ? first : [], meta: { current_page: page, last_page: 3 } }),
			100,
		],
		['fewer items than the total', () => ({ data: first, pagination: { last_page: 1, total: 130 } }), 100],
		['a link to the next page', () => ({ data: all.slice(0, 15), links: { next: 'https://x.example?cursor=a' } }), 15],
		['more that no number asks for', () => ({ data: all.slice(0, 50), has_more: true }), 50],
	])('(%s) comes with a note, each item once, and is an error where all are needed', async (_what, answer, count) => {
		const api = { request: serviceOf(answer), notes: new Set<string>() };
		const found = await readPages(api, listing, { items: data, limit: Number.POSITIVE_INFINITY });
		expect(found.map(({ id }) => id)).toEqual(ids(count));
		expect([...api.notes]).toEqual([expect.stringContaining('may be more')]);
		await expect(readWhole(api.request, listing, { items: data })).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	});
});

describe('A listing is whole', () => {
	const read = async (answer: (page: number) => IDataObject, items = data) =>
		await readWhole(serviceOf(answer), listing, { items });
	const page = (number: number, from = all) => from.slice((number - 1) * 15, number * 15);

	test.each([
		['the body', (number: number) => ({ data: page(number), current_page: number, last_page: 9 })],
		['the data', (number: number) => ({ data: { list: page(number), pagination: { last_page: 9 } } })],
	])('if the pages are numbered in %s', async (_where, answer) => {
		const found = await read(answer, ({ data }) => (Array.isArray(data) ? data : (data as IDataObject).list));
		expect(found).toEqual(all);
	});

	test('if items come and go while it is read, each once', async () => {
		const meta = { last_page: 9, total: 130 };
		const withNew = await read((number) => ({ data: page(number, number === 1 ? all : [item(-1), ...all]), meta }));
		expect(withNew.map(({ id }) => id)).toEqual(expect.arrayContaining(ids(129)));
		expect(new Set(withNew.map(({ id }) => id)).size).toBe(withNew.length);
		const without = (number: number) => ({ data: page(number, items(129)), meta: { ...meta, total: 129 } });
		expect(await read((number) => (number === 1 ? { data: page(1), meta } : without(number)))).toHaveLength(129);
	});

	test.each([{ links: { next: null }, meta: { per_page: 15 } }, { meta: { request: 'r-1' } }])(
		'if it says so, or has no pages at all: %j',
		async (more) => {
			expect(await read(() => ({ data: page(1), ...more }))).toHaveLength(15);
		},
	);
});

const fullPage = Array.from({ length: 100 }, (_none, index) => ({ id: String(index) }));

test.each([{ pagination: { page: 1, pages: 3 } }, { meta: { total_pages: 3 } }, { meta: {} }])(
	'a page of a listing that does not say which page is the last, as %j, may have others after it',
	(paging) => {
		expect(readPage({ data: fullPage, ...paging }, (body) => body.data, 1)).toEqual({ items: fullPage, cutOff: true });
	},
);

test.each([
	[{ pagination: { last_page: 1 } }, { items: fullPage }],
	[{ pagination: { last_page: 2 } }, { items: fullPage, next: 2 }],
	[{ meta: { total: 101, per_page: 100 } }, { items: fullPage, next: 2 }],
])('a page with %j is not cut off', (paging, page) => {
	expect(readPage({ data: fullPage, ...paging }, (body) => body.data, 1)).toEqual(page);
});
