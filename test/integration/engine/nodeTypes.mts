import type {
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

const helpers: Record<string, INodeType> = { source, noOp, loop };

/**
 * The node types that a workflow can name: those of the package under test, and `harness.source`,
 * `harness.noOp` and `harness.loop`. Counts how often n8n ran each node.
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
