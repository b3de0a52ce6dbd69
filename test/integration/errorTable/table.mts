import { linkTo, plain, table } from '../../docs/markdown.mts';

/** One failure, and what a user reads about it. */
export interface Row {
	/** What happened, in the words of this page. */
	what: string;
	/** What the user sees, word for word. */
	says: string;
	/** What it advises, word for word; for errors of n8n itself, this page's own advice. */
	advice: string;
	/** The code of a failed item, and the HTTP status, where there are any. */
	code?: string;
	status?: string;
	/** What a link to the row ends in, after `#`; absent: the code in lower case, if no row before has it. */
	anchor?: string;
}

/** A part of the page with a table. */
export interface Section {
	title: string;
	/** How its texts were seen, and what else a reader has to know. */
	note: string;
	rows: Row[];
}

const intro = `<!-- Made by test/integration/errorTable.test.mts: WRITE_DOCS=1 npm test -- errorTable -->

# Errors

Every failure that a user of these nodes can meet: what the node says, word for word, and what to do. Copy a part of the message that you see and search this page for it.

- **Where the texts are.** When a node stops, n8n shows the first text as the error and the second below it, or under *Error details*. With *On Error* set to continue, the failed item carries both in \`message\`, and \`code\` and \`httpStatus\` beside it.
- **\`[item 2]\`** at the end of a message is the third input item: n8n counts from 0. When a node stops with several items, the second text goes on with what became of each: \`Items: Done: 0-1. Not done: 2. Not tried: 3-9.\`
- **After a colon** stand the service's own words. Those on this page are the sandbox's, or stand for any.
- **How this page was made.** A test provokes each failure in n8n's own engine, against the sandbox or a server that misbehaves, and compares this page with what the nodes said. Where a text was seen in another way, the section says so.`;

/** The whole page. */
export function page(sections: Section[]): string {
	const taken = new Set<string>();
	const contents = sections.map(({ title }) => `- ${linkTo(title)}`).join('\n');
	const parts = sections.map(({ title, note, rows }) =>
		[`## ${title}`, note, tableOf(rows, taken)].filter((part) => part !== '').join('\n\n'),
	);
	return `${[intro, contents, ...parts].join('\n\n')}\n`;
}

function tableOf(rows: Row[], taken: Set<string>): string {
	const cells = rows.map((row) => {
		const anchor = row.anchor ?? row.code?.toLowerCase().replaceAll('_', '-');
		const isFree = Boolean(anchor) && !taken.has(anchor ?? '');
		if (isFree) {
			taken.add(anchor ?? '');
		}
		const what = `${isFree ? `<a id="${anchor}"></a>` : ''}${row.what}`;
		const code = [row.code && `\`${row.code}\``, row.status].filter(Boolean).join(' · ');
		return [what, plain(row.says), plain(row.advice || 'The message says it.'), code || 'none'];
	});
	return table(['What happened', 'What you see', 'What to do', 'Code · HTTP status'], cells);
}
