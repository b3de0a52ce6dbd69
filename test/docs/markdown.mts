/** Escapes Markdown in a text. */
export function plain(text: string): string {
	const escaped = text.replace(/[\\`*[\]<>|]/g, '\\$&').replaceAll('\n', ' ');
	// Markdown ignores underscores inside words, but not at their edges.
	return escaped.replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_');
}

/** The anchor that GitHub gives a heading. */
export function slug(title: string): string {
	return title
		.toLowerCase()
		.replace(/[^\w\- ]/g, '')
		.replaceAll(' ', '-');
}

/** A table. The cells have to be Markdown. */
export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
