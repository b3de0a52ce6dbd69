import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { neededVersions, versions } from '../../scripts/lib/compatChecks.mts';
import { readExample } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';
import { examplesPage, PAGE } from '../docs/examplesPage.mts';
import { expectGenerated } from '../docs/generated.mts';
import { read } from './sources.mts';

const files = readdirSync(join(root, 'examples'));

describe(PAGE, () => {
	const page = read(PAGE);
	const rows = page.split('\n').filter((line) => line.startsWith('| ['));

	it('says of each workflow, and of no other, what comes out, what to set, and which n8n it needs', () => {
		expect(rows).toHaveLength(files.length);
		for (const file of files) {
			const { name } = readExample(file) as unknown as { name: string };
			const row = rows.find((one) => one.includes(`](../../examples/${file})`)) ?? '';
			expect(row).toMatch(/^\| [^|]*\S \| [^|]*\S \| [^|]*\S \| [^|]*\S \|$/);
			expect(row).toContain(`| [${name}](`);
			expect(versions).toContain(neededVersions(page).get(file));
		}
	});

	it('links to the picture of the canvas of each example that has one', () => {
		expectGenerated(PAGE, examplesPage());
	});
});
