import { Ajv } from 'ajv';
import { z } from 'zod/v3';

import { checkedDocument } from '../../nodes/VoiceAgentCalling/agentDocument/documentField.ts';
import { agentDocumentSchema, agentsAsCodePage, PAGE, SCHEMA_FILE, sampleDocument } from '../docs/agentDocument.mts';
import { expectGenerated } from '../docs/generated.mts';

test('docs/agent-document.schema.json is the schema that the node checks documents with', () => {
	expectGenerated(SCHEMA_FILE, agentDocumentSchema());
});

test('docs/reference/agents-as-documents.md has every field that the service does not return', () => {
	expectGenerated(PAGE, agentsAsCodePage());
});

test('the sample document is valid for the node and for editors', () => {
	const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);
	expect(validate(sampleDocument())).toBe(true);
	expect(checkedDocument(z).parse(sampleDocument())).toEqual(sampleDocument());
});

test.each([
	['an unknown name', (document: Sample) => ({ ...document, setings: {} })],
	[
		'an unknown name in an action',
		({ actions, ...document }: Sample) => {
			return { ...document, actions: { book: { ...actions.book_appointment, speak_on_sent: 'Hi' } } };
		},
	],
	['another version', (document: Sample) => ({ ...document, schemaVersion: 2 })],
	['a missing section', ({ knowledge: _knowledge, ...document }: Sample) => document],
	[
		'a key with a dot',
		({ actions, ...document }: Sample) => {
			return { ...document, actions: { 'a.b': actions.book_appointment } };
		},
	],
])('%s is invalid for the node and for editors', (_, change) => {
	const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);
	const document = change(sampleDocument() as unknown as Sample);
	expect(validate(document)).toBe(false);
	expect(checkedDocument(z).safeParse(document).success).toBe(false);
});

interface Sample {
	knowledge: object;
	actions: Record<string, object>;
}
