import type { z } from 'zod/v3';

import type { Zod } from '../../../shared/fields/field';
import { agentFields, KEY, type Section } from './agentFields';

/** The version of the format. A document with another one is rejected. */
export const SCHEMA_VERSION = 1;

/** The address of the JSON schema, which editors use for completion. */
export const SCHEMA_URL =
	'https://raw.githubusercontent.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/main/docs/agent-document.schema.json';

/** The checks of the fields of a section, by their names. */
type Shape<Of extends Section> = {
	-readonly [Name in keyof (typeof agentFields)[Of]]: (typeof agentFields)[Of][Name] extends {
		schema: (zod: Zod) => infer Schema extends z.ZodTypeAny;
	}
		? Schema
		: never;
};

/** The check of a section, or of one of its members. Unknown names are errors. */
function objectOf<Of extends Section>(zod: Zod, section: Of) {
	const fields = Object.entries<{ schema: (zod: Zod) => z.ZodTypeAny }>(agentFields[section]);
	const shape = Object.fromEntries(fields.map(([name, { schema }]) => [name, schema(zod)]));
	return zod.object(shape as Shape<Of>).strict();
}

/** Creates the check of the format: unknown names are errors, all sections are required. */
export function documentSchema(zod: Zod) {
	const key = zod
		.string()
		.regex(KEY, 'Keys have up to 80 letters, digits, hyphens and underscores and begin with a letter or digit');
	return zod
		.object({
			$schema: zod.string().optional().describe('The address of this schema.'),
			schemaVersion: zod.literal(SCHEMA_VERSION),
			settings: objectOf(zod, 'settings').describe(
				'Only the creation of an agent sets them: they cannot be changed afterwards.',
			),
			knowledge: objectOf(zod, 'knowledge'),
			voice: objectOf(zod, 'voice'),
			calling: objectOf(zod, 'calling'),
			conversation: objectOf(zod, 'conversation'),
			actions: zod.record(key, objectOf(zod, 'actions')).describe('By key.'),
			trainings: zod.record(key, objectOf(zod, 'trainings')).describe('By key.'),
			webhooks: zod
				.record(key, objectOf(zod, 'webhooks'))
				.describe('By key. Those of a Voice Agent Calling Trigger do not belong here: triggers register themselves.'),
			notReadable: zod
				.array(zod.string())
				.optional()
				.describe('What the service did not return: paths in the document. Export writes the list, nothing reads it.'),
		})
		.strict();
}

/** An agent as a document. A field that is left out is not known: by Export, because the service does not return it. */
export type AgentDocument = z.output<ReturnType<typeof documentSchema>>;

/** An action in a document. */
export type DocumentAction = AgentDocument['actions'][string];

/** A training in a document. */
export type DocumentTraining = AgentDocument['trainings'][string];

/** A webhook in a document. */
export type DocumentWebhook = AgentDocument['webhooks'][string];
