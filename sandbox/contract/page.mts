import { readFileSync } from 'node:fs';

/** A row of docs/contributing/assumptions.md. */
export interface Row {
	section: string;
	question: string;
	/** What is assumed, in Markdown. */
	assumed: string;
}

/** Reads all rows of the page. @param file its path or URL */
export function readPage(file: string | URL): Row[] {
	const rows: Row[] = [];
	let section = '';
	for (const line of readFileSync(file, 'utf8').split('\n')) {
		section = /^## (.+)$/.exec(line)?.[1] ?? section;
		const [, question, assumed] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
		if (question && assumed && !/^-+$/.test(question) && question !== 'Question') {
			rows.push({ section, question, assumed });
		}
	}
	return rows;
}
