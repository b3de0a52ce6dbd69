import assert from 'node:assert';

import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { jsonIn } from './copyable.mts';

/** The workflows that a page shows to be pasted into n8n's editor. */
export function workflowsIn(page: string): WorkflowFile[] {
	return jsonIn(page).filter(({ nodes }) => Array.isArray(nodes)) as unknown as WorkflowFile[];
}

/** The one of a name. */
export function workflowIn(page: string, name: string): WorkflowFile {
	const found = workflowsIn(page).find((workflow) => workflow.name === name);
	assert(found, `${page} shows no workflow "${name}"`);
	return found;
}
