import type { IDataObject } from 'n8n-workflow';

import { readPages } from '../../../../nodes/VoiceAgentCalling/sending/pages.ts';

const item = (id: number) => ({ id });
const items = (count: number, first = 0) => Array.from({ length: count }, (_, index) => item(first + index));

/** Reads a listing of the service with this many items. @returns the items, and the queries that were sent */
async function listed(
	count: number,
	limit: number,
	more: {
		keep?: (one: IDataObject) => boolean;
		paged?: boolean;
	} = {},
) {
	const { paged = true, ...selection } = more;
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

	test('up to the limit, without asking for more', async () => {
		expect(await listed(250, 7)).toEqual({
			ids: ids(7),
			queries: [{ status: 'busy', page: 1, per_page: 7 }],
			notes: [],
		});
		expect((await listed(250, 100)).queries).toHaveLength(1);
		const { ids: found, queries } = await listed(250, 150);
		expect(found).toEqual(ids(150));
		expect(queries).toHaveLength(2);
	});

	test('in whole pages where the node itself selects, up to as many selected items as the limit says', async () => {
		const keep = ({ id }: IDataObject) => Number(id) % 100 === 99;
		const { ids: found, queries } = await listed(500, 2, { keep });
		expect(found).toEqual([99, 199]);
		expect(queries.map(({ per_page }) => per_page)).toEqual([100, 100]);
	});
});

describe('A listing without pages', () => {
	test('that is full may be incomplete, which the user is told if more were wanted', async () => {
		expect((await listed(120, Number.POSITIVE_INFINITY, { paged: false })).notes).toEqual([
			expect.stringContaining('at most 100 of these'),
		]);
		expect((await listed(120, 101, { paged: false })).notes).toHaveLength(1);
	});

	test('is complete if it is not full, or if no more were wanted', async () => {
		expect((await listed(99, Number.POSITIVE_INFINITY, { paged: false })).notes).toEqual([]);
		expect((await listed(120, 100, { paged: false })).notes).toEqual([]);
	});
});
