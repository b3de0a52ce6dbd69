import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { filesIn, read } from './sources.mts';

const withoutBlocks = (page: string) => page.replace(/^\s*(`{3,}|~{3,})[^]*?^\s*\1/gm, '');
const withoutCode = (page: string) => withoutBlocks(page).replace(/(`+)[^`\n]+?\1/g, '');

/** The anchors of each page that a link leads to. */
const known = new Map<string, string[]>();

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(file: string): string[] {
	const prose = withoutBlocks(read(file));
	const slugs = [...prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)].map(([, heading]) =>
		heading
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.replace(/<[^>]+>/g, '')
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
			.replaceAll(' ', '-'),
	);
	// GitHub counts headings with the same text.
	const headings = slugs.map((slug, index) => {
		const earlier = slugs.slice(0, index).filter((other) => other === slug).length;
		return earlier === 0 ? slug : `${slug}-${earlier}`;
	});
	return [...headings, ...[...prose.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, anchor]) => anchor)];
}

/** Why a link of a page leads nowhere; undefined for one that leads to a file or a heading of the project. */
function whyBroken(page: string, target: string): string | undefined {
	if (/^[a-z][a-z+.-]*:/i.test(target)) {
		return URL.canParse(target) ? undefined : 'is not an address';
	}
	const [path, anchor] = target.split('#');
	const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
	if (path.startsWith('/') || relative(root, join(root, file)).startsWith('..')) {
		return 'leads out of the project';
	}
	if (!existsSync(join(root, file))) {
		return 'the file does not exist';
	}
	const isPage = file.endsWith('.md') && statSync(join(root, file)).isFile();
	if (isPage && !known.has(file)) {
		known.set(file, anchorsOf(file));
	}
	return anchor === undefined || known.get(file)?.includes(anchor) ? undefined : 'the heading does not exist';
}

/** The targets of links, images and definitions, also in HTML. */
function targetsIn(page: string): string[] {
	const text = withoutCode(read(page));
	const forms = [
		/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g,
		/^\[[^\]]+\]:\s*(\S+)/gm,
		/<(?:a|img|source|video)\b[^>]*?\b(?:href|src|srcset|poster)="([^"\s]+)/g,
	];
	return forms.flatMap((form) => [...text.matchAll(form)].map(([, target]) => target));
}

const pages = [...filesIn(['docs', 'sandbox'], /\.md$/), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

test('each link, anchor and image of the pages leads somewhere in the project', () => {
	const targets = pages.flatMap((page) => targetsIn(page).map((target) => ({ page, target })));
	expect(targets.length).toBeGreaterThan(500);
	const broken = targets.flatMap(({ page, target }) => {
		const reason = whyBroken(page, target);
		return reason === undefined ? [] : [`${page}: ${target}: ${reason}`];
	});
	expect(broken).toEqual([]);
});

test.each([
	['gone.md', 'the file does not exist'],
	['docs/install.md#gone', 'the heading does not exist'],
	['#gone', 'the heading does not exist'],
	['../etc/passwd', 'leads out of the project'],
	['https://', 'is not an address'],
	['docs/README.md', undefined],
])('a link of the README to %s: %s', (target, reason) => {
	expect(whyBroken('README.md', target)).toBe(reason);
});
