import { readRows, type WrittenTable, withRows } from '../../scripts/lib/writtenTable.mts';
import { percent } from './score.mts';

/** The result of a folder. */
export interface MutationRun {
	folder: string;
	/** How many changes were tried. */
	all: number;
	noticed: number;
	/** How many of them were noticed because the tests did not end in time. */
	timedOut: number;
	/** How long the folder took when nothing was known of it, in minutes. */
	minutes: number;
	/** The day, such as 2026-11-22. */
	date: string;
	/** The start of the hash of the commit that was run. */
	commit: string;
}

const TABLE: WrittenTable = {
	page: 'docs/contributing/testing.md',
	command: 'test:mutation',
	head: '| Folder | Changes | Noticed | By a time limit | Score | Minutes | Run on | Commit |\n|---|---|---|---|---|---|---|---|\n',
};
const ROW =
	/^\| (?<folder>\w+) \| (?<all>\d+) \| (?<noticed>\d+) \| (?<timedOut>\d+) \| (?<score>[\d.]+ %) \| (?<minutes>\d+) \| (?<date>\d{4}-\d\d-\d\d) \| (?<commit>[\da-f]{7,40}) \|$/;

function rowOf({ folder, all, noticed, timedOut, minutes, date, commit }: MutationRun): string {
	const cells = [folder, all, noticed, timedOut, percent({ noticed, all }), minutes, date, commit];
	return `| ${cells.join(' | ')} |`;
}

/**
 * Reads the table of results in docs/contributing/testing.md.
 *
 * @throws Error if it is not as `npm run test:mutation` has written it
 */
export function readRuns(page: string): MutationRun[] {
	return readRows(page, TABLE).map((row) => {
		const { folder = '', all, noticed, timedOut, score, minutes, date = '', commit = '' } = ROW.exec(row)?.groups ?? {};
		const counts = { all: Number(all), noticed: Number(noticed), timedOut: Number(timedOut), minutes: Number(minutes) };
		const run = { folder, date, commit, ...counts };
		if (score !== percent(run)) {
			throw new Error(`docs/contributing/testing.md has a row of another form: ${row}`);
		}
		return run;
	});
}

/**
 * Replaces the rows of the folders that were run.
 *
 * @param folders the names of all folders, in the order of the table; rows of others are removed
 * @returns the new text of docs/contributing/testing.md
 */
export function withRuns(page: string, runs: readonly MutationRun[], folders: readonly string[]): string {
	const all = [...runs, ...readRuns(page)];
	return withRows(page, folders.flatMap((name) => all.find(({ folder }) => folder === name) ?? []).map(rowOf), TABLE);
}
