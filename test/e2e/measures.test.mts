import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

/** What the project may offer and contain at most. Whoever adds something takes something else away, or says why not. */
const { most } = JSON.parse(readFileSync(join(root, '.ci', 'budgets.json'), 'utf8')) as {
	most: Record<string, number>;
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
