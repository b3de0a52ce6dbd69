import { join } from 'node:path';

import { measure } from '../../scripts/lib/measure.mts';
import { packPackage } from '../../scripts/lib/packPackage.mts';
import { cache } from '../../scripts/lib/places.mts';

/** What the project may offer and contain at most. Whoever adds something takes something else away, or says why not. */
const most: Record<string, number> = {
	resources: 16,
	operations: 97,
	'operations with Sending': 16,
	'options of an operation (median)': 0,
	'options of an operation (most)': 27,
	'options of the trigger': 8,
	'words in panels': 6700,
	'words in options': 13_000,
	'tokens of the definitions for AI (o200k)': 57_000,
	'bytes of the tarball': 205_000,
	'lines of nodes/': 28_000,
	'lines of sandbox/': 16_000,
	'lines of scripts/': 5900,
	'lines of test/': 72_000,
	'words of the pages': 93_000,
};

test('the project offers and contains no more than its bounds', async () => {
	const measured = measure(await packPackage(join(cache, 'pack'), join(cache, 'logs', 'pack.log')));
	console.log(
		Object.entries(measured)
			.map(([name, value]) => `${name}: ${value.toLocaleString('en-US')}`)
			.join('\n'),
	);
	expect(Object.keys(measured)).toEqual(expect.arrayContaining(Object.keys(most)));
	expect(Object.entries(most).filter(([name, bound]) => !(measured[name]! <= bound))).toEqual([]);
});
