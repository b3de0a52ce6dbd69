import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';

import { agentDocumentSchema } from '../../../docs/agentDocument.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import type { AppliedItem } from '../applying/documents.mts';
import { makeFullAgent, written } from './fullAgent.mts';
import { expectItems, failed } from './items.mts';

type Item = Record<string, unknown>;

let service: Service;
/** Another environment: the same service with other objects. */
let production: Service;
beforeAll(async () => {
	[service, production] = await Promise.all([startService(), startService()]);
});
beforeEach(async () => {
	await Promise.all([service.reset(), production.reset()]);
});

const nobody = '00000000-0000-4000-8000-000000000000';
const agent = byId('={{ $json.id }}');
const exporting = { resource: 'agent', operation: 'export', agent };
const comparing = {
	resource: 'agent',
	operation: 'apply',
	applyTo: 'existingAgent',
	agent,
	document: '={{ $json.document }}',
	options: { publishAfterwards: 'never' },
};

/** Exports one agent; returns the document and its text as a file would have it. */
async function exported(of: Service, id: string): Promise<{ document: Document; text: string }> {
	const { outputs, run } = await of.run(exporting, [{ id }]);
	expect(run.error).toBeUndefined();
	const document = outputs[0]?.[0]?.json as unknown as Document;
	return { document, text: JSON.stringify(document, null, 2) };
}

/** Compares a document with an agent: the dry run of Apply. */
async function compared(of: Service, id: string, document: unknown, options = {}): Promise<AppliedItem> {
	const parameters = { ...comparing, options: { ...comparing.options, ...options } };
	const { outputs, run } = await of.run(parameters, [{ id, document }] as Item[]);
	expect(run.error).toBeUndefined();
	return outputs[0]?.[0]?.json as unknown as AppliedItem;
}

interface Document extends Record<string, Item | unknown> {
	settings: Item;
	knowledge: Item;
	voice: Item;
	calling: Item;
	conversation: Item & { flow_config: { nodes: Item[] } };
	actions: Record<string, Item>;
	trainings: Record<string, Item>;
	webhooks: Record<string, Item>;
	notReadable: string[];
}

/** Every text and number in a value. */
function leaves(value: unknown): unknown[] {
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}

const fullDocument = {
	$schema: expect.stringMatching(/\/docs\/agent-document\.schema\.json$/),
	schemaVersion: 1,
	settings: { name: 'Frieda', label: 'Vereinbart Termine' },
	knowledge: {
		description: 'You book appointments for {{name}}.',
		initial_message: 'Hello, this is Frieda.',
		interrupt_sensitivity: 'high',
		ask_if_human_present_on_idle: false,
		llm_temperature: 0.7,
		initial_message_delay: 2,
	},
	voice: {
		template: { name: 'Friederike', language: 'de-DE', quality_tier: 'ultra' },
		language: 'de-DE',
		conversation_speed: 1.25,
		who_speaks_first: 'user',
		ambient_background: 'office',
		similarity: 0.6,
		stability: 0.9,
	},
	calling: { direction: 'outbound', phone_numbers: ['+12025550123', '+442079460018'] },
	conversation: {
		conversation_mode: 'flow_driven',
		flow_config: {
			initial_node_id: 'book',
			meta: { name: 'Booking', version: '1.0.0' },
			nodes: [
				{ id: 'book', type: 'action', next: 'choose', action_id: { $action: 'book-appointment' } },
				{
					id: 'choose',
					type: 'decision',
					branches: [
						{ match: 'yes', next: 'bye' },
						{ match: 'no', next: 'hand-over', undocumented: { action: { $action: 'transfer_call' } } },
					],
				},
				{ id: 'hand-over', type: 'transfer', action_id: { $action: 'transfer_call' } },
				{ id: 'bye', type: 'end' },
			],
			global_functions: [{ name: 'end_conversation', description: 'Ends it' }],
		},
	},
	actions: {
		'book-appointment': {
			name: 'Book Appointment!',
			description: 'Books an appointment',
			type: 'webhook',
			inputs: [{ name: 'day', type: 'string', required: true, description: 'The day' }],
			url: 'https://example.com/book?by=phone',
			authorization_url: 'https://example.com/authorize',
			current_status: 'active',
		},
		hold: {
			name: 'Hold',
			description: 'Holds the call',
			type: 'hold',
			inputs: [],
			hold_duration: 45,
			current_status: 'active',
		},
		note: { name: 'Note', description: 'Writes a note', type: 'external', inputs: [], current_status: 'inactive' },
		transfer_call: {
			name: 'transfer_call',
			description: 'Transfers the call',
			type: 'transfer',
			inputs: [{ name: 'why', type: 'string', required: false, description: 'Why' }],
			transfer_to: '+12025550177',
			current_status: 'active',
		},
	},
	trainings: {
		'öffnungszeiten-preise': {
			subject: 'Öffnungszeiten & Preise',
			instructions: 'Montag bis Freitag',
			current_status: 'active',
		},
		営業時間: { subject: '営業時間', instructions: '月曜日から', current_status: 'inactive' },
	},
	webhooks: {
		crm: {
			name: 'CRM',
			webhook_url: 'https://crm.example.com/events',
			events: ['event_phone_call_ended', 'event_phone_call_started', 'event_recording'],
			timeout: 60,
			max_retries: 5,
			enabled: false,
		},
		'with-a-password': {
			name: 'With a password',
			events: ['event_recording'],
			timeout: 30,
			max_retries: 3,
			enabled: true,
		},
		'with-a-token': { name: 'With a token', events: ['event_recording'], timeout: 30, max_retries: 3, enabled: true },
	},
};

/** The paths of everything in {@link written}, in the document of the agent that has it. */
function unreadablePaths(): string[] {
	const of = (section: string, keys: string[], fields: object) =>
		keys.flatMap((key) => Object.keys(fields).map((field) => `${section}.${key}.${field}`));
	const keys = (section: 'actions' | 'trainings' | 'webhooks') => Object.keys(fullDocument[section]);
	return [
		...Object.keys(written.settings).map((field) => `settings.${field}`),
		...Object.keys(written.voice).map((field) => `voice.${field}`),
		...of('actions', keys('actions'), written.action),
		'actions.note.execution_mode',
		...of('trainings', keys('trainings'), written.training),
		...of('webhooks', keys('webhooks'), written.webhook),
		'webhooks.with-a-password.webhook_url',
		'webhooks.with-a-token.webhook_url',
	];
}

describe('Agent → Export', () => {
	test('returns everything that the service returns, by names, and lists all else without guessing it', async () => {
		const { id, actionIds } = await makeFullAgent(service);
		const sent = await expectItems(
			service,
			exporting,
			[{ id }, { id: nobody }, { id: '' }],
			[fullDocument, failed('AGENT_NOT_FOUND', { httpStatus: 404 }), failed('INVALID_INPUT')],
		);
		expect(sent.filter(([method]) => method !== 'GET')).toEqual([]);
		const paths = ['', '/flow', '/webhooks'].map((part) => `agents/${id}${part}`);
		expect(sent.map(([, path]) => path)).toEqual(expect.arrayContaining([...paths, `agents/${nobody}`]));

		const { document, text } = await exported(service, id);
		expect(document).toEqual({ ...fullDocument, notReadable: unreadablePaths().sort() });
		for (const secret of [id, ...Object.values(actionIds), 'sentinel', '_at"', 'current_status": "draft', 'of-a-']) {
			expect(text).not.toContain(secret);
		}
		const numbers = leaves(written).filter((leaf) => typeof leaf === 'number');
		expect(leaves(document).filter((leaf) => numbers.includes(leaf as number))).toEqual([]);
		// Where a value of the document could be one of these by chance, the field would be there.
		expect(document.settings).toEqual(fullDocument.settings);
	});

	test('is the same to the byte each time, and in an environment where everything has another ID and order', async () => {
		const { id } = await makeFullAgent(service);
		const other = await makeFullAgent(production, { reversed: true });
		expect(other.id).not.toBe(id);
		const { text } = await exported(service, id);
		expect((await exported(service, id)).text).toBe(text);
		expect((await exported(production, other.id)).text).toBe(text);
	});

	test('returns a document that its JSON schema accepts, of every agent of the environment', async () => {
		await makeFullAgent(service);
		const validate = new Ajv({ strict: true }).compile(JSON.parse(agentDocumentSchema()) as object);
		const list = await service.run({ resource: 'agent', operation: 'getAll', returnAll: true });
		const agents = (list.outputs[0] ?? []).map(({ json }) => ({ id: json.id }));
		expect(agents.length).toBeGreaterThan(3);
		const { length } = await service.requests('GET', '/voice-templates');
		const { outputs } = await service.run(exporting, agents);
		const documents = (outputs[0] ?? []).map(({ json }) => json);
		expect(documents.map((document) => validate(document))).toEqual(agents.map(() => true));
		// One agent of the sandbox has no voice.
		expect(documents.filter(({ voice }) => Object(voice).template === null)).toHaveLength(1);
		// The voices are the same for all items.
		expect(await service.requests('GET', '/voice-templates')).toHaveLength(length + 1);
	});

	test('numbers actions of the same name, the oldest first', async () => {
		const { published } = service.seed.agents;
		for (const description of ['First', 'Second', 'Third']) {
			const action = { node_id: description, name: 'Ask!', description, type: 'webhook' };
			await service.api('POST', `agents/${published}/actions`, action);
			await service.advance(1);
		}
		await service.api('POST', `agents/${published}/actions`, {
			...{ node_id: 'own', name: 'ask-2', description: 'Own name', type: 'hold' },
		});
		const { actions } = (await exported(service, published)).document;
		const described = Object.entries(actions).map(([key, { description }]) => [key, description]);
		expect(described).toEqual([
			['ask', 'First'],
			['ask-2', 'Own name'],
			['ask-3', 'Second'],
			['ask-4', 'Third'],
			['book_appointment', expect.any(String)],
		]);
	});

	test.each([
		['the agent', ''],
		['the flow', '/flow'],
		['the webhooks', '/webhooks'],
		['the voices', undefined],
	])('fails where %s cannot be read, for that item, without half a document', async (_, part) => {
		const { published, draft } = service.seed.agents;
		const path = part === undefined ? '/api/v1/voice-templates' : `/api/v1/agents/${published}${part}`;
		await service.fault({ kind: 'status', status: 403, match: { method: 'GET', path }, times: 1 });
		// Without a voice: its document needs no list of voices.
		const { body } = await service.api('GET', 'agents?per_page=100');
		const silent = (body.data as Array<{ id: string; voice: unknown }>).find(({ voice }) => voice === null)?.id;
		const items = [{ id: published }, { id: silent }, ...(part === undefined ? [] : [{ id: draft }])];
		const { outputs } = await service.run(exporting, items as Item[], {
			node: { onError: 'continueRegularOutput' },
		});
		const results = (outputs[0] ?? []).map(({ json }) => json);
		expect(results).toMatchObject([failed('FORBIDDEN'), ...items.slice(1).map(() => ({ schemaVersion: 1 }))]);
		expect(Object.keys(results[0] ?? {})).not.toContain('settings');
		expect((await service.run(exporting, [{ id: draft }])).outputs[0]).toMatchObject([{ json: { schemaVersion: 1 } }]);
	});

	test('takes an answer without the actions or the voice for no answer, not for an agent that has none', async () => {
		const { published } = service.seed.agents;
		const { data } = (await service.api('GET', `agents/${published}`)).body as { data: Item };
		for (const part of ['actions', 'voice', 'trainings']) {
			const { [part]: _, ...rest } = data;
			await service.fault({
				kind: 'status',
				status: 200,
				body: { success: true, data: rest },
				match: { path: `/api/v1/agents/${published}` },
				times: 1,
			});
			const { run } = await service.run(exporting, [{ id: published }]);
			expect(String(run.error?.message)).toContain(`without ${part} of the agent`);
		}
	});

	test('reads again after a breakdown of the service, because it changes nothing', async () => {
		const { published } = service.seed.agents;
		const before = await exported(service, published);
		await service.fault({ kind: 'status', status: 503, match: { path: `/api/v1/agents/${published}/flow` }, times: 1 });
		await service.fault({ kind: 'drop-after', match: { path: `/api/v1/agents/${published}/webhooks` }, times: 1 });
		expect((await exported(service, published)).text).toBe(before.text);
	});

	test('says that the token is wrong, and does not try the other items with it', async () => {
		const credentials = service.credentials({ environmentToken: 'wrong-sentinel-token' });
		const items = Array.from({ length: 20 }, () => ({ id: service.seed.agents.published }));
		const { outputs } = await service.run(exporting, items, {
			credentials,
			node: { onError: 'continueRegularOutput' },
		});
		const results = (outputs[0] ?? []).map(({ json }) => json);
		// Those that were under way failed, too.
		const tried = results.filter(({ result }) => result === 'failed');
		expect(tried).toEqual(tried.map(() => expect.objectContaining({ httpStatus: 401 })));
		expect(results.slice(tried.length)).toMatchObject(items.slice(tried.length).map(() => ({ result: 'notTried' })));
		expect([tried.length > 0, tried.length < items.length]).toEqual([true, true]);
		expect(JSON.stringify(results)).not.toContain('wrong-sentinel-token');
	});
});

describe('Agent → Apply, as a dry run', () => {
	test('finds nothing that differs from an export, in whatever form it is given', async () => {
		const { id } = await makeFullAgent(service);
		const { document, text } = await exported(service, id);
		for (const given of [document, text, [document], [{ json: document }], { json: document }]) {
			expect(await compared(service, id, given)).toMatchObject({
				agentId: id,
				name: 'Frieda',
				...{ differences: [], changes: 0, problems: [], notCompared: [] },
			});
		}
	});

	test('compares no IDs: the same agent of another environment is the same', async () => {
		const { id } = await makeFullAgent(service);
		const other = await makeFullAgent(production, { reversed: true });
		const { document } = await exported(service, id);
		expect(await compared(production, other.id, document)).toMatchObject({ differences: [], changes: 0 });
	});

	test('compares no keys: what a person has given another key is the same, also where the flow names it', async () => {
		const { id } = await makeFullAgent(service);
		const { text } = await exported(service, id);
		const given = text
			.replaceAll('"book-appointment"', '"booking"')
			.replaceAll('"crm"', '"our-crm"')
			.replaceAll('"営業時間"', '"opening"')
			.replace('"subject": "opening"', '"subject": "営業時間"');
		expect(await compared(service, id, given)).toMatchObject({ differences: [], changes: 0, problems: [] });
	});

	test('lists each difference once, at its place, with both values', async () => {
		const { id } = await makeFullAgent(service);
		const { document } = await exported(service, id);
		const { conversation, actions, trainings, webhooks } = document;
		const [book, ...nodes] = conversation.flow_config.nodes;
		const { note: _note, ...kept } = actions;
		const changed = {
			...document,
			settings: { ...document.settings, name: 'Frida' },
			knowledge: { ...document.knowledge, description: 'You sell.', initial_message: null },
			voice: { ...document.voice, template: { name: 'Friederike', language: 'de-DE', quality_tier: 'pro' } },
			calling: { ...document.calling, phone_numbers: ['+442079460018', '+12025550145'] },
			conversation: {
				...conversation,
				flow_config: {
					...conversation.flow_config,
					nodes: [{ ...book, next: 'bye' }, ...nodes, { id: 'more', type: 'say', content: 'More', next: 'bye' }],
				},
			},
			actions: {
				...kept,
				'book-appointment': {
					...kept['book-appointment'],
					url: 'https://example.com/new',
					// What it lacks has its default, which is no difference.
					inputs: [
						{ name: 'day', type: 'string', required: true, description: 'A day' },
						{ name: 'hour', type: 'number' },
					],
				},
				new: { name: 'New', type: 'hold', custom_headers: [{ key: 'X-Key', value: 'sentinel-new' }] },
			},
			trainings: { ...trainings, 営業時間: { ...trainings.営業時間, current_status: 'active' } },
			webhooks: { ...webhooks, crm: { ...webhooks.crm, events: ['event_recording', 'event_phone_call_ended'] } },
		};
		const { differences, notes } = await compared(service, id, changed);
		const expected = [
			{ path: 'settings.name', from: 'Frieda', to: 'Frida' },
			{ path: 'knowledge.description', from: 'You book appointments for {{name}}.', to: 'You sell.' },
			{ path: 'knowledge.initial_message', from: 'Hello, this is Frieda.' },
			{
				path: 'voice.template',
				from: document.voice.template,
				to: { name: 'Friederike', language: 'de-DE', quality_tier: 'pro' },
			},
			{
				path: 'calling.phone_numbers',
				from: ['+12025550123', '+442079460018'],
				to: ['+442079460018', '+12025550145'],
			},
			{ path: 'actions.book-appointment.inputs.day.description', from: 'The day', to: 'A day' },
			{
				path: 'actions.book-appointment.inputs.hour',
				to: { name: 'hour', type: 'number', required: false, description: '' },
			},
			{
				path: 'actions.book-appointment.url',
				from: 'https://example.com/book?by=phone',
				to: 'https://example.com/new',
			},
			{
				path: 'actions.new',
				to: { name: 'New', type: 'hold', custom_headers: [{ key: 'X-Key', value: '[hidden]' }] },
			},
			{ path: 'trainings.営業時間.current_status', from: 'inactive', to: 'active' },
			{ path: 'conversation.flow_config.nodes.book.next', from: 'choose', to: 'bye' },
			{
				path: 'conversation.flow_config.nodes.more',
				to: { id: 'more', type: 'say', content: 'More', next: 'bye' },
			},
			{
				path: 'webhooks.crm.events',
				from: webhooks.crm?.events,
				to: ['event_recording', 'event_phone_call_ended'],
			},
		];
		expect(differences).toEqual(expected);
		expect(notes).toContain('The agent keeps the action "Note", which the document does not contain.');
		const { differences: all } = await compared(service, id, changed, { removeOthers: true });
		expect(all).toEqual([...expected, { path: 'actions.note', from: actions.note }]);
	});

	test('never calls equal what cannot be read, although the document has exactly what was written, and shows no secret', async () => {
		const { id } = await makeFullAgent(service);
		const { document } = await exported(service, id);
		const complete = {
			...document,
			settings: { ...document.settings, ...written.settings },
			voice: { ...document.voice, ...written.voice },
			actions: {
				...document.actions,
				note: { ...document.actions.note, ...written.action, execution_mode: 'post_call' },
			},
			webhooks: {
				...document.webhooks,
				crm: { ...document.webhooks.crm, ...written.webhook },
				'with-a-password': {
					...document.webhooks['with-a-password'],
					webhook_url: 'https://user:sentinel-password@example.com/hook',
				},
			},
		};
		const item = await compared(service, id, complete);
		expect(item.differences).toEqual([]);
		expect(item.notCompared).toEqual(
			expect.arrayContaining([
				'settings.idle_time_seconds',
				'voice.ambient_volume',
				'actions.note.speak_on_send',
				'actions.note.custom_headers',
				'webhooks.crm.webhook_secret',
				'webhooks.with-a-password.webhook_url',
			]),
		);
		const sent = await compared(service, id, complete, { unreadableFields: 'send' });
		expect(sent.notCompared).toEqual(item.notCompared.filter((path) => path.startsWith('settings.')));
		const outputs = JSON.stringify([item, sent]);
		expect(outputs).toContain('[hidden]');
		for (const secret of ['sentinel-signing', 'sentinel-header', 'sentinel-password']) {
			expect(outputs).not.toContain(secret);
		}
	});

	test('says that it was not compared, not that it is equal, where the service did not return a field that it should', async () => {
		const { published } = service.seed.agents;
		const { document } = await exported(service, published);
		const { body } = await service.api('GET', `agents/${published}`);
		const { llm_temperature: _temperature, ...agent } = body.data as Item;
		const fault = { kind: 'status', status: 200, body: { success: true, data: agent } } as const;
		await service.fault({ ...fault, match: { path: `/api/v1/agents/${published}` }, times: 2 });
		expect(await compared(service, published, document)).toMatchObject({
			differences: [],
			notCompared: ['knowledge.llm_temperature'],
		});
		const again = await exported(service, published);
		expect(again.document.knowledge).not.toHaveProperty('llm_temperature');
		expect(again.document.notReadable).toContain('knowledge.llm_temperature');
	});

	test('refuses a document with a mistake before anything is sent, names the place, and shows no value', async () => {
		const { published } = service.seed.agents;
		const { document } = await exported(service, published);
		const book = document.actions.book_appointment;
		const wrong: Array<[given: unknown, message: string]> = [
			['', "'Document' is empty"],
			['{\n  "schemaVersion": 1,\n}', "'Document' is not valid JSON: line 3, column 1: Expected double-quoted"],
			['[]', "'Document' is a list, not an object"],
			[[document, document], "'Document' is a list, not an object"],
			[{ ...document, schemaVersion: 2 }, "another 'schemaVersion' than 1"],
			[{ ...document, voice: undefined }, "lacks 'voice'"],
			[
				{ ...document, settings: { ...document.settings, idle_times_seconds: 10 } },
				"the unknown name 'settings.idle_times_seconds' (did you mean 'idle_time_seconds'?)",
			],
			[
				{ ...document, actions: { book: { ...book, custom_header: ['sentinel-secret'] } } },
				"the unknown name 'actions.book.custom_header' (did you mean 'custom_headers'?)",
			],
			[
				{
					...document,
					webhooks: { a: { name: 'A', webhook_url: 'https://example.com', webhook_secret: ['sentinel-secret'] } },
				},
				"a value at 'webhooks.a.webhook_secret' that cannot be used",
			],
			[
				{ ...document, actions: { book: { ...book, authorization_scheme: 'sentinel-secret' } } },
				"a value at 'actions.book.authorization_scheme' that cannot be used",
			],
			[{ ...document, actions: { 'a.b': book } }, "a value at 'actions.a.b' that cannot be used"],
		];
		const items = wrong.map(([given]) => ({ id: published, document: given })) as Item[];
		const sent = await expectItems(
			service,
			comparing,
			items,
			wrong.map(([, message]) => failed('INVALID_INPUT', { message: expect.stringContaining(message) })),
		);
		expect(sent).toEqual([]);
		const { outputs } = await service.run(comparing, items, { node: { onError: 'continueRegularOutput' } });
		expect(JSON.stringify(outputs.flat().map(({ json }) => json))).not.toContain('sentinel-secret');
	});

	test('treats three items by themselves: one that is the same, one that is not there, one of a wrong document', async () => {
		const { published } = service.seed.agents;
		const { document } = await exported(service, published);
		const items = [
			{ id: published, document },
			{ id: nobody, document },
			{ id: published, document: {} },
		] as unknown as Item[];
		const sent = await expectItems(service, comparing, items, [
			{ differences: [] },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT'),
		]);
		expect(sent.filter(([method]) => method !== 'GET')).toEqual([]);
	});
});

test('an AI agent can export: it only reads', async () => {
	const { published } = service.seed.agents;
	const use = async (operation: string) => {
		const call = await harness.mcpTool(
			{ parameters: { resource: 'agent', agent: byId(published), operation } as never },
			{ credentials: service.credentials(), workflowId: randomUUID() },
		);
		return JSON.parse(await call({} as never)) as unknown;
	};
	const [document] = (await use('export')) as [Item];
	expect(document).toMatchObject({ schemaVersion: 1, settings: { name: expect.any(String) } });
	expect(await service.requests('P')).toEqual([]);
});
