import { quoted } from '../../../../shared/lib/text';
import type { FlowRule } from './rule';

export const noFirstNode: FlowRule = {
	name: 'no-first-node',
	*check({ flow: { fields, ids } }) {
		const { initial_node_id: first } = fields;
		if (typeof first !== 'string' || !ids.has(first)) {
			const named = typeof first === 'string' && first !== '';
			yield {
				path: 'initial_node_id',
				message: `${named ? `The first node ${quoted(first)} does not exist` : 'The first node is missing'}. The conversation cannot start.`,
				fix: 'Set initial_node_id to the ID of a node.',
			};
		}
	},
};

export const unknownNode: FlowRule = {
	name: 'unknown-node',
	*check({ flow: { nodes, ids } }) {
		for (const node of nodes.filter(({ type }) => type !== 'end')) {
			const places = [{ path: node.path, next: node.fields.next }, ...node.branches];
			for (const { path, next } of places) {
				if (typeof next === 'string' && next !== '' && !ids.has(next)) {
					yield {
						node,
						path: `${path}.next`,
						message: `${node.name} leads to ${quoted(next)}, which does not exist. The conversation does not continue there.`,
						fix: 'Set next to the ID of a node, or add the node.',
					};
				}
			}
		}
	},
};

export const duplicateNode: FlowRule = {
	name: 'duplicate-node',
	*check({ flow: { nodes } }) {
		const first = new Map<string, string>();
		for (const node of nodes) {
			const earlier = node.id === undefined ? undefined : first.get(node.id);
			if (earlier !== undefined) {
				yield {
					node,
					path: `${node.path}.id`,
					message: `${node.name} has the ID of the node at ${earlier}. The conversation can get to only one of them.`,
					fix: 'Give each node an ID of its own.',
				};
			} else if (node.id !== undefined) {
				first.set(node.id, node.path);
			}
		}
	},
};
