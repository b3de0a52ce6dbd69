import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord } from '../../nodes/shared/lib/isRecord.ts';
import { lintFlow } from '../../nodes/VoiceAgentCalling/flows/lintFlow.ts';
import { startSandbox } from '../../sandbox/server.mts';
import { root } from '../../scripts/lib/places.mts';

type Flow = Record<string, unknown>;

/** Every flow in a value, at any depth, also in texts that are JSON. */
function flowsIn(value: unknown): Flow[] {
	if (typeof value === 'string' && value.includes('initial_node_id')) {
		return jsonIn(value).flatMap(flowsIn);
	}
	if (Array.isArray(value)) {
		return value.flatMap(flowsIn);
	}
	if (!isRecord(value)) {
		return [];
	}
	return typeof value.initial_node_id === 'string' && 'nodes' in value
		? [value]
		: Object.values(value).flatMap(flowsIn);
}

/** The objects in a text: the whole text, or what is in braces in Markdown. */
function jsonIn(text: string): unknown[] {
	const found: unknown[] = [];
	for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
		let depth = 0;
		for (let at = start; at < text.length && at < start + 20_000; at++) {
			depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
			if (depth === 0) {
				const parsed = parse(text.slice(start, at + 1));
				if (parsed !== undefined) {
					found.push(parsed);
					start = at;
				}
				break;
			}
		}
	}
	return found;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The files that users read, without the rules, whose bad examples have findings on purpose. */
const files = [
	'README.md',
	...['docs', 'examples']
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${String(name)}`),
		)
		.filter((name) => /\.(md|json)$/.test(name) && name !== 'docs/reference/flow-rules.md'),
];

const serious = (flow: Flow) => lintFlow(flow).filter(({ severity }) => severity !== 'info');

describe('no flow that this project publishes has an error or a warning', () => {
	it.each(files)('%s', (file) => {
		expect(flowsIn(readFileSync(join(root, file), 'utf8')).flatMap(serious)).toEqual([]);
	});

	it('in the sandbox', async () => {
		const sandbox = await startSandbox({ port: 0 });
		try {
			const get = async (path: string) => {
				const response = await fetch(`${sandbox.url}/api/v1/${path}`, {
					headers: { authorization: `Bearer ${sandbox.token}` },
				});
				return ((await response.json()) as { data: unknown }).data;
			};
			const agents = (await get('agents')) as Array<{ id: string }>;
			expect(agents.length).toBeGreaterThan(1);
			const flows = await Promise.all(agents.map(async ({ id }) => flowsIn(await get(`agents/${id}/flow`))));
			expect(flows.flat().flatMap(serious)).toEqual([]);
		} finally {
			await sandbox.close();
		}
	});

	it('and flows are found, in JSON and in Markdown', () => {
		const bad = '{"initial_node_id": "x", "nodes": [{"id": "a", "type": "end"}]}';
		expect(flowsIn(`Text { with \`${bad}\` in it`).flatMap(serious)).toHaveLength(1);
		expect(flowsIn(JSON.stringify({ parameters: { flow: bad } })).flatMap(serious)).toHaveLength(1);
	});
});
