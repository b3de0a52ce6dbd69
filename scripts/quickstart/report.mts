import type { Owner } from '../n8n/editor.mts';
import type { Stock } from './continue.mts';
import type { Check, Counts } from './outcome.mts';

/** Formats the counts as a table. */
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

/** Formats the number of events of each type as a table. */
export function eventsTable(events: ReadonlyMap<string, number>): string {
	return [...events]
		.sort(([one], [other]) => one.localeCompare(other))
		.map(([event, count]) => `  ${String(count).padStart(4)} × ${event}`)
		.join('\n');
}

/** Formats the checks with their results as a list. */
export function checksList(checks: readonly Check[]): string {
	return checks.map(({ text, passed }) => `  ${passed ? '✓' : '✗'} ${text}`).join('\n');
}

/** Says what a later start has found. @param stock undefined if nobody could look, for the login is the user's own */
export function stockText(stock: Stock | undefined): string {
	if (!stock) {
		return 'n8n has what was kept.';
	}
	const { workflows, published, credentials } = stock;
	return `n8n has what was kept: workflows: ${workflows} (${published} published), credentials: ${credentials}.`;
}

/** Formats the login of the editor. @param owner undefined if the user has changed it */
export function loginLines(owner: Owner | undefined): string {
	return owner
		? `  Email     ${owner.email}\n  Password  ${owner.password}`
		: '  Login     as you have changed it in n8n';
}
