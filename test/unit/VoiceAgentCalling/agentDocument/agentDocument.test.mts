import { Ajv } from 'ajv';
import fc from 'fast-check';
import { z } from 'zod/v3';

import { compareDocuments } from '../../../../nodes/VoiceAgentCalling/agentDocument/compareDocuments.ts';
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

const known = (wanted: AgentDocument, current: AgentDocument) =>
	compareDocuments(wanted, current).filter(({ change }) => change !== 'unknown');

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

	test('the document differs from the agent in nothing but what is unknown, which is what it lists', () => {
		fc.assert(
			fc.property(answers, (given) => {
				const { document } = read(given);
				const differences = compareDocuments(stored(document), document);
				expect(differences.filter(({ change }) => change !== 'unknown')).toEqual([]);
				expect(differences.map(({ path }) => path)).toEqual(document.notReadable);
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
				const { document, actionIds, trainingIds } = read(given);
				const idsOf = (list: unknown) => (list as Array<{ id: string }>).map(({ id }) => id).sort();
				expect([...actionIds.values()].sort()).toEqual(idsOf(given.agent.actions));
				expect([...trainingIds.values()].sort()).toEqual(idsOf(given.agent.trainings));
				expect(Object.keys(document.actions).sort()).toEqual([...actionIds.keys()].sort());
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

describe('one change of an agent', () => {
	/** Changes of the answers of the service, and the path at which each shows. */
	const changes: Array<[path: string, change: (given: Answers) => boolean]> = [
		['settings.label', ({ agent }) => set(agent, 'label', 'another label of 40 letters and even more')],
		['knowledge.description', ({ agent }) => set(agent, 'description', 'another description, longer than any text')],
		['knowledge.initial_message_delay', ({ agent }) => set(agent, 'initial_message_delay', 61)],
		['voice.conversation_speed', ({ agent }) => set(agent, 'conversation_speed', 2)],
		['voice.template', ({ agent }) => set(Object(agent.voice), 'template', { id: 'new', name: 'Bennett' })],
		['voice.similarity', ({ agent }) => set(Object(agent.voice), 'similarity_boost', 0.9)],
		['calling.phone_numbers', ({ agent }) => (agent.phone_numbers as unknown[]).push({ id: 'x', number: '+1' }) > 0],
		['conversation.conversation_mode', ({ flow }) => set(flow, 'conversation_mode', 'another')],
		['conversation.flow_config.nodes', ({ flow }) => reverse(Object(flow.flow_config).nodes ?? [])],
	];

	/** Reverses a list. @returns whether that changes it */
	function reverse(list: unknown[]): boolean {
		return JSON.stringify(list) !== JSON.stringify(list.reverse());
	}

	function set(object: Record<string, unknown>, key: string, value: unknown): boolean {
		const has = object[key] !== undefined;
		object[key] = value;
		return has;
	}

	test.each(changes)('shows at %s, and nowhere else', (path, change) => {
		fc.assert(
			fc.property(answers, (given) => {
				const { document } = read(given);
				const changed = structuredClone(given);
				fc.pre(change(changed));
				const differences = known(document, read(changed).document);
				expect(differences.map((difference) => difference.path)).toEqual([path]);
			}),
			RUNS,
		);
	});

	test('of one field of an action shows at that field of that action only', () => {
		fc.assert(
			fc.property(answers, fc.nat(), (given, pick) => {
				const changed = structuredClone(given);
				const actions = changed.agent.actions as Array<Record<string, unknown>>;
				fc.pre(actions.length > 0);
				const { document, actionIds } = read(given);
				const action = actions[pick % actions.length] as Record<string, unknown>;
				fc.pre(action.description !== null);
				action.description = 'another description, longer than any text';
				const key = [...actionIds].find(([, id]) => id === action.id)?.[0];
				const differences = known(document, read(changed).document);
				expect(differences).toMatchObject([{ path: `actions.${key}.description`, change: 'changed' }]);
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
