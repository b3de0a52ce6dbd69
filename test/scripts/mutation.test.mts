import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { folders } from '../mutation/folders.mts';
import { readRuns } from '../mutation/table.mts';

test.each(Object.entries(folders))('the deliberate change of %s has one place in the code', (_name, folder) => {
	const { file, code } = folder.deliberate;
	expect(readFileSync(join(root, folder.path, file), 'utf8').split(code)).toHaveLength(2);
});

/** Folders that have not been run since they were added. A run writes their row, and then they do not belong here. */
const withoutRun = ['applying'];

test('docs/contributing/testing.md has what npm run test:mutation wrote: each folder, and enough changes noticed', () => {
	const runs = readRuns(readFileSync(join(root, 'docs', 'contributing', 'testing.md'), 'utf8'));
	expect(runs.map(({ folder }) => folder)).toEqual(Object.keys(folders).filter((name) => !withoutRun.includes(name)));
	expect(runs.filter(({ noticed, all }) => noticed / all < 0.85)).toEqual([]);
	expect(runs.filter(({ timedOut, noticed }) => timedOut > noticed)).toEqual([]);
});
