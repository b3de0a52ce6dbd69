import type { z } from 'zod/v3';

import { type Field, issueOf, jsonValue, kindOf, type Zod } from '../../../shared/fields/field';
import { json } from '../../../shared/fields/kinds';
import { fieldErrorMap } from '../../../shared/fields/readFields';
import { isRecord } from '../../../shared/lib/json';
import { suggester } from '../../../shared/lib/text';
import { agentFields, KEY, type Section } from './agentFields';

/** The version of the format. A document with another version is rejected. */
export const SCHEMA_VERSION = 1;

/** The URL of the JSON schema, which editors use for completion. */
export const SCHEMA_URL =
	'https://raw.githubusercontent.com/n8n-nodes-voice-agent-calling/n8n-nodes-voice-agent-calling/main/docs/agent-document.schema.json';

/** The checks of the fields of a section, by field name. */
type Shape<Of extends Section> = {
	-readonly [Name in keyof (typeof agentFields)[Of]]: (typeof agentFields)[Of][Name] extends {
		schema: (zod: Zod) => infer Schema extends z.ZodTypeAny;
	}
		? Schema
		: never;
};

/** Creates the check of a section, or of one of its members. Unknown names are errors. */
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

/** An agent as a document. A missing field is unknown: Export omits fields that the service does not return. */
export type AgentDocument = z.output<ReturnType<typeof documentSchema>>;

/** An action in a document. */
export type DocumentAction = AgentDocument['actions'][string];

/** A training in a document. */
export type DocumentTraining = AgentDocument['trainings'][string];

/** A webhook in a document. */
export type DocumentWebhook = AgentDocument['webhooks'][string];

/** Takes the document out of an output item. n8n shows and copies one item as a list. */
function documentIn(value: unknown): unknown {
	const [item, ...others] = Array.isArray(value) ? value : [value];
	if (others.length > 0 || !isRecord(item)) {
		return value;
	}
	return isRecord(item.json) && !('schemaVersion' in item) ? documentIn(item.json) : item;
}

/** Returns the valid names at a place in a document. */
function namesAt(schema: z.ZodTypeAny, path: ReadonlyArray<string | number>): string[] {
	const inner = schema as z.ZodTypeAny & {
		shape?: Record<string, z.ZodTypeAny>;
		element?: z.ZodTypeAny;
		valueSchema?: z.ZodTypeAny;
		unwrap?: () => z.ZodTypeAny;
	};
	if (typeof inner.unwrap === 'function') {
		return namesAt(inner.unwrap(), path);
	}
	const [first, ...rest] = path;
	if (first === undefined) {
		return Object.keys(inner.shape ?? {});
	}
	const next = inner.shape?.[first] ?? inner.valueSchema ?? inner.element;
	return next ? namesAt(next, rest) : [];
}

/** Asks at the end of a phrase whether another name was meant; empty if no known name is similar. */
function didYouMean(unknown: string, known: readonly string[]): string {
	const meant = suggester(known)(unknown);
	return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}

/** Describes an issue in a document, and what to do. It shows no values, because they may be secrets. */
function wordsFor(schema: z.ZodTypeAny, issue: z.ZodIssue): { ofField: string; advice: string } {
	const place = (name?: string) => `'${[...issue.path, ...(name === undefined ? [] : [name])].join('.')}'`;
	if (issue.code === 'unrecognized_keys') {
		const [unknown] = issue.keys;
		const known = namesAt(schema, issue.path);
		return {
			ofField: `has the unknown name ${place(unknown)}${didYouMean(unknown, known)}`,
			advice: `Use one of ${known.join(', ')}`,
		};
	}
	if ((issue.code === 'invalid_type' || issue.code === 'invalid_literal') && String(issue.received) === 'undefined') {
		return { ofField: `lacks ${place()}`, advice: 'Add it: Agent → Export writes everything that the service returns' };
	}
	if (issue.code === 'invalid_literal') {
		return {
			ofField: `has a ${place()} other than ${SCHEMA_VERSION}`,
			advice: 'Use a version of this package that supports the format, or export the agent again',
		};
	}
	return { ofField: `has a value at ${place()} that cannot be used`, advice: issue.message };
}

/** Creates the check of a document: JSON as text or as a value, or an item of Export. Issues name the place. */
export function checkedDocument(zod: Zod): z.ZodType<AgentDocument, z.ZodTypeDef, unknown> {
	const schema = documentSchema(zod);
	return jsonValue(zod).transform((value, context) => {
		const found = documentIn(value);
		if (!isRecord(found)) {
			const advice = 'Enter one document, as Agent → Export returns it';
			context.addIssue(issueOf(advice, { ofField: `is ${kindOf(found)}, not an object` }));
			return zod.NEVER;
		}
		const result = schema.safeParse(found, { errorMap: fieldErrorMap });
		if (result.success) {
			return result.data;
		}
		const { ofField, advice } = wordsFor(schema, result.error.issues[0]);
		context.addIssue(issueOf(advice, { ofField }));
		return zod.NEVER;
	});
}

export const agentDocument: Field<'document', AgentDocument> = {
	...json('document', {
		displayName: 'Document',
		name: 'document',
		default: '={{ $json }}',
		required: true,
		description: 'An agent as JSON. Also accepts the output of Agent → Export.',
	}),
	check: checkedDocument,
};
