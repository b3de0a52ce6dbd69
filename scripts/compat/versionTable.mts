import { readRows, type WrittenTable, withRows } from '../lib/writtenTable.mts';

/** How a run with one version of n8n ended. */
export interface CompatRun {
	/** Of n8n. */
	version: string;
	/** The day, such as 2026-11-22. */
	date: string;
	/** What it ran on, such as "Node.js 24.21, linux". */
	platform: string;
	/** The start of the hash of the commit that was run. */
	commit: string;
	passed: number;
	failed: number;
}

/** The page with the table, relative to the root of the project. */
export const PAGE = 'docs/contributing/compatibility.md';

const TABLE: WrittenTable = {
	page: PAGE,
	command: 'test:compat',
	head: '| n8n | Run on | With | Commit | Checks |\n|---|---|---|---|---|\n',
};
const ROW =
	/^\| (?<version>[\d.]+) \| (?<date>\d{4}-\d\d-\d\d) \| (?<platform>[^|]+) \| (?<commit>[\da-f]{7,40}) \| (?<passed>\d+) passed(?:, (?<failed>\d+) \*\*failed\*\*)? \|$/;

/** The parts of a row that {@link ROW} names. */
type RowParts = Record<'version' | 'date' | 'platform' | 'commit' | 'passed', string> & { failed?: string };

function rowOf({ version, date, platform, commit, passed, failed }: CompatRun): string {
	const checks = `${passed} passed${failed > 0 ? `, ${failed} **failed**` : ''}`;
	return `| ${[version, date, platform, commit, checks].join(' | ')} |`;
}

/**
 * Reads the table in {@link PAGE}.
 *
 * @throws Error if it is not as `npm run test:compat` has written it
 */
export function readRuns(page: string): CompatRun[] {
	return readRows(page, TABLE).map((row) => {
		const groups = ROW.exec(row)?.groups as RowParts | undefined;
		if (!groups) {
			throw new Error(`${PAGE} has a row of another form: ${row}`);
		}
		return { ...groups, passed: Number(groups.passed), failed: Number(groups.failed ?? 0) };
	});
}

/**
 * Replaces the rows of the versions that were run.
 *
 * @param versions all versions, in the order of the table; rows of others are removed
 * @returns the new text of the page
 */
export function withRuns(page: string, runs: readonly CompatRun[], versions: readonly string[]): string {
	const all = [...runs, ...readRuns(page)];
	const rows = versions.flatMap((version) => all.find((run) => run.version === version) ?? []);
	return withRows(page, rows.map(rowOf), TABLE);
}
