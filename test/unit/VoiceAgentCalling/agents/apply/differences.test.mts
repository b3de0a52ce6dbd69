import { planAgent } from '../../../../../nodes/VoiceAgentCalling/agents/apply/planAgent.ts';
import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { documentOf } from '../../../../../nodes/VoiceAgentCalling/agents/document/readAgentDocument.ts';
import fc from '../../../../fastCheck.mts';
import { type Answers, answers } from '../document/agents.mts';

const RUNS = { numRuns: 30 };

const read = ({ agentId, agent, flow, webhooks, voices }: Answers) =>
	documentOf(agentId, agent as never, flow as never, webhooks as never, voices as never);

/** What a document would change in the agent of some answers. */
function planFor(document: AgentDocument, given: Answers) {
	return planAgent({
		document: JSON.parse(JSON.stringify(document)) as AgentDocument,
		agent: read(given),
		wasPublished: false,
		environment: { voices: given.voices as never, phoneNumbers: [] },
		options: { removeOthers: true, unreadableFields: 'reset', publishAfterwards: 'never' },
	});
}

const differencesOf = (document: AgentDocument, given: Answers) => planFor(document, given).differences;

/** Whether each action, training and webhook has a name of its own. Others cannot be matched, which is a problem. */
function isClear(given: Answers): boolean {
	const { actions, trainings, webhooks } = read(given).document;
	const names = [actions, trainings, webhooks].map((members) =>
		Object.values<{ name?: string; subject?: string }>(members).map(({ name, subject }) => name ?? subject),
	);
	return names.every((each) => new Set(each).size === each.length);
}

const clear = answers.filter(isClear);

test('no agent differs from its own document', () => {
	fc.assert(
		fc.property(clear, (given) => {
			const { document } = read(given);
			expect(planFor(document, given)).toMatchObject({ differences: [], requests: [] });
		}),
		RUNS,
	);
});

describe('one change of an agent', () => {
	/** Changes of the answers of the service, and the path at which each shows. */
	const changes: Array<[path: string, change: (given: Answers) => boolean]> = [
		['settings.label', ({ agent }) => set(agent, 'label', 'another label of 40 letters and even more')],
		['knowledge.description', ({ agent }) => set(agent, 'description', 'another description, longer than any text')],
		['knowledge.initial_message_delay', ({ agent }) => set(agent, 'initial_message_delay', 61)],
		['voice.conversation_speed', ({ agent }) => set(agent, 'conversation_speed', 2)],
		['voice.template', ({ agent }) => set(Object(agent.voice), 'template', { id: 'new', name: 'Bennett' })],
		[
			'voice.similarity',
			({ agent }) => Object(agent.voice).similarity_boost !== null && set(Object(agent.voice), 'similarity_boost', 0.9),
		],
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
			fc.property(clear, (given) => {
				const { document } = read(given);
				const changed = structuredClone(given);
				fc.pre(change(changed));
				const differences = differencesOf(document, changed);
				expect(differences.map((difference) => difference.path)).toEqual([path]);
			}),
			RUNS,
		);
	});

	test('of one field of an action shows at that field of that action only', () => {
		fc.assert(
			fc.property(clear, fc.nat(), (given, pick) => {
				const changed = structuredClone(given);
				const actions = changed.agent.actions as Array<Record<string, unknown>>;
				const action = actions[pick % actions.length];
				fc.pre(Boolean(action) && action!.description !== null);
				action!.description = 'another description, longer than any text';
				const { document, ids } = read(given);
				const key = [...ids.actions].find(([, id]) => id === action!.id)?.[0];
				expect(differencesOf(document, changed)).toMatchObject([{ path: `actions.${key}.description` }]);
			}),
			RUNS,
		);
	});
});
