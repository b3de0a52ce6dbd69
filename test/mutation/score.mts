/** The part of Stryker's report that is used here. */
export interface MutationReport {
	files: Record<string, { mutants: Array<{ status: string; static?: boolean }> }>;
}

const NOTICED = ['Killed', 'Timeout'];
const NOT_NOTICED = ['Survived', 'NoCoverage'];

/** How many changes there are, and how many a test noticed. */
export interface Score {
	noticed: number;
	all: number;
}

/** Counts changes. Those that could not be tried, or are left out, do not count. */
export function scoreOf({ files }: MutationReport): Score {
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const noticed = statuses.filter((status) => NOTICED.includes(status)).length;
	return { noticed, all: noticed + statuses.filter((status) => NOT_NOTICED.includes(status)).length };
}

/** The score in words; the percentage is rounded down to one decimal. */
export function scoreInWords({ noticed, all }: Score): string {
	const percent = Math.floor((noticed / all) * 1000) / 10;
	return all === 0 ? 'no change was tried' : `${noticed} of ${all} changes noticed, ${percent.toFixed(1)} %`;
}
