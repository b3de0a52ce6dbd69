import { startService } from '../../service.mts';
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

/** The number of simultaneous runs, each with its own service. */
const LANES = 80;

const settings = [false, true].flatMap((retry) => onErrors.map((onError) => ({ retry, onError })));
const rows = (Object.keys(operations) as Array<Cell['operation']>).flatMap((operation) =>
	faultRows.flatMap((row) =>
		(Object.keys(positions) as Array<Cell['position']>).map((position) => ({ operation, row, position })),
	),
);
const cells: Cell[] = rows.flatMap((row) => settings.map((setting) => ({ ...row, ...setting })));
const seen = new Map<Cell, Seen>();

beforeAll(async () => {
	const left = [...cells];
	const lane = async () => {
		const service = await startService({ rateLimit: 1_000_000 });
		const ways = await waysOf(service);
		for (let cell = left.shift(); cell; cell = left.shift()) {
			seen.set(cell, await runCell(service, cell, ways[cell.operation]));
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
}, 180_000);

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
		return [operation, row.name, position, ...own.map((cell) => counts(seen.get(cell) ?? { states: [], wrong: [] }))];
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
)('%s, %s: each item is reported once and as it is, no number is called twice and none is lost', (operation, name) => {
	for (const cell of cells.filter((one) => one.operation === operation && one.row.name === name)) {
		const { states, wrong } = seen.get(cell) as Seen;
		const where = `${cell.position}, ${cell.onError}${cell.retry ? ', retry' : ''}`;
		expect({ where, wrong }).toEqual({ where, wrong: [] });
		states.forEach((said, item) => {
			const fits = said.length === 1 && expected(cell, item).includes(said[0] as State);
			expect({ where, item, said, expected: expected(cell, item), fits }).toMatchObject({ fits: true });
		});
	}
});
