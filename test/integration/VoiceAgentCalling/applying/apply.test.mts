import type { AgentDocument } from '../../../../nodes/VoiceAgentCalling/agentDocument/document.ts';
import { type Service, startService } from '../../service.mts';
import { expectItems, failed } from '../resources/items.mts';
import {
	type AppliedItem,
	applying,
	applyTo,
	countOf,
	exported,
	fullDocument,
	SECRETS,
	toAgent,
	writesSince,
} from './documents.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const triggerUrl = (agentId: string) =>
	`https://n8n.example.com/webhook/11111111-2222-4333-8444-555555555555/webhook?agent=${agentId}`;

/** Applies a document that has to fit. */
async function applied(document: AgentDocument, parameters = applying()): Promise<AppliedItem & { agentId: string }> {
	const item = await applyTo(service, document, parameters);
	expect(item).toMatchObject({ problems: [], agentId: expect.any(String) });
	return item as AppliedItem & { agentId: string };
}

/** Applies a document that must not fit: nothing is sent. */
async function problemsOf(
	document: AgentDocument,
	parameters = applying(),
): Promise<Array<[path: string, message: string]>> {
	const before = await countOf(service);
	const dry = await applyTo(service, document, { ...parameters, dryRun: true });
	const real = await applyTo(service, document, parameters);
	expect(real).toMatchObject({ result: 'failed', code: 'NOT_APPLICABLE', problems: dry.problems });
	for (const { message, whatToDo } of dry.problems) {
		expect(real.message).toContain(message);
		expect(real.message).toContain(whatToDo);
	}
	expect(await writesSince(service, before)).toEqual([]);
	return dry.problems.map(({ path, message }) => [path, message]);
}

/** The agent as the service returns it. */
const agentOf = async (id: string) => (await service.api('GET', `agents/${id}`)).body.data as Record<string, never>;

/** A change of the document, and what is sent for it. */
async function sentFor(
	agentId: string,
	document: AgentDocument,
	options: object = {},
): Promise<Array<[method: string, path: string, body: unknown]>> {
	const before = await countOf(service);
	const { requests } = await applied(document, toAgent(agentId, { options }));
	const sent = await writesSince(service, before);
	expect(sent.map(({ method, path }) => [method, path])).toEqual(requests.map(({ method, path }) => [method, path]));
	return sent.map(({ method, path, body }) => [method, path.replace(`/api/v1/agents/${agentId}`, ''), body]);
}

describe('A new agent', () => {
	test('gets all that the document has, and its export is that document without what the service does not return', async () => {
		const document = fullDocument();
		const { agentId, creates, notes, requests } = await applied(document);
		expect([creates, notes, new Set(requests.map(({ result }) => result))]).toEqual([true, [], new Set(['done'])]);
		const again = await exported(service, agentId);
		const { $schema: _schema, notReadable: _notReadable, ...readable } = again;
		expect(document).toMatchObject(readable);
		expect(Object.keys(again.actions)).toEqual(Object.keys(document.actions));
		expect(Object.keys(again.trainings)).toEqual(Object.keys(document.trainings));
		const [creation] = await writesSince(service, 0);
		expect(creation.body).toEqual({
			...document.settings,
			...document.knowledge,
			...{ language: 'en-US', conversation_speed: 1.2, who_speaks_first: 'user', direction: 'outbound' },
			phone_number_ids: [expect.any(String), expect.any(String)],
		});
		expect(await service.storedWebhooks()).toContainEqual(
			expect.objectContaining({ ...document.webhooks.crm, agent_id: agentId }),
		);
	});

	test('gets the defaults of Create where the document lacks what only the creation sets, and the plan says so', async () => {
		const document = fullDocument();
		document.settings = { name: 'Nora' };
		const { notes } = await applied(document);
		expect(notes).toEqual([
			'The document lacks settings that the service requires, so the new agent gets their defaults: endpointing_sensitivity "auto", ivr_navigation_mode "off", idle_time_seconds 10 and enable_recording false.',
		]);
		const [creation] = await writesSince(service, 0);
		expect(creation.body).toMatchObject({ label: 'Nora', idle_time_seconds: 10, enable_recording: false });
	});

	test('keeps texts that look like what stands in a plan for an ID', async () => {
		const document = fullDocument();
		const { requests } = await applyTo(service, document, applying({ dryRun: true }));
		const [agent, action] = ['agent', 'action book'].map((what) => `(ID of the new ${what})`);
		expect(JSON.stringify(requests)).toContain(agent);
		expect(JSON.stringify(requests)).toContain(action);
		document.actions.book.description = agent;
		document.actions.person.description = action;
		const { agentId } = await applied(document);
		const { actions } = await exported(service, agentId);
		expect([actions.book?.description, actions.person?.description]).toEqual([agent, action]);
	});

	test('is created once, also if two items have it', async () => {
		const items = [fullDocument(), fullDocument('Olga'), fullDocument()].map((document) => ({ document }));
		const sent = await expectItems(service, applying(), items as never, [
			{ creates: true, changed: true },
			{ creates: true, changed: true, name: 'Olga' },
			{ creates: false, changed: false, changes: 0 },
		]);
		expect(sent.filter(([method, path]) => method === 'POST' && path === 'agents')).toHaveLength(2);
	});
});

describe('Three items', () => {
	test('have their own results: a change, a document that does not fit, and one that is none', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		const changed = { ...document, knowledge: { ...document.knowledge, description: 'You are Nora, and kind.' } };
		const renamed = { ...document, settings: { ...document.settings, name: 'Norah' } };
		const items = [changed, renamed, { schemaVersion: 1 }].map((each) => ({ document: each }));
		const sent = await expectItems(service, toAgent(agentId), items as never, [
			{ agentId, changed: true, changes: 1 },
			failed('NOT_APPLICABLE', { message: expect.stringContaining('settings.name: The name of the agent differs') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Document' lacks 'settings'") }),
		]);
		expect(sent.filter(([method]) => method !== 'GET').map(([method, path]) => [method, path])).toEqual([
			['PUT', `agents/${agentId}/knowledge`],
		]);
	});

	test('stop at the first that fails, and the error says what is wrong', async () => {
		const document = fullDocument();
		document.voice.template = { name: 'Nobody' };
		const { run, error } = await service.run(applying(), [{ document }, { document: fullDocument('Olga') }] as never);
		expect(run.status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toMatch(
			/The document was not applied, because the plan has a problem.*voice\.template: This environment has no voice with the names "Nobody"/,
		);
		expect(await writesSince(service, 0)).toEqual([]);
	});
});

describe('A dry run', () => {
	test('sends nothing but reads, is the default, and has the requests in order with their bodies', async () => {
		const { dryRun: _dryRun, ...byDefault } = applying();
		const { outputs } = await service.run(byDefault, [{ document: fullDocument() }] as never);
		const plan = outputs[0][0].json as unknown as AppliedItem;
		expect(plan).toMatchObject({ dryRun: true, agentId: null, creates: true, problems: [] });
		expect(await writesSince(service, 0)).toEqual([]);
		expect(plan.requests.map(({ step, what, makesDraft }) => [step, what, makesDraft])).toEqual([
			[1, 'Create agent', false],
			[2, 'Update voice', true],
			[3, 'Create action "book"', true],
			[4, 'Create action "notes"', true],
			[5, 'Create action "person"', true],
			[6, 'Create training "hours"', true],
			[7, 'Create training "prices"', true],
			[8, 'Update flow', false],
			[9, 'Create webhook "crm"', false],
		]);
		expect(plan.replacedActionIds).toEqual([
			{
				path: 'conversation.flow_config.nodes.1.action_id',
				key: 'book',
				actionId: '(ID of the new action book)',
			},
			{
				path: 'conversation.flow_config.nodes.2.action_id',
				key: 'person',
				actionId: '(ID of the new action person)',
			},
		]);
	});

	test('has the requests that are then sent, with the IDs that were not known', async () => {
		const document = fullDocument();
		const plan = await applyTo(service, document, applying({ dryRun: true }));
		const { requests, replacedActionIds } = await applied(document);
		const sent = await writesSince(service, 0);
		const { actions } = await agentOf(String(sent[0] && (await agentIdOf('Nora'))));
		const ids = new Map((actions as unknown as Array<{ name: string; id: string }>).map(({ name, id }) => [name, id]));
		const agentId = await agentIdOf('Nora');
		const real = JSON.parse(
			JSON.stringify(plan.requests)
				.replaceAll('(ID of the new agent)', agentId)
				.replaceAll(/\(ID of the new action (\w+)\)/g, (_, key) => ids.get(key) ?? 'unknown'),
		) as typeof plan.requests;
		expect(real).toEqual(requests.map(({ result: _result, ...request }) => request));
		const hidden = JSON.parse(JSON.stringify(sent), (key, value) =>
			key === 'webhook_secret' || (key === 'value' && SECRETS.includes(value)) ? '[hidden]' : value,
		) as typeof sent;
		expect(real.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
			hidden.map(({ method, path, body }) => ({ method, path, body })),
		);
		expect(replacedActionIds.map(({ actionId }) => actionId)).toEqual([ids.get('book'), ids.get('person')]);
	});

	test('shows no secret, and neither does an error', async () => {
		const document = fullDocument();
		const outputs = [await applyTo(service, document, applying({ dryRun: true }))];
		await service.fault({
			match: { method: 'POST', path: '/api/v1/agents/*' },
			kind: 'status',
			status: 422,
			body: { success: false, message: `Not ${SECRETS[2]}`, errors: { custom_headers: [`No ${SECRETS[2]}`] } },
		});
		outputs.push(await applyTo(service, document), await applyTo(service, document));
		expect(outputs.map(({ result = 'done' }) => result)).toEqual(['done', 'failed', 'done']);
		for (const secret of SECRETS) {
			expect(JSON.stringify(outputs)).not.toContain(secret);
			expect(JSON.stringify(await service.requests())).toContain(secret);
		}
	});
});

/** The ID of the agent with a name. */
async function agentIdOf(name: string): Promise<string> {
	const { body } = await service.api('GET', `agents?search=${name}`);
	const [{ id }] = body.data as Array<{ id: string }>;
	return id;
}

describe('A second run', () => {
	test('sends only reads, and names what it could not compare', async () => {
		const document = fullDocument();
		await applied(document);
		const before = await countOf(service);
		const { changed, changes, requests, notCompared } = await applied(document);
		expect({ changed, changes, requests }).toEqual({ changed: false, changes: 0, requests: [] });
		expect(await writesSince(service, before)).toEqual([]);
		expect(notCompared).toEqual(
			expect.arrayContaining([
				'settings.idle_time_seconds',
				'voice.ambient_volume',
				'actions.book.custom_headers',
				'webhooks.crm.webhook_secret',
			]),
		);
	});

	test('with Unreadable Fields: Send sends what it could not compare', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		document.actions.book.speak_on_send = 'Please wait.';
		expect(await sentFor(agentId, document)).toEqual([]);
		const sent = await sentFor(agentId, document, { unreadableFields: 'send' });
		expect(sent.map(([method, path]) => [method, path])).toEqual([
			['PUT', '/voice'],
			...Array(3).fill(['POST', '/actions']),
			['PUT', expect.stringMatching('/webhooks/')],
		]);
		expect(sent[1][2]).toMatchObject({ node_id: 'book', speak_on_send: 'Please wait.' });
	});
});

describe('An existing agent', () => {
	let agentId: string;
	let document: AgentDocument;
	beforeEach(async () => {
		document = fullDocument();
		agentId = (await applied(document, applying({ options: { publishAfterwards: 'always' } }))).agentId;
		expect(await agentOf(agentId)).toMatchObject({ current_status: 'published' });
	});

	test('is published again if something made it a draft, and only then', async () => {
		document.webhooks.crm.timeout = 30;
		expect(await sentFor(agentId, document)).toEqual([['PUT', expect.any(String), expect.anything()]]);
		document.calling.phone_numbers = ['+12025550145'];
		expect(await sentFor(agentId, document)).toEqual([
			['PUT', '/calling', { direction: 'outbound', phone_number_ids: [expect.any(String)] }],
			['POST', '/publish', undefined],
		]);
		expect(await agentOf(agentId)).toMatchObject({ current_status: 'published' });
		document.calling.direction = 'inbound';
		const { notes } = await applied(document, toAgent(agentId, { options: { publishAfterwards: 'never' } }));
		expect(notes).toEqual(['The agent becomes a draft: it makes and takes no calls until it is published.']);
		expect(await agentOf(agentId)).toMatchObject({ current_status: 'draft' });
		document.calling.direction = 'outbound';
		expect(await sentFor(agentId, document)).toEqual([['PUT', '/calling', expect.anything()]]);
		expect(await sentFor(agentId, document, { publishAfterwards: 'always' })).toEqual([
			['POST', '/publish', undefined],
		]);
		expect(await sentFor(agentId, document, { publishAfterwards: 'always' })).toEqual([]);
	});

	test.each<[string, (document: AgentDocument) => void, Array<[method: string, path: string, body: object]>]>([
		[
			'knowledge: all of it, because the service requires it',
			({ knowledge }) => Object.assign(knowledge, { initial_message: null, llm_temperature: 1 }),
			[
				[
					'PUT',
					'/knowledge',
					{
						description: 'You are Nora. You book visits.',
						initial_message: null,
						interrupt_sensitivity: 'high',
						ask_if_human_present_on_idle: false,
						llm_temperature: 1,
						initial_message_delay: 2,
					},
				],
			],
		],
		[
			'another voice, which keeps the tuning of the document',
			({ voice }) =>
				Object.assign(voice, { template: { name: 'Friederike', quality_tier: 'beta' }, language: 'de-DE' }),
			[
				[
					'PUT',
					'/voice',
					{
						voice_id: expect.any(String),
						conversation_speed: 1.2,
						who_speaks_first: 'user',
						language: 'de-DE',
						ambient_background: 'office',
						ambient_volume: 0.5,
						similarity: 0.9,
						stability: 0.6,
					},
				],
			],
		],
		[
			'no background',
			({ voice }) => Object.assign(voice, { ambient_background: null }),
			[['PUT', '/voice', expect.objectContaining({ ambient_background: null })]],
		],
		[
			'an action with all its unreadable fields',
			({ actions }) => Object.assign(actions.book, { description: 'Books a visit at once' }),
			[
				[
					'POST',
					'/actions',
					{
						node_id: 'book',
						...fullDocument().actions.book,
						description: 'Books a visit at once',
					},
				],
			],
		],
		[
			'a training',
			({ trainings }) => Object.assign(trainings.hours, { instructions: 'From 8 to 17.' }),
			[
				[
					'POST',
					'/trainings',
					{ node_id: 'hours', subject: 'Hours', instructions: 'From 8 to 17.', current_status: 'active' },
				],
			],
		],
		[
			'a webhook with its unreadable fields',
			({ webhooks }) => Object.assign(webhooks.crm, { events: ['event_phone_call_ended'] }),
			[
				[
					'PUT',
					expect.stringMatching(/^\/webhooks\/[0-9a-f-]+$/) as never,
					{ ...fullDocument().webhooks.crm, events: ['event_phone_call_ended'] },
				],
			],
		],
		[
			'no flow',
			({ conversation }) => Object.assign(conversation, { conversation_mode: 'llm_driven', flow_config: null }),
			[['PUT', '/flow', { conversation_mode: 'llm_driven' }]],
		],
	])('gets %s', async (_what, change, expected) => {
		change(document);
		const sent = await sentFor(agentId, document, { publishAfterwards: 'never' });
		expect(sent).toEqual(expected);
		expect(await sentFor(agentId, document, { publishAfterwards: 'never' })).toEqual([]);
	});

	test('keeps what the document leaves out, in whatever order the rest is written', async () => {
		const { knowledge, voice, calling, conversation, actions } = document;
		document.knowledge = { description: knowledge.description };
		document.voice = { who_speaks_first: voice.who_speaks_first };
		document.calling = { phone_numbers: calling.phone_numbers?.toReversed() };
		document.conversation = JSON.parse(
			JSON.stringify(conversation, [
				'flow_config',
				'nodes',
				'next',
				'id',
				'type',
				'content',
				'action_id',
				'$action',
				'initial_node_id',
			]),
		);
		document.actions = { person: { name: 'person', type: 'transfer' }, book: actions.book };
		document.trainings = {};
		document.webhooks = {};
		expect(await sentFor(agentId, document)).toEqual([]);
	});

	test('keeps its other actions, trainings and webhooks, unless Remove Others is set, which never deletes webhooks', async () => {
		document.conversation = { conversation_mode: 'llm_driven', flow_config: null };
		document.actions = { book: document.actions.book };
		document.trainings = { prices: document.trainings.prices };
		document.webhooks = {};
		const { notes } = await applied(document, toAgent(agentId));
		expect(notes).toEqual([
			'The agent keeps the webhook "CRM", which the document does not contain.',
			'The agent keeps the action "notes", which the document does not contain.',
			'The agent keeps the action "person", which the document does not contain.',
			'The agent keeps the training "Hours", which the document does not contain.',
		]);
		const sent = await sentFor(agentId, document, { removeOthers: true });
		expect(sent.map(([method, path]) => [method, path.replace(/[^/]+$/, '')])).toEqual([
			['DELETE', '/actions/'],
			['DELETE', '/actions/'],
			['DELETE', '/trainings/'],
			['POST', '/'],
		]);
		expect(Object.keys((await exported(service, agentId)).actions)).toEqual(['book']);
		expect(await service.webhooks(agentId, 'agents')).toMatchObject([{ name: 'CRM' }]);
	});

	test('keeps the webhooks of triggers and of waiting executions, which the document must not contain', async () => {
		const waiting = 'https://n8n.example.com/webhook-waiting/17?signature=abc';
		for (const [name, webhook_url] of [
			['Trigger', triggerUrl(agentId)],
			['Waiting', waiting],
			['CRM', triggerUrl(agentId)],
		]) {
			await service.api('POST', `agents/${agentId}/webhooks`, {
				name,
				webhook_url,
				events: ['event_phone_call_ended'],
			});
		}
		expect(await sentFor(agentId, document, { removeOthers: true })).toEqual([]);
		expect(await service.webhooks(agentId, 'agents')).toHaveLength(4);
		document.webhooks.trigger = { name: 'Trigger', webhook_url: triggerUrl(agentId), events: [] };
		document.webhooks.waiting = { name: 'Waiting', webhook_url: waiting, events: [] };
		const message = expect.stringContaining('delivers to a Voice Agent Calling Trigger or to a waiting execution');
		expect(await problemsOf(document, toAgent(agentId))).toEqual([
			['webhooks.trigger.webhook_url', message],
			['webhooks.waiting.webhook_url', message],
		]);
	});

	test('is not updated where the document lacks what the service does not return, unless Reset Unreadable Fields is set', async () => {
		const { speak_on_send: _said, execution_mode: _mode, custom_headers: _headers, ...notes } = document.actions.notes;
		const {
			payload_templates: _templates,
			webhook_secret: _secret,
			http_method: _method,
			...crm
		} = document.webhooks.crm;
		document.actions.notes = notes;
		document.webhooks.crm = crm;
		expect(await sentFor(agentId, document)).toEqual([]);
		document.actions.notes.description = 'Writes';
		document.webhooks.crm.max_retries = 1;
		expect(await problemsOf(document, toAgent(agentId))).toEqual([
			['actions.notes', expect.stringContaining('lacks custom_headers, speak_on_send and execution_mode.')],
			['webhooks.crm', expect.stringContaining('lacks http_method and payload_templates.')],
		]);
		const [action, webhook] = await sentFor(agentId, document, {
			unreadableFields: 'reset',
			publishAfterwards: 'never',
		});
		expect(action[2]).toMatchObject({ execution_mode: 'during_call', custom_headers: [], integration: { id: 'crm' } });
		expect(webhook[2]).toEqual({ ...crm, http_method: 'POST', payload_templates: {} });
		// An update keeps the secret.
		expect(await service.storedWebhooks()).toContainEqual(
			expect.objectContaining({ name: 'CRM', webhook_secret: SECRETS[0], payload_templates: {} }),
		);
	});

	test('is found by its name, and several agents with the name stop everything', async () => {
		document.knowledge.llm_temperature = 0.1;
		expect((await applied(document)).agentId).toBe(agentId);
		const { knowledge, settings } = document;
		await service.api('POST', 'agents', {
			...{ ...settings, ...knowledge, label: 'Twin' },
			...{ language: 'en-US', direction: 'inbound', who_speaks_first: 'agent', conversation_speed: 1 },
		});
		expect(await problemsOf(document)).toEqual([['settings.name', '2 agents have the name "Nora"']]);
		expect((await applied(document, toAgent(agentId))).changes).toBe(0);
	});

	test('does not get another name or label, and what only the creation sets is not compared', async () => {
		document.settings = { ...document.settings, name: 'Norah', label: 'Other', idle_time_seconds: 99 };
		expect(await problemsOf(document, toAgent(agentId))).toEqual([
			['settings.name', 'The name of the agent differs, and the service cannot change it'],
			['settings.label', 'The label of the agent differs, and the service cannot change it'],
		]);
	});
});

describe('The plan has a problem', () => {
	test.each<[string, (document: AgentDocument) => void, Array<[path: string, message: string]>]>([
		[
			'for a voice that the environment lacks, and for one of several tiers',
			({ voice }) => Object.assign(voice, { template: { name: 'Aurora' } }),
			[['voice.template', 'This environment has 3 voices with the names "Aurora"']],
		],
		[
			'for a phone number that the environment lacks',
			({ calling }) => calling.phone_numbers?.push('+12025550100'),
			[['calling.phone_numbers', 'This environment does not have the phone number +12025550100']],
		],
		[
			'for an unknown action in the flow',
			({ actions }) => delete actions.book,
			[
				[
					'conversation.flow_config.nodes.1.action_id',
					'The flow names the action "book", which the document does not contain',
				],
			],
		],
		[
			'for two actions, trainings or webhooks with one name',
			({ actions, trainings, webhooks }) => {
				actions.copy = { ...actions.book };
				trainings.copy = { ...trainings.hours };
				webhooks.copy = { ...webhooks.crm };
			},
			[
				['actions.copy.name', 'The document has more than one action with the name "book", by which they are matched'],
				[
					'trainings.copy.subject',
					'The document has more than one training with the subject "Hours", by which they are matched',
				],
				['webhooks.copy.name', 'The document has more than one webhook with the name "CRM", by which they are matched'],
			],
		],
		[
			'for two actions with one node ID',
			({ actions }) => Object.assign(actions.notes, { node_id: 'book' }),
			[['actions.notes', '"notes" and "book" have the same node ID, so that the service takes them for one']],
		],
		[
			'for what the service requires of something new',
			({ actions, trainings, webhooks, voice }) => {
				delete actions.book.description;
				delete trainings.hours.instructions;
				delete webhooks.crm.webhook_url;
				delete voice.language;
			},
			[
				['voice.language', 'The document has no language, which a new agent requires'],
				['actions.book.description', 'The service requires the description of an action'],
				['trainings.hours.instructions', 'The service requires the instructions of a training'],
				['webhooks.crm.webhook_url', 'The service requires the webhook_url of a webhook'],
			],
		],
		[
			'for a flow with errors',
			({ conversation }) => {
				conversation.flow_config = {
					initial_node_id: 'hi',
					nodes: [{ id: 'hello', type: 'say', content: 'Hi', next: 'by' }],
				};
			},
			[
				['conversation.flow_config.initial_node_id', expect.stringContaining('hi') as never],
				[
					'conversation.flow_config.nodes[0].next',
					expect.stringContaining('leads to the node "by", which does not exist') as never,
				],
			],
		],
		[
			'for a flow-driven conversation without a flow',
			({ conversation }) => Object.assign(conversation, { flow_config: null }),
			[['conversation.flow_config', 'The document has no flow, which the conversation mode flow_driven requires']],
		],
	])('%s', async (_what, change, expected) => {
		const document = fullDocument();
		change(document);
		expect(await problemsOf(document)).toEqual(expected);
	});

	test('for two actions of the agent with one name, but only if the document has it', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		const { id: _id, ...twin } = { id: '', node_id: 'twin', name: 'notes', description: 'Other', type: 'hold' };
		await service.api('POST', `agents/${agentId}/actions`, twin);
		expect(await problemsOf(document, toAgent(agentId))).toEqual([
			[
				'actions.notes.name',
				'The agent has 2 actions with the name "notes": which one the document means is not clear',
			],
		]);
		delete document.actions.notes;
		expect(await sentFor(agentId, document)).toEqual([]);
	});

	test('for an action in the flow that Remove Others would delete', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		delete document.actions.book;
		delete document.conversation.flow_config;
		expect(await sentFor(agentId, document)).toEqual([]);
		const [[path, message]] = await problemsOf(document, toAgent(agentId, { options: { removeOthers: true } }));
		expect([path, message]).toEqual([
			'conversation.flow_config',
			expect.stringContaining('that Remove Others would delete'),
		]);
	});
});

describe('An action or training without the node ID of the document', () => {
	/** An agent with an action and a training of its own node IDs, and a document that has to update them. */
	async function withOwnIds() {
		const agentId = service.seed.agents.published;
		const document = await exported(service, agentId);
		const unreadable = { integration: null, authorization_scheme: 'none', custom_headers: [] } as const;
		Object.assign(document.actions.book_appointment, unreadable, { speak_on_send: null, speak_on_receive: null });
		return { agentId, document };
	}

	test('is reported, and what the service created instead is deleted at once', async () => {
		const { agentId, document } = await withOwnIds();
		document.actions.book_appointment.description = 'Books';
		const { actions: before } = await agentOf(agentId);
		const sentBefore = await countOf(service);
		const item = await applyTo(service, document, toAgent(agentId));
		expect(item).toMatchObject({
			result: 'failed',
			code: 'WRONG_NODE_ID',
			requests: [{ result: 'failed' }, { result: 'notTried' }],
		});
		expect(item.message).toContain('which was deleted again');
		expect(item.message).toContain("The agent was published and is a draft now: set 'Publish Afterwards' to Always");
		const sent = await writesSince(service, sentBefore);
		expect(sent.map(({ method, status }) => [method, status])).toEqual([
			['POST', 200],
			['DELETE', 200],
		]);
		expect((await agentOf(agentId)).actions).toEqual(before);
		// With its node ID in the document, it is updated.
		document.actions.book_appointment.node_id = 'book-appointment';
		expect(await applied(document, toAgent(agentId, { options: { publishAfterwards: 'always' } }))).toMatchObject({
			changes: 2,
		});
		expect((await agentOf(agentId)).actions).toMatchObject([
			{ ...Object((before as never)[0]), description: 'Books', updated_at: expect.any(String) },
		]);
	});

	test('is reported with the ID of what could not be deleted', async () => {
		const { agentId, document } = await withOwnIds();
		document.actions.book_appointment.description = 'Books';
		await service.fault({ match: { method: 'DELETE' }, kind: 'status', status: 500, times: 9 });
		const { message } = await applyTo(service, document, toAgent(agentId));
		const { actions } = await agentOf(agentId);
		const [, twin] = actions as unknown as Array<{ id: string }>;
		expect(message).toContain(`with the ID ${twin.id}, and it could not be deleted`);
		expect((await problemsOf(document, toAgent(agentId)))[0][0]).toBe('actions.book_appointment.name');
	});

	test('is updated if its node ID is that of something new in the document: it was renamed', async () => {
		const document = fullDocument();
		document.conversation = {};
		const { agentId } = await applied(document);
		const { actions: before } = await agentOf(agentId);
		const { book, ...others } = document.actions;
		document.actions = { book: { ...book, name: 'reserve' }, ...others };
		expect(await sentFor(agentId, document, { removeOthers: true })).toEqual([
			['POST', '/actions', expect.objectContaining({ node_id: 'book', name: 'reserve' })],
		]);
		// A key that Export would not give: only the answer tells that an action has it.
		document.actions = { zz: { ...book, name: 'schedule', node_id: 'book' }, ...others };
		const { requests, notes } = await applied(document, toAgent(agentId, { options: { removeOthers: true } }));
		expect(requests.map(({ what, result }) => [what, result])).toEqual([
			['Create action "zz"', 'done'],
			['Delete action "reserve"', 'notNeeded'],
		]);
		expect(notes).toEqual(['"reserve" had the node ID of "zz": it was updated, and has its name now.']);
		const { actions: after } = await agentOf(agentId);
		const idsOf = (actions: unknown) => (actions as Array<{ id: string }>).map(({ id }) => id);
		expect(idsOf(after)).toEqual(idsOf(before));
	});

	test('stops everything if the node ID is that of another one in the document', async () => {
		const document = fullDocument();
		document.trainings.hours.node_id = 'other';
		const { agentId } = await applied(document);
		document.trainings.hours.node_id = 'prices';
		document.trainings.prices.node_id = 'gone';
		document.trainings.hours.instructions = 'Always open.';
		const item = await applyTo(service, document, toAgent(agentId));
		expect(item).toMatchObject({ code: 'WRONG_NODE_ID', requests: [{ result: 'failed' }] });
		expect(item.message).toContain(
			'The node ID "prices" is that of the training "Prices", which was overwritten with "Hours"',
		);
	});
});

test('A voice without tuning is set without it, and the plan says that it may be left out', async () => {
	const document = fullDocument();
	document.voice.template = { name: 'Aurora', language: 'en-US', quality_tier: 'basic' };
	const { requests, notes, agentId } = await applied(document);
	expect(requests[1]).toMatchObject({ leftOutIfRejected: ['similarity', 'stability'] });
	expect(notes).toEqual(['The service does not accept similarity and stability here, so this was left out.']);
	// The service returns the tuning of such a voice, and does not accept another one: that is a mistake in the document.
	expect(await applyTo(service, document, toAgent(agentId))).toMatchObject({
		result: 'failed',
		code: 'VALIDATION_ERROR',
	});
	Object.assign(document.voice, { similarity: 0.75, stability: 0.75, conversation_speed: 1.4 });
	expect(await applied(document, toAgent(agentId))).toMatchObject({ changes: 1, changed: true });
});

test('An agent that does not exist stops the item', async () => {
	const parameters = toAgent('00000000-0000-4000-8000-000000000000', { dryRun: true });
	await expectItems(service, parameters, [{ document: fullDocument() }] as never, [failed('AGENT_NOT_FOUND')]);
});
