/** A text as it is, so that nothing in it is taken for Markdown. */
export function plain(text: string): string {
	const escaped = text.replace(/[\\`*[\]<>|]/g, '\\$&').replaceAll('\n', ' ');
	// An underscore inside a word is none to Markdown; one at its edge is.
	return escaped.replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_');
}

/** As GitHub makes the anchor of a heading. */
export function slug(title: string): string {
	return title
		.toLowerCase()
		.replace(/[^\w\- ]/g, '')
		.replaceAll(' ', '-');
}

/** A link to a heading of the same page. */
export function linkTo(title: string, text = title): string {
	return `[${text}](#${slug(title)})`;
}

/** A table; its cells are Markdown already. */
export function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
