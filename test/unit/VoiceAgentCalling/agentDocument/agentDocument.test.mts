import { Ajv } from 'ajv';
import fc from 'fast-check';
import { z } from 'zod/v3';

import type { AgentDocument } from '../../../../nodes/VoiceAgentCalling/agentDocument/document.ts';
import { checkedDocument } from '../../../../nodes/VoiceAgentCalling/agentDocument/documentField.ts';
import { documentOf } from '../../../../nodes/VoiceAgentCalling/agentDocument/readAgentDocument.ts';
import { agentDocumentSchema, sampleDocument } from '../../../docs/agentDocument.mts';
import { type Answers, answers, elsewhere } from './agents.mts';

const read = ({ agentId, agent, flow, webhooks, voices }: Answers) =>
	documentOf(agentId, agent as never, flow as never, webhooks as never, voices as never);

const textOf = (document: AgentDocument) => JSON.stringify(document, null, 2);

/** A document as a file has it. */
const stored = (document: AgentDocument) => JSON.parse(textOf(document)) as AgentDocument;

const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);

const RUNS = { numRuns: 100, seed: Number(process.env.FAST_CHECK_SEED ?? 1) };

describe('of any agent', () => {
	test('the document is valid for the node and for editors', () => {
		fc.assert(
			fc.property(answers, (given) => {
				const document = stored(read(given).document);
				expect({ valid: validate(document), errors: validate.errors }).toEqual({ valid: true, errors: null });
				expect(checkedDocument(z).parse(textOf(document))).toEqual(document);
			}),
			RUNS,
		);
	});

	test('the document has the same bytes where all IDs, orders of lists and orders of members are others', () => {
		fc.assert(
			fc.property(answers, (given) => {
				expect(textOf(read(elsewhere(given)).document)).toBe(textOf(read(given).document));
			}),
			RUNS,
		);
	});

	test('no action, training or webhook is lost, and none has the key of another', () => {
		fc.assert(
			fc.property(answers, (given) => {
				const { document, ids } = read(given);
				const idsOf = (list: unknown) => (list as Array<{ id: string }>).map(({ id }) => id).sort();
				expect([...ids.actions.values()].sort()).toEqual(idsOf(given.agent.actions));
				expect([...ids.trainings.values()].sort()).toEqual(idsOf(given.agent.trainings));
				expect(Object.keys(document.actions).sort()).toEqual([...ids.actions.keys()].sort());
				const others = given.webhooks.filter(({ webhook_url }) => !String(webhook_url).includes('?agent='));
				expect(Object.keys(document.webhooks)).toHaveLength(others.length);
			}),
			RUNS,
		);
	});

	test('neither an ID nor a password shows in the document', () => {
		fc.assert(
			fc.property(answers, (given) => {
				const text = textOf(read(given).document);
				for (const { id } of given.agent.actions as Array<{ id: string }>) {
					expect(text).not.toContain(id);
				}
				for (const secret of [given.agentId, 'password@', '=password', 'voice-pro', 'number-1']) {
					expect(text).not.toContain(secret);
				}
			}),
			RUNS,
		);
	});
});

describe('a document as people have it', () => {
	const document = JSON.stringify(sampleDocument());
	const issue = (given: unknown) => {
		const [{ params, message } = {} as never] = checkedDocument(z).safeParse(given).error?.issues as Array<{
			params: unknown;
			message: string;
		}>;
		return { ...(params as object), message };
	};

	test('may begin with a byte order mark, as a file of Windows does', () => {
		expect(checkedDocument(z).safeParse(`\ufeff${document}`).success).toBe(true);
	});

	test('is told what it is not, if it has no version', () => {
		expect(issue({ data: JSON.parse(document) })).toMatchObject({ ofField: "lacks 'schemaVersion'" });
		expect(issue(document.replace('"schemaVersion":1', '"schemaVersion":2'))).toMatchObject({
			ofField: "has another 'schemaVersion' than 1",
		});
		expect(issue(document.replace('"webhooks":{}', '"webhooks":[]'))).toMatchObject({ message: 'Enter an object' });
	});
});
