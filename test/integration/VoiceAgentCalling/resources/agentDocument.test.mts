import type { AgentDocument } from '../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { byId, goesOn, jsonOf, useService } from '../../service.mts';
import {
	type AppliedItem,
	applying,
	applyTo,
	exported,
	fullDocument,
	SECRETS,
	toAgent,
} from '../agents/apply/documents.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

const nobody = '00000000-0000-4000-8000-000000000000';
const agent = byId('={{ $json.id }}');
const exporting = { resource: 'agent', operation: 'export', agent };
const comparing = toAgent('={{ $json.id }}', { dryRun: true });

/** Compares a document with an agent: the dry run of Apply. */
async function compared(id: string, document: unknown, options = {}): Promise<AppliedItem> {
	const { outputs, run } = await service.run({ ...comparing, options } as never, [{ id, document }] as never);
	expect(run.error).toBeUndefined();
	return outputs[0]?.[0]?.json as unknown as AppliedItem;
}

/** Secrets in the URLs of webhooks. */
const IN_URLS = ['sentinel-password', 'sentinel-api-key', 'sentinel-resume-token'];

/** Makes an agent with everything that an agent can have, and with webhooks that no document contains in full. */
async function makeFullAgent(): Promise<string> {
	const { agentId } = await applyTo(service, fullDocument(), applying());
	const trigger = `https://n8n.example.com/webhook/1c9de9c4-3f43-4f4c-9a6a-5b7a3e8f0d11/webhook?agent=${agentId}`;
	const urls = {
		'Of a trigger': trigger,
		'Of a test run': trigger.replace('/webhook/', '/webhook-test/'),
		'Of a wait': `https://n8n.example.com/webhook-waiting/17?signature=${IN_URLS[2]}`,
		'With a password': `https://user:${IN_URLS[0]}@example.com/hook`,
		'With a token': `https://example.com/hook?api_key=${IN_URLS[1]}`,
	};
	for (const [name, webhook_url] of Object.entries(urls)) {
		await service.api('POST', `agents/${agentId}/webhooks`, { name, webhook_url, events: ['event_recording'] });
	}
	return String(agentId);
}

/** The fields that the service does not return, by their section; of actions, trainings and webhooks, by each. */
const UNREADABLE = {
	settings: Object.keys(fullDocument().settings).filter((name) => !['name', 'label'].includes(name)),
	voice: ['ambient_volume'],
	actions: [
		'node_id',
		'integration',
		'authorization_scheme',
		'custom_headers',
		'speak_on_send',
		'speak_on_receive',
		'execution_mode',
	],
	trainings: ['node_id'],
	webhooks: ['webhook_secret', 'http_method', 'authorization_scheme', 'custom_headers', 'payload_templates'],
};

/** The document that Export gives of {@link makeFullAgent}. */
function readable(): object {
	const document = fullDocument();
	const without = (fields: object, names: string[]) =>
		Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
	const each = (members: object, names: string[]) =>
		Object.fromEntries(Object.entries(members).map(([key, member]) => [key, without(member, names)]));
	const hidden = { events: ['event_recording'], timeout: 30, max_retries: 3, enabled: true };
	const named = (section: 'actions' | 'trainings' | 'webhooks', keys: string[]) =>
		keys.flatMap((key) => UNREADABLE[section].map((field) => `${section}.${key}.${field}`));
	const hooks = ['with-a-password', 'with-a-token'];
	return {
		...document,
		$schema: expect.stringMatching(/\/docs\/agent-document\.schema\.json$/),
		settings: without(document.settings, UNREADABLE.settings),
		voice: without(document.voice, UNREADABLE.voice),
		actions: each(document.actions, UNREADABLE.actions),
		trainings: each(document.trainings, UNREADABLE.trainings),
		webhooks: {
			...each(document.webhooks, UNREADABLE.webhooks),
			'with-a-password': { name: 'With a password', ...hidden },
			'with-a-token': { name: 'With a token', ...hidden },
		},
		notReadable: [
			...UNREADABLE.settings.map((field) => `settings.${field}`),
			'voice.ambient_volume',
			...named('actions', Object.keys(document.actions)).filter((path) => !/(book|person)\.execution_mode/.test(path)),
			...named('trainings', Object.keys(document.trainings)),
			...named('webhooks', ['crm', ...hooks]),
			...hooks.map((key) => `webhooks.${key}.webhook_url`),
		].sort(),
	};
}

describe('Agent → Export', () => {
	test('returns everything that the service returns, by names, and lists all else without guessing it', async () => {
		const id = await makeFullAgent();
		const items = [id, nobody, ''].map((one) => ({ id: one }));
		const refused = [failed('AGENT_NOT_FOUND', { httpStatus: 404 }), failed('INVALID_INPUT')];
		const sent = await expectItems(service, exporting, items, [{ schemaVersion: 1 }, ...refused]);
		expect(sent.filter(([method]) => method !== 'GET')).toEqual([]);
		const document = await exported(service, id);
		expect(document).toEqual(readable());
		const { body } = await service.api('GET', `agents/${id}`);
		const actions = (body.data as { actions: Array<{ id: string }> }).actions.map((action) => action.id);
		for (const secret of [...SECRETS, ...IN_URLS, id, ...actions, '_at"', 'current_status": "draft']) {
			expect(JSON.stringify(document, null, 2)).not.toContain(secret);
		}
	});

	test.each(['', '/flow', '/webhooks', undefined])(
		'fails where a part (%s) cannot be read, for that item, without half a document',
		async (part) => {
			const { published, draft } = service.seed.agents;
			const path = part === undefined ? '/api/v1/voice-templates' : `/api/v1/agents/${published}${part}`;
			await service.fault({ kind: 'status', status: 403, match: { method: 'GET', path }, times: 1 });
			// The others need no list of voices, as they have none.
			const { body } = await service.api('GET', 'agents?per_page=100');
			const silent = (body.data as Array<{ id: string; voice: unknown }>).find(({ voice }) => voice === null)?.id;
			const items = [published, silent, ...(part === undefined ? [] : [draft])].map((id) => ({ id }));
			const results = jsonOf(await service.run(exporting, items as never, { node: goesOn }));
			expect(results).toMatchObject([failed('FORBIDDEN'), ...items.slice(1).map(() => ({ schemaVersion: 1 }))]);
			expect(results[0]).not.toHaveProperty('settings');
		},
	);

	test('takes an answer without the actions or the voice for no answer, not for an agent that has none', async () => {
		const { published } = service.seed.agents;
		const { data } = (await service.api('GET', `agents/${published}`)).body as { data: object };
		for (const part of ['actions', 'voice', 'trainings']) {
			const body = { success: true, data: { ...data, [part]: undefined } };
			await service.fault({ kind: 'status', status: 200, body, match: { path: `/api/v1/agents/${published}` } });
			const { run } = await service.run(exporting, [{ id: published }]);
			expect(String(run.error?.message)).toContain(`without ${part} of the agent`);
		}
	});
});

describe('Agent → Apply, as a dry run', () => {
	test('finds nothing that differs from an export, in whatever form it is given', async () => {
		const id = await makeFullAgent();
		const document = await exported(service, id);
		for (const given of [document, JSON.stringify(document), [document], [{ json: document }], { json: document }]) {
			const same = { differences: [], changes: 0, problems: [], notCompared: [] };
			expect(await compared(id, given)).toMatchObject({ agentId: id, name: 'Nora', ...same });
		}
	});

	test('never calls equal what cannot be read, although the document has exactly what was written, and shows no secret', async () => {
		const id = await makeFullAgent();
		const complete = fullDocument();
		complete.webhooks['with-a-password'] = {
			name: 'With a password',
			webhook_url: `https://user:${IN_URLS[0]}@example.com/hook`,
			events: ['event_recording'],
		};
		const item = await compared(id, complete);
		expect(item.differences).toEqual([]);
		expect(item.notCompared).toEqual(
			expect.arrayContaining([
				'settings.idle_time_seconds',
				'voice.ambient_volume',
				'actions.book.speak_on_send',
				'actions.book.custom_headers',
				'webhooks.crm.webhook_secret',
				'webhooks.with-a-password.webhook_url',
			]),
		);
		const sent = await compared(id, complete, { unreadableFields: 'send' });
		expect(sent.notCompared).toEqual(item.notCompared.filter((path) => path.startsWith('settings.')));
		const outputs = JSON.stringify([item, sent]);
		expect(outputs).toContain('[hidden]');
		for (const secret of [...SECRETS, ...IN_URLS]) {
			expect(outputs).not.toContain(secret);
		}
	});

	test('says that it was not compared, not that it is equal, where the service did not return a field that it should', async () => {
		const { published } = service.seed.agents;
		const document = await exported(service, published);
		const { data } = (await service.api('GET', `agents/${published}`)).body as { data: object };
		const body = { success: true, data: { ...data, llm_temperature: undefined } };
		const match = { path: `/api/v1/agents/${published}` };
		await service.fault({ kind: 'status', status: 200, body, match, times: 2 });
		const notCompared = ['knowledge.llm_temperature'];
		expect(await compared(published, document)).toMatchObject({ differences: [], notCompared });
		const again = await exported(service, published);
		expect(again.knowledge).not.toHaveProperty('llm_temperature');
		expect(again.notReadable).toContain(notCompared[0]);
	});

	test('refuses a document with a mistake before anything is sent, names the place, and shows no value', async () => {
		const { published } = service.seed.agents;
		const document: AgentDocument = await exported(service, published);
		const book = document.actions.book_appointment;
		const secret = ['sentinel-secret'];
		const hook = { name: 'A', webhook_url: 'https://example.com', webhook_secret: secret };
		const wrong: Array<[given: unknown, message: string]> = [
			['', "'Document' is empty"],
			['{\n  "schemaVersion": 1,\n}', 'line 3, column 1'],
			[[document, document], 'is a list, not an object'],
			[{ ...document, settings: { name: 'A', idle_times_seconds: 10 } }, "(did you mean 'idle_time_seconds'?)"],
			[{ ...document, actions: { book: { ...book, custom_header: secret } } }, "'actions.book.custom_header'"],
			[{ ...document, webhooks: { a: hook } }, "'webhooks.a.webhook_secret'"],
			[{ ...document, actions: { 'a.b': book } }, "'actions.a.b'"],
		];
		const items = wrong.map(([given]) => ({ id: published, document: given }));
		const expected = wrong.map(([, message]) => failed('INVALID_INPUT', { message: expect.stringContaining(message) }));
		expect(await expectItems(service, comparing, items as never, expected)).toEqual([]);
		expect(JSON.stringify(jsonOf(await service.run(comparing, items as never, { node: goesOn })))).not.toContain(
			secret[0],
		);
	});
});
