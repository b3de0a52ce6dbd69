import type { IConnections, IDataObject, INode, INodeParameters, Workflow } from 'n8n-workflow';

import type { CredentialData } from './credentials.mts';
import { n8n } from './n8n.mts';
import type { KnownNodeTypes } from './nodeTypes.mts';

/** A node as a test writes it; all other fields have n8n's defaults. */
export type NodeSpec = Pick<INode, 'name' | 'type'> &
	Partial<Omit<INode, 'name' | 'type' | 'parameters'>> & { parameters?: INodeParameters };

export interface WorkflowSpec {
	nodes: NodeSpec[];
	/** By source node, for each output the names of its target nodes, or of a tool's agents; by default the nodes form a chain. */
	connections?: Record<string, string[][]>;
	/** By the name of a tool, the agent that uses it. */
	tools?: Record<string, string>;
	/** Each node uses the credentials whose types it declares. */
	credentials?: CredentialData;
	id?: string;
	timezone?: string;
}

/** The nodes with all fields that n8n stores. */
export function completeNodes(spec: WorkflowSpec, nodeTypes: KnownNodeTypes): INode[] {
	return spec.nodes.map((node, index) => {
		const { credentials = [], version } = nodeTypes.getByNameAndVersion(node.type).description;
		const used = credentials.map(({ name }) => name).filter((name) => spec.credentials?.[name]);
		return {
			id: `node-${index}`,
			typeVersion: [version].flat().at(-1) ?? 1,
			position: [index * 200, 0],
			credentials: Object.fromEntries(used.map((name) => [name, { id: name, name }])),
			...node,
			parameters: structuredClone(node.parameters ?? {}),
		} satisfies INode;
	});
}

function completeConnections({ nodes, connections, tools = {} }: WorkflowSpec): IConnections {
	const chain = () =>
		Object.fromEntries(nodes.slice(0, -1).map(({ name }, index) => [name, [[nodes[index + 1]?.name ?? name]]]));
	const main = Object.entries(connections ?? chain()).map(([name, outputs]) => [
		name,
		{ main: outputs.map((targets) => targets.map((node) => ({ node, type: 'main' as const, index: 0 }))) },
	]);
	const ofTools = Object.entries(tools).map(([name, node]) => [
		name,
		{ ai_tool: [[{ node, type: 'ai_tool' as const, index: 0 }]] },
	]);
	return Object.fromEntries([...main, ...ofTools]) as IConnections;
}

/** n8n-workflow's own Workflow from a test's description. */
export function createWorkflow(
	spec: WorkflowSpec,
	nodeTypes: KnownNodeTypes,
	options: { active?: boolean; staticData?: IDataObject; nodes?: INode[] } = {},
): Workflow {
	return new n8n.Workflow({
		id: spec.id ?? 'workflow',
		name: 'Workflow under test',
		nodes: structuredClone(options.nodes ?? completeNodes(spec, nodeTypes)),
		connections: completeConnections(spec),
		active: options.active ?? false,
		nodeTypes,
		staticData: options.staticData ?? {},
		settings: { executionOrder: 'v1', timezone: spec.timezone },
	});
}
