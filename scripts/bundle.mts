// Bundles the compiled modules of the package: node scripts/bundle.mts <folder of the modules> <folder to write>
// Otherwise n8n would read one file per module, which takes longer than running them, and the tarball would be larger.
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';

import { root } from './lib/places.mts';

/** The library whose code becomes a part of the package, and its data, which remain a separate file. */
const LIBRARY = 'libphonenumber-js';
const DATA = `${LIBRARY}/metadata.max.json`;

/** The folder in `dist` of the files that several nodes share. */
const SHARED = 'nodes/chunks';

/** Finds the file of an import as require() does, because the sources leave out extensions and `index`. */
const fileNames = {
	name: 'file names',
	resolveId(imported: string, importer?: string) {
		if (imported.startsWith(LIBRARY)) {
			return { id: fileURLToPath(import.meta.resolve(imported)), moduleSideEffects: false };
		}
		return importer !== undefined && imported.startsWith('.') ? createRequire(importer).resolve(imported) : undefined;
	},
};

/**
 * Writes a file for each node and credential in package.json, where n8n expects it, and files for modules that several
 * of them share or load on first use.
 *
 * @param modules the folder with the compiled modules (ES modules)
 * @param target the folder to write, `dist`
 * @throws Error for every warning of Rollup, such as an unresolved import
 */
async function bundle(modules: string, target: string): Promise<void> {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const names = [...n8n.nodes, ...n8n.credentials].map((file) => file.replace(/^dist\//, '').replace(/\.js$/, ''));
	const build = await rollup({
		input: Object.fromEntries(names.map((name) => [name, join(modules, `${name}.js`)])),
		external: (id) => id === DATA || /^(n8n-workflow$|zod\/|node:)/.test(id),
		plugins: [fileNames],
		preserveEntrySignatures: 'allow-extension',
		onwarn: ({ message }) => {
			throw new Error(message);
		},
	});
	await build.write({
		dir: target,
		format: 'cjs',
		entryFileNames: '[name].js',
		chunkFileNames: `${SHARED}/[name].js`,
		paths: { [DATA]: `./${basename(DATA)}` },
		exports: 'named',
		interop: 'auto',
		generatedCode: { preset: 'es2015', symbols: false },
		// An import() of zod must find n8n's copy, by the paths that n8n sets for require().
		dynamicImportInCjs: false,
		// Otherwise a file would require modules that only its imports need.
		hoistTransitiveImports: false,
	});
	await build.close();
	const { resolve: find } = createRequire(import.meta.url);
	copyFileSync(find(DATA), join(target, SHARED, basename(DATA)));
	const folder = dirname(find(DATA));
	for (const license of ['LICENSE', 'LICENSE.Apache']) {
		copyFileSync(join(folder, license), join(target, SHARED, `${LIBRARY}.${license}`));
	}
}

const [modules = '', target = ''] = process.argv.slice(2);
await bundle(resolve(modules), resolve(target));
