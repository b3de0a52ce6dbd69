import { type Flow, type FlowNode, nonEmptyText } from './flow';
import { type Edges, reachedFrom } from './graph';

/** Where the conversation can go in a flow. */
export interface Ways {
	/** The nodes that follow each node, in the ways that the service documents. */
	edges: Edges;
	/** As {@link edges}, and through undocumented fields. */
	possibleEdges: Edges;
	/** Whether the conversation can get to a node; undefined if it is not known where it starts. */
	reached: readonly boolean[] | undefined;
	/** As {@link reached}, also through undocumented fields. */
	possiblyReached: readonly boolean[] | undefined;
}

/** Finds where the conversation can go. Nodes with the same ID count as one, which leads wherever one of them leads. */
export function waysOf(flow: Flow): Ways {
	const others = flow.nodes.map((node) => {
		const same = node.id === undefined ? [] : (flow.byId.get(node.id) ?? []);
		return same[0] === node ? same.slice(1).map(({ index }) => index) : [];
	});
	const indexOf = (id: string) => flow.byId.get(id)?.[0].index;
	const numbers = (ids: readonly string[]) => ids.map(indexOf).filter((index) => index !== undefined);
	const edges = flow.nodes.map(({ index, links }) => [...others[index], ...numbers(links.map(({ target }) => target))]);
	const possibleEdges = flow.nodes.map(({ index, possibleLinks }) => [
		...edges[index],
		...numbers(possibleLinks.map(({ target }) => target)),
	]);
	const starts = flow.initial.slice(0, 1).map(({ index }) => index);
	const isKnown = starts.length > 0;
	return {
		edges,
		possibleEdges,
		reached: isKnown ? reachedFrom(starts, edges) : undefined,
		possiblyReached: isKnown ? reachedFrom([...starts, ...numbers(flow.possibleStarts)], possibleEdges) : undefined,
	};
}

/** The links of a node that lead to no node. */
export function linksToNowhere(flow: Flow, node: FlowNode) {
	return node.links.filter(({ target }) => !flow.byId.has(target));
}

/**
 * How many ways out of a node are missing or lead to no node, which is an error. Infinite where all of them are missing.
 */
export function brokenWays(flow: Flow, node: FlowNode): number {
	const { type, branches } = node;
	const toNowhere = linksToNowhere(flow, node).length;
	if (type === 'say') {
		return toNowhere + (nonEmptyText(node.fields.next) === undefined ? 1 : 0);
	}
	if (type === 'decision') {
		const without = branches.filter(({ next }) => next === undefined).length;
		return branches.length === 0 ? Number.POSITIVE_INFINITY : toNowhere + without;
	}
	return toNowhere;
}

/** Whether it is not known how the conversation continues after a node: a way is missing, leads to no node or is not documented. */
export function endsOpen(flow: Flow, node: FlowNode): boolean {
	const { type, branches, links, possibleLinks } = node;
	const isUndocumented = type === undefined || possibleLinks.length > 0 || links.length === 0;
	return isUndocumented || branches.some(({ next }) => next === undefined) || brokenWays(flow, node) > 0;
}
