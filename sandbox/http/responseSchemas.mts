import { z } from 'zod';

import { named } from './named.mts';

const success = z.literal(true);
/** A text for people. The wording is the sandbox's own. */
export const messageText = z.string().describe('For people. The service does not document the wording.');

/** The body of `ok` and `created`: `{success: true, data}`, with further top-level fields. */
export function dataOf<Data extends z.ZodTypeAny>(data: Data, more: z.ZodRawShape = {}) {
	return z.object({ success, data, ...more });
}

/** The body of `done` with data: `{success: true, message, data}`. */
export function messageAndData<Data extends z.ZodTypeAny>(data: Data) {
	return z.object({ success, message: messageText, data });
}

/** The body of `done` without data: `{success: true, message}`. */
export const doneBody = named('Done', z.object({ success, message: messageText }));

/** The body of a failure that is a result, not an error of the request: 200 with `success: false`. */
export function failedResult(fields: z.ZodRawShape) {
	return z.object({ success: z.literal(false), ...fields });
}

export const timestamp = z.string().datetime();
/** A calendar date, YYYY-MM-DD. */
export const dateText = z.string().date();
/** An identifier. The service documents "UUIDs in most places". */
export const identifier = z.string();
export const shownUrl = z.string().url();
export const count = z.number().int().min(0);
/** A number in E.164. */
export const shownNumber = z.string().regex(/^\+[1-9]\d{6,14}$/);

const position = { current_page: count, per_page: count, total: count };

/** The position in the list of agents, and in the log of an agent's webhook. */
export const pageMeta = named('PageMeta', z.object({ ...position, last_page: count }));
/** The position in the lists of calls and campaigns. */
export const pagePosition = named(
	'Pagination',
	z.object({
		...position,
		last_page: count,
		from: count.nullable().describe('Counts from 1; null on an empty page.'),
		to: count.nullable().describe('Counts from 1; null on an empty page.'),
	}),
);
/** The position in the logs of a campaign. */
export const logPosition = named('LogPagination', z.object(position));
