import { isBlank, isRecord } from '../../../../shared/lib/json';
import { quoted } from '../../../../shared/lib/text';
import { type Flow, type FlowNode, undocumentedFields } from '../flow';
import { type Edges, groupsOf, reachedFrom, reversed, wayBack } from '../graph';
import { endsOpen } from '../ways';
import type { FlowRule } from './rule';

/** A longer way is cut in a message. */
const MAX_STEPS = 6;

const isTerminal = ({ type }: FlowNode) => type === 'end' || type === 'transfer';

/** `"a" → "b" → "a"` */
function asText(way: readonly number[], { nodes }: Flow): string {
	const ids = way.map((index) => quoted(nodes[index].id ?? ''));
	return ids.length > MAX_STEPS ? [...ids.slice(0, MAX_STEPS - 1), '…', ids.at(-1)].join(' → ') : ids.join(' → ');
}

export const deadEnd: FlowRule = {
	name: 'dead-end',
	severity: 'warning',
	*check({ flow }) {
		for (const node of flow.nodes) {
			const { type, fields, branches, links, possibleLinks } = node;
			if (type !== 'ask' && type !== 'action') {
				continue;
			}
			const unclear = 'What happens then is not documented: the call may be silent or end.';
			if (fields.branches !== undefined && !Array.isArray(fields.branches)) {
				yield {
					node,
					path: `${node.path}.branches`,
					message: `${node.name} has branches that are not a list: the service documents only a list. ${unclear}`,
					fix: 'Make branches a list of objects with match and next.',
				};
			} else if (links.length === 0 && branches.length === 0 && possibleLinks.length === 0) {
				yield {
					node,
					message: `${node.name} has neither next nor branches: nothing follows it. ${unclear}`,
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

/** Functions that may end the conversation at any node; the service names them as common. */
const ENDING_FUNCTIONS = ['end_conversation', 'transfer_call'];

export const noPathToEnd: FlowRule = {
	name: 'no-path-to-end',
	severity: 'warning',
	*check({ flow, ways }) {
		const { fields, nodes } = flow;
		const functions = Array.isArray(fields.global_functions) ? fields.global_functions.filter(isRecord) : [];
		if (functions.some(({ name }) => ENDING_FUNCTIONS.includes(String(name)))) {
			return;
		}
		// What follows a missing or undocumented way is not known: it may end the call.
		const ends = nodes.filter((node) => isTerminal(node) || endsOpen(flow, node));
		const canEnd = reachedFrom(
			ends.map(({ index }) => index),
			reversed(ways.possibleEdges),
		);
		const isStuck = (index: number) => !canEnd[index] && (ways.possiblyReached?.[index] ?? true);
		for (const group of groupsOf(ways.possibleEdges, isStuck)) {
			// A loop without an ask has its own rule.
			const ask = group.nodes.map((index) => nodes[index]).find(({ type }) => type === 'ask');
			if (group.hasExit || ask === undefined) {
				continue;
			}
			const way = wayBack(ask.index, ways.possibleEdges, group.nodes);
			yield {
				node: ask,
				message: `${ask.name} is part of a loop from which no way leads to an end or a transfer: ${asText(way, flow)}. The agent never ends the call.`,
				fix: 'Add a branch that leads out of the loop, to a node of the type end or transfer.',
			};
		}
	},
};

/** The loops among some nodes that the conversation can reach. */
function loopsIn(edges: Edges, isIn: (index: number) => boolean) {
	return groupsOf(edges, isIn).filter(({ isLoop }) => isLoop);
}

export const loopWithoutAsk: FlowRule = {
	name: 'loop-without-ask',
	severity: 'warning',
	*check({ flow, ways }) {
		const { nodes } = flow;
		const goesOn = (index: number) => {
			const { type } = nodes[index];
			return type === 'say' || type === 'decision' || type === 'action';
		};
		const isIn = (index: number) => goesOn(index) && (ways.reached?.[index] ?? true);
		for (const loop of loopsIn(ways.edges, isIn)) {
			const node = nodes[loop.nodes[0]];
			const way = wayBack(node.index, ways.edges, loop.nodes);
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
	severity: 'warning',
	*check({ flow, ways }) {
		const { nodes } = flow;
		const isIn = (index: number) => !isTerminal(nodes[index]) && (ways.reached?.[index] ?? true);
		for (const loop of loopsIn(ways.edges, isIn)) {
			const actions = loop.nodes.map((index) => nodes[index]).filter(({ type }) => type === 'action');
			if (actions.length === 0) {
				continue;
			}
			const [node, ...others] = actions;
			const way = wayBack(node.index, ways.edges, loop.nodes);
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

export const nextIgnored: FlowRule = {
	name: 'next-ignored',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { type, fields } = node;
			if (type === 'end' || type === 'transfer') {
				const given = ['next', 'branches'].filter((name) => !isEmpty(fields[name]));
				if (given.length > 0) {
					const over = type === 'end' ? 'the call ends there' : 'the agent leaves the call there';
					yield {
						node,
						path: `${node.path}.${given[0]}`,
						message: `${node.name} has ${given.join(' and ')}, but ${over}. What follows it is probably ignored: the service does not document it.`,
						fix: `Remove ${given.join(' and ')}${type === 'end' ? ', or use another type if the conversation is to continue' : ', and nodes that nothing else leads to'}.`,
					};
				}
			} else if (type === 'decision' && !isEmpty(fields.next) && node.branches.length > 0) {
				yield {
					node,
					path: `${node.path}.next`,
					message: `${node.name} has a next besides its branches. The service documents only the branches of a decision: if the caller says something else, next may be ignored.`,
					fix: 'Add a branch for other answers that leads there, and remove next.',
				};
			}
		}
	},
};

export const transferWithoutTarget: FlowRule = {
	name: 'transfer-without-target',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const given = undocumentedFields(node.fields).filter(([, value]) => value !== null && value !== '');
			if (node.type === 'transfer' && given.length === 0) {
				yield {
					node,
					message: `${node.name} does not say whom the caller is transferred to. The transfer may fail. Which field says it is not documented.`,
					fix: 'Add the target as your other flows have it, and try it in a test call.',
				};
			}
		}
	},
};

function isEmpty(value: unknown): boolean {
	return isBlank(value) || (Array.isArray(value) && value.length === 0);
}
