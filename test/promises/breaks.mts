import type { Break } from './break.mts';
import { calls } from './calls.mts';
import { defects } from './defects.mts';
import { documents } from './documents.mts';
import { editor } from './editor.mts';
import { events } from './events.mts';
import { inN8n } from './inN8n.mts';
import { numbers } from './numbers.mts';
import { pace } from './pace.mts';
import { sandbox } from './sandbox.mts';
import { secrets } from './secrets.mts';
import { tools } from './tools.mts';

/** A change for each promise, in the order of the tables in docs/contributing/testing.md; last what only a real n8n proves. */
export const brokenPromises: readonly Break[] = [
	...calls,
	...numbers,
	...documents,
	...tools,
	...events,
	...secrets,
	...pace,
	...editor,
	...sandbox,
	...inN8n,
];

/** Those, and changes that bring mended defects back. */
export const breaks: readonly Break[] = [...brokenPromises, ...defects];
