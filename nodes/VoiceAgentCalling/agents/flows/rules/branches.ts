import { quoted } from '../../../../shared/lib/text';
import type { FlowBranch } from '../flow';
import type { FlowRule } from './rule';

/** Words that may mark a branch for all other replies. The service does not document such a word. */
const DEFAULT_WORDS =
	/^(\*|\.\*|_+default_+|catch ?all|default|fallback|otherwise|(any|every)(thing)?( else)?|else|none of (the above|these)|no ?match|(all |any |something |everything )?others?( answers?| values?| cases?)?|any (other )?answers?|(something|everything) else|(the )?rest)$/;

/** Returns a `match` as text: as JSON unless it is a string. */
function textOfMatch(match: unknown): string {
	return typeof match === 'string' ? match : String(JSON.stringify(match));
}

/** Case, spaces and hyphens are ignored, because callers speak. */
function normalized(match: unknown): string {
	return textOfMatch(match)
		.trim()
		.replace(/[\s-]+/g, ' ')
		.toLowerCase();
}

/** Whether a `match` is missing or empty, so that it may match every reply. */
function isBlankMatch({ match }: FlowBranch): boolean {
	return match === undefined || match === null || (typeof match === 'string' && match.trim() === '');
}

export const decisionWithoutDefault: FlowRule = {
	name: 'decision-without-default',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { type, branches, fields } = node;
			const isDefault = ({ match }: FlowBranch) => typeof match === 'string' && DEFAULT_WORDS.test(normalized(match));
			const hasDefault = branches.some((branch) => isBlankMatch(branch) || isDefault(branch));
			const hasNext = fields.next !== undefined && fields.next !== null && fields.next !== '';
			if (type === 'decision' && branches.length > 0 && !hasDefault && !hasNext) {
				yield {
					node,
					path: `${node.path}.branches`,
					message: `${node.name} has no branch for other answers. If the caller says something else, the flow does not define what happens.`,
					fix: 'Add a branch for all other answers, such as one with the match "default". How branches match is not documented: try it in a test call.',
				};
			}
		}
	},
};

export const duplicateMatch: FlowRule = {
	name: 'duplicate-match',
	*check({ flow: { nodes } }) {
		for (const node of nodes.filter(({ type }) => type !== 'end' && type !== 'transfer')) {
			const first = new Map<string, FlowBranch>();
			for (const branch of node.branches.filter((each) => !isBlankMatch(each))) {
				const key = normalized(branch.match);
				const earlier = first.get(key);
				if (earlier === undefined) {
					first.set(key, branch);
					continue;
				}
				yield {
					node,
					path: `${branch.path}.match`,
					message: `${node.name} has two branches for ${quoted(textOfMatch(branch.match))}, the first at ${earlier.path}. Only one of them can be taken${branch.next === earlier.next ? '' : '; which one is not documented'}.`,
					fix: 'Remove one of them, or change its match.',
				};
			}
		}
	},
};
