// Packs the sandbox as a separate package: npm run pack:sandbox -- <folder>
// The last line on stdout is the path of the tarball.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { completeDocument } from '../sandbox/openApi/document.mts';
import { packFolder } from './lib/packPackage.mts';
import { cache, root } from './lib/places.mts';
import { runProcess } from './lib/process.mts';

type Manifest = Record<string, unknown>;

const destination = resolve(process.argv[2] ?? join(cache, 'pack'));
/** The files to pack. The folders are laid out as in the project, so that relative paths remain valid. */
const contents = join(cache, 'sandboxPackage');
const logFile = join(cache, 'logs', 'packSandbox.log');
const options = { cwd: contents, env: process.env, logFile };

const read = async (...path: string[]) => await readFile(join(root, ...path), 'utf8');
const readManifest = async (...path: string[]) => JSON.parse(await read(...path, 'package.json')) as Manifest;

/** Returns the sandbox's manifest for publishing, with the version and the origin of the project. */
async function manifest(): Promise<object> {
	const { version, license, homepage, author, repository } = await readManifest();
	const { private: _private, devDependencies, name, ...own } = await readManifest('sandbox');
	return { name, version, license, homepage, author, repository, ...own };
}

await rm(contents, { recursive: true, force: true });
await mkdir(contents, { recursive: true });
await mkdir(destination, { recursive: true });
// Node.js does not strip types below node_modules.
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const project = ['-p', join(root, 'sandbox', 'tsconfig.json'), '--outDir', join(contents, 'sandbox')];
await runProcess({ ...options, name: 'The compiler', args: [tsc, ...project] });
for (const path of [
	'sandbox/console/page',
	'docs/contributing/sandbox.md',
	'docs/contributing/assumptions.md',
	'docs/contributing/contract.md',
	'LICENSE',
]) {
	await cp(join(root, path), join(contents, path), { recursive: true });
}
await writeFile(join(contents, 'docs', 'openapi.json'), JSON.stringify(await completeDocument()));
// Its links point out of the folder sandbox/, which the package contains, too.
await writeFile(join(contents, 'README.md'), (await read('sandbox', 'README.md')).replaceAll('](../', ']('));
await writeFile(join(contents, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);

console.log(await packFolder(contents, destination, logFile));
