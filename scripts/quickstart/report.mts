import type { Check, Counts } from './outcome.mts';

/** The counts as a table for people. */
export function countsTable(counts: Counts): string {
	const rows: Array<[string, number]> = [
		['Calls queued by the first workflow', counts.queued],
		['Events that the service delivered', counts.deliveries],
		['Deliveries verified by the trigger', counts.verified],
		['Forged deliveries refused with 401', counts.refused],
		['Successful executions of the second workflow', counts.executions],
	];
	const width = Math.max(...rows.map(([text]) => text.length));
	const line = `  ${'─'.repeat(width + 8)}`;
	const body = rows.map(([text, count]) => `  ${text.padEnd(width)}  ${String(count).padStart(6)}`);
	return [line, ...body, line].join('\n');
}

/** How many events of each kind came. */
export function eventsTable(events: ReadonlyMap<string, number>): string {
	return [...events]
		.sort(([one], [other]) => one.localeCompare(other))
		.map(([event, count]) => `  ${String(count).padStart(4)} × ${event}`)
		.join('\n');
}

/** The checks, each with its result. */
export function checksList(checks: readonly Check[]): string {
	return checks.map(({ text, passed }) => `  ${passed ? '✓' : '✗'} ${text}`).join('\n');
}
