import { groupBy } from '../../../../shared/lib/collections';
import { quantity, quoted, suggester } from '../../../../shared/lib/text';
import { howToWrite, otherNotationsIn } from '../../../callRules/notations';
import { missingFrom, placeholdersIn } from '../../../callRules/placeholders';
import { type Flow, type FlowNode, textsIn, undocumentedFields, without } from '../flow';
import type { AgentActionRecord, FlowRule } from './rule';

export const placeholderWithoutValue: FlowRule = {
	name: 'placeholder-without-value',
	*check({ flow, payload }) {
		if (payload === undefined) {
			return;
		}
		const places = groupBy(usedPlaceholders(flow), ({ name }) => name);
		const suggest = suggester(Object.keys(payload));
		const missing = new Map(missingFrom(payload, [...places.keys()]).map(({ name, instead }) => [name, instead]));
		for (const [name, used] of [...places].filter(([each]) => missing.has(each))) {
			const instead = missing.get(name);
			const [{ node, path }] = used;
			const more = new Set(used.filter((place) => place.node !== node).map((place) => place.node)).size;
			const also = more === 0 ? '' : `, and so do ${quantity(more, 'other node')}`;
			const meant = Object.hasOwn(payload, name) ? undefined : suggest(name);
			yield {
				node,
				path,
				message: `${node?.name ?? 'The flow'} uses {{${name}}}${also}, which ${instead === undefined ? 'has no value' : `is ${instead}, not a text,`} in the sample payload. The agent may say the placeholder itself, or nothing.`,
				fix:
					meant === undefined
						? 'Send a value with each call, in Agent Variables, or remove the placeholder.'
						: `Did you mean {{${meant}}}? Otherwise send a value with each call, in Agent Variables.`,
			};
		}
	},
};

/** Finds the placeholders in the texts of a flow, with the place of each. */
function* usedPlaceholders(flow: Flow) {
	for (const { text, path, node } of allTexts(flow)) {
		for (const name of text.includes('{{') ? placeholdersIn([text]) : []) {
			yield { name, path, node };
		}
	}
}

/** Finds the texts of a flow, with the node of each. */
function* allTexts({ fields, nodes }: Flow) {
	for (const found of textsIn(without(fields, ['nodes']), '')) {
		yield { ...found, node: undefined };
	}
	for (const node of nodes) {
		for (const found of textsIn(node.fields, node.path)) {
			yield { ...found, node };
		}
	}
}

export const placeholderMalformed: FlowRule = {
	name: 'placeholder-malformed',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const [found] = otherNotationsIn(node.fields.content);
			if (found) {
				yield {
					node,
					path: `${node.path}.content`,
					message: `${node.name} contains ${quoted(found.text)}, which is not a placeholder of the form {{name}}. The agent may say it unchanged.`,
					fix: howToWrite(found),
				};
			}
		}
	},
};

/** Returns the IDs by which a flow may name an action. Which of them the service expects is not documented. */
function keysOf({ id, node_id }: AgentActionRecord): string[] {
	return [id, node_id].filter((key) => typeof key === 'number' || (typeof key === 'string' && key !== '')).map(String);
}

export const actionInactive: FlowRule = {
	name: 'action-inactive',
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
					const name = quoted(String(action.name ?? action.id));
					yield {
						node,
						path,
						message: `${node.name} uses the action ${name}, which is inactive. The agent may not run it.`,
						fix: 'Set Status of the action to Active with Agent Action → Create or Update, or use another action.',
					};
					break;
				}
			}
		}
	},
};

/** Finds texts of a node that may name an action: in undocumented fields, and as the ID of an action node. */
function* namesIn(node: FlowNode): Generator<{ text: string; path: string }> {
	yield* textsIn(undocumentedFields(node.fields), node.path);
	if (node.type === 'action' && node.id !== undefined) {
		yield { text: node.id, path: `${node.path}.id` };
	}
}
