// Writes every generated file: node scripts/run.mjs generate [names of suites]
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { runJest } from './lib/jest.mts';
import { root } from './lib/places.mts';
import { runVisibly } from './lib/process.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** The suites that compare generated files, or write them with `GENERATE`. Later steps read the files of earlier ones. */
const steps = [
	['numberingPlans', 'openApiDocument'],
	['recordedRuns', 'errorTable', 'eventsPage'],
	['fieldsPage', 'operationsPage', 'agentDocumentPage', 'flowRulesPage', 'examplesPage', 'scale'],
];

/** The folders that hold generated files. */
const folders = ['docs', 'nodes'];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !steps.flat().includes(name));
if (unknown.length > 0) {
	throw new Error(`There is no suite ${unknown.join(', ')}. Suites: ${steps.flat().join(', ')}.`);
}

process.env.GENERATE = '1';
const started = Date.now();
let status = 0;
for (const step of steps) {
	const suites = chosen.length > 0 ? step.filter((name) => chosen.includes(name)) : step;
	if (suites.length === 0) {
		continue;
	}
	// The integration tests run the built nodes.
	if (suites.includes('recordedRuns') || suites.includes('errorTable')) {
		status = await runVisibly([join('scripts', 'run.mjs'), 'build'], root);
	}
	status ||= await runJest(suites.map((name) => `/${name}\\.test`));
	if (status !== 0) {
		process.exitCode = status;
		break;
	}
}

/** The suites leave a file alone that is up to date. */
const written = folders.flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => statSync(file).mtimeMs >= started)
		.map((file) => file.slice(root.length + 1)),
);
console.log(written.length === 0 ? '\nNothing changed.' : `\nChanged:\n${written.join('\n')}`);
