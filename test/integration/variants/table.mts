import { type WrittenTable, withRows } from '../../../scripts/lib/writtenTable.mts';

/** What came of a job at another service. */
export interface Cell {
	/** The names of the variants. */
	variant: string;
	job: string;
	is: 'works' | 'says so' | 'wrong';
	/** What the nodes say. */
	message?: string;
}

const TABLE: WrittenTable = {
	page: 'docs/contributing/assumptions.md',
	command: 'test:simulation variants',
	head: '| If the service is so | What works | What the nodes say otherwise |\n|---|---|---|\n',
};

/** The longest message in the table, in characters. */
const LONGEST = 140;

/** The first sentence of a message, as it may stand in a table. */
function shown(message = ''): string {
	// What a test has seen stands behind a colon, as JSON.
	const [sentence = ''] = message.trim().split(/(?<=[a-z)0-9]\.) |: (?=[[{])/);
	const text = sentence.length > LONGEST ? `${sentence.slice(0, LONGEST)} …` : sentence;
	return text.replaceAll('|', '/').replaceAll('<', '&lt;');
}

/** The jobs of some cells, each once. */
const jobsIn = (cells: readonly Cell[]) => [...new Set(cells.map(({ job }) => job))].join(', ');

/** Reads whether a job works with a variant in the table of {@link withCells}. @param jobs the names of all jobs */
export function worksOnPage(page: string, { variant, job }: Cell, jobs: readonly string[]): boolean {
	const row = page.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${variant}\``));
	const [, , worked = 'everything'] = row?.split('|').map((cell) => cell.trim()) ?? [];
	// Names have commas, and some begin with others: the longest first.
	const byLength = jobs.toSorted((one, other) => other.length - one.length);
	const named = new Set(worked.match(new RegExp(byLength.join('|'), 'g')));
	return worked === 'everything' || worked.startsWith('all but ') !== named.has(job);
}

/** Replaces the table of what the nodes do at other services. @param cells of single variants and of sets */
export function withCells(page: string, cells: readonly Cell[]): string {
	const single = cells.filter(({ variant }) => !variant.includes(', '));
	const names = [...new Set(single.map(({ variant }) => variant))];
	/** By outcome, the names of the variants; those with which everything works are not in it. */
	const rows = new Map<string, string[]>();
	for (const name of names) {
		const own = single.filter(({ variant }) => variant === name);
		const others = own.filter(({ is }) => is !== 'works');
		if (others.length > 0) {
			const said = [...new Set(others.map(({ message }) => `*${shown(message)}*`))].slice(0, 2);
			const isMost = others.length > own.length / 2;
			const worked = isMost ? jobsIn(own.filter(({ is }) => is === 'works')) : `all but ${jobsIn(others)}`;
			const outcome = `${worked} | ${said.join(' ')}`;
			rows.set(outcome, [...(rows.get(outcome) ?? []), `\`${name}\``]);
		}
	}
	const whole = `| one of the other ${names.length - [...rows.values()].flat().length} variants | everything | |`;
	return withRows(page, [...[...rows].map(([outcome, group]) => `| ${group.join(', ')} | ${outcome} |`), whole], TABLE);
}
