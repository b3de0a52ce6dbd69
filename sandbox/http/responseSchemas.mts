import { z } from 'zod';

import { named } from './named.mts';

const success = z.literal(true);
/** For people; the wording is the sandbox's own. */
export const messageText = z.string().describe('For people. The service does not document the wording.');

/** The bodies that `ok` and `created` send: `{success: true, data}`, with further fields beside `data`. */
export function dataOf<Data extends z.ZodTypeAny>(data: Data, more: z.ZodRawShape = {}) {
	return z.object({ success, data, ...more });
}

/** The bodies that `done` sends with data: `{success: true, message, data}`. */
export function messageAndData<Data extends z.ZodTypeAny>(data: Data) {
	return z.object({ success, message: messageText, data });
}

/** The body that `done` sends without data: `{success: true, message}`. */
export const doneBody = named('Done', z.object({ success, message: messageText }));

/** A failure that is a result, not an error of the request: 200 with `success: false`. */
export function failedResult(fields: z.ZodRawShape) {
	return z.object({ success: z.literal(false), ...fields });
}

/** A timestamp in ISO 8601. */
export const timestamp = z.string().datetime();
/** A calendar date, YYYY-MM-DD. */
export const dateText = z.string().date();
/** An identifier: "UUIDs in most places". */
export const identifier = z.string();
/** A URL. */
export const shownUrl = z.string().url();
/** A count. */
export const count = z.number().int().min(0);
/** An E.164 number as the service shows it. */
export const shownNumber = z.string().regex(/^\+[1-9]\d{6,14}$/);

const position = { current_page: count, per_page: count, total: count };

/** Beside the agents, and beside the log of an agent's webhook. */
export const pageMeta = named('PageMeta', z.object({ ...position, last_page: count }));
/** Beside calls and campaigns. */
export const pagePosition = named(
	'Pagination',
	z.object({
		...position,
		last_page: count,
		from: count.nullable().describe('Counts from 1; null on an empty page.'),
		to: count.nullable().describe('Counts from 1; null on an empty page.'),
	}),
);
/** Beside the logs of a campaign. */
export const logPosition = named('LogPagination', z.object(position));
