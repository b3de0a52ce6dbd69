/** For each node, the indexes of the nodes that follow it. */
export type Edges = ReadonlyArray<readonly number[]>;

/** Finds out for each node whether it can be reached. */
export function reachedFrom(starts: Iterable<number>, edges: Edges): boolean[] {
	const reached = new Array<boolean>(edges.length).fill(false);
	const open = [...starts];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		if (!reached[node]) {
			reached[node] = true;
			for (const next of edges[node]) {
				if (!reached[next]) {
					open.push(next);
				}
			}
		}
	}
	return reached;
}

/** Reverses the edges. */
export function reversed(edges: Edges): number[][] {
	const back: number[][] = edges.map(() => []);
	edges.forEach((targets, node) => {
		for (const target of targets) {
			back[target].push(node);
		}
	});
	return back;
}

/**
 * Finds the strongly connected components with Tarjan's algorithm. It is not recursive, so that a long flow does not
 * overflow the stack.
 *
 * @returns for each node the number of its group
 */
function groupNumbers(edges: Edges): number[] {
	const order = new Array<number>(edges.length).fill(-1);
	const lowest = new Array<number>(edges.length).fill(0);
	const group = new Array<number>(edges.length).fill(-1);
	const nextEdge = new Array<number>(edges.length).fill(0);
	const path: number[] = [];
	const waiting: number[] = [];
	let visited = 0;
	let groups = 0;
	const visit = (node: number) => {
		order[node] = lowest[node] = visited++;
		path.push(node);
		waiting.push(node);
	};
	for (let start = 0; start < edges.length; start++) {
		if (order[start] !== -1) {
			continue;
		}
		visit(start);
		while (path.length > 0) {
			const node = path[path.length - 1];
			if (nextEdge[node] < edges[node].length) {
				const next = edges[node][nextEdge[node]++];
				if (order[next] === -1) {
					visit(next);
				} else if (group[next] === -1) {
					lowest[node] = Math.min(lowest[node], order[next]);
				}
				continue;
			}
			path.pop();
			if (path.length > 0) {
				const previous = path[path.length - 1];
				lowest[previous] = Math.min(lowest[previous], lowest[node]);
			}
			if (lowest[node] === order[node]) {
				let member: number | undefined;
				do {
					member = waiting.pop() as number;
					group[member] = groups;
				} while (member !== node);
				groups++;
			}
		}
	}
	return group;
}

/** A strongly connected component: one node, or a loop. */
export interface Group {
	/** In ascending order. */
	nodes: number[];
	/** Whether a path leads from a node back to itself. */
	isLoop: boolean;
	/** Whether an edge leads out of the group. */
	hasExit: boolean;
}

/** Finds the groups among some nodes, in the order of their first nodes. Edges to and from other nodes are ignored. */
export function groupsOf(edges: Edges, isIn: (node: number) => boolean): Group[] {
	const inner = edges.map((targets, node) => (isIn(node) ? targets.filter(isIn) : []));
	const numbers = groupNumbers(inner);
	const groups = new Map<number, Group>();
	numbers.forEach((number, node) => {
		if (isIn(node)) {
			const group = groups.get(number);
			if (group) {
				group.nodes.push(node);
				group.isLoop = true;
			} else {
				groups.set(number, { nodes: [node], isLoop: false, hasExit: false });
			}
		}
	});
	inner.forEach((targets, node) => {
		for (const target of targets) {
			const group = groups.get(numbers[node]) as Group;
			if (numbers[node] === numbers[target]) {
				group.isLoop = true;
			} else {
				group.hasExit = true;
			}
		}
	});
	return [...groups.values()];
}

/** Finds the shortest path from a node of a loop back to itself, with the node at both ends. */
export function wayBack(start: number, edges: Edges, loop: readonly number[]): number[] {
	const isIn = new Set(loop);
	const cameFrom = new Map<number, number>();
	const open = [start];
	for (const node of open) {
		for (const next of edges[node]) {
			if (next === start) {
				const way = [start];
				for (let step: number | undefined = node; step !== undefined && step !== start; step = cameFrom.get(step)) {
					way.push(step);
				}
				return [...way, start].reverse();
			}
			if (isIn.has(next) && !cameFrom.has(next)) {
				cameFrom.set(next, node);
				open.push(next);
			}
		}
	}
	return [start];
}
