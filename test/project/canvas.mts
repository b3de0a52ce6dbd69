/** What of a node its place on the canvas depends on. */
export interface PlacedNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	position: [x: number, y: number];
	onError?: string;
}

/** The connections of a workflow, by the name of the node that they begin at. */
export type Connections = Record<string, Record<string, Array<Array<{ node: string; index: number }> | null>>>;

type Point = readonly [x: number, y: number];

interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** Sizes in n8n's editor, in pixels. */
const NODE = 96;
const WIDE_NODE = 256;
const NAME_HEIGHT = 36;
const PADDING = 12;
const TEXT_WIDTH = 6.6;
const LINE_HEIGHT = 19;
/** Headings by their level: the width of a character, and the height of a line with the space around it. */
const headings: Record<number, [width: number, height: number]> = { 1: [16, 44], 2: [11, 36], 3: [8.6, 28] };
/** The space below a paragraph or a heading. */
const GAP = 10;

/** Nodes with places for a model, a memory and tools below them. */
const wideNodes = /\.(agent|informationExtractor|chainLlm|textClassifier)$/;

/** How far a line that leads back goes around: to the side, and below its start. */
const LOOP_SIDE = 40;
const LOOP_BELOW = 130;
/** By how much each output after the second makes a node taller. */
const OUTPUT_HEIGHT = 32;
/** A name below its node: its distance, its longest line and the width of a character. */
const NAME_TOP = 10;
const LONGEST_NAME = 176;
const NAME_TEXT_WIDTH = 7.4;
/** How far a line has to stay away from what it does not belong to. */
const CLEARANCE = 4;
const STEPS = 60;

/** Says which notes lie over a node, over the name below it, or over another note. */
export function overlaps(nodes: readonly PlacedNode[]): string[] {
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const others = nodes.filter((node) => !notes.includes(node));
	return notes.flatMap((note, index) => [
		...(textBottom(note) > boxOf(note).bottom ? [`The text of "${note.name}" is longer than the note`] : []),
		...others.flatMap((node) => {
			const [own, other] = [boxOf(note), boxOf(node)];
			if (!meet(own, other)) {
				return [];
			}
			if (!isInside(other, own)) {
				return [`The edge of "${note.name}" goes through "${node.name}"`];
			}
			return other.top < textBottom(note) ? [`The text of "${note.name}" is behind "${node.name}"`] : [];
		}),
		...notes
			.slice(index + 1)
			.filter((other) => meet(boxOf(note), boxOf(other)))
			.map((other) => `"${note.name}" overlaps "${other.name}"`),
	]);
}

/** The place of a note, or of a node with its name. */
function boxOf({ type, parameters, position: [left, top] }: PlacedNode): Box {
	if (type === 'n8n-nodes-base.stickyNote') {
		const { width = 240, height = 160 } = parameters as { width?: number; height?: number };
		return { left, top, right: left + width, bottom: top + height };
	}
	const width = wideNodes.test(type) ? WIDE_NODE : NODE;
	return { left, top, right: left + width, bottom: top + NODE + NAME_HEIGHT };
}

/**
 * Says which lines go through the text of a note, through a node that they do not belong to, or through its name.
 * They are computed as n8n's editor draws them.
 */
export function crossings(nodes: readonly PlacedNode[], connections: Connections): string[] {
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const others = nodes.filter((node) => !notes.includes(node));
	const obstacles = [
		...notes.map((note) => ({ node: note, what: `the text of "${note.name}"`, box: textOf(note) })),
		...others.map((node) => ({ node, what: `"${node.name}"`, box: shapeOf(node) })),
		...others.map((node) => ({ node, what: `the name of "${node.name}"`, box: nameOf(node) })),
	];
	return Object.entries(connections).flatMap(([name, { main = [] }]) => {
		const from = others.find((node) => node.name === name);
		const ends = main.flatMap((targets, output) => (targets ?? []).map((target) => ({ ...target, output })));
		return ends.flatMap(({ node, output }) => {
			const to = others.find((other) => other.name === node);
			if (!from || !to) {
				return [];
			}
			const line = lineBetween(from, output, Math.max(outputsOf(from), main.length), to);
			return obstacles
				.filter((obstacle) => obstacle.node !== from && obstacle.node !== to)
				.filter(({ box }) => line.some((point) => isIn(point, box)))
				.map(({ what }) => `The line from "${from.name}" to "${to.name}" goes through ${what}`);
		});
	});
}

/** The points of a line from an output to the input of another node. */
function lineBetween(from: PlacedNode, output: number, outputs: number, to: PlacedNode): Point[] {
	const source = shapeOf(from, outputs);
	const target = shapeOf(to);
	const [x1, y1] = [source.right, source.top + ((source.bottom - source.top) * (output + 1)) / (outputs + 1)];
	const [x2, y2] = [target.left, (target.top + target.bottom) / 2];
	if (x2 < x1) {
		const below = y1 + LOOP_BELOW;
		const corners: Point[] = [
			...([
				[x1, y1],
				[x1 + LOOP_SIDE, y1],
				[x1 + LOOP_SIDE, below],
			] as const),
			...([
				[x2 - LOOP_SIDE, below],
				[x2 - LOOP_SIDE, y2],
				[x2, y2],
			] as const),
		];
		return corners.slice(1).flatMap(([x, y], index) => {
			const [px, py] = corners[index];
			return steps.map((at) => [px + (x - px) * at, py + (y - py) * at] as const);
		});
	}
	// A Bézier curve that begins and ends level.
	const half = (x1 + x2) / 2;
	return steps.map((at) => {
		const [a, b, c, d] = [(1 - at) ** 3, 3 * (1 - at) ** 2 * at, 3 * (1 - at) * at ** 2, at ** 3];
		return [a * x1 + (b + c) * half + d * x2, (a + b) * y1 + (c + d) * y2] as const;
	});
}

const steps = Array.from({ length: STEPS + 1 }, (_, index) => index / STEPS);

/** How many outputs a node has, as far as its parameters say. */
function outputsOf({ type, parameters, onError }: PlacedNode): number {
	const { rules, options } = parameters as { rules?: { values?: unknown[] }; options?: { fallbackOutput?: unknown } };
	const own = type.endsWith('.if') || type.endsWith('.splitInBatches') ? 2 : (rules?.values?.length ?? 1);
	const fallback = type.endsWith('.switch') && options?.fallbackOutput === 'extra' ? 1 : 0;
	return own + fallback + (onError === 'continueErrorOutput' ? 1 : 0);
}

/** The place of a node without its name. */
function shapeOf(node: PlacedNode, outputs = outputsOf(node)): Box {
	const { left, top, right } = boxOf(node);
	return { left, top, right, bottom: top + NODE + Math.max(0, outputs - 2) * OUTPUT_HEIGHT };
}

/** The place of a node's name. */
function nameOf(node: PlacedNode): Box {
	const { left, right, bottom } = shapeOf(node);
	const width = node.name.length * NAME_TEXT_WIDTH;
	const lines = Math.ceil(width / LONGEST_NAME);
	const half = Math.min(width, LONGEST_NAME) / 2;
	const middle = (left + right) / 2;
	return {
		...{ left: middle - half, right: middle + half },
		...{ top: bottom + NAME_TOP, bottom: bottom + NAME_TOP + lines * LINE_HEIGHT },
	};
}

/** The place of a note's text. */
function textOf(note: PlacedNode): Box {
	const { left, top, right } = boxOf(note);
	return { left: left + PADDING, top: top + PADDING, right: right - PADDING, bottom: textBottom(note) };
}

function isIn([x, y]: Point, { left, top, right, bottom }: Box): boolean {
	return x > left - CLEARANCE && x < right + CLEARANCE && y > top - CLEARANCE && y < bottom + CLEARANCE;
}

function meet(one: Box, other: Box): boolean {
	return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isInside(inner: Box, outer: Box): boolean {
	return (
		inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
	);
}

/** Where the text of a note ends, estimated from its length. */
function textBottom(note: PlacedNode): number {
	const { left, top, right } = boxOf(note);
	const room = right - left - 2 * PADDING;
	let height = PADDING;
	for (const block of String(note.parameters.content).split(/\n+/)) {
		const [, marks = '', text = ''] = /^(#*)\s*(.*)$/.exec(block) ?? [];
		const [width, line] = headings[marks.length] ?? [TEXT_WIDTH, LINE_HEIGHT];
		height += Math.max(1, Math.ceil((text.replaceAll('**', '').length * width) / room)) * line;
		height += marks === '' ? GAP : 0;
	}
	return top + height;
}
