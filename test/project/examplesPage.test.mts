import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { exampleChecks, missingNodes, type NodeOfN8n, neededVersions } from '../../scripts/compat/exampleNeeds.mts';
import { versions } from '../../scripts/compat/install.mts';
import { root } from '../../scripts/lib/places.mts';
import { readExample } from '../../scripts/quickstart/examples.mts';
import { examplesPage, PAGE } from '../docs/examplesPage.mts';
import { expectGenerated } from '../docs/generated.mts';

const files = readdirSync(join(root, 'examples'));

describe(PAGE, () => {
	const page = readFileSync(join(root, PAGE), 'utf8');
	const rows = page.split('\n').filter((line) => line.startsWith('| ['));

	it('has no row without a workflow', () => {
		expect(rows.length).toBe(files.length);
	});

	it.each(files)('says of %s what comes out, what to set, and which n8n it needs', (file) => {
		const { name } = readExample(file) as unknown as { name: string };
		const row = rows.find((one) => one.includes(`](../../examples/${file})`)) ?? '';
		expect(row).toMatch(/^\| [^|]*\S \| [^|]*\S \| [^|]*\S \| [^|]*\S \|$/);
		expect(row).toContain(`| [${name}](`);
		expect(versions).toContain(neededVersions(page).get(file));
	});

	it('links to the picture of the canvas of each example that has one', () => {
		expectGenerated(PAGE, examplesPage());
	});
});

describe('The check of an n8n for the examples', () => {
	const table = (version: number | number[], ...resources: string[]): NodeOfN8n => {
		const options = resources.map((value) => ({ value }));
		return { name: 'n8n-nodes-base.dataTable', version, properties: [{ name: 'resource', options }] };
	};
	const creating = {
		name: 'Table',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: { resource: 'table' },
	};
	const own = { name: 'Call', type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', typeVersion: 1, parameters: {} };

	it('finds a node that is not there, has another version, or lacks the operation', () => {
		const workflow = { nodes: [creating, own] };
		expect(missingNodes(workflow, [])).toEqual(['Table']);
		expect(missingNodes(workflow, [table(1, 'row', 'table')])).toEqual(['Table']);
		expect(missingNodes(workflow, [table([1, 1.1], 'row')])).toEqual(['Table']);
		expect(missingNodes(workflow, [table([1, 1.1], 'row', 'table')])).toEqual([]);
	});

	it('fails where the page promises too much, or asks for a newer n8n than is needed', () => {
		const [newest = '', second = ''] = versions;
		const failed = (version: string, known: NodeOfN8n[]) =>
			exampleChecks(version, known, versions).filter(({ passed }) => !passed).length;
		// An n8n without any node: every example that is to run in it fails.
		expect(failed(newest, [])).toBe(files.length);
		expect(failed(second, [])).toBeGreaterThan(0);
		// One with every node: those that need a newer one fail in the version just before.
		const all = files.flatMap(
			(file) => readExample(file).nodes as unknown as Array<{ type: string; typeVersion: number }>,
		);
		const everything = all.map(({ type, typeVersion }) => ({ name: type, version: typeVersion, properties: [] }));
		expect(failed(newest, everything)).toBe(0);
		const justTooOld = versions[versions.indexOf('2.20.12') + 1] ?? '';
		const needing = [...neededVersions().values()].filter((version) => version === '2.20.12');
		expect(failed(justTooOld, everything)).toBe(needing.length);
	});
});
