import { groupBy } from '../../../shared/lib/groupBy';
import { type FlowNode, nonEmptyText, otherNodes, quoted, undocumentedFields, withinSentence } from '../flow';
import { type FlowRule, helloNode } from './rule';

const saying = (content: string) => [{ ...helloNode, content }];

const transferring = (more: object) => ({
	initial_node_id: 'hello',
	nodes: [
		{ ...helloNode, next: 'desk' },
		{ id: 'desk', type: 'transfer', ...more },
	],
});

export const transferWithoutTarget: FlowRule = {
	name: 'transfer-without-target',
	severity: 'warning',
	bad: transferring({}),
	why: 'The node does not say whom the caller is transferred to. Which field does is not documented: any field besides `id`, `type`, `content`, `next` and `branches` counts.',
	good: transferring({ transfer_to: '+12025550123' }),
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

/**
 * In characters. At 15 characters per second, the agent speaks for 40 seconds, which most people interrupt.
 */
const MAX_SPOKEN = 600;

export const textTooLong: FlowRule = {
	name: 'text-too-long',
	severity: 'info',
	bad: saying(`Hello! ${'We have much to tell. '.repeat(28)}`.trim()),
	why: `The agent speaks for more than 40 seconds without a pause: over ${MAX_SPOKEN} characters, at about 15 in a second.`,
	good: saying('Hello! We have much to tell. Shall I go on?'),
	*check({ flow: { nodes } }) {
		for (const node of nodes) {
			const { content } = node.fields;
			if (typeof content === 'string' && content.length > MAX_SPOKEN) {
				yield {
					node,
					path: `${node.path}.content`,
					message: `${node.name} has a text of ${content.length} characters. The agent speaks for about ${Math.round(content.length / 15)} seconds without a pause.`,
					fix: 'Split the text, and ask in between.',
				};
			}
		}
	},
};

export const duplicateContent: FlowRule = {
	name: 'duplicate-content',
	severity: 'info',
	bad: [
		{ ...helloNode, next: 'again' },
		{ ...helloNode, id: 'again' },
	],
	why: 'Two nodes of a type say the same. A change of one may be forgotten in the other.',
	good: [helloNode],
	*check({ flow: { nodes } }) {
		const byText = groupBy(nodes, ({ type, fields }) => {
			const content = nonEmptyText(fields.content)?.trim().replace(/\s+/g, ' ').toLowerCase();
			return content && (type === 'say' || type === 'ask') ? `${type} ${content}` : undefined;
		});
		for (const [first, second, ...more] of byText.values()) {
			if (second !== undefined) {
				yield {
					node: second,
					path: `${second.path}.content`,
					message: `${second.name} says the same as ${first.id === undefined ? `the node at ${first.path}` : quoted(first.id)}${more.length === 0 ? '' : `, and so do ${otherNodes(more.length)}`}. A change of one may be forgotten in the other.`,
					fix: 'Lead to one node from both places, or say something different.',
				};
			}
		}
	},
};

export const idsDifferByCase: FlowRule = {
	name: 'ids-differ-by-case',
	severity: 'info',
	bad: [
		{ ...helloNode, next: 'Hello' },
		{ id: 'Hello', type: 'say', content: 'How are you?', next: 'bye' },
	],
	why: 'Such IDs are easily confused. Whether the service treats them as the same is not documented.',
	good: [
		{ ...helloNode, next: 'how' },
		{ id: 'how', type: 'say', content: 'How are you?', next: 'bye' },
	],
	*check({ flow: { byId } }) {
		const first = new Map<string, string>();
		for (const [id, [node]] of byId) {
			const lower = id.toLowerCase();
			const earlier = first.get(lower);
			if (earlier === undefined) {
				first.set(lower, id);
			} else {
				yield {
					node,
					path: `${node.path}.id`,
					message: `${node.name} differs from ${quoted(earlier)} only in upper and lower case. The two are easily confused.`,
					fix: 'Rename one of them, also in the next of other nodes.',
				};
			}
		}
	},
};

export const askAnswerUnused: FlowRule = {
	name: 'ask-answer-unused',
	severity: 'info',
	bad: [{ id: 'name', type: 'ask', content: 'What is your name?', next: 'bye' }],
	why: 'No decision and no action follows the question, and the node has no field that may store the answer. Which field does is not documented. The answer is still in the transcript.',
	good: [
		{
			id: 'name',
			type: 'ask',
			content: 'Shall I tell you the price?',
			next: 'want',
		},
		{
			id: 'want',
			type: 'decision',
			branches: [
				{ match: 'Yes', next: 'price' },
				{ match: 'default', next: 'bye' },
			],
		},
		{ id: 'price', type: 'say', content: 'It costs 9 euros.', next: 'bye' },
	],
	*check({ flow, ways }) {
		const isUsed = usesAnswers(flow.nodes, ways.possibleEdges);
		for (const node of flow.nodes) {
			const [follower, ...others] = ways.edges[node.index];
			const isPlain = node.branches.length === 0 && undocumentedFields(node.fields).length === 0;
			if (node.type === 'ask' && isPlain && follower !== undefined && others.length === 0 && !isUsed(follower)) {
				yield {
					node,
					message: `Nothing uses the answer to ${withinSentence(node)}: no decision or action follows. Whatever the caller says, the conversation continues in the same way.`,
					fix: 'Lead it to a decision or an action, or make it a say.',
				};
			}
		}
	},
};

/** Makes a function that tells whether a node uses the answer to an earlier question, or what follows it through says. */
function usesAnswers(nodes: readonly FlowNode[], edges: ReadonlyArray<readonly number[]>) {
	const known = new Map<number, boolean>();
	return (start: number): boolean => {
		const way: number[] = [];
		let node = start;
		while (nodes[node].type === 'say' && edges[node].length > 0 && !known.has(node)) {
			// Until the end of the way is known: a loop of says uses no answer.
			known.set(node, false);
			way.push(node);
			[node] = edges[node];
		}
		const { type } = nodes[node];
		const used = known.get(node) ?? (type === 'decision' || type === 'action' || type === undefined);
		for (const step of way) {
			known.set(step, used);
		}
		return used;
	};
}
