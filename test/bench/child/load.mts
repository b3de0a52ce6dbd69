// Loads a package with n8n's loader in a new process: node test/bench/child/load.mts <folder>
// Prints the milliseconds as one line of JSON.
import { core } from '../../integration/engine/n8n.mts';

const folder = process.argv[2] ?? '';

let started = performance.now();
const loader = new core.LazyPackageDirectoryLoader(folder);
await loader.loadAll();
const { nodes, credentials } = loader.known;
for (const name of Object.keys(credentials)) {
	loader.getCredential(name);
}
const start = performance.now() - started;
if (!loader.isLazyLoaded) {
	throw new Error(`${folder} has no metadata`);
}

started = performance.now();
loader.getNode(Object.keys(nodes)[0] ?? '');
const firstUse = performance.now() - started;

console.log(JSON.stringify({ start, firstUse }));
