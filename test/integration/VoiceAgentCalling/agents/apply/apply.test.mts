import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { hintsOf, useService } from '../../../service.mts';
import { expectItems, failed } from '../../resources/items.mts';
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

const service = useService();

/** Applies a document that has to fit. */
async function applied(document: AgentDocument, parameters = applying()): Promise<AppliedItem & { agentId: string }> {
	const item = await applyTo(service, document, parameters);
	expect(item).toMatchObject({ problems: [], agentId: expect.any(String) });
	return item as AppliedItem & { agentId: string };
}

/** Applies a document that must not fit: nothing is sent. @returns the paths of the problems */
async function problemsOf(document: AgentDocument, parameters = applying()): Promise<string[]> {
	const before = await countOf(service);
	const { problems } = await applyTo(service, document, { ...parameters, dryRun: true });
	const real = await applyTo(service, document, parameters);
	expect(real).toMatchObject({ result: 'failed', code: 'NOT_APPLICABLE', problems });
	for (const { message, whatToDo } of problems) {
		expect(real.advice).toContain(message);
		expect(real.advice).toContain(whatToDo);
	}
	expect(await writesSince(service, before)).toEqual([]);
	return problems.map(({ path }) => path);
}

/** The agent as the service returns it. */
const agentOf = async (id: string) =>
	(await service.api('GET', `agents/${id}`)).body.data as { actions: Array<{ name: string; id: string }> };

/** A change of the document, and what is sent for it: each method with its path below the agent, and the bodies. */
async function sentFor(agentId: string, document: AgentDocument, options: object = {}) {
	const before = await countOf(service);
	const { requests } = await applied(document, toAgent(agentId, { options }));
	const sent = await writesSince(service, before);
	expect(sent.map(({ method, path }) => [method, path])).toEqual(requests.map(({ method, path }) => [method, path]));
	const short = (path: string) => path.replace(`/api/v1/agents/${agentId}`, '').replace(/[0-9a-f-]{36}$/, '*');
	return { sent: sent.map(({ method, path }) => `${method} ${short(path)}`), bodies: sent.map(({ body }) => body) };
}
const sentOf = async (...of: Parameters<typeof sentFor>) => (await sentFor(...of)).sent;

const AS_DRAFT = 'The agent is then a draft: it makes and takes no calls until it is published.';

describe('A new agent', () => {
	test('gets all that the document has, and its export is that document without what the service does not return', async () => {
		const document = fullDocument();
		const { agentId, creates, notes, requests } = await applied(document);
		expect([creates, new Set(requests.map(({ result }) => result))]).toEqual([true, new Set(['done'])]);
		expect(notes).toEqual([AS_DRAFT]);
		const again = await exported(service, agentId);
		const { $schema: _schema, notReadable: _notReadable, ...readable } = again;
		expect(document).toMatchObject(readable);
		expect(Object.keys(again.actions)).toEqual(Object.keys(document.actions));
		expect(Object.keys(again.trainings)).toEqual(Object.keys(document.trainings));
		const [creation] = await writesSince(service, 0);
		const atCreation = { language: 'en-US', conversation_speed: 1.2, who_speaks_first: 'user', direction: 'outbound' };
		expect(creation.body).toMatchObject({ ...document.settings, ...document.knowledge, ...atCreation });
		const hook = { ...document.webhooks.crm, agent_id: agentId };
		expect(await service.storedWebhooks()).toContainEqual(expect.objectContaining(hook));
	});

	test('keeps texts that look like what stands in a plan for an ID', async () => {
		const document = fullDocument();
		const { requests } = await applyTo(service, document, applying({ dryRun: true }));
		const texts = ['agent', 'action book'].map((what) => `(ID of the new ${what})`);
		for (const text of texts) {
			expect(JSON.stringify(requests)).toContain(text);
		}
		[document.actions.book.description, document.actions.person.description] = texts;
		const { actions } = await exported(service, (await applied(document)).agentId);
		expect([actions.book?.description, actions.person?.description]).toEqual(texts);
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

	test('has a voice without tuning if that voice takes none, and the plan says that it may be left out', async () => {
		const document = fullDocument();
		document.voice.template = { name: 'Aurora', language: 'en-US', quality_tier: 'basic' };
		const { requests, notes, agentId } = await applied(document);
		expect(requests[1]).toMatchObject({ leftOutIfRejected: ['similarity', 'stability'] });
		expect(notes).toEqual([AS_DRAFT, expect.stringContaining('similarity and stability')]);
		// The service returns the tuning of such a voice, and takes no other one: that is a mistake in the document.
		expect(await applyTo(service, document, toAgent(agentId))).toMatchObject(failed('VALIDATION_ERROR'));
		Object.assign(document.voice, { similarity: 0.75, stability: 0.75, conversation_speed: 1.4 });
		expect(await applied(document, toAgent(agentId))).toMatchObject({ changes: 1, changed: true });
	});
});

describe('A dry run', () => {
	test('sends nothing but reads, is the default, and has the requests in order with their bodies', async () => {
		const { dryRun: _dryRun, ...byDefault } = applying();
		const plan = await applyTo(service, fullDocument(), byDefault as never);
		expect(plan).toMatchObject({ dryRun: true, agentId: null, creates: true, problems: [] });
		expect(await writesSince(service, 0)).toEqual([]);
		expect(plan.requests.map(({ what }) => what)).toEqual([
			'Create agent',
			'Update voice',
			'Create action "book"',
			'Create action "notes"',
			'Create action "person"',
			'Create training "hours"',
			'Create training "prices"',
			'Update flow',
			'Create webhook "crm"',
		]);
		const replaced = ['book', 'person'].map((key) => ({ key, actionId: `(ID of the new action ${key})` }));
		expect(plan.replacedActionIds).toMatchObject(replaced);
	});

	test('has the requests that are then sent, with the IDs that were not known', async () => {
		const document = fullDocument();
		const plan = await applyTo(service, document, applying({ dryRun: true }));
		const { requests, replacedActionIds, agentId } = await applied(document);
		const ids = new Map((await agentOf(agentId)).actions.map(({ name, id }) => [name, id]));
		const real = JSON.parse(
			JSON.stringify(plan.requests)
				.replaceAll('(ID of the new agent)', agentId)
				.replaceAll(/\(ID of the new action (\w+)\)/g, (_, key) => ids.get(key) ?? 'unknown'),
		) as typeof plan.requests;
		expect(real).toEqual(requests.map(({ result: _result, ...request }) => request));
		const hidden = JSON.parse(JSON.stringify(await writesSince(service, 0)), (key, value) =>
			key === 'webhook_secret' || (key === 'value' && SECRETS.includes(value)) ? '[hidden]' : value,
		) as typeof real;
		const shown = ({ method, path, body }: (typeof real)[number]) => ({ method, path, body });
		expect(real.map(shown)).toEqual(hidden.map(shown));
		expect(replacedActionIds.map(({ actionId }) => actionId)).toEqual([ids.get('book'), ids.get('person')]);
	});

	test('shows no secret, and neither does an error', async () => {
		const document = fullDocument();
		const outputs = [await applyTo(service, document, applying({ dryRun: true }))];
		const body = { success: false, message: `Not ${SECRETS[2]}`, errors: { custom_headers: [`No ${SECRETS[2]}`] } };
		await service.answer('POST agents/*', 422, body);
		outputs.push(await applyTo(service, document), await applyTo(service, document));
		expect(outputs.map(({ result = 'done' }) => result)).toEqual(['done', 'failed', 'done']);
		const received = JSON.stringify(await service.requests());
		for (const secret of SECRETS) {
			expect(JSON.stringify(outputs)).not.toContain(secret);
			expect(received).toContain(secret);
		}
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

	test('is named in the hint, with how much was sent', async () => {
		document.calling.phone_numbers = ['+12025550145'];
		const hints = async () => hintsOf(await service.run(toAgent(agentId), [{ document }] as never));
		expect(await hints()).toEqual([`Agent "${document.settings.name}" changed: 2 requests sent.`]);
		expect(await hints()).toEqual([
			expect.stringMatching(`No difference found in agent "${document.settings.name}". \\d+ values cannot be compared`),
		]);
	});

	test('is published again if something made it a draft, and only then', async () => {
		document.webhooks.crm.timeout = 30;
		expect(await sentOf(agentId, document)).toEqual(['PUT /webhooks/*']);
		document.calling.phone_numbers = ['+12025550145'];
		expect(await sentOf(agentId, document)).toEqual(['PUT /calling', 'POST /publish']);
		expect(await agentOf(agentId)).toMatchObject({ current_status: 'published' });
		document.calling.direction = 'inbound';
		const { notes } = await applied(document, toAgent(agentId, { options: { publishAfterwards: 'never' } }));
		expect(notes).toEqual([AS_DRAFT]);
		expect(await agentOf(agentId)).toMatchObject({ current_status: 'draft' });
		document.calling.direction = 'outbound';
		expect(await sentOf(agentId, document)).toEqual(['PUT /calling']);
		expect(await sentOf(agentId, document, { publishAfterwards: 'always' })).toEqual(['POST /publish']);
		expect(await sentOf(agentId, document, { publishAfterwards: 'always' })).toEqual([]);
	});

	test('keeps the webhooks of triggers and of waiting executions, which the document must not contain', async () => {
		const trigger = `https://n8n.example.com/webhook/11111111-2222-4333-8444-555555555555/webhook?agent=${agentId}`;
		const waiting = 'https://n8n.example.com/webhook-waiting/17?signature=abc';
		for (const [name, webhook_url] of Object.entries({ Trigger: trigger, Waiting: waiting, CRM: trigger })) {
			const hook = { name, webhook_url, events: ['event_phone_call_ended'] };
			await service.api('POST', `agents/${agentId}/webhooks`, hook);
		}
		expect(await sentOf(agentId, document, { removeOthers: true })).toEqual([]);
		expect(await service.webhooks(agentId, 'agents')).toHaveLength(4);
		document.webhooks.trigger = { name: 'Trigger', webhook_url: trigger, events: [] };
		document.webhooks.waiting = { name: 'Waiting', webhook_url: waiting, events: [] };
		const paths = ['webhooks.trigger.webhook_url', 'webhooks.waiting.webhook_url'];
		expect(await problemsOf(document, toAgent(agentId))).toEqual(paths);
	});

	test('is not updated where the document lacks what the service does not return, unless Reset Unreadable Fields is set', async () => {
		const { speak_on_send: _said, execution_mode: _mode, custom_headers: _headers, ...notes } = document.actions.notes;
		const { payload_templates: _t, webhook_secret: _s, http_method: _m, ...crm } = document.webhooks.crm;
		document.actions.notes = notes;
		document.webhooks.crm = crm;
		expect(await sentOf(agentId, document)).toEqual([]);
		document.actions.notes.description = 'Writes';
		document.webhooks.crm.max_retries = 1;
		expect(await problemsOf(document, toAgent(agentId))).toEqual(['actions.notes', 'webhooks.crm']);
		const options = { unreadableFields: 'reset', publishAfterwards: 'never' };
		const [action, webhook] = (await sentFor(agentId, document, options)).bodies;
		expect(action).toMatchObject({ execution_mode: 'during_call', custom_headers: [], integration: { id: 'crm' } });
		expect(webhook).toEqual({ ...crm, http_method: 'POST', payload_templates: {} });
		// An update keeps the secret.
		const stored = { name: 'CRM', webhook_secret: SECRETS[0], payload_templates: {} };
		expect(await service.storedWebhooks()).toContainEqual(expect.objectContaining(stored));
	});

	test('is found by its name, and several agents with the name stop everything', async () => {
		document.knowledge.llm_temperature = 0.1;
		expect((await applied(document)).agentId).toBe(agentId);
		const { knowledge, settings } = document;
		// What only the creation sets is not compared.
		const renamed = { ...document, settings: { ...settings, name: 'Norah', label: 'Other', idle_time_seconds: 99 } };
		expect(await problemsOf(renamed, toAgent(agentId))).toEqual(['settings.name', 'settings.label']);
		await service.api('POST', 'agents', {
			...settings,
			...knowledge,
			label: 'Twin',
			language: 'en-US',
			direction: 'inbound',
			who_speaks_first: 'agent',
			conversation_speed: 1,
		});
		expect(await problemsOf(document)).toEqual(['settings.name']);
		expect((await applied(document, toAgent(agentId))).changes).toBe(0);
	});
});

describe('The plan has a problem', () => {
	type Change = (document: AgentDocument) => unknown;
	const set = Object.assign;
	test.each<[string, Change, string[]]>([
		[
			'for a voice or a phone number that the environment lacks, and for one of several tiers',
			({ voice, calling }) => [
				set(voice, { template: { name: 'Aurora' } }),
				calling.phone_numbers?.push('+12025550100'),
			],
			['calling.phone_numbers', 'voice.template'],
		],
		['for an unknown action', ({ actions }) => delete actions.book, ['conversation.flow_config.nodes.1.action_id']],
		[
			'for two actions, trainings or webhooks with one name',
			({ actions, trainings, webhooks }) => [
				set(actions, { copy: { ...actions.book } }),
				set(trainings, { copy: { ...trainings.hours } }),
				set(webhooks, { copy: { ...webhooks.crm } }),
			],
			['actions.copy.name', 'trainings.copy.subject', 'webhooks.copy.name'],
		],
		['for two actions with one node ID', ({ actions }) => set(actions.notes, { node_id: 'book' }), ['actions.notes']],
		[
			'for a flow-driven conversation without a flow',
			({ conversation }) => set(conversation, { flow_config: null }),
			['conversation.flow_config'],
		],
	])('%s', async (_what, change, expected) => {
		const document = fullDocument();
		change(document);
		expect(await problemsOf(document)).toEqual(expected);
	});

	test('for two actions of the agent with one name, but only if the document has it', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		const twin = { node_id: 'twin', name: 'notes', description: 'Other', type: 'hold' };
		await service.api('POST', `agents/${agentId}/actions`, twin);
		expect(await problemsOf(document, toAgent(agentId))).toEqual(['actions.notes.name']);
		delete document.actions.notes;
		expect(await sentOf(agentId, document)).toEqual([]);
	});

	test('for a flow that the service rejects, if it can validate the flow first', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		const changed = { ...document.conversation, flow_config: { ...document.conversation.flow_config } };
		const invalid = {
			...document,
			conversation: { ...changed, flow_config: { ...changed.flow_config, initial_node_id: 'hi' } },
		};
		const { problems } = await applyTo(service, invalid, toAgent(agentId, { dryRun: true }));
		expect(problems[0]?.message).toBe("Initial node 'hi' does not exist in nodes");
		expect(new Set(await problemsOf(invalid, toAgent(agentId)))).toEqual(new Set(['conversation.flow_config']));
		// Without its response, the update itself finds the errors.
		await service.fault({ match: { path: `/api/v1/agents/${agentId}/flow/validate` }, kind: 'status', status: 404 });
		const { notes, code } = await applyTo(service, invalid, toAgent(agentId));
		expect({ notes, code }).toEqual({
			notes: expect.arrayContaining([expect.stringMatching(/^The service could not validate the flow first\. /)]),
			code: 'FLOW_INVALID',
		});
	});

	test('for an action in the flow that Remove Others would delete', async () => {
		const document = fullDocument();
		const { agentId } = await applied(document);
		delete document.actions.book;
		delete document.conversation.flow_config;
		expect(await sentOf(agentId, document)).toEqual([]);
		const removing = toAgent(agentId, { options: { removeOthers: true } });
		expect((await problemsOf(document, removing))[0]).toBe('conversation.flow_config');
	});
});

describe('An action or training without the node ID of the document', () => {
	test('is reported, and what the service created instead is deleted at once', async () => {
		const agentId = service.seed.agents.published;
		const document = await exported(service, agentId);
		const { book_appointment: book } = document.actions;
		const unreadable = { integration: null, authorization_scheme: 'none', custom_headers: [] } as const;
		Object.assign(book, unreadable, { speak_on_send: null, speak_on_receive: null, description: 'Books' });
		const { actions: before } = await agentOf(agentId);
		const sentBefore = await countOf(service);
		const item = await applyTo(service, document, toAgent(agentId));
		const requests = [{ result: 'failed' }, { result: 'notTried' }];
		expect(item).toMatchObject(failed('WRONG_NODE_ID', { requests }));
		expect(item.message).toContain('which was deleted again');
		expect(item.advice).toContain('The agent was published and is a draft now');
		const sent = await writesSince(service, sentBefore);
		expect(sent.map(({ method, status }) => [method, status])).toEqual([
			['POST', 200],
			['DELETE', 200],
		]);
		expect((await agentOf(agentId)).actions).toEqual(before);
		// What cannot be deleted is named.
		await service.answer('DELETE', 403);
		const { message } = await applyTo(service, document, toAgent(agentId));
		const twin = (await agentOf(agentId)).actions[1]?.id;
		expect(message).toContain(`with the ID ${twin}, and it could not be deleted`);
		await service.api('DELETE', `agents/${agentId}/actions/${twin}`);
		// With its node ID in the document, it is updated.
		book.node_id = 'book-appointment';
		expect(await applied(document, toAgent(agentId))).toMatchObject({ changes: 1 });
		const { actions } = await agentOf(agentId);
		expect(actions).toMatchObject([{ id: before[0]?.id, description: 'Books' }]);
	});

	test('is updated if its node ID is that of something new in the document: it was renamed', async () => {
		const document = fullDocument();
		document.conversation = {};
		const { agentId } = await applied(document);
		const { book, ...others } = document.actions;
		const { actions: before } = await agentOf(agentId);
		document.actions = { book: { ...book, name: 'reserve' }, ...others };
		const { sent, bodies } = await sentFor(agentId, document, { removeOthers: true });
		expect([sent, bodies]).toMatchObject([['POST /actions'], [{ node_id: 'book', name: 'reserve' }]]);
		// A key that Export would not give: only the answer tells that an action has it.
		document.actions = { zz: { ...book, name: 'schedule', node_id: 'book' }, ...others };
		const { requests } = await applied(document, toAgent(agentId, { options: { removeOthers: true } }));
		expect(requests.map(({ what, result }) => [what, result])).toEqual([
			['Create action "zz"', 'done'],
			['Delete action "reserve"', 'notNeeded'],
		]);
		expect((await agentOf(agentId)).actions.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
	});

	test('stops everything if the node ID is that of another one in the document', async () => {
		const document = fullDocument();
		const { hours, prices } = document.trainings;
		hours.node_id = 'other';
		const { agentId } = await applied(document);
		[hours.node_id, prices.node_id, hours.instructions] = ['prices', 'gone', 'Always open.'];
		const item = await applyTo(service, document, toAgent(agentId));
		expect(item).toMatchObject({ code: 'WRONG_NODE_ID', requests: [{ result: 'failed' }] });
		expect(item.message).toContain('the training "Prices", which was overwritten with "Hours"');
	});
});
