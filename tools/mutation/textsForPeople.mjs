// A Stryker plugin that leaves texts for people unchanged.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

import { isTextForPeople } from '../../test/mutation/texts.mts';

const ignorer = {
	shouldIgnore: ({ node, parent }) => (isTextForPeople(node, parent) ? 'a text for people' : undefined),
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'textsForPeople', ignorer)];
