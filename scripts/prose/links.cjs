'use strict';
// A rule for textlint: relative links, anchors and images lead somewhere in the project, without a network.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { default: GithubSlugger } = require('github-slugger');

/** The anchors of each page that a link leads to. */
const known = new Map();

/** Reports each link, image and definition that leads nowhere, those in HTML too. */
module.exports = ({ Syntax, RuleError, report, getSource, getFilePath, locator }) => {
	const check = (node, target, index = 0) => {
		const reason = whyBroken(target, getFilePath());
		if (reason) {
			report(node, new RuleError(`${target}: ${reason}`, { padding: locator.at(index) }));
		}
	};
	const checkHtml = (node) => {
		const links = /<(?:a|img|source|video)\b[^>]*?\b(?:href|src|srcset|poster)="([^"\s]+)/g;
		for (const { 1: target, index } of getSource(node).matchAll(links)) {
			check(node, target, index);
		}
	};
	return {
		[Syntax.Link]: (node) => check(node, node.url),
		[Syntax.Image]: (node) => check(node, node.url),
		[Syntax.Definition]: (node) => check(node, node.url),
		[Syntax.Html]: checkHtml,
		[Syntax.HtmlBlock]: checkHtml,
	};
};

function whyBroken(target, page) {
	if (/^[a-z][a-z+.-]*:/i.test(target)) {
		return URL.canParse(target) ? undefined : 'is no address';
	}
	const [path, anchor] = target.split('#');
	const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
	if (path.startsWith('/') || relative(process.cwd(), file).startsWith('..')) {
		return 'leads out of the project';
	}
	if (!existsSync(file)) {
		return 'there is no such file';
	}
	// GitHub shows lines of a source file, but the pages should not depend on their numbers.
	return anchor === undefined || anchorsOf(file).has(anchor) ? undefined : 'there is no such heading';
}

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(file) {
	if (!known.has(file)) {
		const text = file.endsWith('.md') && statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
		const prose = text.replace(/^\s*(`{3,}|~{3,})[^]*?^\s*\1/gm, '');
		const slugger = new GithubSlugger();
		const headings = [...prose.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)].map(([, heading]) =>
			slugger.slug(heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]+>/g, '')),
		);
		const named = [...prose.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, anchor]) => anchor);
		known.set(file, new Set([...headings, ...named]));
	}
	return known.get(file);
}
