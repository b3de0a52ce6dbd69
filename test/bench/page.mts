import type { RowResult, Table, Target } from './result.mts';

/** The environment of the measurements. */
export interface Circumstances {
	machine: string;
	versions: string;
	/** Such as 2026-11-21. */
	date: string;
}

/** Returns the page with all results, as Markdown. */
export function page(rows: readonly RowResult[], { machine, versions, date }: Circumstances): string {
	return [
		'# Benchmarks',
		'`npm run bench` measures this and writes this page; `npm run bench -- 3` measures one row anew. The results are in [benchmarks.json](../../test/bench/results/benchmarks.json), and each round of the last run in `.cache/bench/results.json`. Everything is compared with something that runs in turn with it, on the same machine, against the same [sandbox](sandbox.md) in a process of its own. So look at the ratios: the seconds are those of this machine.',
		`Measured on ${date}. ${machine}. ${versions}.`,
		'Numbers are medians of five rounds (rows 2 and 5: of 15) after a round to warm up, with the lowest and the highest in parentheses; a ratio is taken in each round, of what ran right after each other.',
		'## Targets',
		targetTable(rows),
		...rows.flatMap(section),
		'',
	]
		.join('\n\n')
		.replace(/\n+$/, '\n');
}

/** Returns the section of a row, as Markdown blocks. */
export function section({ title, how, tables }: RowResult): string[] {
	return [`## ${title}`, ...how, ...tables.map(table)];
}

/** Returns the table of targets and results. */
export function targetTable(rows: readonly RowResult[]): string {
	const line = (title: string, { wanted, reached, met }: Target) => [
		title.split('.')[0]!,
		wanted,
		reached,
		met ? 'met' : '**missed**',
	];
	return table({
		columns: ['Row', 'Target', 'Reached', ''],
		rows: rows.flatMap(({ title, targets }) => targets.map((target) => line(title, target))),
	});
}

/** Returns a table, as Markdown. */
function table({ columns, rows }: Table): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
