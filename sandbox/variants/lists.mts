import type { Variant, WireFields, WireRequest, WireResponse } from '../world/variant.mts';
import { about, type Change, fieldsOf, refusedField, request, response } from './shapes.mts';

/** Returns the name and the value of the field that states the pages; undefined without pages. */
function positionOf(body: unknown): [name: string, position: WireFields] | undefined {
	const name = ['meta', 'pagination'].find((one) => one in fieldsOf(body));
	return name === undefined ? undefined : [name, fieldsOf(fieldsOf(body)[name])];
}

/** Changes lists with pages. @param change returns the new position of a list */
function paged(
	does: string,
	change: (position: WireFields, response: WireResponse, request: WireRequest) => WireFields | Promise<WireFields>,
): Change {
	return response(does, async (list, made) => {
		const [name, position] = (list.status === 200 && positionOf(list.body)) || [];
		if (name && position) {
			const changed = await change(position, list, made);
			list.body = { ...fieldsOf(list.body), [name]: changed };
		}
	});
}

/** The pages of lists. */
export const lists: Variant[] = [
	...about('How many items has a page?', {
		'list-small-pages': request(
			'has at most 5 items on a page, no matter how many are requested',
			({ method, query }) => {
				if (method === 'GET') {
					query.per_page = String(Math.min(Number(query.per_page ?? 20), 5));
				}
			},
		),
	}),
	...about('Which variables of a query are accepted?', {
		'list-per-page-refused': request('refuses `per_page` with 422, everywhere', ({ method, query }) =>
			method === 'GET' && 'per_page' in query ? refusedField('per_page', 'The per_page field is unknown.') : undefined,
		),
	}),
	...about('A page beyond the last', {
		'list-last-page-repeated': paged(
			'returns the last page again for a page beyond it',
			async (position, list, { query, repeat }) => {
				const last = Math.max(1, Math.ceil(Number(position.total) / Number(position.per_page)));
				if (Number(position.current_page) <= last) {
					return position;
				}
				({ body: list.body } = await repeat({ ...query, page: String(last) }));
				return positionOf(list.body)?.[1] ?? position;
			},
		),
	}),
	...about('How does a list state its pages?', {
		'list-without-total': paged(
			'states neither how many items nor how many pages there are',
			({ total: _total, last_page: _last, ...position }) => position,
		),
	}),
];
