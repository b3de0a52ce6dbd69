import { z } from 'zod';

import { queryInteger } from '../http/schemas.mts';

/** The query of every list: the newest `limit` entries that are older than the one with the id `before`. */
export const listQuery = {
	limit: queryInteger.pipe(z.number().min(1).max(500)).default('50'),
	before: z.string().optional(),
	/** A part of any visible text of an entry. */
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
	/** The `before` of the next page; null on the last page. */
	next: string | null;
	/** The number of matching entries; null with `q`, which does not search all entries. */
	total: number | null;
}

/**
 * Returns a page of a list, newest first.
 * @param list oldest first
 * @param matches whether an entry is included; `text` is in lower case, and empty without `q`
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

/** Whether one of the texts contains the searched text, ignoring case. */
export function hasText(text: string, ...texts: Array<string | null | undefined>): boolean {
	return text === '' || texts.some((own) => own?.toLowerCase().includes(text));
}
