import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { make } from 'covertable';

import { variants } from '../../../sandbox/variants/index.mts';
import { root } from '../../../scripts/lib/places.mts';
import { harness } from '../harness.mts';
import { type Service, startService } from '../service.mts';
import { type Job, Said } from './job.mts';
import { jobs } from './jobs.mts';
import { type Cell, withCells, worksOnPage } from './table.mts';

/** The page with what works at other services. */
const page = join(root, 'docs', 'contributing', 'assumptions.md');

/** With `VARIANTS=all` every job runs with every variant, and some with sets of them; the page gets the table. */
const isWhole = process.env.VARIANTS === 'all';

/** The jobs that run with sets of variants; in `npm test`, one of them with each variant that can change it. */
const BASICS = ['Place', 'Queue Call', 'Trigger of a campaign'];

/** The sections whose variants change what a trigger receives. */
const RECEIVED = ['events', 'signatures', 'webhooks'];

/** The sections whose variants change every request, answer or event, and so combine with one another. */
const FORMS = ['events', 'signatures', 'lists', 'answers', 'limits', 'errors'];

/** What cannot work and cannot be said either, by variant: the nodes depend on it, and the page says so. */
const UNDECIDABLE: Record<string, readonly string[]> = {
	// An ID that changes says that it is another event: a repeated one starts the workflow again.
	'event-id-per-attempt': ['Trigger of a campaign', 'Trigger of an agent'],
};

let service: Service;
beforeAll(async () => {
	service = await startService({ speed: 0.001, minimumStatusMs: 0, rateLimit: 1_000_000 });
});
afterEach(() => harness.restoreTime());

const cells: Cell[] = [];

async function freshService(): Promise<void> {
	await service.control('variants', { names: [] });
	await service.reset();
	service.n8nUrl = undefined;
}

/** Does a job at a service with some variants; each at a fresh one, if all jobs run: some need what others change. */
async function cellOf({ name, prepare, run }: Job, names: readonly string[]): Promise<Cell> {
	const cell = { variant: names.join(', '), job: name };
	try {
		if (isWhole) {
			await freshService();
		}
		const prepared = (await prepare?.(service)) ?? {};
		await service.control('variants', { names });
		return { ...cell, ...(await run(service, prepared)) };
	} catch (error) {
		return { ...cell, ...(error instanceof Said ? error.verdict : { is: 'wrong', message: (error as Error).message }) };
	} finally {
		harness.restoreTime();
	}
}

/** Does jobs at a service with some variants. @returns those whose outcome is wrong */
async function wrongCells(names: readonly string[], jobsToRun: readonly Job[]): Promise<Cell[]> {
	const wrong: Cell[] = [];
	await freshService();
	for (const job of jobsToRun) {
		const cell = await cellOf(job, names);
		cells.push(cell);
		if (cell.is === 'wrong') {
			wrong.push(cell);
		}
	}
	return wrong;
}

const isBasic = ({ name }: Job) => BASICS.includes(name);

/** The variants, each with its jobs. The job does not change when other variants are added. */
const tested = variants.map(({ does, name, section }) => {
	const basic = RECEIVED.includes(section) ? 'Trigger of a campaign' : BASICS[name.length % 2];
	return { does, name, jobsToRun: isWhole ? jobs : jobs.filter((job) => job.name === basic) };
});

/** Whether a wrong outcome is one that nobody can decide. */
const isUndecidable = ({ variant, job }: Cell) => UNDECIDABLE[variant]?.includes(job) === true;

test.each(tested)('Where the service $does, the nodes work or say so', async ({ name, jobsToRun }) => {
	const wrong = await wrongCells([name], jobsToRun);
	expect(wrong.filter((cell) => !isUndecidable(cell))).toEqual([]);
	if (!isWhole) {
		// After a change on purpose, `npm run test:simulation -- variants` writes the page again.
		const written = readFileSync(page, 'utf8');
		const names = jobs.map((job) => job.name);
		const ran = cells.filter(({ variant }) => variant === name);
		expect(ran.filter((cell) => (cell.is === 'works') !== worksOnPage(written, cell, names))).toEqual([]);
	}
});

/** Sets of variants in which each pair of answers to two different questions occurs. */
function pairs(): string[][] {
	const factors: Record<string, string[]> = {};
	for (const { name, section, question } of variants.filter((variant) => FORMS.includes(variant.section))) {
		// A service answers one question in one way; and one form of a body excludes another one.
		const factor = ['events', 'signatures', 'lists', 'limits'].includes(section) ? section : question;
		factors[factor] = [...(factors[factor] ?? ['']), name];
	}
	return (make(factors) as Array<Record<string, string>>).map((row) =>
		Object.values(row).filter((name) => name !== ''),
	);
}

if (isWhole) {
	const isDecidable = (name: string) => !Object.hasOwn(UNDECIDABLE, name);
	const sets = pairs().map((set) => [set.filter(isDecidable)]);
	test.each(sets)('Where the service does several things otherwise, the nodes work or say so: %j', async (set) => {
		expect(await wrongCells(set, jobs.filter(isBasic))).toEqual([]);
	});
}

afterAll(() => {
	const ran = new Set(cells.map(({ variant }) => variant));
	const isRight = cells.every((cell) => cell.is !== 'wrong' || isUndecidable(cell));
	if (isWhole && isRight && variants.every(({ name }) => ran.has(name))) {
		writeFileSync(page, withCells(readFileSync(page, 'utf8'), cells));
	}
});
