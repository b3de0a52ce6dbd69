import { kindOf } from '../../../shared/fields/field';
import { groupBy } from '../../../shared/lib/collections';
import { isRecord } from '../../../shared/lib/json';
import { quantity, quoted, suggester } from '../../../shared/lib/text';

/** The types of nodes; the service documents this list as complete. */
export const nodeTypes = ['say', 'ask', 'decision', 'action', 'transfer', 'end'] as const;

export type NodeType = (typeof nodeTypes)[number];

/** The fields of a node that mean the same for every type. The service does not document more for ask, action and transfer. */
const genericFields = ['id', 'type', 'content', 'next', 'branches'];

/** The field with the ID of an action. Its name is not documented; this is the likely one. */
export const ACTION_FIELD = 'action_id';

/** One of the `branches` of a node. */
export interface FlowBranch {
	/** Counted from 0. */
	index: number;
	path: string;
	/** Undefined if it is not an object. */
	fields: Record<string, unknown> | undefined;
	match: unknown;
	/** The ID of a node; undefined if it has none. */
	next: string | undefined;
}

/** A way from a node to another one. */
export interface FlowLink {
	/** An ID, which may not exist. */
	target: string;
	path: string;
	/** The value that a branch compares with the answer. */
	match?: unknown;
}

/** A node of a flow, read as far as it can be. */
export interface FlowNode {
	/** Its position in `nodes`, counted from 0. */
	index: number;
	path: string;
	/** Undefined if it has none. */
	id: string | undefined;
	/** Undefined if it is missing or unknown. */
	type: NodeType | undefined;
	fields: Record<string, unknown>;
	/** The name in messages at the start of a sentence: `Decision "ask_budget"`. */
	name: string;
	branches: readonly FlowBranch[];
	/** The documented ways to other nodes. An end has none. */
	links: readonly FlowLink[];
	/** Ways to existing nodes through undocumented fields, which the service may follow. */
	possibleLinks: readonly FlowLink[];
}

/** A flow as the rules read it. */
export interface Flow {
	fields: Record<string, unknown>;
	/** Empty if `nodes` is not a list. */
	nodes: readonly FlowNode[];
	/** The nodes with an ID: several if the ID is not unique. */
	byId: ReadonlyMap<string, readonly FlowNode[]>;
	/** The `initial_node_id`; undefined if it is missing. */
	initialId: string | undefined;
	/** The nodes with that ID. */
	initial: readonly FlowNode[];
	/** IDs of nodes in undocumented fields of the flow itself. */
	possibleStarts: readonly string[];
	/** Finds the ID that was probably meant by an unknown one. */
	suggestId(given: string): string | undefined;
}

/** Reads a flow, whatever it contains. */
export function readFlow(fields: Record<string, unknown>): Flow {
	const given = Array.isArray(fields.nodes) ? fields.nodes : [];
	const ids = new Set(given.map(idOf).filter((id) => id !== undefined));
	const nodes = given.map((node: unknown, index) => readNode(node, index, ids));
	const byId = groupBy(nodes, ({ id }) => id);
	const initialId = nonEmptyText(fields.initial_node_id);
	const others = without(fields, ['nodes', 'initial_node_id', 'meta']);
	return {
		fields,
		nodes,
		byId,
		initialId,
		initial: initialId === undefined ? [] : (byId.get(initialId) ?? []),
		possibleStarts: [...textsIn(others, '')].map(({ text }) => text).filter((text) => ids.has(text)),
		suggestId: suggester(ids),
	};
}

function readNode(given: unknown, index: number, ids: ReadonlySet<string>): FlowNode {
	const path = `nodes[${index}]`;
	const fields = isRecord(given) ? given : {};
	const id = idOf(given);
	const type = nodeTypes.find((known) => known === fields.type);
	const branches = (Array.isArray(fields.branches) ? fields.branches : []).map((branch: unknown, position) => ({
		index: position,
		path: `${path}.branches[${position}]`,
		fields: isRecord(branch) ? branch : undefined,
		match: isRecord(branch) ? branch.match : undefined,
		next: isRecord(branch) ? nonEmptyText(branch.next) : undefined,
	}));
	const next = nonEmptyText(fields.next);
	const links: FlowLink[] = next === undefined ? [] : [{ target: next, path: `${path}.next` }];
	for (const branch of branches) {
		if (branch.next !== undefined) {
			links.push({ target: branch.next, path: `${branch.path}.next`, match: branch.match });
		}
	}
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
		links: type === 'end' ? [] : links,
		possibleLinks: type === 'end' ? [] : possibleLinks(fields, path, ids),
	};
}

/** A copy of an object without some of its fields. */
export function without(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The fields of a node that the service does not document for its type: those of ask, action and transfer. */
export function undocumentedFields(fields: Record<string, unknown>): Array<[name: string, value: unknown]> {
	return Object.entries(fields).filter(([name]) => !genericFields.includes(name));
}

/** The links in undocumented fields of a node and of its branches, and in a next or branches of an undocumented kind. */
function possibleLinks(fields: Record<string, unknown>, path: string, ids: ReadonlySet<string>): FlowLink[] {
	const { next, branches } = fields;
	const others = {
		...without(fields, [...genericFields, ACTION_FIELD]),
		...(typeof next !== 'string' && { next }),
		branches: Array.isArray(branches)
			? branches.map((branch) => (isRecord(branch) ? undocumentedInBranch(branch) : undefined))
			: isRecord(branches) && branches,
	};
	return [...textsIn(others, path)]
		.filter(({ text }) => ids.has(text))
		.map((found) => ({ target: found.text, path: found.path }));
}

/** The undocumented part of a branch. A next that is not a text belongs to it: it may name a node. */
function undocumentedInBranch(branch: Record<string, unknown>): Record<string, unknown> {
	return without(branch, typeof branch.next === 'string' ? ['match', 'next'] : ['match']);
}

function idOf(node: unknown): string | undefined {
	return isRecord(node) ? nonEmptyText(node.id) : undefined;
}

/** A text with at least one character; undefined for anything else. */
export function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All texts in a value, at any depth, with their places. Names of fields are no texts. */
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

/** The value of a `match` as text: JSON for anything else. */
export function textOfMatch(match: unknown): string {
	return typeof match === 'string' ? match : String(JSON.stringify(match));
}

/** The value of a `match` in a message. */
export function quotedMatch(match: unknown): string {
	return quoted(textOfMatch(match));
}

/** What a field has where a text belongs: `no content`, `an empty content`, `content that is a number`. */
export function gotInstead(name: string, value: unknown): string {
	if (value === undefined) {
		return `no ${name}`;
	}
	const article = /^[aeiou]/.test(name) ? 'an' : 'a';
	return typeof value === 'string' ? `an empty ${name}` : `${article} ${name} that is ${kindOf(value)}, not a text`;
}

/** "2 other nodes" or "1 other node". */
export function otherNodes(count: number): string {
	return quantity(count, 'other node');
}
