// A Stryker plugin that leaves texts for people unchanged, and the examples of the rules for flows, which docs/reference/flow-rules.md
// shows.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

import { isTextForPeople } from '../../test/mutation/texts.mts';

const ignorer = {
	shouldIgnore: ({ node, parent }) => (isTextForPeople(node, parent) ? 'a text for people' : undefined),
};

const EXAMPLES = ['bad', 'good', 'exampleContext'];

const examples = {
	shouldIgnore: ({ node }) =>
		node.type === 'ObjectProperty' && EXAMPLES.includes(node.key.name) ? 'an example in the documentation' : undefined,
};

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'textsForPeople', ignorer),
	declareValuePlugin(PluginKind.Ignore, 'examples', examples),
];
