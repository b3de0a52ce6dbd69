import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readExample } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';
import { type EditorPage, withEditor } from './browser.mts';
import { eventually } from './eventually.mts';
import { importExample } from './example.mts';
import type { Instance } from './instance.mts';
import { images, keepPicture } from './pictures.mts';

/** So large that the texts of the largest workflow can be read at the picture's full size. */
const viewport = { width: 2200, height: 1350 };
/** What is kept free around a workflow, in pixels. */
const MARGIN = 16;

/** Hides what lies over the canvas, and its dots, which double the size of a picture. */
const canvasOnly = `
	[data-test-id="canvas-wrapper"] > :not(#canvas), [data-test-id="canvas-background"],
	.vue-flow__panel, .el-notification { visibility: hidden !important; }
`;

let n8n: Instance;
let editor: EditorPage;

withEditor(async (...opened) => {
	[editor, n8n] = opened;
	editor.page.setDefaultTimeout(60_000);
	await editor.page.setViewportSize(viewport);
	mkdirSync(join(images, 'examples'), { recursive: true });
});

/** What the canvas shows. */
interface Drawn {
	/** Around all nodes, notes, names and lines. */
	box: { x: number; y: number; width: number; height: number };
	/** What lies over what, as the editor draws it. */
	overlaps: string[];
}

/** Measures the canvas in the page. */
async function measure(): Promise<Drawn> {
	return await editor.page.evaluate(`(() => {
		const boxOf = (element) => element.getBoundingClientRect();
		const all = [...document.querySelectorAll('.vue-flow__node')].map((element) => {
			const isNote = element.querySelector('[data-test-id="sticky"]') !== null;
			const node = element.querySelector('[data-test-id="canvas-node"]') ?? element;
			const texts = [...element.querySelectorAll('p, h1, h2, h3, li')].map(boxOf);
			const box = boxOf(element);
			const name = node.getAttribute('data-node-name');
			return { name, isNote, box, textBottom: Math.max(box.top, ...texts.map(({ bottom }) => bottom)) };
		});
		const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
		const overlaps = all.filter(({ isNote }) => isNote).flatMap((note) => [
			...(note.textBottom > note.box.bottom ? [note.name + ' is too small for its text'] : []),
			...all.filter((other) => other !== note && meet(note.box, other.box)).flatMap((other) => {
				if (other.isNote) {
					return [note.name + ' overlaps ' + other.name];
				}
				const { left, right, top, bottom } = other.box;
				const inside = left >= note.box.left && right <= note.box.right && bottom <= note.box.bottom;
				return inside && top >= note.textBottom ? [] : [note.name + ' overlaps ' + other.name];
			}),
		]);
		for (const edge of document.querySelectorAll('[data-test-id="edge"]')) {
			const { sourceNodeName: from, targetNodeName: to } = edge.dataset;
			for (const path of edge.querySelectorAll('path.vue-flow__edge-path')) {
				const toScreen = path.getScreenCTM();
				const points = Array.from({ length: 101 }, (_, index) => {
					return path.getPointAtLength((index / 100) * path.getTotalLength()).matrixTransform(toScreen);
				});
				const obstacles = all.filter(({ name }) => name !== from && name !== to);
				for (const { name, isNote, box, textBottom } of obstacles) {
					const bottom = isNote ? textBottom : box.bottom;
					const isIn = ({ x, y }) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < bottom - 1;
					if (points.some(isIn)) {
						overlaps.push('the line from ' + from + ' to ' + to + ' goes through ' + name);
					}
				}
			}
		}
		const shown = [...document.querySelectorAll('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path')];
		const boxes = shown
			.filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
			.map(boxOf)
			.filter(({ width, height }) => width > 0 || height > 0);
		const x = Math.min(...boxes.map(({ left }) => left));
		const y = Math.min(...boxes.map(({ top }) => top));
		const width = Math.max(...boxes.map(({ right }) => right)) - x;
		const height = Math.max(...boxes.map(({ bottom }) => bottom)) - y;
		return { box: { x, y, width, height }, overlaps };
	})()`);
}

test.each(readdirSync(join(root, 'examples')))(
	'%s opens with every note beside its nodes, and no line through a text or a node',
	async (file) => {
		const { nodes } = readExample(file);
		// Notes are no nodes to the editor.
		const ownNodes = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		await editor.openWorkflow(await importExample(n8n, file), ownNodes.length);
		await eventually(async () => {
			expect(await editor.page.getByTestId('sticky').count()).toBe(nodes.length - ownNodes.length);
			expect(await editor.page.locator('.vue-flow__edge').count()).toBeGreaterThan(0);
		});
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.page.waitForLoadState('networkidle');
		await editor.page.mouse.move(viewport.width / 2, viewport.height - 5);
		const { box, overlaps } = await measure();
		expect(overlaps).toEqual([]);
		await editor.expectNoErrors();
		const [width, height] = [box.width + 2 * MARGIN, box.height + 2 * MARGIN];
		const clip = { x: box.x - MARGIN, y: box.y - MARGIN, width, height };
		const png = await editor.page.screenshot({ clip, animations: 'disabled', style: canvasOnly });
		keepPicture(png, join('examples', file.replace('.json', '')));
	},
	300_000,
);
