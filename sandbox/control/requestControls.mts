import { z } from 'zod';

import { notFound } from '../http/httpErrors.mts';
import type { RequestRecord } from '../world/requestRecord.mts';
import type { World } from '../world/world.mts';
import { type ControlRoute, control } from './controlRoute.mts';
import { hasText, listQuery, newestOf } from './pages.mts';

const requestsQuery = z
	.object({
		...listQuery,
		method: z.string().optional(),
		path: z.string().optional(),
		/** An exact status, or a class such as `4xx`. */
		status: z
			.string()
			.regex(/^[1-5](\d\d|xx)$/)
			.optional(),
	})
	.strict();

/** The journal of requests to the service. */
export const requestControls: ControlRoute[] = [
	control({
		method: 'GET',
		path: 'requests',
		query: requestsQuery,
		handle({ world, query, plain }) {
			const { entries, dropped } = world.requests;
			if (plain) {
				return entries.map(plainRecord);
			}
			const page = newestOf(
				entries,
				query,
				(record, text) =>
					(!query.method || record.method === query.method.toUpperCase()) &&
					(!query.path || record.path.startsWith(query.path)) &&
					(!query.status || hasStatus(record, query.status)) &&
					(text === '' || hasText(text, record.id, record.method, record.url, bodyText(record), fieldsText(record))),
				listedRequest,
			);
			return { ...page, dropped };
		},
	}),
	control({
		method: 'GET',
		path: 'requests/:id',
		handle({ world, params }) {
			const record = world.requests.entries.findLast(({ id }) => id === params.id);
			if (!record) {
				throw notFound('Request');
			}
			return { ...listedRequest(record), query: record.query, body: record.body, curl: asCurl(world, record) };
		},
	}),
	control({ method: 'GET', path: 'load', handle: ({ world }) => world.load }),
];

/** Returns a request for the list without pages. */
function plainRecord({ method, path, query, status, body, fault, at }: RequestRecord): Record<string, unknown> {
	return { method, path, query, status, body, ...(fault === undefined ? {} : { fault }), at };
}

/** Returns a request for a list with pages. */
function listedRequest(record: RequestRecord): Record<string, unknown> {
	const { id, method, path, url, status, contentType, hasToken, rejected, durationMs, fault, at } = record;
	return {
		id,
		method,
		path,
		url,
		status,
		content_type: contentType,
		has_token: hasToken,
		rejected,
		duration_ms: durationMs,
		fault: fault ?? null,
		at,
	};
}

function hasStatus({ status }: RequestRecord, wanted: string): boolean {
	const text = String(status);
	return wanted.endsWith('xx') ? text[0] === wanted[0] : text === wanted;
}

function bodyText({ body }: RequestRecord): string {
	return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
}

function fieldsText({ rejected }: RequestRecord): string {
	return rejected ? `${rejected.message} ${Object.keys(rejected.fields).join(' ')}` : '';
}

/** Returns a shell command that sends the request again, with `$TOKEN` in place of the token. */
function asCurl({ origin }: World, record: RequestRecord): string {
	// Without this option, curl would treat brackets in an address as a pattern.
	const globoff = /[[\]{}]/.test(record.url) ? ['--globoff'] : [];
	const parts = ['curl', ...globoff, '-X', record.method, quoted(`${origin}${record.url}`)];
	if (record.hasToken) {
		parts.push('-H', '"Authorization: Bearer $TOKEN"');
	}
	const body = bodyText(record);
	if (body !== '') {
		parts.push('-H', quoted(`Content-Type: ${record.contentType ?? 'application/json'}`), '--data-raw', quoted(body));
	}
	return parts.join(' ');
}

function quoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
