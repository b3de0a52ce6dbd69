import { z } from 'zod';

import { queryInteger } from '../http/schemas.mts';

/** The query of every list: the newest `limit` entries that are older than the one with the id `before`. */
export const listQuery = {
	limit: queryInteger.pipe(z.number().min(1).max(500)).default('50'),
	before: z.string().optional(),
	/** Any part of what can be seen of an entry. */
	q: z.string().optional(),
};

interface PageQuery {
	limit: number;
	before?: string | undefined;
	q?: string | undefined;
}

/** A page of a list, newest first. */
interface Page {
	items: unknown[];
	/** The `before` of the next page; null if there is none. */
	next: string | null;
	/** How many entries match; null with `q`, for which not all are searched. */
	total: number | null;
}

/**
 * A page of a list, newest first.
 * @param list oldest first
 * @param matches whether an entry is wanted; `text` is in lower case and empty without `q`
 */
export function newestOf<Entry extends { id: string }>(
	list: readonly Entry[],
	{ limit, before, q }: PageQuery,
	matches: (entry: Entry, text: string) => boolean,
	show: (entry: Entry) => unknown,
): Page {
	const text = q?.toLowerCase() ?? '';
	const found: Entry[] = [];
	let total = 0;
	let begun = before === undefined;
	for (let index = list.length - 1; index >= 0; index -= 1) {
		const entry = list[index]!;
		if (text !== '' && found.length > limit) {
			break;
		}
		if (matches(entry, text)) {
			total += 1;
			if (begun && found.length <= limit) {
				found.push(entry);
			}
		}
		begun ||= entry.id === before;
	}
	const items = found.slice(0, limit);
	return {
		items: items.map(show),
		next: found.length > limit ? (items.at(-1)?.id ?? null) : null,
		total: text === '' ? total : null,
	};
}

/** Whether one of the texts has the searched one, in any case. */
export function hasText(text: string, ...texts: Array<string | null | undefined>): boolean {
	return text === '' || texts.some((own) => own?.toLowerCase().includes(text));
}
