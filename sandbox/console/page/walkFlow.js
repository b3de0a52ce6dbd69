const TYPES = ['say', 'ask', 'decision', 'action', 'transfer', 'end'];
/** The fields that a step shows in a way of its own. */
const SHOWN = ['id', 'type', 'name', 'content', 'next', 'branches', 'action_id'];
const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

const isText = (value) => typeof value === 'string' && value !== '';

/** A value of a flow as text; any JSON can stand anywhere in a flow. */
export function asText(value) {
	return typeof value === 'string' ? value : JSON.stringify(value ?? undefined) || '';
}

/**
 * Where a node leads to: its branches, then its `next`.
 * @returns {Array<{text: string, to: string | null, isNext: boolean}>} `text` is the condition of a branch
 */
export function waysOf({ type, next, branches }) {
	if (type === 'end') {
		return [];
	}
	return [
		...(Array.isArray(branches) ? branches : []).map((branch) => ({
			text: [branch?.label, branch?.match].map(asText).filter(Boolean).join(': '),
			to: isText(branch?.next) ? branch.next : null,
			isNext: false,
		})),
		...(isText(next) ? [{ text: '', to: next, isNext: true }] : []),
	];
}

/** The action of the agent that a node names. */
export function actionOf({ action_id }, actions) {
	return actions.find(({ id, node_id }) => isText(action_id) && [id, node_id].includes(action_id));
}

/** The fields of a node that are not documented, and so have no place of their own. */
export function otherFields(node) {
	return Object.fromEntries(Object.entries(node).filter(([name]) => !SHOWN.includes(name)));
}

/** The names of the variables in what the agent says, in their order. */
export function variablesIn(flow) {
	const texts = [...nodesById(flow).nodes.values()].map(({ content }) => asText(content));
	const names = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name.trim()));
	return [...new Set(names.filter(Boolean))];
}

/** What the agent says. @param {Map<string, string>} values of variables; a variable without one is its name */
export function fillIn(content, values) {
	return asText(content).replace(PLACEHOLDER, (placeholder, given) => {
		const name = given.trim();
		return name ? (values.get(name) ?? name) : placeholder;
	});
}

/** What may go wrong at a node, though the conversation goes on. */
export function warningsOf(node, actions) {
	const warnings = [];
	if (!TYPES.includes(node.type)) {
		warnings.push(`The type ${JSON.stringify(node.type ?? null)} is not documented: the service may refuse the flow.`);
	}
	if (node.type === 'say' && asText(node.content).trim() === '') {
		warnings.push('The node has no content: the agent says nothing.');
	}
	if (node.type === 'action') {
		const action = actionOf(node, actions);
		if (!action) {
			const id = isText(node.action_id) ? `The agent has no action "${node.action_id}"` : 'The node has no action_id';
			warnings.push(`${id}: no action would be sent.`);
		} else if (action.current_status === 'inactive') {
			warnings.push('The action is inactive: it may not be sent.');
		}
	}
	return warnings;
}

/**
 * Goes through a flow from its initial node.
 * @param {any} flow
 * @param {number[]} choices the way that is taken at each node: its index in `waysOf`
 * @returns {{steps: Array<{node: any, ways: ReturnType<typeof waysOf>, chosen: number | undefined}>, problem: string | null}}
 * the nodes so far, the current one last, and why the walk stops there if the flow is broken
 */
export function walkFlow(flow, choices) {
	const { nodes, repeated } = nodesById(flow);
	const steps = [];
	const stopped = (problem) => ({ steps, problem });
	const { initial_node_id: initial } = flow;
	if (nodes.size === 0) {
		return stopped('The flow has no nodes.');
	}
	if (!isText(initial)) {
		return stopped('The flow does not say where it begins: set initial_node_id.');
	}
	if (!nodes.has(initial)) {
		return stopped(`The flow begins with "${initial}", but there is no such node.`);
	}

	/** The nodes since the last question. */
	const unasked = new Set();
	let id = initial;
	for (const choice of [...choices, undefined]) {
		const node = nodes.get(id);
		const ways = waysOf(node);
		const step = { node, ways, chosen: undefined };
		steps.push(step);
		if (repeated.has(id)) {
			return stopped(`Several nodes have the ID "${id}": it is not defined which one follows.`);
		}
		if (isLast(node)) {
			break;
		}
		if (ways.length === 0) {
			return stopped(`"${id}" leads nowhere: it is no end, and it has no next and no branches.`);
		}
		if (!ways[choice]) {
			break;
		}

		step.chosen = choice;
		const { to } = ways[choice];
		if (to === null) {
			return stopped(`This branch of "${id}" leads nowhere: it has no next.`);
		}
		if (!nodes.has(to)) {
			return stopped(`"${id}" leads to "${to}", but there is no such node.`);
		}
		if (node.type === 'ask' || ways.length > 1) {
			unasked.clear();
		} else {
			unasked.add(id);
		}
		if (unasked.has(to)) {
			return stopped(`"${id}" leads back to "${to}" without a question in between: the agent would never stop.`);
		}
		id = to;
	}
	return stopped(null);
}

/** Whether the conversation is over after a node. */
export function isLast({ type }) {
	return type === 'end' || type === 'transfer';
}

/** The nodes that have an ID, and the IDs of more than one node. */
export function nodesById(flow) {
	const nodes = new Map();
	const repeated = new Set();
	for (const node of Array.isArray(flow.nodes) ? flow.nodes : []) {
		if (isText(node?.id)) {
			if (nodes.has(node.id)) {
				repeated.add(node.id);
			}
			nodes.set(node.id, node);
		}
	}
	return { nodes, repeated };
}
