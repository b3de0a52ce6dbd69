import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { folders } from '../mutation/folders.mts';
import { sampleOf } from '../mutation/sample.mts';

test.each(Object.entries(folders))('the deliberate change of %s has one place in the code', (_name, folder) => {
	const { file, code } = folder.deliberate;
	expect(readFileSync(join(root, folder.path, file), 'utf8').split(code)).toHaveLength(2);
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
