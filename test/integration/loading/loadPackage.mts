// Loads a built package in a new process: node test/integration/loading/loadPackage.mts <folder>
// Prints as JSON what n8n has loaded at its start, what it finds on first use, and what the metadata should be.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { core } from '../engine/n8n.mts';

const folder = process.argv[2] ?? '';
const { cache } = createRequire(import.meta.url);
// Node.js knows a file by its real path.
const dist = dirname(realpathSync(join(folder, 'dist', 'nodes')));

const loadedFiles = () =>
	Object.keys(cache)
		.filter((file) => file.startsWith(dist))
		.map((file) => join('dist', relative(dist, file)))
		.sort();

// As n8n does at its start: the types, then each credential.
const loader = new core.LazyPackageDirectoryLoader(folder);
await loader.loadAll();
for (const name of Object.keys(loader.known.credentials)) {
	loader.getCredential(name);
}
const atStart = loadedFiles();
const { supportedNodes } = loader.known.credentials.voiceAgentCallingApi ?? {};
const nodes = Object.keys(loader.known.nodes).map((name) => {
	const { type } = loader.getNode(name);
	return {
		name,
		className: type.constructor.name,
		methods: Object.keys('methods' in type ? (type.methods ?? {}) : {}),
	};
});

// The metadata as n8n sees the package that it loads as a whole.
const whole = new core.PackageDirectoryLoader(folder);
await whole.loadAll();
const withoutListNames = whole.types.nodes.map((type) => ({ ...type, __loadOptionsMethods: undefined }));
console.log(
	JSON.stringify({
		isLazyLoaded: loader.isLazyLoaded,
		atStart,
		supportedNodes,
		nodes,
		metadata: {
			'dist/known/nodes.json': whole.known.nodes,
			'dist/known/credentials.json': whole.known.credentials,
			'dist/types/nodes.json': withoutListNames,
			'dist/types/credentials.json': whole.types.credentials,
		},
	}),
);
