import { type FlowBranch, type FlowNode, quotedMatch, textOfMatch } from '../flow';
import type { FlowRule } from './rule';

/** Words of a branch that is meant for all answers; no such word is documented. */
const DEFAULT_WORDS =
	/^(\*|\.\*|_+default_+|catch ?all|default|fallback|otherwise|(any|every)(thing)?( else)?|else|none of (the above|these)|no ?match|(all |any |something |everything )?others?( answers?| values?| cases?)?|any (other )?answers?|(something|everything) else|(the )?rest)$/;

/** Case and spaces do not count: callers speak. */
function normalized(match: unknown): string {
	return textOfMatch(match)
		.trim()
		.replace(/[\s-]+/g, ' ')
		.toLowerCase();
}

function isEmpty({ match }: FlowBranch): boolean {
	return match === null || (typeof match === 'string' && match.trim() === '');
}

function isDefault({ match }: FlowBranch): boolean {
	return typeof match === 'string' && DEFAULT_WORDS.test(normalized(match));
}

/** The nodes of which branches can be compared, with the branches that have a `match`. */
function* branching(nodes: readonly FlowNode[]): Generator<{ node: FlowNode; branches: FlowBranch[] }> {
	for (const node of nodes) {
		const branches = node.branches.filter(({ match }) => match !== undefined);
		if (branches.length > 0 && node.type !== 'end' && node.type !== 'transfer') {
			yield { node, branches };
		}
	}
}

export const decisionWithoutDefault: FlowRule = {
	name: 'decision-without-default',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { type, branches, fields } = node;
			const hasOther = branches.some((branch) => branch.match === undefined || isEmpty(branch) || isDefault(branch));
			const hasNext = fields.next !== undefined && fields.next !== null && fields.next !== '';
			if (type === 'decision' && branches.length > 0 && !hasOther && !hasNext) {
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
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const { node, branches } of branching(nodes)) {
			const first = new Map<string, FlowBranch>();
			for (const branch of branches.filter((each) => !isEmpty(each))) {
				const key = normalized(branch.match);
				const earlier = first.get(key);
				if (earlier === undefined) {
					first.set(key, branch);
					continue;
				}
				yield {
					node,
					path: `${branch.path}.match`,
					message: `${node.name} has two branches for ${quotedMatch(branch.match)}, the first at ${earlier.path}. Only one of them can be taken${branch.next === earlier.next ? '' : '; which one is not documented'}.`,
					fix: 'Remove one of them, or change its match.',
				};
			}
		}
	},
};

export const matchEmpty: FlowRule = {
	name: 'match-empty',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const { node, branches } of branching(nodes)) {
			for (const branch of branches.filter(isEmpty)) {
				yield {
					node,
					path: `${branch.path}.match`,
					message: `${node.name} has a branch with an empty match. Whether it is taken for every answer or for none is not documented.`,
					fix: 'Set match to an answer. For all other answers, use a word such as "default".',
				};
			}
		}
	},
};

export const branchNeverTaken: FlowRule = {
	name: 'branch-never-taken',
	severity: 'warning',
	*check({ flow: { nodes } }) {
		for (const { node, branches } of branching(nodes)) {
			const all = branches.findIndex(isDefault);
			// A repeated match has its own rule.
			const later = all < 0 ? [] : branches.slice(all + 1).filter((branch) => !isEmpty(branch) && !isDefault(branch));
			if (later.length > 0) {
				const [branch] = later;
				const which =
					later.length === 1
						? `its branch for ${quotedMatch(branch.match)} after`
						: `${later.length} branches, the first for ${quotedMatch(branch.match)}, after`;
				yield {
					node,
					path: branch.path,
					message: `${node.name} has ${which} the one for all answers, ${quotedMatch(branches[all].match)}. If branches are tried in their order, which is not documented, ${later.length === 1 ? 'it is' : 'they are'} never taken.`,
					fix: 'Move the branch for all answers to the end.',
				};
			}
		}
	},
};
