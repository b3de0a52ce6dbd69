// Runs both examples in other versions of n8n: node scripts/run.mjs test:compat [version ...]
// Without a version, it runs them in all versions that have a lock file.
import { join } from 'node:path';

import { root } from '../lib/places.mts';
import { runVisibly } from '../lib/process.mts';
import { installN8n, lockedVersions, ownVersion } from './install.mts';

for (const [signal, status] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	process.on(signal, () => process.exit(status));
}

const all = [...lockedVersions(), ownVersion];
const requested = process.argv.slice(2);
const unknown = requested.filter((version) => !all.includes(version));
if (unknown.length > 0) {
	console.error(`There is no lock file for n8n ${unknown.join(', ')}. Versions: ${all.join(', ')}.`);
	process.exit(1);
}

const results: string[] = [];
for (const version of requested.length > 0 ? requested : all) {
	console.log(`\n── n8n ${version} on Node.js ${process.versions.node} ──`);
	try {
		process.env.N8N_TO_TRY = await installN8n(version);
		const status = await runVisibly([join('scripts', 'compat', 'run.mts'), version], root);
		results.push(`n8n ${version}: ${status === 0 ? 'passed' : 'failed'}`);
		if (status !== 0) {
			process.exitCode = 1;
		}
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
		results.push(`n8n ${version}: could not be installed`);
		process.exitCode = 1;
	}
}
console.log(`\n${results.join('\n')}`);
