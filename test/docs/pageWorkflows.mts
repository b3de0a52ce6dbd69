import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { root } from '../../scripts/lib/places.mts';

/** The workflows that a page shows to be pasted into n8n's editor. */
export function workflowsIn(page: string): WorkflowFile[] {
	const text = readFileSync(join(root, page), 'utf8');
	const blocks = [...text.matchAll(/^```json\n(\{.*?)^```$/gms)].map(([, json]) => JSON.parse(json!) as WorkflowFile);
	return blocks.filter(({ nodes }) => Array.isArray(nodes));
}

/** The one of a name. */
export function workflowIn(page: string, name: string): WorkflowFile {
	const found = workflowsIn(page).find((workflow) => workflow.name === name);
	assert(found, `${page} shows no workflow "${name}"`);
	return found;
}
