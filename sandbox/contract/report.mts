import type { Cleaner } from './clean.mts';
import type { Exchange } from './client.mts';
import type { DocumentCheck } from './document.mts';
import type { Row } from './page.mts';
import { isOk } from './session.mts';

/** What is known of one assumption. */
export interface Result extends Row {
	is: 'confirmed' | 'otherwise' | 'notTested';
	/** What was seen instead, or what a test needs. */
	note: string;
}

/** An answer that the OpenAPI document does not have. */
export interface Difference {
	operation: string;
	status: number;
	difference: string;
	/** In how many answers. */
	times: number;
}

/** What a run found. */
export interface Report {
	version: string;
	/** The day. */
	date: string;
	/** The options that decide what was tested. */
	options: string[];
	/** Why the run ended early. */
	ended: string | null;
	requests: number;
	results: Result[];
	differences: Difference[];
}

/** An answer in one line: its status and the form of its body. */
export function inOneLine(answer: Exchange, document: DocumentCheck, cleaner: Cleaner): string {
	const pattern =
		document.patternOf(`/api/v1${answer.path}`)?.slice('/api/v1'.length) ?? '(a path that is not documented)';
	const text = JSON.stringify(cleaner.value(answer.body)) ?? 'no body';
	return `${answer.method} ${pattern} answered ${answer.status}: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}

/** Compares all answers with the document. Answers about wrong methods and unknown paths are left out. */
export function differencesOf(answers: readonly Exchange[], document: DocumentCheck): Difference[] {
	const found = new Map<string, Difference>();
	for (const answer of answers) {
		const { method, path, status, body, sent } = answer;
		const pattern = document.patternOf(`/api/v1${path}`);
		if (pattern === undefined || ['HEAD', 'OPTIONS'].includes(method) || (sent.token !== undefined && !isOk(answer))) {
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

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The report for people. */
export function asMarkdown({ version, date, options, ended, requests, results, differences }: Report): string {
	const of = (is: Result['is']) => results.filter((result) => result.is === is);
	const [confirmed, otherwise, notTested] = [of('confirmed'), of('otherwise'), of('notTested')];
	const rows = (list: Result[]) => list.map(({ section, question, note }) => [section, question, note]);
	return [
		'# First contact: which assumptions are true',
		`${date}, version ${version}, options: ${options.join(' ') || 'none (reading only)'}. ${requests} requests. ` +
			`**${confirmed.length} confirmed, ${otherwise.length} otherwise, ${notTested.length} not tested.**`,
		ended === null ? '' : `The run ended early: ${ended}.`,
		'It has no token, no phone number and no name. Texts are replaced by `text`, IDs by counted ones.',
		'## Otherwise',
		otherwise.length === 0
			? 'Nothing.'
			: table(
					['Section', 'Question', 'Assumed', 'Seen'],
					otherwise.map(({ section, question, assumed, note }) => [section, question, assumed, note]),
				),
		'## Answers that the OpenAPI document does not have',
		differences.length === 0
			? 'None.'
			: table(
					['Operation', 'Status', 'Difference', 'Times'],
					differences.map((one) => [one.operation, String(one.status), one.difference, String(one.times)]),
				),
		'## Not tested',
		notTested.length === 0 ? 'Nothing.' : table(['Section', 'Question', 'What is needed'], rows(notTested)),
		'## Confirmed',
		confirmed.length === 0
			? 'Nothing.'
			: table(
					['Section', 'Question'],
					confirmed.map((one) => [one.section, one.question]),
				),
	]
		.filter((block) => block !== '')
		.join('\n\n')
		.concat('\n');
}

/** The exchanges without what identifies anybody, as JSON. */
export function asRecording(answers: readonly Exchange[], document: DocumentCheck, cleaner: Cleaner): unknown[] {
	const kept = /^(content-type|retry-after|allow|www-authenticate|x-?ratelimit.*|ratelimit.*)$/;
	return answers.map(({ method, path, sent, status, headers, body }) => {
		const pattern = document.patternOf(`/api/v1${path}`) ?? '';
		return {
			method,
			path: cleaner.path(`/api/v1${path}`, pattern),
			pattern,
			query: cleaner.value(sent.query ?? {}),
			token: sent.token === undefined ? 'valid' : sent.token === null ? 'none' : 'invalid',
			sent: cleaner.value(sent.body) ?? null,
			status,
			headers: Object.fromEntries(Object.entries(headers).filter(([name]) => kept.test(name))),
			body: cleaner.value(body) ?? null,
		};
	});
}
