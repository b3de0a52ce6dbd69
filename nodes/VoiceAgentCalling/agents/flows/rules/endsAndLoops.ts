import { isRecord } from '../../../../shared/lib/json';
import { quoted } from '../../../../shared/lib/text';
import type { Flow, FlowNode } from '../flow';
import { groupsOf, reachedFrom, reversed, wayBack } from '../graph';
import type { FlowRule } from './rule';

/** How many nodes of a loop a message names. */
const MAX_STEPS = 6;

const isTerminal = ({ type }: FlowNode) => type === 'end' || type === 'transfer';

/** Returns a path as text: `"a" → "b" → "a"`. */
function asText(way: readonly number[], { nodes }: Flow): string {
	const ids = way.map((index) => quoted(nodes[index].id ?? ''));
	return ids.length > MAX_STEPS ? [...ids.slice(0, MAX_STEPS - 1), '…', ids.at(-1)].join(' → ') : ids.join(' → ');
}

export const deadEnd: FlowRule = {
	name: 'dead-end',
	*check({ flow }) {
		for (const node of flow.nodes) {
			const { type, branches, targets, possibleTargets } = node;
			if (type !== 'ask' && type !== 'action') {
				continue;
			}
			const unclear = 'What happens then is not documented: the call may be silent or end.';
			if (targets.length === 0 && branches.length === 0 && possibleTargets.length === 0) {
				yield {
					node,
					message: `${node.name} leads to no node: nothing follows it. ${unclear}`,
					fix: 'Set next to the ID of the node that follows.',
				};
			}
			for (const branch of branches.filter(({ next }) => next === undefined)) {
				yield {
					node,
					path: branch.path,
					message: `${node.name} has a branch that leads to no node. ${unclear}`,
					fix: 'Set next of the branch to the ID of the node that follows.',
				};
			}
		}
	},
};

/** Functions that may end the conversation at any node. The service documents them as common. */
const ENDING_FUNCTIONS = ['end_conversation', 'transfer_call'];

export const noPathToEnd: FlowRule = {
	name: 'no-path-to-end',
	*check({ flow }) {
		const { fields, nodes } = flow;
		const functions = Array.isArray(fields.global_functions) ? fields.global_functions.filter(isRecord) : [];
		if (functions.some(({ name }) => ENDING_FUNCTIONS.includes(String(name)))) {
			return;
		}
		const ends = nodes.filter((node) => isTerminal(node) || mayEnd(flow, node));
		const canEnd = reachedFrom(
			ends.map(({ index }) => index),
			reversed(flow.possibleEdges),
		);
		const isStuck = (index: number) => !canEnd[index] && flow.isPossiblyReached(index);
		for (const group of groupsOf(flow.possibleEdges, isStuck)) {
			// Another rule reports loops without an ask.
			const ask = group.nodes.map((index) => nodes[index]).find(({ type }) => type === 'ask');
			if (group.hasExit || ask === undefined) {
				continue;
			}
			const way = wayBack(ask.index, flow.possibleEdges, group.nodes);
			yield {
				node: ask,
				message: `${ask.name} is part of a loop from which no way leads to an end or a transfer: ${asText(way, flow)}. The agent never ends the call.`,
				fix: 'Add a branch that leads out of the loop, to a node of the type end or transfer.',
			};
		}
	},
};

/** Whether a node may end the call, because a way out of it is missing, undocumented, or leads to no existing node. */
function mayEnd({ ids }: Flow, { type, branches, targets, possibleTargets }: FlowNode): boolean {
	return (
		type === undefined ||
		possibleTargets.length > 0 ||
		targets.length === 0 ||
		targets.some((target) => !ids.has(target)) ||
		branches.some(({ next }) => next === undefined)
	);
}

/** Finds loops among the nodes that the conversation can reach and that meet a condition. */
function loopsIn(flow: Flow, isIn: (node: FlowNode) => boolean) {
	const isReachedIn = (index: number) => isIn(flow.nodes[index]) && flow.isReached(index);
	return groupsOf(flow.edges, isReachedIn).filter(({ isLoop }) => isLoop);
}

export const loopWithoutAsk: FlowRule = {
	name: 'loop-without-ask',
	*check({ flow }) {
		const { nodes } = flow;
		const continues = ({ type }: FlowNode) => type === 'say' || type === 'decision' || type === 'action';
		for (const loop of loopsIn(flow, continues)) {
			const node = nodes[loop.nodes[0]];
			const way = wayBack(node.index, flow.edges, loop.nodes);
			const decides = loop.nodes.some((index) => nodes[index].type === 'decision');
			const unclear = decides ? ' Whether a decision waits for an answer is not documented.' : '';
			yield {
				node,
				message: `${node.name} is part of a loop without an ask: ${asText(way, flow)}. The agent may go around it forever without listening to the caller.${unclear}`,
				fix: 'Add a node of the type ask to the loop, or lead it to a node outside.',
			};
		}
	},
};

export const loopThroughAction: FlowRule = {
	name: 'loop-through-action',
	*check({ flow }) {
		const { nodes } = flow;
		for (const loop of loopsIn(flow, (node) => !isTerminal(node))) {
			const actions = loop.nodes.map((index) => nodes[index]).filter(({ type }) => type === 'action');
			if (actions.length === 0) {
				continue;
			}
			const [node, ...others] = actions;
			const way = wayBack(node.index, flow.edges, loop.nodes);
			const more =
				others.length === 0
					? ''
					: ` The loop also has ${others.length === 1 ? 'the action' : 'the actions'} ${others
							.slice(0, MAX_STEPS)
							.map(({ id }) => quoted(id ?? ''))
							.join(', ')}.`;
			yield {
				node,
				message: `${node.name} is part of a loop: ${asText(way, flow)}. Each round runs the action again and repeats what it does.${more}`,
				fix: 'Lead the loop past the action, or make sure that the action may run several times.',
			};
		}
	},
};
