import { groupBy } from '../../../shared/lib/groupBy';
import { suggester } from '../../../shared/lib/suggester';
import { missingFrom, placeholdersIn } from '../../readiness/placeholders';
import { otherNodes, quoted, textsIn, without } from '../flow';
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
		const missing = new Set(missingFrom(payload, [...places.keys()]));
		for (const [name, used] of [...places].filter(([each]) => missing.has(each))) {
			const [{ node, path }] = used;
			const more = new Set(used.filter((place) => place.node !== node).map((place) => place.node)).size;
			const also = more === 0 ? '' : `, and so do ${otherNodes(more)}`;
			const meant = Object.hasOwn(payload, name) ? undefined : suggest(name);
			yield {
				node,
				path,
				message: `${node?.name ?? 'The flow'} uses {{${name}}}${also}, which has no value in the sample payload. The agent may say the placeholder itself, or nothing.`,
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

/** What is in one or more braces. */
const IN_BRACES = /(?<!\{)(\{+)([^{}]*)(\}+)/g;

/** Braces that are not closed, at the end of a text or before other ones. */
const NOT_CLOSED = /\{\{[^{}]*(?:$|\{)/;

/** What the name of a variable may be in single braces: there, more may be meant as it is. */
const PLAIN_NAME = /^\s*[\p{L}_][\p{L}\p{N}_.-]*\s*$/u;

/** @returns what is wrong with a placeholder of a text; undefined if nothing is */
function malformed(content: string): { text: string; name?: string } | undefined {
	for (const [text, opening, inner, closing] of content.matchAll(IN_BRACES)) {
		const isDouble = opening.length === 2 && closing.length === 2;
		if (isDouble && placeholdersIn([text]).length === 1) {
			continue;
		}
		if (isDouble || PLAIN_NAME.test(inner)) {
			return { text, name: PLAIN_NAME.test(inner) ? inner.trim() : undefined };
		}
	}
	const open = NOT_CLOSED.exec(content);
	return open ? { text: open[0] } : undefined;
}

export const placeholderMalformed: FlowRule = {
	name: 'placeholder-malformed',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { content } = node.fields;
			const found = typeof content === 'string' && content.includes('{') ? malformed(content) : undefined;
			if (found) {
				const isExpression = /^\{\{\s*\$/.test(found.text);
				yield {
					node,
					path: `${node.path}.content`,
					message: `${node.name} contains ${quoted(found.text)}, which is not a placeholder of the form {{name}}. The agent may say it as it stands.`,
					fix: isExpression
						? 'This looks like an expression of n8n: switch the field to Expression, so that n8n fills it in.'
						: found.name === undefined
							? 'Write the name of the variable in two braces: letters, digits, dots, hyphens and underscores.'
							: `Write {{${found.name}}}.`,
				};
			}
		}
	},
};
