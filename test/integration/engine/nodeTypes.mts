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
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
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

/**
 * An AI agent whose model uses tools in turns, several in one: n8n's engine runs them, as it does for the AI Agent node.
 * The first tries fail when the tools have answered, as if the model were out of reach.
 */
const agent: INodeType = {
	description: description(
		'agent',
		[NodeConnectionTypes.Main],
		[
			{ displayName: 'Turns', name: 'turns', type: 'json', default: [] },
			{ displayName: 'Failing Tries', name: 'failingTries', type: 'number', default: 0 },
		],
	),
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

/** What the model of an agent does: in each turn, the tools that it uses, with their arguments, for which item. */
interface AgentParameters {
	turns: Array<Array<{ tool: string; input: IDataObject; itemIndex?: number }>>;
	failingTries: number;
}

const helpers: Record<string, INodeType> = { source, noOp, loop, agent };

/**
 * The node types that a workflow can name: those of the package under test, and `harness.source`, `harness.noOp`,
 * `harness.loop` and `harness.agent`. Counts how often n8n ran each node.
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
