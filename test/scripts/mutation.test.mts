import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { folders, INTEGRATION } from '../mutation/folders.mts';
import { sampleOf } from '../mutation/sample.mts';
import { readRuns } from '../mutation/table.mts';

test.each(Object.entries(folders))('the deliberate change of %s has one place in the code', (_name, folder) => {
	const { file, code } = folder.deliberate;
	expect(readFileSync(join(root, folder.path, file), 'utf8').split(code)).toHaveLength(2);
});

/** Folders that have not been run since they were added. A run writes their row, and then they do not belong here. */
const withoutRun = ['applying', INTEGRATION];

test('docs/contributing/testing.md has what npm run test:mutation wrote: each folder, and enough changes noticed', () => {
	const runs = readRuns(readFileSync(join(root, 'docs', 'contributing', 'testing.md'), 'utf8'));
	const all = [...Object.keys(folders), INTEGRATION];
	expect(runs.map(({ folder }) => folder)).toEqual(all.filter((name) => !withoutRun.includes(name)));
	const ofFolders = runs.filter(({ folder }) => folder !== INTEGRATION);
	expect(ofFolders.filter(({ noticed, all }) => noticed / all < 0.85)).toEqual([]);
	expect(runs.filter(({ timedOut, noticed }) => timedOut > noticed)).toEqual([]);
});

test('a sample is the same for the same seed, whatever the order of the changes, and another one for another seed', () => {
	const mutants = Array.from({ length: 1000 }, (_, line) => ({
		id: `${line}`,
		fileName: 'pace.ts',
		location: { start: { line, column: 1 } },
		replacement: 'false',
	}));
	const sample = sampleOf(mutants, 300, '2026-11-28');
	expect(sample.size).toBe(300);
	expect(sampleOf([...mutants].reverse(), 300, '2026-11-28')).toEqual(sample);
	expect(sampleOf(mutants, 300, '2026-12-05')).not.toEqual(sample);
	expect(sampleOf(mutants, 2000, '2026-11-28').size).toBe(1000);
});
