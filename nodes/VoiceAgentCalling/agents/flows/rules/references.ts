import { quoted } from '../../../../shared/lib/text';
import { ACTION_FIELD, type FlowNode, otherNodes, textsIn, undocumentedFields } from '../flow';
import { type Edges, groupsOf, reachedFrom } from '../graph';
import { brokenWays, linksToNowhere } from '../ways';
import type { AgentActionRecord, FlowRule, RuleHit, RuleInput } from './rule';

export const targetUnknown: FlowRule = {
	name: 'target-unknown',
	severity: 'error',
	*check({ flow }) {
		for (const node of flow.nodes) {
			for (const { target, path } of linksToNowhere(flow, node)) {
				const meant = flow.suggestId(target);
				yield {
					node,
					path,
					message: `${node.name} leads to the node ${quoted(target)}, which does not exist. The conversation cannot continue there.`,
					fix: meant === undefined ? 'Use the ID of a node, or add the node.' : `Did you mean ${quoted(meant)}?`,
				};
			}
		}
	},
};

export const unreachable: FlowRule = {
	name: 'unreachable',
	severity: 'error',
	*check({ flow, ways }) {
		const { reached, possiblyReached, edges } = ways;
		if (reached === undefined || possiblyReached === undefined) {
			return;
		}
		// What a misspelled link means to reach, and what follows a node that has no ID, is explained by that.
		const meant = flow.nodes
			.filter(({ index }) => reached[index])
			.flatMap((node) => linksToNowhere(flow, node))
			.map(({ target }) => flow.byId.get(flow.suggestId(target) ?? '')?.[0].index)
			.filter((index) => index !== undefined);
		const withoutId = flow.nodes.filter(({ id }) => id === undefined).map(({ index }) => index);
		const explained = reachedFrom([...meant, ...withoutId], edges);
		const isLost = (index: number) => !reached[index] && !explained[index];
		const first = groupsOf(edges, isLost).filter(({ hasEntry }) => !hasEntry);
		const surely = first.filter(({ nodes }) => !possiblyReached[nodes[0]]);
		const gaps = flow.nodes
			.filter(({ index }) => reached[index])
			.reduce((sum, node) => sum + (hasSuggestions(flow, node) ? 0 : brokenWays(flow, node)), 0);
		const countNew = counter(edges, isLost);
		for (const { nodes } of first) {
			const node = flow.nodes[nodes[0]];
			const only = possiblyReached[node.index];
			if (!only && surely.length <= gaps) {
				continue;
			}
			const others = countNew(node.index) - 1;
			yield only ? undocumentedWay(node, others) : noWay(node, others, nodes.length);
		}
	},
};

/** Makes a function that counts the nodes that can be reached from a node and were not counted before. */
function counter(edges: Edges, isIn: (index: number) => boolean): (start: number) => number {
	const counted = new Set<number>();
	return (start) => {
		const before = counted.size;
		const open = [start];
		for (let node = open.pop(); node !== undefined; node = open.pop()) {
			if (isIn(node) && !counted.has(node)) {
				counted.add(node);
				for (const next of edges[node]) {
					open.push(next);
				}
			}
		}
		return counted.size - before;
	};
}

function hasSuggestions(flow: RuleInput['flow'], node: FlowNode): boolean {
	const broken = linksToNowhere(flow, node);
	return broken.length > 0 && broken.every(({ target }) => flow.suggestId(target) !== undefined);
}

function noWay(node: FlowNode, others: number, inLoop: number): RuleHit {
	const too = others === 0 ? '' : ` So is what follows it: ${otherNodes(others)}.`;
	const from = inLoop > 1 ? 'No node outside its own loop leads to' : 'No node that the conversation reaches leads to';
	return {
		node,
		message: `${node.name} is unreachable. ${from} it, so the agent never gets there.${too}`,
		fix: 'Lead another node to it, or remove it.',
	};
}

function undocumentedWay(node: FlowNode, others: number): RuleHit {
	const too = others === 0 ? '' : ` The same is true of ${otherNodes(others)} after it.`;
	return {
		node,
		severity: 'warning',
		message: `${node.name} is reached only through a field that the service does not document. If the service does not follow that field, the agent never gets there, and the service may reject the flow.${too}`,
		fix: 'Lead the next or a branch of another node to it, if the service rejects the flow.',
	};
}

/** The texts with which a flow or an agent may name an action. Which of them the service expects is not documented. */
function keysOf({ id, node_id }: AgentActionRecord): string[] {
	return [id, node_id].filter((key) => typeof key === 'number' || (typeof key === 'string' && key !== '')).map(String);
}

function nameOf({ name, id }: AgentActionRecord): string {
	return quoted(String(name ?? id));
}

export const actionUnknown: FlowRule = {
	name: 'action-unknown',
	severity: 'error',
	*check({ flow, actions }) {
		if (actions === undefined) {
			return;
		}
		const known = new Set(actions.flatMap(keysOf));
		for (const node of flow.nodes) {
			const given = node.fields[ACTION_FIELD];
			if (typeof given !== 'string' || given === '' || known.has(given)) {
				continue;
			}
			const named = actions.find(({ name }) => name === given);
			const path = `${node.path}.${ACTION_FIELD}`;
			const which =
				named === undefined
					? 'Agent Action → Get Many lists the IDs of the actions of the agent.'
					: `Use the ID of that action: ${quoted(String(named.id))}.`;
			yield {
				node,
				path,
				message: `${node.name} uses the action ${quoted(given)}, which the agent does not have${named ? ' under this ID, but under this name' : ''}. The agent cannot run it.`,
				fix: which,
			};
		}
	},
};

export const actionInactive: FlowRule = {
	name: 'action-inactive',
	severity: 'warning',
	*check({ flow, actions = [] }) {
		const inactive = new Map(
			actions
				.filter(({ current_status }) => current_status === 'inactive')
				.flatMap((action) => keysOf(action).map((key) => [key, action] as const)),
		);
		if (inactive.size === 0) {
			return;
		}
		for (const node of flow.nodes) {
			for (const { text, path } of namesIn(node)) {
				const action = inactive.get(text);
				if (action) {
					yield {
						node,
						path,
						message: `${node.name} uses the action ${nameOf(action)}, which is inactive. The agent may not run it.`,
						fix: 'Set Status of the action to Active with Agent Action → Create or Update, or use another action.',
					};
					break;
				}
			}
		}
	},
};

/** The texts of a node that may name an action: those of undocumented fields, and the ID of an action node. */
function* namesIn(node: FlowNode): Generator<{ text: string; path: string }> {
	yield* textsIn(Object.fromEntries(undocumentedFields(node.fields)), node.path);
	if (node.type === 'action' && node.id !== undefined) {
		yield { text: node.id, path: `${node.path}.id` };
	}
}

export const actionNeverUsed: FlowRule = {
	name: 'action-never-used',
	severity: 'info',
	*check({ flow, actions = [] }) {
		const active = actions.filter((action) => action.current_status !== 'inactive' && keysOf(action).length > 0);
		if (active.length === 0) {
			return;
		}
		const texts = new Set([...textsIn(flow.fields, '')].map(({ text }) => text));
		for (const action of active) {
			if (!keysOf(action).some((key) => texts.has(key))) {
				yield {
					path: '',
					message: `The agent has the action ${nameOf(action)}, but no node of the flow names it. The flow never runs it.`,
					fix: 'Add a node of the type action for it, or ignore this.',
				};
			}
		}
	},
};
