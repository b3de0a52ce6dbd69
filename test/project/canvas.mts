/** What of a node its place on the canvas depends on. */
export interface PlacedNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	position: [x: number, y: number];
}

type Box = Record<'left' | 'top' | 'right' | 'bottom', number>;

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

function meet(one: Box, other: Box): boolean {
	return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isInside(inner: Box, outer: Box): boolean {
	const isAcross = inner.left >= outer.left && inner.right <= outer.right;
	return isAcross && inner.top >= outer.top && inner.bottom <= outer.bottom;
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
