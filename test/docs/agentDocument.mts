import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

import {
	agentFields,
	fieldsOf,
	keyedSections,
	type Section,
} from '../../nodes/VoiceAgentCalling/agents/document/agentFields.ts';
import { documentSchema, SCHEMA_URL } from '../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { root } from '../../scripts/lib/places.mts';
import { withGenerated } from './generated.mts';
import { plain, table } from './markdown.mts';

export const SCHEMA_FILE = 'docs/agent-document.schema.json';
export const PAGE = 'docs/reference/agents-as-documents.md';

/** The JSON schema of an agent's document, from the check of the node. */
export function agentDocumentSchema(): string {
	const { $schema, ...schema } = zodToJsonSchema(documentSchema(z), { target: 'jsonSchema7', $refStrategy: 'none' });
	const head = { $schema, $id: SCHEMA_URL, title: 'A voice agent as a document' };
	return `${JSON.stringify({ ...head, ...schema }, null, '\t')}\n`;
}

/** The page about documents of agents, with the table of the fields that the service does not return. */
export function agentsAsCodePage(): string {
	const rows = (Object.keys(agentFields) as Section[]).flatMap((section) => {
		const prefix = keyedSections.some((each) => each === section) ? `${section}.*.` : `${section}.`;
		const hidden = fieldsOf(section).filter(([, { isReadable }]) => !isReadable);
		return hidden.map(([field, { default: initial, note = '' }]) => {
			return [`\`${prefix}${field}\``, defaultInWords(initial), plain(note)];
		});
	});
	const fields = table(['Field', 'Default', 'What to know'], rows);
	return withGenerated(PAGE, { 'fields that the service does not return': fields });
}

/** What a field is without a value; empty where that is not known. */
function defaultInWords(initial: unknown): string {
	if (initial === undefined) {
		return '';
	}
	return initial === null || Object(initial) === initial ? 'none' : `\`${String(initial)}\``;
}

/** The first JSON sample on the page. */
export function sampleDocument(): Record<string, unknown> {
	const sample = /```json\n(.*?)```/s.exec(readFileSync(join(root, PAGE), 'utf8'))?.[1] ?? '';
	return JSON.parse(sample) as Record<string, unknown>;
}
