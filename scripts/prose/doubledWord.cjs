'use strict';

/** Words that may follow themselves. */
const allowed = new Set(['had', 'that']);

/** Reports a word that is written twice in a row. */
module.exports = ({ Syntax, RuleError, report, getSource, locator }) => ({
	[Syntax.Str](node) {
		for (const match of getSource(node).matchAll(/\b(\p{L}+)\s+\1\b/giu)) {
			if (!allowed.has(match[1].toLowerCase())) {
				const range = [match.index, match.index + match[0].length];
				report(node, new RuleError(`doubled word: ${match[0]}`, { padding: locator.range(range) }));
			}
		}
	},
});
