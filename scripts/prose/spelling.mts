import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Page } from './texts.mts';

/** What of cspell is used here; it is not installed with the rest. */
interface Spelling {
	spellCheckDocument(
		document: { uri: string; text: string; languageId: string },
		options: { noConfigSearch: boolean },
		settings: object,
	): Promise<{ issues: Array<{ text: string; line: { text: string; position: { line: number } } }> }>;
}

/**
 * Checks the spelling of pages: American English, words of software, and the words of the project.
 *
 * @param tools the folder of the tools, with the settings and the words
 * @returns a line for each unknown word
 */
export async function misspellings(pages: readonly Page[], tools: string): Promise<string[]> {
	const { spellCheckDocument } = (await import(pathToFileURL(join(tools, 'tools.mjs')).href)) as Spelling;
	const words = readFileSync(join(tools, 'words.txt'), 'utf8').trim().split('\n');
	const settings = { ...(JSON.parse(readFileSync(join(tools, 'cspell.json'), 'utf8')) as object), words };
	const found: string[] = [];
	for (const [index, { name, text }] of pages.entries()) {
		const document = { uri: `file:///page-${index}.md`, text, languageId: 'markdown' };
		const { issues } = await spellCheckDocument(document, { noConfigSearch: true }, settings);
		found.push(...issues.map((issue) => `${name}:${issue.line.position.line + 1}: unknown word: ${issue.text}`));
	}
	return found;
}
