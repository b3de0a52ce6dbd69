import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Page } from './texts.mts';

/**
 * Checks every relative link, anchor and image of pages, without a network.
 *
 * @param folder where the names of the pages start
 * @returns a line for each link that leads nowhere
 */
export function brokenLinks(pages: readonly Page[], folder: string): string[] {
	const anchors = new Map(pages.map(({ name, text }) => [name, anchorsOf(text)]));
	return pages.flatMap(({ name, text }) =>
		linksIn(text).flatMap(({ target, line }) => {
			const reason = whyBroken(target, name, anchors, folder);
			return reason === undefined ? [] : [`${name}:${line}: ${target}: ${reason}`];
		}),
	);
}

function whyBroken(
	target: string,
	page: string,
	anchors: ReadonlyMap<string, ReadonlySet<string>>,
	folder: string,
): string | undefined {
	if (/^[a-z][a-z+.-]*:/i.test(target)) {
		return URL.canParse(target) ? undefined : 'is no address';
	}
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
	const onDisk = join(folder, file);
	if (file.startsWith('..') || path.startsWith('/')) {
		return 'leads out of the project';
	}
	if (!existsSync(onDisk)) {
		return 'there is no such file';
	}
	if (anchor === undefined) {
		return undefined;
	}
	// GitHub shows lines of a source file, but the pages should not depend on their numbers.
	const known = statSync(onDisk).isFile() ? anchors.get(file) : undefined;
	return known?.has(anchor) ? undefined : 'there is no such heading';
}

/** The links and images of a page with their lines, those of HTML too, without what is code. */
function linksIn(text: string): Array<{ target: string; line: number }> {
	const patterns = [
		/\]\(\s*<?([^()\s>]+(?:\([^()\s]*\)[^()\s>]*)?)>?(?:\s+["'][^"']*["'])?\s*\)/g,
		/^\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/g,
		/<(?:a|img|source|video)\b[^>]*?\b(?:href|src|srcset|poster)="([^"\s]+)/g,
	];
	return withoutCode(text).flatMap((line, index) =>
		patterns.flatMap((pattern) => [...line.matchAll(pattern)]).map(([, target = '']) => ({ target, line: index + 1 })),
	);
}

/** The lines of a page, empty where they are code. */
function withoutCode(text: string): string[] {
	let fence: string | undefined;
	return text.split('\n').map((line) => {
		const mark = /^\s*(?:>\s*)*(`{3,}|~{3,})/.exec(line)?.[1];
		if (mark && fence === undefined) {
			fence = mark;
			return '';
		}
		if (mark && fence !== undefined && mark.startsWith(fence)) {
			fence = undefined;
			return '';
		}
		return fence === undefined ? line.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, (code) => ' '.repeat(code.length)) : '';
	});
}

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(text: string): Set<string> {
	const anchors = new Set<string>();
	const headings = withoutFences(text).flatMap((line) => /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1] ?? []);
	for (const heading of headings) {
		const plain = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]+>/g, '');
		const slug = plain
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
			.replaceAll(' ', '-');
		let unique = slug;
		for (let count = 1; anchors.has(unique); count += 1) {
			unique = `${slug}-${count}`;
		}
		anchors.add(unique);
	}
	for (const [, anchor = ''] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) {
		anchors.add(anchor);
	}
	return anchors;
}

/** The lines of a page without its code blocks; code within a heading is a part of its anchor. */
function withoutFences(text: string): string[] {
	const kept = withoutCode(text);
	return text.split('\n').filter((line, index) => kept[index]?.trim() !== '' || /^#{1,6}\s+`/.test(line));
}
