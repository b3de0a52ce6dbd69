import { count, plural, words } from './format.js';
import { html, useEffect, useMemo, useRef, useState } from './lib.js';
import { actionOf, asText, nodesById, waysOf } from './walkFlow.js';

const WIDTH = 190;
const HEIGHT = 68;
const MARGIN = 12;
/** The layout of many more would block the page for minutes. */
const MOST_DRAWN = 1000;
const SIGNS = { say: '“', ask: '?', decision: '◇', action: '⚙', transfer: '↪', end: '■' };

/** Where a node leads to, with what is written at the arrow. */
function edgesOf(node) {
	return waysOf(node)
		.filter(({ to }) => to !== null)
		.map(({ to, text }) => ({ from: node.id, to, text: shortened(text) }));
}

function shortened(text, length = 22) {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function textOf(node, actions) {
	return asText(actionOf(node, actions)?.name ?? node.content ?? node.name);
}

/** A conversation flow as a diagram, and as a list for those who do not see it. @param here the ID of the current node */
export function Flow({ flow, actions, here }) {
	const [library, setLibrary] = useState(null);
	useEffect(() => {
		import('./dagre.js').then(({ default: all, ...named }) => setLibrary(() => all ?? named));
	}, []);
	const all = Array.isArray(flow.nodes) ? flow.nodes : [];
	const { nodes: known } = nodesById(flow);
	const nodes = [...known.values()];
	const wanted = nodes.flatMap(edgesOf);
	const edges = wanted.filter(({ to }) => known.has(to));
	const lost = new Set([...wanted.map(({ to }) => to), flow.initial_node_id].filter((id) => !known.has(id)));
	const problems = [
		nodes.length < all.length ? `${plural(all.length - nodes.length, 'node')} without an ID of its own` : null,
		lost.size > 0 ? `no node ${[...lost].join(', ')}` : null,
	].filter(Boolean);
	const diagram = () => {
		if (nodes.length > MOST_DRAWN) {
			return html`<p>Not drawn: the flow has ${count(nodes.length)} nodes, and the diagram ${count(MOST_DRAWN)} at most.</p>`;
		}
		return library
			? html`<${Diagram} library=${library} flow=${flow} nodes=${nodes} edges=${edges} actions=${actions} here=${here} />`
			: html`<p class="loading">Loading…</p>`;
	};
	return html`${problems.length > 0 ? html`<p class="warnText"><span aria-hidden="true">!</span> This flow has errors: ${problems.join('; ')}.</p>` : null}
		${diagram()}
		<details>
			<summary>As a list</summary>
			<ol class="plainList">
				${nodes.map(
					(node) => html`<li key=${node.id} aria-current=${node.id === here ? 'step' : undefined}>
						<strong>${node.id}</strong> (${words(node.type ?? 'no type')}) ${textOf(node, actions)}
						<span class="muted">${edgesOf(node)
							.map(({ to, text }) => ` → ${to}${text ? ` if ${text}` : ''}`)
							.join(',')}</span>
					</li>`,
				)}
			</ol>
		</details>`;
}

/** Draws edges from a node to itself at its right side, one below the other: the layout has no good place for them. */
function placeLoops(graph) {
	const loops = new Map();
	for (const edge of graph.edges().filter(({ v, w }) => v === w)) {
		const { x, y } = graph.node(edge.v);
		const before = loops.get(edge.v) ?? 0;
		loops.set(edge.v, before + 1);
		const drawn = graph.edge(edge);
		const [right, top] = [x + WIDTH / 2, y - HEIGHT / 4 + before * 22];
		drawn.points = [
			{ x: right, y: top },
			{ x: right + 30, y: top },
			{ x: right + 30, y: top + 18 },
			{ x: right, y: top + 18 },
		];
		drawn.x = right + 34 + drawn.width / 2;
		drawn.y = top + 9;
	}
}

/** All that is drawn: labels and loops may be outside of what the layout counts. */
function boxAround(graph) {
	const nodes = graph.nodes().map((id) => graph.node(id));
	const edges = graph.edges().map((edge) => graph.edge(edge));
	const spans = [
		...nodes.map(({ x, y }) => ({ x, y, width: WIDTH, height: HEIGHT })),
		...edges.filter(({ text }) => text).map(({ x, y, width, height }) => ({ x, y, width, height })),
		...edges.flatMap(({ points }) => points.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))),
	];
	const least = (values) => values.reduce((one, other) => Math.min(one, other), 0);
	const [x, y] = [
		least(spans.map((span) => span.x - span.width / 2)),
		least(spans.map((span) => span.y - span.height / 2)),
	];
	const right = -least(spans.map((span) => -(span.x + span.width / 2)));
	const bottom = -least(spans.map((span) => -(span.y + span.height / 2)));
	return { x: x - MARGIN, y: y - MARGIN, width: right - x + 2 * MARGIN, height: bottom - y + 2 * MARGIN };
}

/** A path through points, with round corners. */
function smooth([first, ...points]) {
	const middle = (one, other) => `${(one.x + other.x) / 2} ${(one.y + other.y) / 2}`;
	const curves = points
		.slice(0, -1)
		.map((point, index) => `Q${point.x} ${point.y} ${middle(point, points[index + 1])}`)
		.join(' ');
	const last = points.at(-1);
	return `M${first.x} ${first.y} ${curves} L${last.x} ${last.y}`;
}

/** Where everything is; 300 nodes take a moment. */
function layout(library, nodes, edges) {
	const graph = new library.graphlib.Graph({ multigraph: true });
	graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 56 });
	graph.setDefaultEdgeLabel(() => ({}));
	for (const { id } of nodes) {
		graph.setNode(id, { width: WIDTH, height: HEIGHT });
	}
	edges.forEach(({ from, to, text }, index) => {
		graph.setEdge(from, to, { text, width: text.length * 7, height: text ? 18 : 0, labelpos: 'c' }, String(index));
	});
	library.layout(graph);
	placeLoops(graph);
	return graph;
}

function Diagram({ library, flow, nodes, edges, actions, here }) {
	const graph = useMemo(() => layout(library, nodes, edges), [library, flow]);
	const box = boxAround(graph);
	const frame = useRef(null);
	useEffect(() => {
		const place = graph.node(here);
		if (place) {
			const { clientWidth, clientHeight } = frame.current;
			frame.current.scrollTo(place.x - box.x - clientWidth / 2, place.y - box.y - clientHeight / 2);
		}
	}, [here, graph]);
	const label = `Flow of ${nodes.length} steps, beginning with ${flow.initial_node_id}. The list below says the same.`;
	return html`<div class="diagram" ref=${frame} tabindex="0" role="region" aria-label="Flow diagram">
		<svg viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`} width=${box.width} height=${box.height} role="img" aria-label=${label}>
			<defs>
				<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" class="arrow" /></marker>
			</defs>
			${graph.edges().map((edge) => {
				const { points, text, x, y } = graph.edge(edge);
				return html`<g key=${`${edge.v} ${edge.w} ${edge.name}`}>
					<path d=${smooth(points)} class="edge" marker-end="url(#arrow)" />
					${text ? html`<text x=${x} y=${y + 4} class="edgeText">${text}</text>` : null}
				</g>`;
			})}
			${nodes.map((node) => {
				const { x, y } = graph.node(node.id);
				return html`<g key=${node.id} transform=${`translate(${x - WIDTH / 2} ${y - HEIGHT / 2})`} class=${`node ${node.id === flow.initial_node_id ? 'first' : ''} ${node.id === here ? 'here' : ''}`}>
					<title>${textOf(node, actions)}</title>
					<rect width=${WIDTH} height=${HEIGHT} rx="10" />
					<text x="12" y="20" class="kind">${node.id === here ? '▶ ' : ''}${SIGNS[node.type] ?? ''} ${words(node.type ?? 'no type')}</text>
					<text x="12" y="39" class="name">${shortened(node.id, 24)}</text>
					<text x="12" y="57">${shortened(textOf(node, actions), 26)}</text>
				</g>`;
			})}
		</svg>
	</div>`;
}
