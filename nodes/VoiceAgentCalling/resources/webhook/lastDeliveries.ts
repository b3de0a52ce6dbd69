import type { Api } from '../../../shared/client/api';
import { lastPageOf, PAGE_SIZE, readPage } from '../../../shared/client/pagination';
import { deliveryStatus } from '../../../shared/client/statuses';
import { isoOf, timeIn } from '../../../shared/lib/time';

/** A summary of the latest delivery attempts of a webhook. */
export interface LastDeliveries {
	/** How many attempts the summary covers. */
	attempts: number;
	success: number;
	failed: number;
	retrying: number;
	pending: number;
	lastSuccessAt: string | null;
	/** Null also if the last failure has no time that can be read. */
	lastFailureAt: string | null;
	lastFailure: { event: string; httpStatus: number | null; reason: string } | null;
}

/**
 * Reads the latest attempts of a webhook, at most 100. The order of the log is not documented, so this reads the first
 * and the last page.
 *
 * @throws ServiceError
 */
export async function readLastDeliveries(api: Api, webhookPath: readonly string[]): Promise<LastDeliveries> {
	const read = async (page: number) =>
		await api.request({ method: 'GET', path: [...webhookPath, 'logs'], query: { page, per_page: PAGE_SIZE } });
	const itemsOf = (body: Awaited<ReturnType<typeof read>>) => readPage(body, ({ data }) => data, 1).items;
	const first = await read(1);
	const last = lastPageOf(first);
	const entries = [...itemsOf(first), ...(last > 1 ? itemsOf(await read(last)) : [])];
	// A log that does not know the parameter returns its first page again.
	const latest = [...new Map(entries.map((entry) => [entry.id ?? entry, entry])).values()]
		.map(
			(entry) =>
				({ ...entry, at: iso(entry.created_at), status: deliveryStatus(entry) }) as typeof entry & {
					at: string;
					status: string;
				},
		)
		.sort((left, right) => ((left.at || '~') < (right.at || '~') ? 1 : -1))
		.slice(0, PAGE_SIZE);
	const count = (expected: string) => latest.filter(({ status }) => status === expected).length;
	const failure = latest.find(({ status }) => status === 'failed' || status === 'retrying');
	const httpStatus = failure?.http_status == null ? null : Number(failure.http_status);
	return {
		attempts: latest.length,
		success: count('success'),
		failed: count('failed'),
		retrying: count('retrying'),
		pending: count('pending'),
		lastSuccessAt: latest.find(({ status, at }) => status === 'success' && at !== '')?.at ?? null,
		lastFailureAt: failure?.at || null,
		lastFailure: failure
			? {
					event: String(failure.event),
					httpStatus,
					reason: httpStatus === null ? String(failure.error ?? 'no answer') : `HTTP status ${httpStatus}`,
				}
			: null,
	};
}

/**
 * Normalizes a timestamp, so that timestamps can be compared as text; an invalid one becomes '', and counts as the
 * latest.
 */
function iso(at: unknown): string {
	const time = timeIn(at);
	return time === undefined ? '' : isoOf(time);
}
