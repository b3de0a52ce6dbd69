import { newActionId } from '../../../../../nodes/VoiceAgentCalling/agents/apply/plan.ts';
import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import fc from '../../../../fastCheck.mts';
import { anyDocument } from './anyDocument.mts';
import { agentOf, NUMBERS, pick, plan, READABLE } from './plans.mts';

const runs = (numRuns: number) => ({ numRuns });

/** A change of one field, the request that it takes, and what else it needs. */
const changes: Array<
	[
		field: string,
		change: (document: AgentDocument, key: string) => void,
		section?: 'actions' | 'trainings' | 'webhooks',
	]
> = [
	['knowledge', ({ knowledge }) => Object.assign(knowledge, { description: 'Another prompt.' })],
	['voice', ({ voice }) => Object.assign(voice, { conversation_speed: 2.75 })],
	['calling', ({ calling }) => (calling.direction = calling.direction === 'inbound' ? 'outbound' : 'inbound')],
	[
		'flow',
		(document) => {
			const flow_config = { initial_node_id: 'x', nodes: [{ id: 'x', type: 'end' }] };
			document.conversation = { ...document.conversation, conversation_mode: 'flow_driven', flow_config } as never;
		},
	],
	['actions', ({ actions }, key) => (actions[key].description = 'Another description.'), 'actions'],
	['trainings', ({ trainings }, key) => (trainings[key].instructions = 'Other instructions.'), 'trainings'],
	['webhooks', ({ webhooks }, key) => (webhooks[key].webhook_url = 'https://other.example.org/x'), 'webhooks'],
];

test('An agent that is as its document says gets no request, whatever the order of members is', () => {
	fc.assert(
		fc.property(anyDocument, fc.boolean(), (document, isPublished) => {
			const reversed = JSON.parse(JSON.stringify(document), (_key, value) =>
				Object(value) === value && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
			) as AgentDocument;
			const { requests, problems } = plan(reversed, agentOf(document, isPublished), { removeOthers: true });
			expect({ requests, problems }).toEqual({ requests: [], problems: [] });
		}),
		runs(100),
	);
});

test('A change takes the one request of its owner, with all that the document says about it, and publishes only where it has to', () => {
	fc.assert(
		fc.property(
			anyDocument,
			fc.constantFrom(...changes),
			fc.boolean(),
			(before, [field, change, section], isPublished) => {
				const keys = section ? Object.keys(before[section]) : [''];
				fc.pre(keys.length > 0);
				const document = structuredClone(before);
				change(document, keys[0]);
				const { requests, problems } = plan(document, agentOf(before, isPublished));
				expect(problems).toEqual([]);
				const [request, ...others] = requests;
				expect(request.path.slice(0, 3)).toEqual(['agents', 'agent', field]);
				const drafts = !['flow', 'webhooks'].includes(field);
				expect(request.makesDraft).toBe(drafts);
				expect(others.map(({ path }) => path)).toEqual(drafts && isPublished ? [['agents', 'agent', 'publish']] : []);
				const said = section ? document[section][keys[0]] : field === 'knowledge' ? document.knowledge : {};
				const set = Object.entries(said).filter(([, value]) => value !== null);
				expect(request.body).toMatchObject(Object.fromEntries(set));
			},
		),
		runs(150),
	);
});

test('The plan of any change has no reference left, deletes only what the document lacks, and updates before it deletes', () => {
	fc.assert(
		fc.property(anyDocument, anyDocument, fc.boolean(), (before, after, removeOthers) => {
			const agent = agentOf(before);
			const { requests, problems, notes } = plan(after, agent, { removeOthers });
			expect(problems).toEqual([]);
			expect(JSON.stringify(requests)).not.toContain('$action');
			const deleted = requests.filter(({ method }) => method === 'DELETE');
			const lacking = (['actions', 'trainings'] as const).flatMap((section) =>
				Object.keys(before[section])
					.filter((key) => !(key in after[section]))
					.map((key) => ['agents', 'agent', section, `${section} ${key}`]),
			);
			expect(deleted.map(({ path }) => path).sort()).toEqual(removeOthers ? lacking.sort() : []);
			expect(notes.filter((note) => /keeps the (action|training)/.test(note))).toHaveLength(
				removeOthers ? 0 : lacking.length,
			);
			const names = requests.map(({ method, path }) => (method === 'DELETE' ? 'delete' : String(path[2])));
			const order = ['knowledge', 'voice', 'calling', 'actions', 'trainings', 'flow', 'webhooks', 'delete', 'publish'];
			expect(names).toEqual(names.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
			const flow = requests.find(({ path }) => path[2] === 'flow');
			const ids = Object.keys(after.actions).map((key) => agent.ids.actions.get(key) ?? newActionId(key));
			const used = JSON.stringify(flow?.body ?? {}).match(/"action_id":"[^"]+"/g) ?? [];
			expect(ids).toEqual(expect.arrayContaining(used.map((text) => text.split('"')[3])));
		}),
		runs(100),
	);
});

test('What has another name under its key was renamed: it is updated, and never deleted', () => {
	fc.assert(
		fc.property(anyDocument, fc.constantFrom('actions', 'trainings'), (before, section) => {
			const [key] = Object.keys(before[section]);
			fc.pre(key !== undefined);
			const document = structuredClone(before);
			Object.assign(document[section][key], { [section === 'actions' ? 'name' : 'subject']: 'Another name' });
			const { requests, problems } = plan(document, agentOf(before), { removeOthers: true });
			expect(problems).toEqual([]);
			const [update, ...others] = requests;
			expect(update.upserted).toMatchObject({ section, name: 'Another name', expectedId: `${section} ${key}` });
			expect(others.map(({ what }) => what)).toEqual(['Publish agent']);
		}),
		runs(50),
	);
});

test('Without its unreadable fields, an action or webhook is created but not updated', () => {
	fc.assert(
		fc.property(
			anyDocument,
			fc.constantFrom(...changes.filter(([, , section]) => section !== undefined)),
			(before, [, change, section = 'actions']) => {
				const [key] = Object.keys(before[section]);
				fc.pre(key !== undefined);
				const document = structuredClone(before);
				change(document, key);
				document[section] = { ...document[section], [key]: pick(document[section][key], READABLE[section]) } as never;
				const updates = plan(document, agentOf(before));
				const isRefused = section !== 'trainings';
				expect(updates.problems.map(({ path }) => path)).toEqual(isRefused ? [`${section}.${key}`] : []);
				const withSent = plan(document, agentOf(before), { unreadableFields: 'send' });
				expect(withSent.problems).toEqual(updates.problems);
				expect(plan(document, agentOf(before), { unreadableFields: 'reset' }).problems).toEqual([]);
				expect(plan(document, undefined).problems).toEqual([]);
			},
		),
		runs(100),
	);
});

/** A document of an agent with one action, and the agent. */
function withAction(action: object, notReadable: string[] = []) {
	const unreadable = {
		integration: null,
		authorization_scheme: 'none',
		custom_headers: [],
		speak_on_send: null,
		speak_on_receive: null,
	};
	const document = {
		schemaVersion: 1,
		settings: { name: 'Nora' },
		knowledge: {},
		voice: {},
		calling: {},
		conversation: {},
		actions: { book: { name: 'book', description: 'Books', type: 'webhook', ...unreadable, ...action } },
		trainings: {},
		webhooks: {},
	} as unknown as AgentDocument;
	const agent = agentOf(document);
	return { document, agent: { ...agent, document: { ...agent.document, notReadable } } };
}

test('An action whose URL is not shown, because it holds a secret, is updated only if the document has it', () => {
	const { document, agent } = withAction({}, ['actions.book.url']);
	expect(plan(document, agent).requests).toEqual([]);
	document.actions.book.description = 'Books visits';
	expect(plan(document, agent).problems).toMatchObject([{ path: 'actions.book.url' }]);
	document.actions.book.url = 'https://example.com/?token=secret';
	expect(plan(document, agent)).toMatchObject({
		problems: [],
		requests: [{ body: { url: document.actions.book.url } }, {}],
	});
});

test('An action whose URL Export left out, because it holds a secret, is not created without one', () => {
	const { document } = withAction({}, []);
	delete document.actions.book.url;
	document.voice.language = 'en-US';
	const paths = () => plan(document, undefined).problems.map(({ path }) => path);
	expect(paths()).toEqual(['actions.book.url']);
	document.actions.book.url = null;
	expect(paths()).toEqual([]);
});

test('A change of the type leaves out what belongs to the old one', () => {
	const url = 'https://example.com/book';
	const { document, agent } = withAction({ url, authorization_url: url });
	const hold = { type: 'hold', hold_duration: 30 };
	Object.assign(document.actions.book, { ...hold, url: undefined, authorization_url: undefined });
	const [{ body }] = plan(document, agent).requests;
	expect(body).toMatchObject(hold);
	expect(JSON.stringify(body)).not.toContain('url');
});

test('What the service requires, and neither the document nor the agent has, is a problem', () => {
	const { document, agent } = withAction({});
	document.knowledge = { llm_temperature: 1 };
	agent.document.knowledge = { llm_temperature: 0, initial_message_delay: 1 };
	document.calling = { phone_numbers: ['+12025550123'] };
	agent.document.calling = { phone_numbers: [] };
	document.voice = { conversation_speed: 2 };
	agent.document.voice = { conversation_speed: 1 };
	expect(plan(document, agent).problems.map(({ path }) => path)).toEqual([
		'knowledge.description',
		'knowledge.interrupt_sensitivity',
		'knowledge.ask_if_human_present_on_idle',
		'voice.who_speaks_first',
		'calling.direction',
	]);
});

test('A value that the service does not return is not compared, and sent along with another change', () => {
	const { document, agent } = withAction({});
	const now = {
		description: 'Books visits',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		initial_message_delay: 1,
	} as const;
	agent.document.knowledge = { ...now };
	document.knowledge = { llm_temperature: 1 };
	expect(plan(document, agent)).toMatchObject({
		requests: [],
		notCompared: expect.arrayContaining(['knowledge.llm_temperature']),
	});
	document.knowledge.initial_message_delay = 2;
	expect(plan(document, agent).requests[0].body).toEqual({ ...now, initial_message_delay: 2, llm_temperature: 1 });
});

test.each<[string, AgentDocument['voice'], boolean, string]>([
	['cannot be taken away', { template: null }, true, 'The agent has a voice, and the service cannot remove it'],
	[
		'is needed to change its settings',
		{ conversation_speed: 2 },
		false,
		'The agent lacks a voice, and without a voice the service does not change conversation_speed',
	],
])('A voice %s', (_what, voice, hasVoice, message) => {
	const { document, agent } = withAction({});
	document.voice = voice;
	agent.document.voice = { template: hasVoice ? { name: 'Aurora' } : null, conversation_speed: 1 };
	const { problems } = plan(document, agent);
	expect(problems).toMatchObject([{ path: 'voice.template', message }]);
});

test('A phone number that the environment has twice is a problem', () => {
	const { document, agent } = withAction({});
	document.calling = { direction: 'inbound', phone_numbers: ['+12025550123'] };
	agent.document.calling = { direction: 'inbound', phone_numbers: [] };
	const { problems } = plan(document, agent, {}, [NUMBERS[0], { ...NUMBERS[0], id: 'other' }]);
	expect(problems).toMatchObject([{ message: 'This environment has the phone number +12025550123 2 times' }]);
});
