import type { IDataObject } from 'n8n-workflow';

import { readState, writeState } from '../../../sandbox/state/state.mts';
import { harness, type NodeSpec, type WorkflowRun, type WorkflowSpec } from '../harness.mts';
import { actionNode, retried, type Service } from '../service.mts';

/** Both kinds of agents of n8n: version 3 has the engine run its tools in turn, older ones run them all at once. */
export const AGENTS = ['agent', 'olderAgent'] as const;
export type AgentKind = (typeof AGENTS)[number];

/** A use of a tool by the model. */
export interface Use {
	tool: string;
	input: IDataObject;
}

/** How a model uses the tool named Phone. */
export const phone = (number: string, more: IDataObject = {}): Use => ({
	tool: 'Phone',
	input: { phone: number, ...more },
});

/** A tool that places a call to the number that the model chooses. */
export function phoneTool(service: Service, more: object = {}, options: object = {}, node: Partial<NodeSpec> = {}) {
	const limits = { maxCalls: 99, maxCallsPerHour: 999 };
	const parameters = service.place(
		{ missingVariables: 'ignore', ...options },
		{ phoneNumber: "={{ $fromAI('phone') }}", ...limits, ...more },
	);
	return { name: 'Phone', type: `${actionNode}Tool`, ...node, parameters } as NodeSpec;
}

/** A workflow in which an agent uses tools. @param failingTries how often the model fails after its tools have answered */
export function agentWorkflow(
	service: Service,
	kind: AgentKind,
	turns: Use[][],
	tools: NodeSpec[],
	{
		failingTries = 0,
		credentials = {},
		...agent
	}: Partial<NodeSpec> & { failingTries?: number; credentials?: object } = {},
): WorkflowSpec {
	const parameters = { turns: turns as never, failingTries };
	return {
		nodes: [
			harness.sourceOf([{}]),
			{ name: 'Agent', type: `harness.${kind}`, ...(failingTries > 0 && retried), ...agent, parameters },
			...tools,
		],
		connections: { Source: [['Agent']] },
		tools: Object.fromEntries(tools.map(({ name }) => [name, 'Agent'])),
		credentials: service.credentials(credentials),
		// Max Calls per Hour counts by workflow.
		id: crypto.randomUUID(),
	};
}

export const runAgent = async (spec: WorkflowSpec): Promise<WorkflowRun> =>
	await harness.runWorkflow(spec, { package: await harness.packageWithTool() });

type ToolRun = { data?: { ai_tool?: Array<Array<{ json: IDataObject }>> }; error?: Error };

/** What a tool has said to its model, in the order of its uses: its output, or an error. */
export function saidByTool({ stored }: Pick<WorkflowRun, 'stored'>, name = 'Phone'): IDataObject[] {
	const runs = (stored.data.resultData.runData[name] ?? []) as unknown as ToolRun[];
	return runs.map(({ data, error }) => {
		const [json = {}] = (data?.ai_tool ?? []).flat().map((item) => item.json);
		const { response = json } = json;
		const output = (Array.isArray(response) ? response[0] : response) as IDataObject | string;
		return { ...(typeof output === 'string' ? { text: output } : output), ...(error && { error: error.message }) };
	});
}

/** The IDs of calls that outputs have, each once. */
export const idsIn = (outputs: readonly IDataObject[]): unknown[] => [
	...new Set(outputs.map(({ id }) => id).filter((id) => id !== undefined)),
];

/** Gives the account many calls of the last day, to phones that no test uses. */
export async function addCalls(service: Service, count: number): Promise<void> {
	const snapshot = `${service.url}/_sandbox/snapshot`;
	const state = readState(Buffer.from(await (await fetch(snapshot)).arrayBuffer()));
	const first = [...state.calls.values()].find(({ isTesting }) => !isTesting)!;
	for (let index = 0; index < count; index++) {
		const created = state.now - 3_600_000 - index;
		const id = crypto.randomUUID();
		const to = `+1303${String(5_000_000 + index)}`;
		state.calls.set(id, { ...first, id, sid: `CA${id.replaceAll('-', '')}`, to, created, updated: created });
	}
	const headers = { 'content-type': 'application/octet-stream' };
	const loaded = await fetch(snapshot, { method: 'POST', headers, body: new Uint8Array(writeState(state)) });
	if (!loaded.ok) {
		throw new Error(await loaded.text());
	}
}
