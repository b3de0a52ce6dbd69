import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** What the project may offer and contain at most. Whoever adds something takes something else away, or says why not. */
const most: Record<string, number> = {
	resources: 16,
	operations: 93,
	'operations with Sending': 16,
	'options of an operation (median)': 0,
	'options of an operation (most)': 27,
	'options of the trigger': 8,
	'words in panels': 6450,
	'words in options': 13_110,
	'tokens of the definitions for AI (o200k)': 54_600,
	'bytes of the tarball': 217_900,
	'lines of nodes/': 28_870,
	'lines of sandbox/': 23_800,
	'lines of scripts/': 6380,
	'lines of test/': 87_000,
	'words of the pages': 80_500,
};

test('the project offers and contains no more than its bounds', () => {
	const printed = execFileSync(process.execPath, [join(root, 'scripts', 'measure.mts')], { encoding: 'utf8' });
	console.log(printed);
	const measured = new Map(
		[...printed.matchAll(/^(.+?) +([\d,]+)$/gm)].map(([, name, value = '']) => [
			name,
			Number(value.replaceAll(',', '')),
		]),
	);
	expect([...measured.keys()]).toEqual(expect.arrayContaining(Object.keys(most)));
	expect(Object.entries(most).filter(([name, bound]) => Number(measured.get(name)) > bound)).toEqual([]);
}, 120_000);
