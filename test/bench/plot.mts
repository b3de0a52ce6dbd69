/** A line of a chart. */
export interface Series {
	name: string;
	points: ReadonlyArray<readonly [x: number, y: number]>;
}

/** A chart with lines. Both axes begin at 0. */
export interface Chart {
	title: string;
	/** What the axes show, with the unit. */
	x: string;
	y: string;
	series: readonly Series[];
}

const WIDTH = 760;
const HEIGHT = 300;
const PLOT = { left: 64, top: 44, right: WIDTH - 190, bottom: HEIGHT - 48 };

/** The colors and dashes of the lines: they differ for readers who do not see colors, too. */
const DASHES = ['', '7 4', '2 3', '9 3 2 3', '14 4', '4 6', '1 5'];

/** Follows the reader's color scheme, and has a background of its own where the page does not. */
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; font-size: 14px; }
.background { fill: #ffffff; }
.grid { stroke: #d0d7de; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { stroke: #0550ae; } .s1 { stroke: #cf222e; } .s2 { stroke: #1a7f37; } .s3 { stroke: #8250df; }
.s4 { stroke: #9a6700; } .s5 { stroke: #57606a; } .s6 { stroke: #bf3989; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.background { fill: #0d1117; }
.grid { stroke: #30363d; }
.s0 { stroke: #79c0ff; } .s1 { stroke: #ff7b72; } .s2 { stroke: #56d364; } .s3 { stroke: #d2a8ff; }
.s4 { stroke: #e3b341; } .s5 { stroke: #8b949e; } .s6 { stroke: #f778ba; }
}`;

/** Draws charts one below the other. @returns an SVG file */
export function svg(charts: readonly Chart[]): string {
	const height = charts.length * HEIGHT;
	const title = charts.map((chart) => chart.title).join('; ');
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
		`<style>${STYLE}\n</style>`,
		`<rect class="background" width="${WIDTH}" height="${height}"/>`,
		...charts.map((chart, index) => `<g transform="translate(0 ${index * HEIGHT})">\n${draw(chart)}\n</g>`),
		'</svg>',
	].join('\n')}\n`;
}

function draw({ title, x, y, series }: Chart): string {
	const xs = ticks(Math.max(0, ...series.flatMap(({ points }) => points.map(([value]) => value))));
	const ys = ticks(Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value))));
	const across = (value: number) => PLOT.left + (value / xs.at(-1)!) * (PLOT.right - PLOT.left);
	const up = (value: number) => PLOT.bottom - (value / ys.at(-1)!) * (PLOT.bottom - PLOT.top);
	const text = (left: number, top: number, content: string, anchor = 'start', kind = '') =>
		`<text x="${round(left)}" y="${round(top)}" text-anchor="${anchor}"${kind && ` class="${kind}"`}>${escaped(content)}</text>`;
	const line = (from: [number, number], to: [number, number], kind: string, dash = '') =>
		`<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" class="${kind}"${dash && ` stroke-dasharray="${dash}"`}/>`;
	return [
		text(PLOT.left, 22, title, 'start', 'title'),
		...ys.flatMap((value) => [
			line([PLOT.left, up(value)], [PLOT.right, up(value)], 'grid'),
			text(PLOT.left - 8, up(value) + 4, number(value), 'end'),
		]),
		...xs.map((value) => text(across(value), PLOT.bottom + 18, number(value), 'middle')),
		text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, x, 'middle'),
		`<text transform="translate(14 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
		...series.flatMap(({ name, points }, index) => {
			const style = index % DASHES.length;
			const path = points.map(([px, py]) => `${round(across(px))},${round(up(py))}`).join(' ');
			const dash = DASHES[style]!;
			const top = PLOT.top + 8 + index * 20;
			return [
				`<polyline class="line s${style}"${dash && ` stroke-dasharray="${dash}"`} points="${path}"/>`,
				line([PLOT.right + 14, top], [PLOT.right + 44, top], `line s${style}`, dash),
				text(PLOT.right + 52, top + 4, name),
			];
		}),
	].join('\n');
}

/** Returns round numbers from 0 to at least `most`, four to six of them. */
export function ticks(most: number): number[] {
	const wanted = (most > 0 ? most : 1) / 5;
	const power = 10 ** Math.floor(Math.log10(wanted));
	const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= wanted * (1 - 1e-9)) ?? 10);
	const count = Math.max(1, Math.ceil((most > 0 ? most : 1) / step - 1e-9));
	return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(10)));
}

function number(value: number): string {
	return value.toLocaleString('en-US');
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
