import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { root } from '../../../scripts/lib/places.mts';
import { core } from './n8n.mts';

/** A package as n8n's loader sees it: types by their short name. */
export interface LoadedPackage {
	/** As in its package.json; the full type of a node is `<name>.<short name>`. */
	name: string;
	nodeTypes: Record<string, INodeType>;
	credentialTypes: Record<string, ICredentialType>;
}

interface Manifest {
	name: string;
	n8n?: { nodes?: string[]; credentials?: string[] };
}

/**
 * The modules that n8n provides to a package. Nothing else can be required from the installed copy: a module that is
 * only in this checkout fails here as in a user's n8n.
 */
const offered = ['n8n-workflow', 'zod'];

type LoadSource = (file: string) => object;

let loadSource: LoadSource | undefined;
let loaded: Promise<LoadedPackage> | undefined;

/** The package of the test file: its sources, or the built package. It is loaded on first use, with empty memory. */
export function loadPackage(): Promise<LoadedPackage> {
	loaded ??= loadSource ? loadSources(loadSource) : loadAgain();
	return loaded;
}

/** Runs the sources in this test file. @param load loads the module of a source, as a test file does */
export function runSources(load: LoadSource): void {
	loadSource = load;
}

/** Forgets the package of the test file before, also what code of it has loaded after its end. */
export function forgetPackage(): void {
	loadSource = undefined;
	loaded = undefined;
}

const readManifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** Loads the sources with n8n's loader: package.json names the built file of each. */
async function loadSources(load: LoadSource): Promise<LoadedPackage> {
	const sourceOf = (built: string) => built.replace(/^dist\//, '');
	const { nodes = [], credentials = [] } = readManifest().n8n ?? {};
	const loader = new core.PackageDirectoryLoader(root);
	loader.packageJson.n8n = { nodes: nodes.map(sourceOf), credentials: credentials.map(sourceOf) };
	const loadClass = (file: string) => {
		const [name] = basename(file).split('.');
		const module = load(join(root, file.replace(/\.js$/, '.ts'))) as Record<string, new () => unknown>;
		return new module[name]();
	};
	return await loadWith(Object.assign(loader, { loadClass }));
}

/**
 * Loads the built package from one more copy: its modules share no memory with the others, like another process. It is for
 * the tests of the package in jest.config.cjs, before which dist/ is built.
 */
export async function loadAgain(): Promise<LoadedPackage> {
	const manifest = readManifest();
	const entries = [...(manifest.n8n?.nodes ?? []), ...(manifest.n8n?.credentials ?? [])];
	const missing = entries.filter((entry) => !existsSync(join(root, entry)));
	if (missing.length > 0) {
		throw new Error(`${manifest.name} is not built (${missing.join(', ')} missing): run "npm run build" first`);
	}
	return await loadWith(new core.PackageDirectoryLoader(install(manifest)));
}

async function loadWith(loader: InstanceType<typeof core.PackageDirectoryLoader>): Promise<LoadedPackage> {
	await loader.loadAll();
	const types = <T,>(map: Record<string, { type: unknown }>) =>
		Object.fromEntries(Object.entries(map).map(([name, { type }]) => [name, type as T]));
	return {
		name: loader.packageName,
		nodeTypes: types<INodeType>(loader.nodeTypes),
		credentialTypes: types<ICredentialType>(loader.credentialTypes),
	};
}

/** The copies of this process; deleted when it ends. */
let copies: string | undefined;

function install(manifest: Manifest): string {
	if (copies === undefined) {
		const made = mkdtempSync(join(tmpdir(), 'n8n-nodes-'));
		process.on('exit', () => rmSync(made, { recursive: true, force: true }));
		copies = made;
	}
	const modules = join(mkdtempSync(join(copies, 'copy-')), 'node_modules');
	const target = join(modules, manifest.name);
	mkdirSync(target, { recursive: true });
	for (const name of offered) {
		symlinkSync(join(root, 'node_modules', name), join(modules, name));
	}
	cpSync(join(root, 'dist'), join(target, 'dist'), {
		recursive: true,
		filter: (source) => !/\.(map|d\.ts)$/.test(source),
	});
	writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
	return target;
}
