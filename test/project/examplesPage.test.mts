import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { readExample } from '../../scripts/quickstart/examples.mts';
import { examplesPage, PAGE } from '../docs/examplesPage.mts';
import { expectGenerated } from '../docs/generated.mts';
import { slug } from '../docs/markdown.mts';

const files = readdirSync(join(root, 'examples'));

/** What the section of an example has to say. */
const PARTS = ['Job', 'Result', 'Set', 'Adapt'];

describe(PAGE, () => {
	const page = readFileSync(join(root, PAGE), 'utf8');
	const sections = page.split(/^### /m).slice(1);

	it('has no section without a workflow', () => {
		expect(sections.length).toBe(files.length);
	});

	it.each(files)('says of %s what it is for, what comes out, and what to change', (file) => {
		const { name } = readExample(file) as unknown as { name: string };
		const section = sections.find((one) => one.startsWith(`${name}\n`)) ?? '';
		expect(section).toContain(`(../../examples/${file})`);
		const parts = [...section.matchAll(/^- \*\*(\w+):\*\* \S/gm)].map(([, part]) => part);
		expect(parts).toEqual(PARTS);
		// The table of jobs.
		expect(page.split(/^## /m)[0]).toContain(`](#${slug(name)})`);
	});

	it('shows the canvas of each example that has a picture', () => {
		expectGenerated(PAGE, examplesPage());
	});
});
