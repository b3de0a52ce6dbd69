import { ServicePool } from '../../servicePool.mts';
import {
	type Cell,
	expected,
	ITEMS,
	onErrors,
	operations,
	positions,
	runCell,
	type Seen,
	waysOf,
} from './faultMatrix/cells.mts';
import { faultRows, type State } from './faultMatrix/faults.mts';

/** How many runs there are at a time: most of them wait. */
const MANY = 80;
/** Fewer where the node has a time limit: many runs at a time would delay answers that have to be in time. */
const FEW = 24;

const settings = [false, true].flatMap((retry) => onErrors.map((onError) => ({ retry, onError })));
const rows = (Object.keys(operations) as Array<Cell['operation']>).flatMap((operation) =>
	faultRows.flatMap((row) =>
		(Object.keys(positions) as Array<Cell['position']>).map((position) => ({ operation, row, position })),
	),
);
/** Whether n8n runs the node again, so that a call could be repeated. */
const triesAgain = ({ operation, retry, onError }: Cell) =>
	operations[operation].calls && retry && onError === 'stopWorkflow';
/**
 * Every combination for Place, and for Queue Call where n8n tries again. Otherwise every second one: each fault at each
 * position with each error setting, and each fault with all six settings.
 */
const cells: Cell[] = rows.flatMap((row, index) =>
	settings
		.map((setting) => ({ ...row, ...setting }))
		.filter((cell, setting) => {
			const isSecond = (Math.floor(index / Object.keys(positions).length) + index + setting) % 2 === 1;
			return cell.operation === 'Call Place' || triesAgain(cell) || isSecond;
		}),
);
const seen = new Map<Cell, Seen>();

const waits = ({ row: { fault } }: Cell) => (fault.status === 429 ? (fault.times ?? 1) : 0);
/** What waits for the limit takes longest, so it starts first. */
const longestFirst = cells.toSorted((one, other) => waits(other) - waits(one));

async function runAll(some: Cell[], atATime: number): Promise<void> {
	const pool = new ServicePool(atATime, { rateLimit: 1_000_000 });
	const ways = await pool.use(waysOf);
	const run = async (cell: Cell) =>
		await pool.use(async (service) => void seen.set(cell, await runCell(service, cell, ways[cell.operation])));
	await Promise.all(some.map(run));
}

beforeAll(async () => {
	const isTimed = ({ row: { timeoutSeconds } }: Cell) => timeoutSeconds !== undefined;
	await runAll(longestFirst.filter(isTimed), FEW);
	await runAll(
		longestFirst.filter((cell) => !isTimed(cell)),
		MANY,
	);
	// Half a minute on a quiet machine.
}, 900_000);

/** "6 done 1 unknown" */
function counts({ states }: Seen): string {
	const words: State[] = ['done', 'unknown', 'not done', 'not tried'];
	const all = states.flat();
	return words
		.map((word) => [all.filter((state) => state === word).length, word] as const)
		.filter(([count]) => count > 0)
		.map((part) => part.join(' '))
		.join(' ');
}

afterAll(() => {
	const head = ['', '', '', ...settings.map(({ retry, onError }) => `${retry ? 'retried, ' : ''}${onError}`)];
	const body = rows.map(({ operation, row, position }) => {
		const own = cells.filter((cell) => cell.operation === operation && cell.row === row && cell.position === position);
		const results = settings.map(({ retry, onError }) => {
			const cell = own.find((one) => one.retry === retry && one.onError === onError);
			return counts((cell && seen.get(cell)) ?? { states: [], wrong: [] });
		});
		return [operation, row.name, position, ...results];
	});
	const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => line[column]?.length ?? 0)));
	const lines = [head, ...body].map((line) =>
		line
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
	process.stdout.write(
		`\nWhat becomes of ${ITEMS} items, three at a time, by what happens to the first, the middle, the last or all of them:\n${lines.join('\n')}\n`,
	);
});

test.each(
	(Object.keys(operations) as Array<Cell['operation']>).flatMap((operation) =>
		faultRows.map(({ name }) => [operation, name] as const),
	),
)(
	'%s, %s: each item is reported once and correctly, no number is called twice, and none is lost',
	(operation, name) => {
		for (const cell of cells.filter((one) => one.operation === operation && one.row.name === name)) {
			const { states, wrong } = seen.get(cell) as Seen;
			const where = `${cell.position}, ${cell.onError}${cell.retry ? ', retry' : ''}`;
			expect({ where, wrong }).toEqual({ where, wrong: [] });
			states.forEach((said, item) => {
				const fits = said.length === 1 && expected(cell, item).includes(said[0] as State);
				expect({ where, item, said, expected: expected(cell, item), fits }).toMatchObject({ fits: true });
			});
		}
	},
);
