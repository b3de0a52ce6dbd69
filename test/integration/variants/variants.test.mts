import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { make } from 'covertable';

import { variants } from '../../../sandbox/variants/index.mts';
import type { VariantSection } from '../../../sandbox/world/variant.mts';
import { cache } from '../../../scripts/lib/places.mts';
import type { Cell } from '../../variants/table.mts';
import { harness } from '../harness.mts';
import { type Service, startService } from '../service.mts';
import { type Job, Said } from './job.mts';
import { jobs } from './jobs.mts';

/** With `npm run test:variants` every job runs with every variant, and with sets of them. */
const isWhole = process.env.VARIANTS === 'all';

/** The jobs that run with sets of variants; in `npm test`, one of them with each variant that can change it. */
const BASICS = ['Place', 'Queue Call', 'Trigger of a campaign'];

/** The sections whose variants change what a trigger receives. */
const RECEIVED: readonly VariantSection[] = ['events', 'signatures', 'webhooks'];

/** The sections whose variants change every request, answer or event, and so combine with one another. */
const FORMS: readonly VariantSection[] = ['events', 'signatures', 'lists', 'answers', 'limits', 'errors'];

/**
 * What cannot work and cannot be said either, by variant. Each of these is a line of docs/contributing/assumptions.md on which the
 * nodes depend.
 */
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

/** The sections whose variants change nothing that these jobs do. */
const OTHERS: readonly VariantSection[] = ['actions', 'voices', 'files', 'trunks', 'calendars'];

/** The variants, each with its jobs. */
const tested = variants
	.filter(({ section }) => isWhole || !OTHERS.includes(section))
	.map(({ does, name, section }, index) => {
		const basic = RECEIVED.includes(section) ? 'Trigger of a campaign' : BASICS[index % 2];
		return { does, name, jobsToRun: isWhole ? jobs : jobs.filter((job) => job.name === basic) };
	});

test.each(tested)('Where the service $does, the nodes work or say so', async ({ name, jobsToRun }) => {
	const wrong = await wrongCells([name], jobsToRun);
	const undecidable = UNDECIDABLE[name] ?? [];
	expect(wrong.filter(({ job }) => !undecidable.includes(job))).toEqual([]);
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
	// An ID that no header repeats, and no time of the event: nothing shows that a repeated event is the same.
	const withoutTime = ['event-time-of-attempt', 'event-without-time'];
	const isDecidable = (name: string, _index: number, set: string[]) =>
		!Object.hasOwn(UNDECIDABLE, name) &&
		!(name === 'answer-ids-numbers' && withoutTime.some((other) => set.includes(other)));
	const sets = pairs().map((set) => [set.filter(isDecidable)]);
	test.each(sets)('Where the service does several things otherwise, the nodes work or say so: %j', async (set) => {
		expect(await wrongCells(set, jobs.filter(isBasic))).toEqual([]);
	});
}

afterAll(() => {
	if (isWhole) {
		const file = join(cache, 'variants.json');
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, JSON.stringify(cells));
	}
});
