import { readFileSync } from 'node:fs';

import type { Cleaner } from './clean.mts';
import type { Exchange } from './client.mts';
import type { DocumentCheck } from './document.mts';

/** A row of docs/contributing/assumptions.md, and its result. */
export interface Result {
	section: string;
	/** Identifies the row. */
	question: string;
	/** What is assumed, in Markdown. */
	assumed: string;
	is: 'confirmed' | 'otherwise' | 'notTested';
	/** What was observed instead, or what a test needs. */
	note: string;
}

/** A difference between responses and the OpenAPI document. */
export interface Difference {
	operation: string;
	status: number;
	difference: string;
	/** The number of responses with this difference. */
	times: number;
}

/** The results of a run. */
export interface Report {
	version: string;
	/** The day. */
	date: string;
	/** The options that determine what was tested. */
	options: string[];
	/** Why the run ended early. */
	ended: string | null;
	requests: number;
	results: Result[];
	differences: Difference[];
}

/** Reads all rows of the page. @param file its path or URL */
export function readPage(file: string | URL): Array<Pick<Result, 'section' | 'question' | 'assumed'>> {
	const rows: ReturnType<typeof readPage> = [];
	let section = '';
	let isTable = false;
	for (const line of readFileSync(file, 'utf8').split('\n')) {
		section = /^## (.+)$/.exec(line)?.[1] ?? section;
		const cells = line.replace(/<a id="[^"]*"><\/a>/, '').split(/(?<!\\)\|/);
		const [, question, assumed] = cells.map((cell) => cell.trim());
		if (isTable && question && assumed && !/^-+$/.test(question)) {
			rows.push({ section, question, assumed });
		}
		isTable = question === 'Question' || (isTable && line.startsWith('|'));
	}
	return rows;
}

/** Describes a response in one line: its status and the form of its body. */
export function inOneLine({ method, path, status, body }: Exchange, document: DocumentCheck, cleaner: Cleaner): string {
	const pattern = document.patternOf(`/api/v1${path}`)?.slice('/api/v1'.length) ?? '(a path that is not documented)';
	const text = JSON.stringify(cleaner.value(body)) ?? 'no body';
	return `${method} ${pattern} returned ${status}: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}

/** Compares all responses with the document, except responses to unknown methods and wrong tokens. */
export function differencesOf(exchanges: readonly Exchange[], document: DocumentCheck): Difference[] {
	const found = new Map<string, Difference>();
	for (const { method, path, status, body, sent } of exchanges) {
		const pattern = document.patternOf(`/api/v1${path}`);
		if (pattern === undefined || ['HEAD', 'OPTIONS'].includes(method) || sent.token !== undefined) {
			continue;
		}
		for (const difference of document.differences(method, pattern, status, body).slice(0, 5)) {
			const operation = `${method} ${pattern}`;
			const key = `${operation} ${status} ${difference}`;
			found.set(key, { operation, status, difference, times: (found.get(key)?.times ?? 0) + 1 });
		}
	}
	return [...found.values()];
}

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll(/(?<!\\)\|/g, '\\|');

function table(title: string, head: string[], rows: string[][]): string {
	const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
	return `## ${title}\n\n${rows.length === 0 ? 'Nothing.' : lines.join('\n')}`;
}

/** Formats the report as Markdown. */
export function asMarkdown({ version, date, options, ended, requests, results, differences }: Report): string {
	const rows = (is: Result['is'], ...names: Array<keyof Result>) =>
		results.filter((result) => result.is === is).map((result) => names.map((name) => result[name]));
	const confirmed = rows('confirmed', 'section', 'question');
	const otherwise = rows('otherwise', 'section', 'question', 'assumed', 'note');
	const notTested = rows('notTested', 'section', 'question', 'note');
	const differing = differences.map((one) => [one.operation, String(one.status), one.difference, String(one.times)]);
	return [
		'# First contact: which assumptions are true',
		`${date}, version ${version}, options: ${options.join(' ') || 'none (reading only)'}. ${requests} requests.`,
		`**${confirmed.length} confirmed, ${otherwise.length} otherwise, ${notTested.length} not tested.**`,
		...(ended === null ? [] : [`The run ended early: ${ended}.`]),
		'Names, phone numbers, IDs and other texts are replaced by `text`.',
		table('Otherwise', ['Section', 'Question', 'Assumed', 'Seen'], otherwise),
		table('Responses that differ from the OpenAPI document', ['Operation', 'Status', 'Difference', 'Times'], differing),
		table('Not tested', ['Section', 'Question', 'What is needed'], notTested),
		table('Confirmed', ['Section', 'Question'], confirmed),
	]
		.join('\n\n')
		.concat('\n');
}
