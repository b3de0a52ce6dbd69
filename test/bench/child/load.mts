// Loads a package as n8n does, in a fresh process: node test/bench/child/load.mts <folder>
// Prints one line of JSON: how long it took, and which files below the folder it took.
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
