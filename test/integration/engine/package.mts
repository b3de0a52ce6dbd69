import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
let loaded: Promise<LoadedPackage> | undefined;

/** Loads the built package from a copy that looks like an installation, once per process. */
export function loadPackage(): Promise<LoadedPackage> {
	loaded ??= loadAgain();
	return loaded;
}

/** Loads the built package from one more copy: its modules share no memory with the others, like another process. */
export async function loadAgain(): Promise<LoadedPackage> {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	const entries = [...(manifest.n8n?.nodes ?? []), ...(manifest.n8n?.credentials ?? [])];
	const missing = entries.filter((entry) => !existsSync(join(root, entry)));
	if (missing.length > 0) {
		throw new Error(`${manifest.name} is not built (${missing.join(', ')} missing): run "npm run build" first`);
	}
	const installed = install(manifest);
	const loader = new core.PackageDirectoryLoader(installed);
	await loader.loadAll();
	const types = <T,>(map: Record<string, { type: unknown }>) =>
		Object.fromEntries(Object.entries(map).map(([name, { type }]) => [name, type as T]));
	return {
		name: manifest.name,
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
