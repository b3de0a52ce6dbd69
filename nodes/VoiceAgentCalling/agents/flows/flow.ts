import { groupBy } from '../../../shared/lib/collections';
import { isRecord } from '../../../shared/lib/json';
import { quoted } from '../../../shared/lib/text';
import { type Edges, reachedFrom } from './graph';

/** The types of nodes; the service documents this list as complete. */
const nodeTypes = ['say', 'ask', 'decision', 'action', 'transfer', 'end'] as const;

/** The fields that mean the same for every type. For ask, action and transfer, the service documents no other fields. */
const genericFields = ['id', 'type', 'content', 'next', 'branches'];

/** The field with the ID of an action. Its name is not documented; this is the likely one. */
export const ACTION_FIELD = 'action_id';

/** One of the `branches` of a node. */
export interface FlowBranch {
	path: string;
	match: unknown;
	/** The ID of a node; undefined if it is missing. */
	next: string | undefined;
}

/** A node of a flow. It may contain errors. */
export interface FlowNode {
	/** Its position in `nodes`, counted from 0. */
	index: number;
	path: string;
	/** Undefined if it is missing. */
	id: string | undefined;
	/** Undefined if it is missing or unknown. */
	type: (typeof nodeTypes)[number] | undefined;
	fields: Record<string, unknown>;
	/** The name in messages at the start of a sentence: `Decision "ask_budget"`. */
	name: string;
	branches: readonly FlowBranch[];
	/** The IDs that `next` and the branches lead to, which may not exist. Always empty for an end. */
	targets: readonly string[];
	/** The IDs of existing nodes in undocumented fields, which the service may follow. Always empty for an end. */
	possibleTargets: readonly string[];
}

/** A flow as the rules read it. Nodes with the same ID count as one, which leads wherever one of them leads. */
export interface Flow {
	fields: Record<string, unknown>;
	/** Empty if `nodes` is not a list. */
	nodes: readonly FlowNode[];
	ids: ReadonlySet<string>;
	/** The nodes that follow each node, by the documented fields. */
	edges: Edges;
	/** As {@link edges}, and through undocumented fields. */
	possibleEdges: Edges;
	/** Whether the conversation can get to a node, by its index. True for all if the initial node is unknown. */
	isReached: (index: number) => boolean;
	/** As {@link isReached}, also through undocumented fields. */
	isPossiblyReached: (index: number) => boolean;
}

/** Reads a flow, whatever it contains. */
export function readFlow(fields: Record<string, unknown>): Flow {
	const given = Array.isArray(fields.nodes) ? fields.nodes : [];
	const ids = new Set(given.map(idOf).filter((id) => id !== undefined));
	const nodes = given.map((node: unknown, index) => readNode(node, index, ids));
	const byId = groupBy(nodes, ({ id }) => id);
	const indexesOf = (targets: readonly string[]) =>
		targets.map((id) => byId.get(id)?.[0].index).filter((index) => index !== undefined);
	const twinsOf = (node: FlowNode) => {
		const [first, ...others] = node.id === undefined ? [] : (byId.get(node.id) ?? []);
		return first === node ? others.map(({ index }) => index) : [];
	};
	const edges = nodes.map((node) => [...twinsOf(node), ...indexesOf(node.targets)]);
	const possibleEdges = nodes.map(({ index, possibleTargets }) => [...edges[index], ...indexesOf(possibleTargets)]);
	const starts = indexesOf([nonEmptyText(fields.initial_node_id) ?? '']);
	const others = [...textsIn(without(fields, ['nodes', 'initial_node_id', 'meta']), '')].map(({ text }) => text);
	const [reached, possiblyReached] =
		starts.length === 0
			? []
			: [reachedFrom(starts, edges), reachedFrom([...starts, ...indexesOf(others)], possibleEdges)];
	return {
		fields,
		nodes,
		ids,
		edges,
		possibleEdges,
		isReached: (index) => reached?.[index] ?? true,
		isPossiblyReached: (index) => possiblyReached?.[index] ?? true,
	};
}

function readNode(given: unknown, index: number, ids: ReadonlySet<string>): FlowNode {
	const path = `nodes[${index}]`;
	const fields = isRecord(given) ? given : {};
	const id = idOf(given);
	const type = nodeTypes.find((known) => known === fields.type);
	const branches = (Array.isArray(fields.branches) ? fields.branches : []).map((branch: unknown, position) => ({
		path: `${path}.branches[${position}]`,
		match: isRecord(branch) ? branch.match : undefined,
		next: isRecord(branch) ? nonEmptyText(branch.next) : undefined,
	}));
	const targets = [nonEmptyText(fields.next), ...branches.map(({ next }) => next)].filter((next) => next !== undefined);
	return {
		index,
		path,
		id,
		type,
		fields,
		name:
			id === undefined
				? `The node at ${path}`
				: `${type ? type[0].toUpperCase() + type.slice(1) : 'Node'} ${quoted(id)}`,
		branches,
		targets: type === 'end' ? [] : targets,
		possibleTargets: type === 'end' ? [] : possibleTargets(fields, ids),
	};
}

/** Copies an object without some of its fields. */
export function without(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Returns the fields of a node that the service does not document for any type. */
export function undocumentedFields(fields: Record<string, unknown>): Record<string, unknown> {
	return without(fields, genericFields);
}

/** Finds node IDs in undocumented fields of a node or a branch, and in a `next` or `branches` of an undocumented form. */
function possibleTargets(fields: Record<string, unknown>, ids: ReadonlySet<string>): string[] {
	const { next, branches } = fields;
	const others = {
		...without(undocumentedFields(fields), [ACTION_FIELD]),
		...(typeof next !== 'string' && { next }),
		branches: Array.isArray(branches)
			? branches.map((branch) => (isRecord(branch) ? undocumentedInBranch(branch) : undefined))
			: isRecord(branches) && branches,
	};
	return [...textsIn(others, '')].map(({ text }) => text).filter((text) => ids.has(text));
}

/** Returns the undocumented part of a branch. It includes a `next` that is not a string, because it may name a node. */
function undocumentedInBranch(branch: Record<string, unknown>): Record<string, unknown> {
	return without(branch, typeof branch.next === 'string' ? ['match', 'next'] : ['match']);
}

function idOf(node: unknown): string | undefined {
	return isRecord(node) ? nonEmptyText(node.id) : undefined;
}

function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Finds all strings in a value, at any depth, with their paths. Field names are not included. */
export function* textsIn(value: unknown, path: string): Generator<{ text: string; path: string }> {
	const open: Array<{ value: unknown; path: string }> = [{ value, path }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next.value === 'string') {
			yield { text: next.value, path: next.path };
		} else if (Array.isArray(next.value)) {
			for (let index = next.value.length - 1; index >= 0; index--) {
				open.push({ value: next.value[index], path: `${next.path}[${index}]` });
			}
		} else if (isRecord(next.value)) {
			for (const [name, member] of Object.entries(next.value).reverse()) {
				open.push({ value: member, path: next.path === '' ? name : `${next.path}.${name}` });
			}
		}
	}
}
