import { Ajv } from 'ajv';
import { z } from 'zod/v3';

import {
	type AgentDocument,
	checkedDocument,
} from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { documentOf } from '../../../../../nodes/VoiceAgentCalling/agents/document/readAgentDocument.ts';
import { agentDocumentSchema, sampleDocument } from '../../../../docs/agentDocument.mts';
import fc from '../../../../fastCheck.mts';
import { type Answers, answers, elsewhere } from './agents.mts';

const read = ({ agentId, agent, flow, webhooks, voices }: Answers) =>
	documentOf(agentId, agent as never, flow as never, webhooks as never, voices as never);

const textOf = (document: AgentDocument) => JSON.stringify(document, null, 2);

const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);

test('of any agent, the document is valid, the same elsewhere, without an ID or a password, and lacks nothing', () => {
	const idsOf = (list: unknown) => (list as Array<{ id: string }>).map(({ id }) => id).sort();
	fc.assert(
		fc.property(answers, (given) => {
			const { document, ids } = read(given);
			const text = textOf(document);
			// For editors, and for the node.
			const stored = JSON.parse(text) as AgentDocument;
			expect({ valid: validate(stored), errors: validate.errors }).toEqual({ valid: true, errors: null });
			expect(checkedDocument(z).parse(text)).toEqual(stored);
			// Where all IDs, orders of lists and orders of members are others.
			expect(textOf(read(elsewhere(given)).document)).toBe(text);
			const hidden = [given.agentId, 'password@', '=password', 'voice-pro', 'number-1', ...idsOf(given.agent.actions)];
			expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
			// None has the key of another.
			expect([...ids.actions.values()].sort()).toEqual(idsOf(given.agent.actions));
			expect([...ids.trainings.values()].sort()).toEqual(idsOf(given.agent.trainings));
			expect(Object.keys(document.actions).sort()).toEqual([...ids.actions.keys()].sort());
			const others = given.webhooks.filter(({ webhook_url }) => !String(webhook_url).includes('?agent='));
			expect(Object.keys(document.webhooks)).toHaveLength(others.length);
		}),
		{ numRuns: 100 },
	);
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
			ofField: "has a 'schemaVersion' other than 1",
		});
		expect(issue(document.replace('"webhooks":{}', '"webhooks":[]'))).toMatchObject({ message: 'Enter an object' });
	});
});
