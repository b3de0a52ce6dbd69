import { createHash } from 'node:crypto';

/** A table in a page that a command writes. Its rows are results of a run, so nobody may edit them. */
export interface WrittenTable {
	/** The name of the page in errors. */
	page: string;
	/** The npm script that writes it. */
	command: string;
	/** The first two lines. */
	head: string;
}

function digestOf(table: string): string {
	return createHash('sha256').update(table).digest('hex').slice(0, 12);
}

const patternOf = ({ command }: WrittenTable) =>
	new RegExp(
		`<!-- Written by npm run ${command} \\((?<digest>[^)]*)\\)\\. Do not edit\\. -->\\n(?<table>[\\s\\S]*?)<!-- End -->`,
	);

/**
 * Reads the rows below the head of a table.
 *
 * @param text the text of the page
 * @throws Error if the table was edited
 */
export function readRows(text: string, written: WrittenTable): string[] {
	const { page, command, head } = written;
	const { digest, table = '' } = patternOf(written).exec(text)?.groups ?? {};
	if (digest === undefined) {
		throw new Error(`${page} lacks the table of npm run ${command}`);
	}
	if (digest !== digestOf(table) || !table.startsWith(head)) {
		throw new Error(`The table of npm run ${command} in ${page} was edited: only the command writes it.`);
	}
	return table.slice(head.length).trimEnd().split('\n').filter(Boolean);
}

/** Replaces the rows of a table. @returns the new text of the page */
export function withRows(text: string, rows: readonly string[], written: WrittenTable): string {
	const table = written.head + rows.map((row) => `${row}\n`).join('');
	const line = `<!-- Written by npm run ${written.command} (${digestOf(table)}). Do not edit. -->`;
	return text.replace(patternOf(written), () => `${line}\n${table}<!-- End -->`);
}
