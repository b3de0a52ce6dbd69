import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';

interface Loading {
	isLazyLoaded: boolean;
	atStart: string[];
	supportedNodes?: string[];
	nodes: Array<{ name: string; className: string; methods: string[] }>;
	/** What the metadata should be, by file. */
	metadata: Record<string, unknown>;
}

const program = join(import.meta.dirname, 'loadPackage.mts');

/** Loads a package with n8n-core's loaders in a new process. */
function loadingOf(folder: string): Loading {
	const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
	return JSON.parse(execFileSync(process.execPath, [program, folder], options)) as Loading;
}

/** The files with metadata that do not describe the nodes as they are. */
function staleFiles(folder: string): string[] {
	const { metadata } = loadingOf(folder);
	return Object.keys(metadata).filter((file) => {
		const written: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
		return JSON.stringify(written) !== JSON.stringify(metadata[file]);
	});
}

/** Returns a copy of the built package of which the metadata can be changed. */
function copyOfPackage(): string {
	const copy = mkdtempSync(join(tmpdir(), 'package-'));
	mkdirSync(join(copy, 'dist'));
	for (const name of readdirSync(join(root, 'dist'))) {
		const [from, to] = [join(root, 'dist', name), join(copy, 'dist', name)];
		if (['known', 'types'].includes(name)) {
			cpSync(from, to, { recursive: true });
		} else {
			symlinkSync(from, to);
		}
	}
	writeFileSync(join(copy, 'package.json'), readFileSync(join(root, 'package.json')));
	return copy;
}

/** The source files that one imports at run time, directly or through others, as paths from the root. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
	const text = readFileSync(join(root, file), 'utf8');
	for (const [, isOfTypes, path = ''] of text.matchAll(/^import (type )?[^;]*?'([^']+)';$/gm)) {
		const imported = path.startsWith('.') ? relative(root, join(root, file, '..', `${path}.ts`)) : path;
		if (isOfTypes || found.has(imported)) {
			continue;
		}
		found.add(imported);
		if (path.startsWith('.')) {
			importsOf(imported, found);
		}
	}
	return found;
}

describe('When n8n starts', () => {
	const loading = loadingOf(root);

	test('it loads the credential with what reads the Base URL, and no node', () => {
		expect(loading.isLazyLoaded).toBe(true);
		expect(loading.atStart).toEqual([
			'dist/credentials/VoiceAgentCallingApi.credentials.js',
			'dist/nodes/chunks/authorize.js',
		]);
	});

	test('it knows which nodes test the credential', () => {
		expect(loading.supportedNodes).toEqual(['voiceAgentCalling', 'voiceAgentCallingTrigger']);
	});

	test('each node is there on its first use, with its lists and the test of the credential', () => {
		expect(loading.nodes).toMatchObject([
			{ name: 'voiceAgentCalling', className: 'VoiceAgentCalling' },
			{ name: 'voiceAgentCallingTrigger', className: 'VoiceAgentCallingTrigger' },
		]);
		for (const { methods } of loading.nodes) {
			expect(methods).toEqual(expect.arrayContaining(['credentialTest', 'listSearch', 'loadOptions']));
		}
	});
});

test('the credential imports only what reads the Base URL and the token', () => {
	expect([...importsOf('credentials/VoiceAgentCallingApi.credentials.ts')].sort()).toEqual([
		'nodes/shared/lib/token.ts',
		'nodes/shared/service/authorize.ts',
		'nodes/shared/service/baseUrl.ts',
	]);
});

describe('The metadata in dist', () => {
	let copy: string;
	beforeEach(() => {
		copy = copyOfPackage();
	});
	afterEach(() => rmSync(copy, { recursive: true }));

	test('describes the nodes and the credential as they are', () => {
		expect(staleFiles(root)).toEqual([]);
	});

	test.each([
		['dist/types/nodes.json', 'Place phone calls', 'Place calls'],
		['dist/types/credentials.json', 'Environment Token', 'Token'],
		['dist/known/nodes.json', '"className": "VoiceAgentCalling"', '"className": "Other"'],
	])('is stale where %s has another text', (file, text, other) => {
		const path = join(copy, file);
		const changed = readFileSync(path, 'utf8').replace(text, other);
		writeFileSync(path, changed);
		expect(staleFiles(copy)).toEqual([file]);
	});

	test('is needed: without it n8n loads both nodes at its start', () => {
		rmSync(join(copy, 'dist', 'known'), { recursive: true });
		const { isLazyLoaded, atStart } = loadingOf(copy);
		expect(isLazyLoaded).toBe(false);
		expect(atStart).toContain('dist/nodes/VoiceAgentCalling/VoiceAgentCalling.node.js');
	});
});
