// Loads a package with n8n's loader in a new process: node test/bench/child/load.mts <folder>
// Prints the duration and the loaded files of the folder as one line of JSON.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sep } from 'node:path';

import { core } from '../../integration/engine/n8n.mts';

const folder = process.argv[2] ?? '';
const loader = new core.PackageDirectoryLoader(folder);
const started = performance.now();
await loader.loadAll();
const milliseconds = performance.now() - started;

const below = realpathSync(folder) + sep;
const { cache } = createRequire(import.meta.url);
const types = Object.keys(loader.nodeTypes).length + Object.keys(loader.credentialTypes).length;
if (types === 0) {
	throw new Error(`Nothing was loaded from ${folder}`);
}
console.log(JSON.stringify({ milliseconds, files: Object.keys(cache).filter((file) => file.startsWith(below)) }));
