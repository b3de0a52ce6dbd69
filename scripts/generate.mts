// Writes every generated file: npm run generate -- [names of suites]
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { completeDocument } from '../sandbox/openApi/document.mts';
import { generatedSuites } from './lib/generating.mts';
import { root } from './lib/places.mts';
import { runVisibly } from './lib/process.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** The folders that hold generated files, besides README.md. */
const folders = ['docs', 'nodes', join('test', 'docs'), join('test', 'frozen')];

const suites = generatedSuites();
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !suites.has(name));
if (unknown.length > 0) {
	throw new Error(`There is no suite ${unknown.join(', ')}. Suites: ${[...suites.keys()].join(', ')}.`);
}

/** Each stage reads the results of the stage before: code of the nodes, records of the built nodes, then pages. */
const first = [['openApiDocument'], ['recordedRuns']];
const stages = [...first, [...suites.keys()].filter((name) => !first.flat().includes(name))];

process.env.GENERATE = '1';
const started = Date.now();
for (const stage of stages) {
	const names = stage.filter((name) => chosen.length === 0 || chosen.includes(name));
	const files = names.map((name) => suites.get(name)!);
	const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--maxWorkers=2', '--runTestsByPath'];
	// After a failed stage, the next stages still run. Jest builds dist/ for the suites that need it.
	if (files.length > 0 && (await runVisibly([...jest, ...files], root)) !== 0) {
		process.exitCode = 1;
	}
}

/** The suites do not write files that are up to date, so the newer files are the changed ones. */
const present = folders.flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name)),
);
const written = [join(root, 'README.md'), ...present]
	.filter((file) => statSync(file).mtimeMs >= started)
	.map((file) => file.slice(root.length + 1));

if (chosen.length === 0 || chosen.includes('openApiDocument')) {
	// This file is for external tools. It is not in git.
	writeFileSync(join(root, 'docs', 'openapi.json'), JSON.stringify(await completeDocument(), null, 2));
}
console.log(written.length === 0 ? '\nNothing changed.' : `\nChanged:\n${written.join('\n')}`);
