import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../../scripts/lib/places.mts';
import { numberingPlansSource } from './countryTable.mts';

const file = join(root, 'nodes', 'shared', 'phoneNumbers', 'numberingPlans.ts');

test('numberingPlans.ts has for each country what libphonenumber-js knows', () => {
	const made = numberingPlansSource();
	if (process.env.WRITE_PLANS) {
		writeFileSync(file, made);
	}
	expect(readFileSync(file, 'utf8').split('\n')).toEqual(made.split('\n'));
	// It is a part of each installation.
	expect(made.length).toBeLessThan(13_000);
});
