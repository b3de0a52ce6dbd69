import type { WireAnswer, WireFields, WireRequest } from '../world/variant.mts';
import { about, type Entry } from './entry.mts';
import { fieldsOf, refusedField } from './shapes.mts';

/** Where a list states its pages. */
const POSITIONS = ['meta', 'pagination'];

/** Where an answer states its pages: the name, and what it states. Undefined for what is no list with pages. */
function positionOf(body: unknown): [name: string, position: WireFields] | undefined {
	const name = POSITIONS.find((one) => one in fieldsOf(body));
	return name === undefined ? undefined : [name, fieldsOf(fieldsOf(body)[name])];
}

/** Changes lists with pages. */
function paged(
	change: (
		answer: WireAnswer,
		position: WireFields,
		request: WireRequest,
	) => WireFields | undefined | Promise<WireFields>,
): Pick<Entry, 'answer'> {
	return {
		async answer(answer, request) {
			const found = answer.status === 200 ? positionOf(answer.body) : undefined;
			if (found) {
				const [name, position] = found;
				const { [name]: _former, ...rest } = fieldsOf(answer.body);
				const changed = await change(answer, position, request);
				const body = { ...rest, data: fieldsOf(answer.body).data };
				answer.body = changed === undefined ? body : { ...body, [name]: changed };
			}
		},
	};
}

/** All items of a list, from all its pages. */
async function allItems({ query, repeat }: WireRequest): Promise<unknown[]> {
	const items: unknown[] = [];
	for (let page = 1; ; page += 1) {
		const { body } = await repeat({ ...query, page: String(page), per_page: '100' });
		const { data } = fieldsOf(body);
		if (!Array.isArray(data) || data.length === 0) {
			return items;
		}
		items.push(...data);
	}
}

/** Puts other items into a list. */
function put(answer: WireAnswer, data: unknown[]): void {
	answer.body = { ...fieldsOf(answer.body), data };
}

/** Lets a page have as many items as the service decides. */
function size(most: number, least = 1): Pick<Entry, 'request'> {
	return {
		request({ method, query }) {
			if (method === 'GET') {
				const asked = Number(query.per_page ?? 20);
				query.per_page = String(Math.min(Math.max(asked, least), most));
			}
			return undefined;
		},
	};
}

const SPECIAL = ['page', 'per_page'];
/** The lists that document their pages. */
const WITH_PAGES = /\/(agents|calls|campaigns|logs)$/;

/** How lists are cut into pages. */
export const lists: Entry[] = [
	{
		name: 'list-small-pages',
		question: 'How many items has a page?',
		does: 'has at most 5 items on a page, however many are asked for',
		...size(5),
	},
	{
		name: 'list-large-pages',
		question: 'How many items has a page?',
		does: 'has 50 items on a page at least, however few are asked for',
		...size(100, 50),
	},
	{
		name: 'list-per-page-refused',
		question: 'Which variables of a query are accepted?',
		does: 'refuses `per_page` with 422, everywhere',
		request: ({ method, query }) =>
			method === 'GET' && 'per_page' in query ? refusedField('per_page', 'The per_page field is unknown.') : undefined,
	},
	{
		name: 'list-unknown-refused',
		question: 'Which variables of a query are accepted?',
		does: 'refuses `page` and `per_page` with 422 where they are not documented',
		request({ method, route = '', query }) {
			const given = SPECIAL.find((name) => name in query);
			return method === 'GET' && given && !WITH_PAGES.test(route)
				? refusedField(given, `The ${given} field is unknown.`)
				: undefined;
		},
	},
	{
		name: 'list-reversed',
		question: 'Order of lists',
		does: 'lists everything in the reverse order',
		async answer(answer, request) {
			const { data } = fieldsOf(answer.body);
			const found = positionOf(answer.body);
			if (request.method !== 'GET' || answer.status !== 200 || !Array.isArray(data)) {
				return;
			}
			if (!found) {
				return put(answer, data.toReversed());
			}
			const [page, perPage] = [Number(found[1].current_page), Number(found[1].per_page)];
			const items = (await allItems(request)).reverse();
			put(answer, items.slice((page - 1) * perPage, page * perPage));
		},
	},
	{
		name: 'list-last-page-repeated',
		question: 'A page beyond the last',
		does: 'answers with the last page again where a page is beyond it',
		...paged(async (answer, position, request) => {
			const last = Math.max(1, Math.ceil(Number(position.total) / Number(position.per_page)));
			if (Number(position.current_page) <= last) {
				return position;
			}
			const { body } = await request.repeat({ ...request.query, page: String(last) });
			answer.body = body;
			return positionOf(body)?.[1] ?? position;
		}),
	},
	{
		name: 'list-page-beyond-404',
		question: 'A page beyond the last',
		does: 'answers 404 where a page is beyond the last',
		answer(answer) {
			const position = positionOf(answer.body)?.[1];
			const { data } = fieldsOf(answer.body);
			if (position && Number(position.current_page) > 1 && Array.isArray(data) && data.length === 0) {
				Object.assign(answer, { status: 404, body: { success: false, message: 'Page not found.' } });
			}
		},
	},
	...about('How does a list state its pages?', [
		{
			name: 'list-without-total',
			does: 'states neither how many items nor how many pages there are',
			...paged((_answer, { total: _total, last_page: _last, ...position }) => position),
		},
		{
			name: 'list-without-position',
			does: 'states nothing about the pages of a list',
			...paged(() => undefined),
		},
		{
			name: 'list-without-pages',
			does: 'answers with all items of a list at once, and states nothing about pages',
			...paged(async (answer, _position, request) => {
				put(answer, await allItems(request));
				return undefined as unknown as WireFields;
			}),
		},
		{
			name: 'list-has-more',
			does: 'states of the pages of a list only whether there are more, as `has_more`',
			...paged((_answer, { current_page: page, per_page: perPage, total }) => ({
				has_more: Number(page) * Number(perPage) < Number(total),
			})),
		},
		{
			name: 'list-position-in-header',
			does: 'states the pages of a list in the headers `Link` and `X-Total-Count`',
			...paged(({ headers }, { current_page: page, per_page: perPage, total }, { path }) => {
				headers['x-total-count'] = String(total);
				if (Number(page) * Number(perPage) < Number(total)) {
					headers.link = `<${path}?page=${Number(page) + 1}&per_page=${String(perPage)}>; rel="next"`;
				}
				return undefined;
			}),
		},
		{
			name: 'list-cursor',
			does: 'has cursors: `next_cursor` in the answer, `cursor` in the query. `page` counts nothing',
			request({ method, query }: WireRequest) {
				if (method === 'GET') {
					query.page = /^after-\d+$/.test(String(query.cursor)) ? String(query.cursor).slice(6) : '1';
				}
				return undefined;
			},
			...paged((_answer, { current_page: page, per_page: perPage, total }) => {
				const next = Number(page) + 1;
				return {
					per_page: perPage,
					next_cursor: Number(page) * Number(perPage) < Number(total) ? `after-${next}` : null,
				};
			}),
		},
	]),
	{
		name: 'list-items',
		question: 'How does a list state its pages?',
		does: 'puts a list with pages into `data.items`, and its position beside it',
		answer(answer) {
			const found = positionOf(answer.body);
			if (found && answer.status === 200) {
				const { data, [found[0]]: position, ...rest } = fieldsOf(answer.body);
				answer.body = { ...rest, data: { items: data, [found[0]]: position } };
			}
		},
	},
];
