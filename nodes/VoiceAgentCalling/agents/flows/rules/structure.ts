import { kindOf } from '../../../../shared/fields/field';
import { isBlank, isRecord } from '../../../../shared/lib/json';
import { quoted, suggester } from '../../../../shared/lib/text';
import { type FlowNode, gotInstead, nodeTypes, nonEmptyText, quotedMatch } from '../flow';
import type { FlowRule, RuleHit } from './rule';

/** Words that other systems use for the types of nodes. */
const otherWords: Record<string, string> = {
	speak: 'say',
	message: 'say',
	text: 'say',
	question: 'ask',
	gather: 'ask',
	listen: 'ask',
	input: 'ask',
	branch: 'decision',
	condition: 'decision',
	if: 'decision',
	router: 'decision',
	switch: 'decision',
	function: 'action',
	tool: 'action',
	webhook: 'action',
	forward: 'transfer',
	handoff: 'transfer',
	exit: 'end',
	finish: 'end',
	hangup: 'end',
	stop: 'end',
};

const suggestType = suggester([...nodeTypes, ...Object.keys(otherWords)]);

export const flowEmpty: FlowRule = {
	name: 'flow-empty',
	severity: 'error',
	*check({ flow: { fields, nodes } }) {
		if (nodes.length > 0) {
			return;
		}
		const what = Array.isArray(fields.nodes)
			? 'no nodes'
			: fields.nodes === undefined
				? 'no field nodes'
				: `nodes that are ${kindOf(fields.nodes)}, not a list`;
		yield {
			path: 'nodes',
			message: `The flow has ${what}. There is no conversation to lead.`,
			fix: 'Add a list nodes with at least one node, such as {"id": "bye", "type": "end"}.',
		};
	},
};

export const initialMissing: FlowRule = {
	name: 'initial-missing',
	severity: 'error',
	*check({ flow: { fields, nodes, initialId } }) {
		if (initialId !== undefined) {
			return;
		}
		const first = nodes.find(({ id }) => id !== undefined)?.id;
		yield {
			path: 'initial_node_id',
			message: `The flow has ${gotInstead('initial_node_id', fields.initial_node_id)}. It does not say with which node the conversation starts.`,
			fix: `Set initial_node_id to the ID of the first node${first === undefined ? '' : `, such as ${quoted(first)}`}.`,
		};
	},
};

export const initialUnknown: FlowRule = {
	name: 'initial-unknown',
	severity: 'error',
	*check({ flow: { nodes, initialId, initial, suggestId } }) {
		if (initialId === undefined || initial.length > 0 || nodes.length === 0) {
			return;
		}
		const meant = suggestId(initialId);
		yield {
			path: 'initial_node_id',
			message: `The conversation starts with the node ${quoted(initialId)}, which does not exist. It cannot start.`,
			fix: meant === undefined ? 'Set initial_node_id to the ID of a node.' : `Did you mean ${quoted(meant)}?`,
		};
	},
};

export const idMissing: FlowRule = {
	name: 'id-missing',
	severity: 'error',
	*check({ flow: { nodes, fields } }) {
		for (const node of nodes.filter(({ id }) => id === undefined)) {
			const given = (fields.nodes as unknown[])[node.index];
			const what = isRecord(given) ? `has ${gotInstead('id', node.fields.id)}` : `is ${kindOf(given)}, not an object`;
			yield {
				node,
				message: `${node.name} ${what}. No other node can lead to it.`,
				fix: 'Give the node an id: a text that no other node has.',
			};
		}
	},
};

export const idDuplicate: FlowRule = {
	name: 'id-duplicate',
	severity: 'error',
	*check({ flow: { byId } }) {
		for (const [id, same] of byId) {
			if (same.length > 1) {
				yield {
					node: same[1],
					path: `${same[1].path}.id`,
					message: `${same.length === 2 ? 'Two' : same.length} nodes have the ID ${quoted(id)}, the first at ${same[0].path}. It is not defined to which of them others lead.`,
					fix: 'Give each node its own id, and correct the next of the nodes that lead to it.',
				};
			}
		}
	},
};

export const typeUnknown: FlowRule = {
	name: 'type-unknown',
	severity: 'error',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { type } = node.fields;
			if (node.type !== undefined || isBlank(type)) {
				continue;
			}
			const suggested = typeof type === 'string' ? suggestType(type) : undefined;
			const meant = suggested === undefined ? undefined : (otherWords[suggested] ?? suggested);
			yield {
				node,
				path: `${node.path}.type`,
				message: `${node.name} has ${typeof type === 'string' ? `the type ${quoted(type)}` : gotInstead('type', type)}. The service has no such type.`,
				fix:
					meant === undefined
						? 'Use one of the types say, ask, decision, action, transfer and end.'
						: `Did you mean "${meant}"?`,
			};
		}
	},
};

export const fieldMissing: FlowRule = {
	name: 'field-missing',
	severity: 'error',
	*check({ flow: { fields, nodes } }) {
		// What is not an object has no ID either, which has its own rule.
		for (const node of nodes.filter(({ index }) => isRecord((fields.nodes as unknown[])[index]))) {
			const { type } = node.fields;
			if (isBlank(type)) {
				yield {
					node,
					path: `${node.path}.type`,
					message: `${node.name} has ${typeof type === 'string' ? 'an empty type' : 'no type'}. The service does not know what to do there.`,
					fix: 'Set type to say, ask, decision, action, transfer or end.',
				};
			} else if (node.type === 'say') {
				yield* missingInSay(node);
			} else if (node.type === 'decision') {
				yield* missingInDecision(node);
			}
		}
	},
};

function* missingInSay(node: FlowNode): Generator<RuleHit> {
	const { content, next } = node.fields;
	if (nonEmptyText(content) === undefined || isBlank(content)) {
		yield {
			node,
			path: `${node.path}.content`,
			message: `${node.name} has ${gotInstead('content', content)}. There is nothing to say.`,
			fix: 'Set content to the words that the agent says.',
		};
	}
	if (nonEmptyText(next) === undefined) {
		yield {
			node,
			path: `${node.path}.next`,
			message: `${node.name} has ${gotInstead('next', next)}. The conversation does not continue after it.`,
			fix: 'Set next to the ID of the node that follows; a node of the type end ends the call.',
		};
	}
}

function* missingInDecision(node: FlowNode): Generator<RuleHit> {
	const { branches } = node.fields;
	if (node.branches.length === 0) {
		const what =
			branches === undefined || Array.isArray(branches)
				? 'no branches'
				: `branches that are ${kindOf(branches)}, not a list`;
		yield {
			node,
			path: `${node.path}.branches`,
			message: `${node.name} has ${what}. The conversation does not continue after it.`,
			fix: 'Set branches to a list of objects with match and next.',
		};
	}
	for (const { index, path, fields, match, next } of node.branches) {
		if (fields === undefined) {
			const given = (branches as unknown[])[index];
			yield {
				node,
				path,
				message: `${node.name} has a branch at ${path} that is ${kindOf(given)}, not an object. It leads nowhere.`,
				fix: 'Make the branch an object with match and next.',
			};
			continue;
		}
		if (next === undefined) {
			yield {
				node,
				path: `${path}.next`,
				message: `${node.name} has a branch with ${gotInstead('next', fields.next)}${match === undefined ? '' : `, for ${quotedMatch(match)}`}. The conversation does not continue after it.`,
				fix: 'Set next of the branch to the ID of the node that follows.',
			};
		}
		if (match === undefined) {
			yield {
				node,
				path: `${path}.match`,
				message: `${node.name} has a branch with no match. It is not defined which answers take it.`,
				fix: 'Set match of the branch to the answer that it is for.',
			};
		}
	}
}
