import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nProgram } from '../../scripts/lib/n8n.mts';

/** What an older n8n lacks, and the oldest version that was seen to have it. docs/contributing/compatibility.md says the same. */
const SINCE = {
	/** An execution that waits has this status as soon as n8n has started. n8n 2.0 first marks it as crashed for a moment. */
	keepsWaitingAtStart: '2.41',
	/** In queue mode, what a killed worker ran fails. n8n 1 runs it again, unless a setting says otherwise. */
	failsWithTheWorker: '2.41',
	/** A sub-workflow has to be published; an older n8n runs it as it is, and publishes none without a trigger. */
	publishesSubWorkflows: '2.0',
	/** In a tool, expressions with another node or with all input items have a value. In n8n 1.123 they have none. */
	findsNodesInTools: '2.0',
	/** A sub-workflow of a sub-workflow knows how the execution began that runs both. */
	tellsInnerSubWorkflows: '2.41',
} as const;

const manifest = join(n8nProgram, '..', '..', 'package.json');
const byNumber = new Intl.Collator('en', { numeric: true });

const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

/** Whether the n8n that is tested is new enough. */
export function doesN8n(what: keyof typeof SINCE): boolean {
	return byNumber.compare(version, SINCE[what]) >= 0;
}
