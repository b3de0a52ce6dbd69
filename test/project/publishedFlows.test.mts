import { isRecord } from '../../nodes/shared/lib/json.ts';
import { lintFlow } from '../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { flowErrors } from '../../sandbox/resources/agents/flowRules.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { filesIn, read } from './sources.mts';

type Flow = Record<string, unknown>;

/** Every flow in a value, at any depth, also in texts that are JSON or have JSON as code. */
function flowsIn(value: unknown): Flow[] {
	if (typeof value === 'string') {
		const blocks = [...value.matchAll(/```\w*\n([^]*?)```|`([^`]+)`/g)].map(([, block, code]) => block ?? code);
		return [value, ...blocks]
			.filter((code) => code.includes('initial_node_id'))
			.flatMap((code) => flowsIn(parsed(code)));
	}
	if (isRecord(value) && typeof value.initial_node_id === 'string' && 'nodes' in value) {
		return [value];
	}
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(flowsIn) : [];
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The files that users read, without the rules, whose bad examples have findings on purpose. */
const files = ['README.md', ...filesIn(['docs', 'examples'], /\.(md|json)$/)].filter(
	(name) => name !== 'docs/reference/flow-rules.md',
);
/** What the sandbox and the rules find in a flow, whatever the actions of its agent. */
const findingsIn = (flow: Flow) => {
	const withIds = JSON.parse(JSON.stringify(flow), (_, value) => value?.$action ?? value) as typeof flow;
	const actions = (withIds.nodes as Flow[]).map(({ action_id }) => ({ id: action_id }));
	return [...flowErrors(withIds, { actions } as never), ...lintFlow(flow)];
};

describe('no flow that this project publishes has an error or a warning', () => {
	it.each(files)('%s', (file) => {
		expect(flowsIn(read(file)).flatMap(findingsIn)).toEqual([]);
	});

	it('in the sandbox', async () => {
		const sandbox = await startSandbox({ port: 0 });
		try {
			const get = async (path: string) => {
				const headers = { authorization: `Bearer ${sandbox.token}` };
				const response = await fetch(`${sandbox.url}/api/v1/${path}`, { headers });
				return ((await response.json()) as { data: unknown }).data;
			};
			const agents = (await get('agents')) as Array<{ id: string }>;
			expect(agents.length).toBeGreaterThan(1);
			const flows = await Promise.all(agents.map(async ({ id }) => flowsIn(await get(`agents/${id}/flow`))));
			expect(flows.flat().flatMap(findingsIn)).toEqual([]);
		} finally {
			await sandbox.close();
		}
	});

	it('and flows are found, in JSON and in Markdown', () => {
		const bad = '{"initial_node_id": "a", "nodes": [{"id": "a", "type": "leave"}]}';
		expect(flowsIn(`Text { with \`${bad}\` in it`).flatMap(findingsIn)).toHaveLength(1);
		expect(flowsIn(`Text\n\`\`\`json\n${bad}\n\`\`\``).flatMap(findingsIn)).toHaveLength(1);
		expect(flowsIn(JSON.stringify({ parameters: { flow: bad } })).flatMap(findingsIn)).toHaveLength(1);
	});
});
