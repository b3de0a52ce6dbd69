import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { read } from './sources.mts';

const page = read('docs/contributing/architecture.md');

/** The lines of the section below a heading that begin like this. */
const linesOf = (heading: string, start: string) =>
	page
		.split(/^## /m)
		.find((part) => part.startsWith(`${heading}\n`))!
		.split('\n')
		.filter((line) => line.startsWith(start));

/** The files and folders of the code that a text links to, from the root. That they exist, the lint checks. */
const pathsIn = (text: string) =>
	[...text.matchAll(/\[`[^`]+`\]\(([^)]+)\)/g)].map(([, target]) => join('docs', 'contributing', target));

test('the list of folders has every folder of the nodes, in the order of the layers', () => {
	const listed = linesOf('Folders', '- ').flatMap(pathsIn);
	const folders = ['VoiceAgentCalling', 'VoiceAgentCallingTrigger', 'shared'].flatMap((parent) =>
		readdirSync(join(root, 'nodes', parent), { withFileTypes: true })
			// Generated: what the editor shows of the outputs.
			.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
			.map(({ name }) => `nodes/${parent}/${name}/`),
	);
	expect(listed.toSorted()).toEqual(folders.sort());
	const { stacks } = jest.requireActual<{ stacks: string[][][] }>(join(root, '.dependency-cruiser.cjs'));
	const floors = listed.map((path) => stacks[0].findIndex((layer) => layer.includes(path)));
	expect(floors).toEqual(floors.toSorted((one, other) => one - other));
});
