import type { Agent } from '../../world/agent.mts';

const TYPES = ['say', 'ask', 'decision', 'action', 'transfer', 'end'];

interface Node {
	id: string;
	fields: Record<string, unknown>;
}

/**
 * Validates a conversation flow: the initial node exists, ids are unique, types are known,
 * each type has its fields, `next` and `branches` name nodes, every node is reachable, actions exist on the agent.
 * @returns one sentence for each error
 */
export function flowErrors(flow: Record<string, unknown>, agent: Agent): string[] {
	let errors: string[] = [];
	const { initial_node_id: initial, nodes: given } = flow;
	if (typeof initial !== 'string' || initial === '') {
		errors.push('The initial_node_id is required.');
	}
	if (!Array.isArray(given) || given.length === 0) {
		return [...errors, 'The nodes must be an array with at least one node.'];
	}

	const nodes = new Map<string, Node>();
	for (const [index, fields] of given.entries()) {
		if (!isObject(fields) || typeof fields.id !== 'string' || fields.id === '') {
			errors.push(`Node at index ${index} has no id.`);
			continue;
		}
		if (nodes.has(fields.id)) {
			errors.push(`Duplicate node id '${fields.id}'.`);
		} else {
			nodes.set(fields.id, { id: fields.id, fields });
		}
	}
	if (typeof initial === 'string' && initial !== '' && !nodes.has(initial)) {
		errors.push(`Initial node '${initial}' does not exist in nodes.`);
	}
	errors = [...errors, ...[...nodes.values()].flatMap((node) => nodeErrors(node, nodes, agent))];

	const reached = reachable(nodes, typeof initial === 'string' ? initial : '');
	for (const id of nodes.keys()) {
		if (!reached.has(id)) {
			errors.push(`Node '${id}' is unreachable.`);
		}
	}
	return errors;
}

function nodeErrors({ id, fields }: Node, nodes: Map<string, Node>, agent: Agent): string[] {
	const { type } = fields;
	if (typeof type !== 'string') {
		return [`Node '${id}' requires type.`];
	}
	if (!TYPES.includes(type)) {
		return [`Node '${id}' has the unknown type '${type}'.`];
	}

	const errors: string[] = [];
	const needs = (field: string) => errors.push(`Node '${id}' of type '${type}' requires ${field}.`);
	if ((type === 'say' || type === 'ask') && !isText(fields.content)) {
		needs('content');
	}
	if ((type === 'say' || type === 'action') && !isText(fields.next)) {
		needs('next');
	}
	if (type === 'ask' && !isText(fields.next) && !isFilled(fields.branches)) {
		needs('next or branches');
	}
	if (type === 'decision' && !isFilled(fields.branches)) {
		needs('branches');
	}
	if (type === 'action' && !isText(fields.action_id)) {
		needs('action_id');
	}

	if (fields.branches !== undefined && !Array.isArray(fields.branches)) {
		errors.push(`Node '${id}' has branches that are not an array.`);
	}
	for (const [index, branch] of branchesOf(fields).entries()) {
		const where = `Branch ${index} of node '${id}'`;
		if (!isObject(branch)) {
			errors.push(`${where} must be an object.`);
		} else if (!isText(branch.next)) {
			errors.push(`${where} requires next.`);
		} else if (type === 'decision' && branch.match === undefined) {
			errors.push(`${where} requires match.`);
		}
	}
	for (const target of targets(fields)) {
		if (!nodes.has(target)) {
			errors.push(`Node '${id}' references unknown next node '${target}'.`);
		}
	}
	if (isText(fields.action_id) && !agent.actions.some((action) => action.id === fields.action_id)) {
		errors.push(`Node '${id}' references unknown action '${fields.action_id}'.`);
	}
	return errors;
}

function reachable(nodes: Map<string, Node>, initial: string): Set<string> {
	const reached = new Set<string>();
	const open = [initial];
	for (let id = open.pop(); id !== undefined; id = open.pop()) {
		const node = nodes.get(id);
		if (!node || reached.has(id)) {
			continue;
		}
		reached.add(id);
		for (const target of targets(node.fields)) {
			open.push(target);
		}
	}
	return reached;
}

/** The nodes that a node leads to; none for an end. */
function targets(fields: Record<string, unknown>): string[] {
	if (fields.type === 'end') {
		return [];
	}
	const next = branchesOf(fields).map((branch) => (isObject(branch) ? branch.next : undefined));
	return [fields.next, ...next].filter(isText);
}

function branchesOf(fields: Record<string, unknown>): unknown[] {
	return Array.isArray(fields.branches) ? fields.branches : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function isFilled(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}
