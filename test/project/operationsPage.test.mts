import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { expectGenerated } from '../docs/generated.mts';
import { FOLDER, operationsPages } from '../docs/operations.mts';

const pages = operationsPages();

test.each([...pages.keys()])('%s says of each operation what it does, takes and returns', (path) => {
	expectGenerated(path, pages.get(path) ?? '');
});

test('there is a page for each resource, and no other', () => {
	const present = readdirSync(join(root, FOLDER)).map((file) => `${FOLDER}/${file}`);
	expect(present.sort()).toEqual([...pages.keys()].sort());
});
