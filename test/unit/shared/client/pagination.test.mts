import { readPage } from '../../../../nodes/shared/client/pagination.ts';

const data = Array.from({ length: 100 }, (_none, index) => ({ id: String(index) }));

test.each([{ pagination: { page: 1, pages: 3 } }, { meta: { total_pages: 3 } }, { meta: {} }])(
	'a page of a listing that does not say which page is the last, as %j, may have others after it',
	(paging) => {
		expect(readPage({ data, ...paging }, (body) => body.data, 1)).toEqual({ items: data, cutOff: true });
	},
);

test.each([
	[{ pagination: { last_page: 1 } }, { items: data }],
	[{ pagination: { last_page: 2 } }, { items: data, next: 2 }],
	[{ meta: { total: 101, per_page: 100 } }, { items: data, next: 2 }],
])('a page with %j is not cut off', (paging, page) => {
	expect(readPage({ data, ...paging }, (body) => body.data, 1)).toEqual(page);
});
