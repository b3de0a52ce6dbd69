import { groupBy } from '../../../../shared/lib/collections';
import { quoted, suggester } from '../../../../shared/lib/text';
import { howToWrite, otherNotationsIn } from '../../../callRules/notations';
import { missingFrom, placeholdersIn } from '../../../callRules/placeholders';
import { otherNodes, textsIn, without } from '../flow';
import type { FlowRule, RuleInput } from './rule';

export const placeholderWithoutValue: FlowRule = {
	name: 'placeholder-without-value',
	severity: 'warning',
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
			const also = more === 0 ? '' : `, and so do ${otherNodes(more)}`;
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

/** The placeholders in the texts of a flow, with the place of each. */
function* usedPlaceholders(flow: RuleInput['flow']) {
	for (const { text, path, node } of allTexts(flow)) {
		for (const name of text.includes('{{') ? placeholdersIn([text]) : []) {
			yield { name, path, node };
		}
	}
}

/** The texts of a flow, with the node of each. */
function* allTexts({ fields, nodes }: RuleInput['flow']) {
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
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const [found] = otherNotationsIn(node.fields.content);
			if (found) {
				yield {
					node,
					path: `${node.path}.content`,
					message: `${node.name} contains ${quoted(found.text)}, which is not a placeholder of the form {{name}}. The agent may say it as it stands.`,
					fix: howToWrite(found),
				};
			}
		}
	},
};
