import type {
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';

import { n8n } from './n8n.mts';
import type { LoadedPackage } from './package.mts';

const { NodeConnectionTypes } = n8n;

const description = (
	name: string,
	outputs: INodeTypeDescription['outputs'],
	properties: INodeTypeDescription['properties'] = [],
	inputs: INodeTypeDescription['inputs'] = [NodeConnectionTypes.Main],
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs,
	outputs,
	properties,
});

/** Starts a workflow with the items of its parameter "items", in which expressions are not resolved. */
const source: INodeType = {
	description: description(
		'source',
		[NodeConnectionTypes.Main],
		[{ displayName: 'Items', name: 'items', type: 'json', default: [] }],
	),
	async execute(this: IExecuteFunctions) {
		return [structuredClone(this.getNode().parameters.items) as unknown as INodeExecutionData[]];
	},
};

/** Evaluates its parameter "value" for each item, as every node of n8n does. */
const evaluate: INodeType = {
	description: description(
		'evaluate',
		[NodeConnectionTypes.Main],
		[{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	),
	async execute(this: IExecuteFunctions) {
		const evaluated = (item: number) => (this.getNodeParameter('value', item) ?? null) as string | null;
		return [this.getInputData().map((_item, item) => ({ json: { value: evaluated(item) } }))];
	},
};

const noOp: INodeType = {
	description: description('noOp', [NodeConnectionTypes.Main]),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Sends its first input to output 1 for a number of rounds, then its last input to output 0. */
const loop: INodeType = {
	description: description(
		'loop',
		[NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		[{ displayName: 'Rounds', name: 'rounds', type: 'number', default: 3 }],
	),
	async execute(this: IExecuteFunctions) {
		const state = this.getContext('node') as { round?: number; items?: INodeExecutionData[] };
		const input = this.getInputData();
		state.items ??= input.map(({ json }) => ({ json }));
		state.round = (state.round ?? 0) + 1;
		if (state.round > (this.getNodeParameter('rounds', 0) as number)) {
			return [input, []];
		}
		const items = state.items.map(({ json }, item) => ({ json, pairedItem: { item } }));
		return [[], items];
	},
};

const agentProperties: INodeTypeDescription['properties'] = [
	{ displayName: 'Turns', name: 'turns', type: 'json', default: [] },
	{ displayName: 'Failing Tries', name: 'failingTries', type: 'number', default: 0 },
];

/**
 * An AI agent whose model uses tools in turns, several in one: n8n's engine runs them, as it does for the AI Agent node.
 * The first tries fail when the tools have answered, as if the model were out of reach.
 */
const agent: INodeType = {
	description: description('agent', [NodeConnectionTypes.Main], agentProperties),
	async execute(this: IExecuteFunctions, response?: EngineResponse<{ next: number }>) {
		const { turns, failingTries } = this.getNode().parameters as unknown as AgentParameters;
		const state = this.getContext('node') as { failed?: number; next?: number };
		// In another try n8n hands over what the tools have said before: the model asks for them again.
		const turn = response?.metadata?.next === state.next ? (state.next ?? 0) : 0;
		const tools = turns[turn];
		if (tools === undefined) {
			state.next = 0;
			if ((state.failed ?? 0) < failingTries) {
				state.failed = (state.failed ?? 0) + 1;
				throw new Error('The model does not answer');
			}
			return [this.getInputData()];
		}
		state.next = turn + 1;
		const actions = tools.map(({ tool, input, itemIndex = 0 }, index) => ({
			actionType: 'ExecutionNodeAction' as const,
			nodeName: tool,
			input,
			type: NodeConnectionTypes.AiTool,
			id: `call-${turn}-${index}`,
			metadata: { next: state.next!, itemIndex },
		}));
		return { actions, metadata: { next: state.next } };
	},
};

/**
 * An AI agent as it is up to version 2: it makes its tools itself and runs those of a turn at the same moment. A try of Retry
 * On Fail makes them anew, and n8n gives their runs the next index. The outputs are what the tools have said to the model.
 */
const olderAgent: INodeType = {
	description: description('olderAgent', [NodeConnectionTypes.Main], agentProperties, [
		NodeConnectionTypes.Main,
		NodeConnectionTypes.AiTool,
	]),
	async execute(this: IExecuteFunctions) {
		const { turns, failingTries } = this.getNode().parameters as unknown as AgentParameters;
		const state = this.getContext('node') as { failed?: number };
		const made = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as MadeTool[];
		const toolByName = new Map(made.map((tool) => [tool.name, tool]));
		const said: string[] = [];
		for (const turn of turns) {
			const answers = turn.map(async ({ tool, input }) => {
				const named = toolByName.get(tool.replaceAll(/[^\w-]/g, '_'))!;
				return await named.invoke(input).catch((error: Error) => error.message);
			});
			said.push(...(await Promise.all(answers)));
		}
		if ((state.failed ?? 0) < failingTries) {
			state.failed = (state.failed ?? 0) + 1;
			throw new Error('The model does not answer');
		}
		return [said.map((text) => ({ json: { said: text } }))];
	},
};

interface MadeTool {
	name: string;
	invoke(input: IDataObject): Promise<string>;
}

/** What the model of an agent does: in each turn, the tools that it uses, with their arguments, for which item. */
interface AgentParameters {
	turns: Array<Array<{ tool: string; input: IDataObject; itemIndex?: number }>>;
	failingTries: number;
}

const helpers: Record<string, INodeType> = { source, evaluate, noOp, loop, agent, olderAgent };

/**
 * The node types that a workflow can name: those of the package under test, and `harness.source`,
 * `harness.evaluate`, `harness.noOp`, `harness.loop`, `harness.agent` and `harness.olderAgent`. Counts how often n8n ran each node.
 */
export class KnownNodeTypes implements INodeTypes {
	/** The number of runs by node name; each attempt of Retry On Fail counts. */
	readonly tries = new Map<string, number>();
	private readonly types = new Map<string, INodeType>();

	constructor({ name, nodeTypes }: LoadedPackage) {
		for (const [short, type] of Object.entries(nodeTypes)) {
			this.types.set(`${name}.${short}`, type);
		}
		for (const [short, type] of Object.entries(helpers)) {
			this.types.set(`harness.${short}`, type);
		}
	}

	getByName(nodeType: string): INodeType | IVersionedNodeType {
		return this.getByNameAndVersion(nodeType);
	}

	getByNameAndVersion(nodeType: string): INodeType {
		const type = this.types.get(nodeType);
		if (!type) {
			throw new Error(`Unknown node type "${nodeType}"; known: ${[...this.types.keys()].join(', ')}`);
		}
		const { execute } = type;
		if (!execute) {
			return type;
		}
		const { tries } = this;
		return Object.create(type, {
			execute: {
				async value(this: IExecuteFunctions, ...rest: []) {
					const { name } = this.getNode();
					tries.set(name, (tries.get(name) ?? 0) + 1);
					return await execute.apply(this, rest);
				},
			},
		}) as INodeType;
	}

	getKnownTypes() {
		return Object.fromEntries([...this.types.keys()].map((name) => [name, {}]));
	}
}
