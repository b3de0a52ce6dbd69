import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../../scripts/lib/places.mts';
import { numberingPlansSource } from './countryTable.mts';

const file = join(root, 'nodes', 'shared', 'phoneNumbers', 'numberingPlans.ts');

test('numberingPlans.ts is up to date with the metadata of libphonenumber-js', () => {
	const generated = numberingPlansSource();
	if (process.env.WRITE_PLANS) {
		writeFileSync(file, generated);
	}
	expect(readFileSync(file, 'utf8').split('\n')).toEqual(generated.split('\n'));
	// It is part of the published package, so it must stay small.
	expect(generated.length).toBeLessThan(13_000);
});
