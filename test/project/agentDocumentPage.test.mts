import { Ajv } from 'ajv';
import { z } from 'zod/v3';

import { checkedDocument } from '../../nodes/VoiceAgentCalling/agents/document/document.ts';
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

const { actions, ...rest } = sampleDocument() as unknown as Sample;
const { knowledge: _knowledge, ...withoutKnowledge } = { ...rest, actions };
const book = actions.book_appointment;
test.each([
	['an unknown name', { ...rest, actions, setings: {} }],
	['an unknown name in an action', { ...rest, actions: { book: { ...book, speak_on_sent: 'Hi' } } }],
	['another version', { ...rest, actions, schemaVersion: 2 }],
	['a missing section', withoutKnowledge],
	['a key with a dot', { ...rest, actions: { 'a.b': book } }],
])('%s is invalid for the node and for editors', (_, document) => {
	const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);
	expect(validate(document)).toBe(false);
	expect(checkedDocument(z).safeParse(document).success).toBe(false);
});

interface Sample {
	knowledge: object;
	actions: Record<string, object>;
}
