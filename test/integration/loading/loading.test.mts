import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../scripts/lib/places.mts';

interface Loading {
	isLazyLoaded: boolean;
	atStart: string[];
	supportedNodes?: string[];
	nodes: Array<{ name: string; className: string; methods: string[] }>;
	metadata: Record<string, unknown>;
}

function load(): Loading {
	const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
	const program = join(import.meta.dirname, 'loadPackage.mts');
	return JSON.parse(execFileSync(process.execPath, [program, root], options)) as Loading;
}

describe('When n8n starts', () => {
	const loading = load();

	test('it loads the credential with what reads the Base URL, and no node', () => {
		expect(loading.isLazyLoaded).toBe(true);
		expect(loading.atStart).toEqual([
			'dist/credentials/VoiceAgentCallingApi.credentials.js',
			'dist/nodes/chunks/authorize.js',
		]);
	});

	test('it knows which nodes test the credential, and finds each on its first use, with its lists and that test', () => {
		expect(loading.supportedNodes).toEqual(['voiceAgentCalling', 'voiceAgentCallingTrigger']);
		const methods = expect.arrayContaining(['credentialTest', 'listSearch', 'loadOptions']);
		expect(loading.nodes).toMatchObject([
			{ name: 'voiceAgentCalling', className: 'VoiceAgentCalling', methods },
			{ name: 'voiceAgentCallingTrigger', className: 'VoiceAgentCallingTrigger', methods },
		]);
	});

	test('the metadata in dist describes the nodes and the credential as they are', () => {
		for (const [file, metadata] of Object.entries(loading.metadata)) {
			const written: unknown = JSON.parse(readFileSync(join(root, file), 'utf8'));
			expect([file, JSON.stringify(written) === JSON.stringify(metadata)]).toEqual([file, true]);
		}
	});
});
