import type { IDataObject } from 'n8n-workflow';

import { putBackNewerKey, successorsOf } from '../../../../nodes/VoiceAgentCallingTrigger/registration/newerKey.ts';
import { nodeKey } from '../../../../nodes/VoiceAgentCallingTrigger/registration/nodeKey.ts';
import {
	checkExists,
	createRegistration,
	deleteRegistration,
} from '../../../../nodes/VoiceAgentCallingTrigger/registration/registration.ts';
import { type Answer, cut, type DoubleOptions, type Requested } from '../../n8n.mts';
import { registrationOf, secretOf, storedWebhook, triggerOf, webhookOf } from '../trigger.mts';

const base = 'https://service.example/api/v1/';

/** A service with these webhooks. `refuse` gives another answer to some requests. */
function service(webhooks: IDataObject[], refuse: (request: Requested) => Answer | undefined = () => undefined) {
	return async (request: Requested): Promise<Answer> => {
		const refusal = refuse(request);
		if (refusal) {
			return refusal;
		}
		if (request.method === 'GET') {
			return { body: { data: { webhooks } } };
		}
		return request.method === 'POST' ? { status: 201, body: { data: { id: 'w-new' } } } : { body: { success: true } };
	};
}

const sentOf = (requests: Requested[]) => requests.map(({ method, url }) => `${method} ${url.replace(base, '')}`);

/** A trigger that has registered its webhook with the wanted settings, in a service that has it. */
async function registered(options: DoubleOptions = {}) {
	const first = triggerOf({ service: service([]), ...options });
	await createRegistration(first.caller);
	return first.staticData;
}

describe('Publishing a workflow', () => {
	test('registers a webhook with all settings and a new key, and remembers it', async () => {
		const { caller, requests, staticData } = triggerOf({ service: service([]) });
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', 'POST campaigns/c-1/webhooks']);
		expect(requests[1].body).toEqual({
			name: 'n8n: Follow-up, Calls',
			webhook_url: 'https://n8n.example/webhook/1/webhook?campaign=c-1',
			events: ['campaign_call.completed', 'campaign_call.failed'],
			include_call_events: false,
			enabled: true,
			http_method: 'POST',
			max_retries: 10,
			authorization_scheme: 'none',
			custom_headers: [],
			payload_templates: {},
			webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(staticData).toEqual({
			webhooks: [storedWebhook({ webhookId: 'w-new', digest: expect.stringMatching(/^[0-9a-f]{64}$/) })],
			secret: expect.stringMatching(/^[0-9a-f]{64}$/),
			instanceId: 'this n8n',
			workflowId: 'workflow-1',
		});
		expect((requests[1].body as IDataObject).webhook_secret).toBe(secretOf(staticData.secret));
	});

	test('of an agent registers it there, without the settings of a campaign', async () => {
		const { caller, requests } = triggerOf({ service: service([]), parameters: { source: 'agent' } });
		await createRegistration(caller);
		expect(sentOf(requests)).toEqual(['GET agents/a-1/webhooks', 'POST agents/a-1/webhooks']);
		expect(requests[1].body).not.toHaveProperty('include_call_events');
		expect(requests[1].body).toMatchObject({ webhook_url: 'https://n8n.example/webhook/1/webhook?agent=a-1' });
	});

	test.each(['campaign', 'agent'])('of a missing %s says so, and remembers no webhook', async (source) => {
		const { caller, staticData } = triggerOf({
			service: [{ status: 404, body: { message: 'No' } }],
			parameters: { source },
		});
		await expect(createRegistration(caller)).rejects.toMatchObject({
			httpCode: '404',
			message: expect.stringMatching(new RegExp(`\\. Choose the ${source} `)),
		});
		expect(staticData).not.toHaveProperty('webhooks');
		expect(staticData.secret).toBeUndefined();
	});

	test('finds its webhook on any page, and registers none if the service shows only a part of the list', async () => {
		const pages =
			(shown: readonly number[]) =>
			async ({ method, qs }: Requested): Promise<Answer> => {
				const page = shown[Number(qs?.page ?? 1) - 1];
				const webhooks = [{ id: `w-${page}`, webhook_url: page === 2 ? webhookOf().webhook_url : 'https://a.example' }];
				const body = { data: { webhooks }, pagination: { current_page: page, last_page: 2 } };
				return method === 'GET' ? { body } : { body: { success: true, data: { id: 'w-new' } } };
			};
		const whole = triggerOf({ service: pages([1, 2]) });
		await createRegistration(whole.caller);
		expect(sentOf(whole.requests)).toContain('PUT campaigns/c-1/webhooks/w-2');
		const part = triggerOf({ service: pages([1, 1]) });
		await expect(createRegistration(part.caller)).rejects.toMatchObject({
			message: expect.stringContaining('only a part of a list'),
		});
		expect(part.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
	});

	test.each([[{}], [{ data: {} }], [{ data: { id: 7 } }], [{ data: 'w' }]])(
		'fails if the response has no ID of the webhook: %j',
		async (body) => {
			const { caller, staticData } = triggerOf({
				service: service([], ({ method }) => (method === 'POST' ? { status: 201, body } : undefined)),
			});
			await expect(createRegistration(caller)).rejects.toMatchObject({
				message: expect.stringMatching(/did not return its ID\. Publish the workflow again/),
			});
			expect(staticData.webhooks).toEqual([]);
			// The service may have the key.
			expect(staticData).toMatchObject({ secret: expect.any(String), unsettled: true });
		},
	);
});

describe('The trigger of a campaign', () => {
	const POST = ['GET campaigns/c-1/webhooks', 'POST campaigns/c-1/webhooks'];
	const READ = 'GET campaigns/c-1';
	const triggerOn = (campaign: Answer, activationMode: DoubleOptions['activationMode'], parameters = {}) => {
		const answers = service([], ({ method, url }) =>
			method === 'GET' && !url.endsWith('/webhooks') ? campaign : undefined,
		);
		return triggerOf({ service: answers, activationMode, parameters });
	};
	const withStatus = (status: string): Answer => ({ body: { data: { name: 'Spring', status } } });

	test.each([
		['completed', 'activate'],
		['cancelled', 'activate'],
		['completed', 'update'],
		['completed', 'manual'],
	] as const)('that is %s is registered with a warning when somebody publishes or tests (%s)', async (status, mode) => {
		const { caller, requests, staticData, logs } = triggerOn(withStatus(status), mode);
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual([...POST, READ]);
		expect(staticData.webhooks).toMatchObject([{ webhookId: 'w-new', ownerId: 'c-1' }]);
		expect(logs).toEqual([
			{
				level: 'warn',
				text: `"Calls" in workflow "Follow-up": Campaign "Spring" is ${status}. It starts no more calls; only events of calls in progress still arrive. If this is not intended, choose another one in 'Campaign'.`,
				more: { workflowId: 'workflow-1', campaignId: 'c-1' },
			},
		]);
	});

	test.each(['init', 'leadershipChange'] as const)('is not read when n8n starts (%s)', async (mode) => {
		const { caller, requests, logs } = triggerOn(withStatus('completed'), mode);
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(POST);
		expect(logs).toEqual([]);
	});

	test.each(['draft', 'active', 'paused'])('that is %s is registered without a warning', async (status) => {
		const { caller, requests, logs } = triggerOn(withStatus(status), 'activate');
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual([...POST, READ]);
		expect(logs).toEqual([]);
	});

	test.each<[string, Answer]>([
		['is not allowed', { status: 403, body: {} }],
		['fails', { status: 500, body: { message: 'No' } }],
		['has no campaign', { body: { success: true, data: [] } }],
	])('is registered if reading the campaign %s', async (_what, answer) => {
		const { caller, requests, logs } = triggerOn(answer, 'activate');
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual([...POST, READ]);
		expect(logs).toEqual([]);
	});

	test('is the only one that is read: a trigger of an agent reads none', async () => {
		const { caller, requests } = triggerOn(withStatus('completed'), 'activate', { source: 'agent' });
		expect(await createRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(['GET agents/a-1/webhooks', 'POST agents/a-1/webhooks']);
	});
});

describe('An address that the service cannot deliver to', () => {
	test.each([
		['http://localhost:5678/webhook/1', 'on this machine'],
		['http://127.0.0.1:5678/webhook/1', 'on this machine'],
		['http://0.0.0.0:5678/webhook/1', 'on this machine'],
		[`https://n8n.example/${'x'.repeat(468)}`, 'has 501 characters, but the service accepts only 500'],
	])('is not registered: %#', async (webhookUrl, message) => {
		const { caller, requests } = triggerOf({ service: service([]), webhookUrl });
		const error = { message: expect.stringMatching(new RegExp(`${message}.*\\. (Set|Use) `)) };
		await expect(createRegistration(caller)).rejects.toMatchObject(error);
		await expect(checkExists(caller)).rejects.toMatchObject(error);
		expect(requests).toEqual([]);
	});

	test.each([
		['the service is on this machine too', 'http://localhost:5678/webhook/1', 'http://127.0.0.1:4010'],
		['it is as long as the service takes', `https://n8n.example/${'x'.repeat(467)}`, 'https://service.example'],
	])('is another one: %s', async (_what, webhookUrl, baseUrl) => {
		const { caller } = triggerOf({ service: service([]), webhookUrl, credentials: { baseUrl } });
		expect(await createRegistration(caller)).toBe(true);
	});
});

describe('Whether the webhook exists', () => {
	test('is answered by its exact address or its ID, in the webhooks of the campaign', async () => {
		const find = async (webhooks: IDataObject[], staticData = {}) => {
			const { caller, requests } = triggerOf({ service: service(webhooks), staticData });
			const found = await checkExists(caller);
			expect(sentOf(requests)[0]).toBe('GET campaigns/c-1/webhooks');
			return found;
		};
		expect(await find([])).toBe(false);
		expect(await find([webhookOf({ webhook_url: 'https://n8n.example/webhook/1/webhook' })])).toBe(false);
		const ofAnother = 'https://n8n.example/webhook/1/webhook?campaign=c-2';
		expect(await find([webhookOf({ webhook_url: ofAnother })])).toBe(false);
		expect(await find([webhookOf()])).toBe(true);
		const moved = webhookOf({ webhook_url: 'https://before.example/webhook/1/webhook' });
		expect(await find([moved])).toBe(false);
		expect(await find([moved], registrationOf())).toBe(true);
	});

	test('is an error if the response is no list: a duplicate would be registered', async () => {
		const { caller } = triggerOf({ service: [{ body: { data: {} } }] });
		await expect(checkExists(caller)).rejects.toThrow('without a list');
	});

	test.each(['campaign', 'agent'])('is an error with advice if the %s is gone', async (source) => {
		const { caller } = triggerOf({ service: [{ status: 404, body: { message: 'No' } }], parameters: { source } });
		await expect(checkExists(caller)).rejects.toThrow(new RegExp(`\\. Choose the ${source} `));
	});
});

describe('A webhook that exists', () => {
	const found = (changes: IDataObject = {}) => webhookOf({ id: 'w-new', ...changes });

	test('stays as it is if everything is the same', async () => {
		const staticData = await registered();
		const { caller, requests } = triggerOf({ service: service([found()]), staticData });
		expect(await checkExists(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks']);
	});

	test('stays as it is if the service lists the events in another order', async () => {
		const staticData = await registered();
		const events = ['campaign_call.failed', 'campaign_call.completed'];
		const { caller, requests } = triggerOf({ service: service([found({ events })]), staticData });
		await checkExists(caller);
		expect(requests).toHaveLength(1);
	});

	test.each(['init', 'leadershipChange'])('stays as it is when n8n starts (%s)', async (activationMode) => {
		const staticData = await registered();
		const { caller, requests } = triggerOf({ service: service([found()]), staticData, activationMode });
		await checkExists(caller);
		expect(requests).toHaveLength(1);
	});

	test.each(['activate', 'update', 'manual'])(
		'is updated whenever it is published (%s): the service does not say which secret it has',
		async (activationMode) => {
			const staticData = await registered();
			const { secret } = staticData;
			const { caller, requests } = triggerOf({ service: service([found()]), staticData, activationMode });
			await checkExists(caller);
			expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', 'PUT campaigns/c-1/webhooks/w-new']);
			expect(requests[1].body).toMatchObject({ webhook_secret: secretOf(staticData.secret) });
			expect(staticData.secret).not.toBe(secret);
		},
	);

	test('is remembered with its new secret, in case another node writes the older one back', async () => {
		const staticData = await registered();
		const older = { ...staticData };
		await checkExists(triggerOf({ service: service([found()]), staticData, activationMode: 'activate' }).caller);
		const { caller } = triggerOf({ staticData: older });
		expect(putBackNewerKey(caller, await successorsOf(caller, nodeKey(caller), older))).toBe(true);
		expect(older.secret).toBe(staticData.secret);
	});

	test('gets a third secret, not the second one again, if an older one was written back', async () => {
		const staticData = await registered();
		const older = { ...staticData };
		await checkExists(triggerOf({ service: service([found()]), staticData, activationMode: 'activate' }).caller);
		await checkExists(triggerOf({ service: service([found()]), staticData: older, activationMode: 'activate' }).caller);
		expect(older.secret).not.toBe(staticData.secret);
		expect((older.former as IDataObject[]).map(({ secret }) => secret)).toContain(staticData.secret);
	});

	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		['was renamed', { name: 'Other' }, {}, {}],
		['was disabled', { enabled: false }, {}, {}],
		['has other events', { events: ['campaign_call.failed'] }, {}, {}],
		['has the same events twice', { events: ['campaign_call.failed', 'campaign_call.failed'] }, {}, {}],
		['has call events', { include_call_events: true }, {}, {}],
		['has another ID', { id: 'w-2' }, {}, {}],
		['gets other settings', {}, {}, { options: { extraHeaders: { values: [{ name: 'X-Mine', value: 'v' }] } } }],
		['has a key that was never confirmed', {}, { unsettled: true }, {}],
		['has a key that is not known', {}, { secret: undefined }, {}],
	])('is updated with a PUT of all settings if it %s', async (_what, changes, stored, parameters) => {
		const staticData = { ...(await registered()), ...stored };
		const { caller, requests } = triggerOf({ service: service([found(changes)]), staticData, parameters });
		expect(await checkExists(caller)).toBe(true);
		const id = changes.id ?? 'w-new';
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', `PUT campaigns/c-1/webhooks/${id}`]);
		expect(requests[1].body).toMatchObject({
			name: 'n8n: Follow-up, Calls',
			enabled: true,
			webhook_secret: secretOf(staticData.secret),
		});
		expect(staticData).toMatchObject({
			webhooks: [{ webhookId: id }],
			secret: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(staticData).not.toHaveProperty('unsettled', true);
	});

	test('is updated with another key if this n8n has not registered it, and the other key is forgotten', async () => {
		const staticData = registrationOf({ instanceId: 'another n8n', former: [{ secret: '2'.repeat(64) }] });
		const { caller, requests } = triggerOf({ service: service([webhookOf()]), staticData });
		expect(await checkExists(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', 'PUT campaigns/c-1/webhooks/w-1']);
		expect(staticData.secret).not.toBe('1'.repeat(64));
		expect(staticData).toMatchObject({ instanceId: 'this n8n', webhooks: [{ webhookId: 'w-1' }] });
		expect(staticData).not.toHaveProperty('former');
	});

	test('loses its duplicates: one event would start several executions', async () => {
		const staticData = await registered();
		const webhooks = [found(), webhookOf({ id: 'w-2' }), webhookOf({ id: 'w-3' })];
		const gone = ({ url }: Requested) => (url.endsWith('w-2') ? { status: 404, body: { success: false } } : undefined);
		const { caller, requests } = triggerOf({ service: service(webhooks, gone), staticData });
		expect(await checkExists(caller)).toBe(true);
		expect(sentOf(requests).slice(1)).toEqual(['w-2', 'w-3'].map((id) => `DELETE campaigns/c-1/webhooks/${id}`));
	});

	test('loses its duplicates, or the workflow is not published', async () => {
		const refuse = ({ method }: Requested) =>
			method === 'DELETE' ? { status: 403, body: { message: 'No permission' } } : undefined;
		const staticData = await registered();
		const { caller } = triggerOf({ service: service([found(), webhookOf({ id: 'w-2' })], refuse), staticData });
		await expect(checkExists(caller)).rejects.toThrow('No permission');
	});
});

describe('The webhook of a campaign or agent that is no longer selected', () => {
	test.each<[string, IDataObject]>([
		['another campaign', { ownerId: 'c-0' }],
		['an agent with the same ID', { source: 'agent' }],
	])('is deleted, if it is of %s', async (_what, stored) => {
		const { source = 'campaign', ownerId = 'c-1' } = stored;
		const staticData = () => registrationOf({ webhooks: [storedWebhook(stored)] });
		const listed = 'GET campaigns/c-1/webhooks';
		const deleted = `DELETE ${String(source)}s/${String(ownerId)}/webhooks/w-1`;
		const created = triggerOf({ service: service([]), staticData: staticData() });
		await createRegistration(created.caller);
		expect(sentOf(created.requests)).toEqual([listed, deleted, 'POST campaigns/c-1/webhooks']);
		const checked = triggerOf({ service: service([webhookOf({ id: 'w-9' })]), staticData: staticData() });
		await checkExists(checked.caller);
		expect(sentOf(checked.requests)).toEqual(['GET campaigns/c-1/webhooks', deleted, 'PUT campaigns/c-1/webhooks/w-9']);
	});

	test.each<[string, IDataObject]>([
		['of the same campaign', {}],
		['that is not stored', { webhooks: undefined }],
		['that something else has stored', { webhooks: 'w-1' }],
		['of another n8n', { webhooks: [storedWebhook({ ownerId: 'c-0' })], instanceId: 'another n8n' }],
		['of another workflow', { webhooks: [storedWebhook({ ownerId: 'c-0' })], workflowId: 'another workflow' }],
	])('is not deleted %s', async (_what, stored) => {
		const { caller, requests } = triggerOf({ service: service([]), staticData: registrationOf(stored) });
		await createRegistration(caller);
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', 'POST campaigns/c-1/webhooks']);
	});
});

describe('Unpublishing a workflow', () => {
	test('deletes the webhook, and keeps its key for deliveries in flight', async () => {
		const { caller, requests, staticData } = triggerOf({ service: service([]), staticData: registrationOf() });
		expect(await deleteRegistration(caller)).toBe(true);
		expect(sentOf(requests)).toEqual(['DELETE campaigns/c-1/webhooks/w-1']);
		expect(staticData).toEqual({
			instanceId: 'this n8n',
			workflowId: 'workflow-1',
			former: [{ secret: '1'.repeat(64), until: expect.any(Number) }],
		});
	});

	test('succeeds if the webhook is gone already', async () => {
		const { caller, staticData } = triggerOf({
			service: [{ status: 404, body: { success: false } }],
			staticData: registrationOf(),
		});
		expect(await deleteRegistration(caller)).toBe(true);
		expect(staticData).not.toHaveProperty('webhooks');
	});

	test.each([
		cut,
		{ status: 403, body: { message: 'No permission' } },
		{ status: 404, body: { message: 'no Route matched with those values' } },
	])('fails and forgets nothing if the service does not delete it (%#)', async (answer) => {
		const { caller, staticData } = triggerOf({ service: [answer], staticData: registrationOf() });
		await expect(deleteRegistration(caller)).rejects.toMatchObject({ node: { id: 'node-1' } });
		expect(staticData).toEqual(registrationOf());
	});

	test.each<[string, IDataObject]>([
		['registered nothing', {}],
		['has stored no webhook', registrationOf({ webhooks: undefined })],
		['has a list that something else has stored', registrationOf({ webhooks: 'w-1' })],
		['comes from another n8n', registrationOf({ instanceId: 'another n8n' })],
		['comes from another workflow', registrationOf({ workflowId: 'another workflow' })],
	])('sends nothing if the trigger %s', async (_what, staticData) => {
		const { caller, requests } = triggerOf({ service: service([]), staticData });
		expect(await deleteRegistration(caller)).toBe(true);
		expect(requests).toEqual([]);
	});
});

describe('A trigger of several campaigns', () => {
	const options = (ids: unknown) => ({ parameters: { options: { additionalCampaigns: ids } } });
	const secrets = (requests: Requested[]) =>
		requests.flatMap(({ body }) => (body as IDataObject | undefined)?.webhook_secret ?? []);

	test('has a webhook for each, whose URL names the campaign and whose secret is of its own', async () => {
		const { caller, requests, staticData } = triggerOf({ service: service([]), ...options(['c-2', 'c-1', 'c+3']) });
		await createRegistration(caller);
		const ids = ['c-1', 'c-2', 'c+3'];
		const posts = requests.filter(({ method }) => method === 'POST');
		expect(posts.map(({ body }) => (body as IDataObject).webhook_url)).toEqual(
			['c-1', 'c-2', 'c%2B3'].map((id) => `https://n8n.example/webhook/1/webhook?campaign=${id}`),
		);
		expect(secrets(requests)).toEqual(ids.map((id) => secretOf(staticData.secret, id)));
		expect(secrets(requests)).not.toContain(staticData.secret);
		expect(staticData.webhooks).toMatchObject(ids.map((ownerId) => ({ source: 'campaign', ownerId })));
		const digests = (staticData.webhooks as IDataObject[]).map(({ digest }) => digest);
		expect(new Set(digests).size).toBe(3);
	});

	test('has the IDs from an expression too, as a text or a list', async () => {
		for (const ids of ['c-2, c-3', ['c-2', 'c-3']]) {
			const { caller, staticData } = triggerOf({ service: service([]), ...options(ids) });
			await createRegistration(caller);
			expect((staticData.webhooks as IDataObject[]).map(({ ownerId }) => ownerId)).toEqual(['c-1', 'c-2', 'c-3']);
		}
	});

	test('has 20 at most', async () => {
		const ids = (count: number) => Array.from({ length: count }, (_, n) => `more-${n}`);
		const most = triggerOf({ service: service([]), ...options(ids(19)) });
		expect(await createRegistration(most.caller)).toBe(true);
		const tooMany = triggerOf({ service: service([]), ...options(ids(20)) });
		await expect(createRegistration(tooMany.caller)).rejects.toThrow('21 campaigns are chosen');
		expect(tooMany.requests).toEqual([]);
	});

	test('exists only if all webhooks do; what is missing is registered, and the others get the new key', async () => {
		const listed = ({ url, method }: Requested) =>
			method === 'GET' && url.includes('/c-1/') ? { body: { data: { webhooks: [webhookOf()] } } } : undefined;
		const { caller, requests, staticData } = triggerOf({ service: service([], listed), ...options(['c-2']) });
		expect(await checkExists(caller)).toBe(false);
		expect(sentOf(requests)).toEqual(['GET campaigns/c-1/webhooks', 'GET campaigns/c-2/webhooks']);
		requests.length = 0;
		await createRegistration(caller);
		expect(sentOf(requests).slice(2)).toEqual(['PUT campaigns/c-1/webhooks/w-1', 'POST campaigns/c-2/webhooks']);
		expect(secrets(requests)).toEqual(['c-1', 'c-2'].map((id) => secretOf(staticData.secret, id)));
	});

	test.each<[string, Answer, string]>([
		['is refused', { status: 403, body: { message: 'Not allowed' } }, 'Not allowed (campaign c-3)'],
		['is not answered', cut, '(campaign c-3)'],
	])('leaves nothing half registered if one %s', async (_what, answer, message) => {
		const refuse = ({ url, method }: Requested) => (method === 'POST' && url.includes('/c-3/') ? answer : undefined);
		const { caller, requests, staticData } = triggerOf({ service: service([], refuse), ...options(['c-2', 'c-3']) });
		await expect(createRegistration(caller)).rejects.toThrow(message);
		expect(sentOf(requests).filter((sent) => sent.startsWith('DELETE'))).toEqual([
			'DELETE campaigns/c-1/webhooks/w-new',
			'DELETE campaigns/c-2/webhooks/w-new',
		]);
		expect(staticData.webhooks).toEqual([]);
	});

	test('deletes what was registered although its answer was lost', async () => {
		const url = 'https://n8n.example/webhook/1/webhook?campaign=c-2';
		let posted = false;
		const answers = async (request: Requested): Promise<Answer> => {
			if (request.url.includes('/c-2/') && request.method === 'POST') {
				posted = true;
				return cut;
			}
			if (request.url.includes('/c-2/') && request.method === 'GET' && posted) {
				return { body: { data: { webhooks: [webhookOf({ id: 'w-lost', webhook_url: url })] } } };
			}
			return await service([])(request);
		};
		const { caller, requests } = triggerOf({ service: answers, ...options(['c-2']) });
		await expect(createRegistration(caller)).rejects.toThrow();
		expect(sentOf(requests).filter((sent) => sent.startsWith('DELETE'))).toEqual([
			'DELETE campaigns/c-1/webhooks/w-new',
			'DELETE campaigns/c-2/webhooks/w-lost',
		]);
	});

	test('remembers what could not be deleted, so that it is deleted later', async () => {
		const refuse = ({ url, method }: Requested): Answer | undefined =>
			(method === 'POST' && url.includes('/c-2/')) || method === 'DELETE'
				? { status: 403, body: { message: 'No' } }
				: undefined;
		const { caller, staticData } = triggerOf({ service: service([], refuse), ...options(['c-2']) });
		await expect(createRegistration(caller)).rejects.toThrow('No');
		expect(staticData.webhooks).toMatchObject([{ ownerId: 'c-1', webhookId: 'w-new' }]);
		const later = triggerOf({ service: service([]), staticData });
		expect(await deleteRegistration(later.caller)).toBe(true);
		expect(sentOf(later.requests)).toEqual(['DELETE campaigns/c-1/webhooks/w-new']);
	});

	test('is up to date when n8n starts only if each webhook is', async () => {
		const urlOf = (id: string) => `https://n8n.example/webhook/1/webhook?campaign=${id}`;
		let changes: IDataObject = {};
		const listed = ({ url, method }: Requested): Answer | undefined => {
			const id = url.includes('/c-1/') ? 'c-1' : 'c-2';
			const more = id === 'c-2' ? changes : {};
			return method === 'GET'
				? { body: { data: { webhooks: [webhookOf({ id: 'w-new', webhook_url: urlOf(id), ...more })] } } }
				: undefined;
		};
		const first = triggerOf({ service: service([]), ...options(['c-2']) });
		await createRegistration(first.caller);
		const start = async () => {
			const again = triggerOf({ service: service([], listed), staticData: first.staticData, ...options(['c-2']) });
			expect(await checkExists(again.caller)).toBe(true);
			return sentOf(again.requests).slice(2);
		};
		expect(await start()).toEqual([]);
		changes = { enabled: false };
		expect(await start()).toEqual(['PUT campaigns/c-1/webhooks/w-new', 'PUT campaigns/c-2/webhooks/w-new']);
	});

	test('deletes the webhooks of all, and keeps only those that the service did not delete', async () => {
		const refuse = ({ url, method }: Requested): Answer | undefined =>
			method === 'DELETE' && url.includes('/c-2/') ? { status: 500, body: {} } : undefined;
		const webhooks = ['c-1', 'c-2', 'c-3'].map((ownerId) => storedWebhook({ ownerId }));
		const { caller, requests, staticData } = triggerOf({
			service: service([], refuse),
			staticData: registrationOf({ webhooks }),
		});
		await expect(deleteRegistration(caller)).rejects.toMatchObject({ node: { id: 'node-1' } });
		expect(requests).toHaveLength(3);
		expect(staticData).toMatchObject({ webhooks: [{ ownerId: 'c-2' }], secret: '1'.repeat(64) });
	});

	test('waits as long as the rate limit of the service asks', async () => {
		jest.useFakeTimers();
		let refusals = 0;
		const refuse = ({ method }: Requested): Answer | undefined => {
			refusals += 1;
			return method === 'POST' && refusals <= 2
				? { status: 429, headers: { 'retry-after': '30' }, body: { message: 'Too many' } }
				: undefined;
		};
		const { caller, requests } = triggerOf({ service: service([], refuse) });
		const pending = createRegistration(caller);
		await jest.advanceTimersByTimeAsync(29_000);
		expect(sentOf(requests)).toHaveLength(2);
		await jest.advanceTimersByTimeAsync(1000);
		jest.useRealTimers();
		expect(await pending).toBe(true);
		expect(sentOf(requests)).toHaveLength(3);
	});

	test('warns of each that is finished', async () => {
		const read = ({ url, method }: Requested): Answer | undefined =>
			method === 'GET' && !url.endsWith('/webhooks')
				? { body: { data: { name: url.slice(-3), status: url.endsWith('c-2') ? 'active' : 'completed' } } }
				: undefined;
		const { caller, logs } = triggerOf({
			service: service([], read),
			activationMode: 'activate',
			...options(['c-2', 'c-3']),
		});
		await createRegistration(caller);
		expect(logs.map(({ more }) => (more as IDataObject).campaignId)).toEqual(['c-1', 'c-3']);
	});
});

describe('A trigger that accepts connections', () => {
	const listings = (requests: Requested[]) => requests.filter(({ url }) => url === `${base}campaigns`).length;
	const listed = ({ url }: Requested): Answer | undefined =>
		url === `${base}campaigns` ? { body: { data: [], pagination: { last_page: 1, total: 0 } } } : undefined;
	const accepting = (more: DoubleOptions) =>
		triggerOf({ service: service([], listed), parameters: { options: { acceptConnections: true } }, ...more });
	const TEST_URL = 'https://n8n.example/webhook-test/1/webhook';

	test.each([
		['an edit: nothing can be connected in between', 'https://n8n.example/webhook/1/webhook', 6, 0],
		['the end of a test run, which looks for none', TEST_URL, 0, 6],
	])('looks through the campaigns once for %s', async (what, webhookUrl, before, after) => {
		const nodeId = `accepting ${what}`;
		const deleted = accepting({ nodeId, webhookUrl });
		await deleteRegistration(deleted.caller);
		const created = accepting({ nodeId });
		await createRegistration(created.caller);
		expect([listings(deleted.requests), listings(created.requests)]).toEqual([before, after]);
	});

	test('deletes the webhook of its own campaign although the campaigns cannot be listed', async () => {
		const refuse = ({ url }: Requested): Answer | undefined =>
			url === `${base}campaigns` ? { status: 403, body: { message: 'No' } } : undefined;
		const { caller, requests, staticData } = accepting({
			nodeId: 'not listed',
			service: service([], refuse),
			staticData: registrationOf({ webhooks: [storedWebhook({ ownerId: 'c-1' })] }),
		});
		await expect(deleteRegistration(caller)).rejects.toThrow('No');
		expect(sentOf(requests).filter((sent) => sent.startsWith('DELETE'))).toHaveLength(1);
		expect(staticData).toMatchObject({ webhooks: [] });
	});

	test('finds a campaign that becomes active while the others are listed', async () => {
		const url = 'https://n8n.example/webhook/1/webhook?campaign=c-9';
		let isActive = false;
		const moving = (request: Requested): Answer | undefined => {
			if (request.url === `${base}campaigns`) {
				const isListed = request.qs?.status === 'active' && isActive;
				// It was a draft when the active ones were read, and is active when the drafts are read.
				isActive ||= request.qs?.status === 'active';
				return { body: { data: isListed ? [{ id: 'c-9' }] : [], pagination: { last_page: 1, total: 0 } } };
			}
			return request.method === 'GET' && request.url.includes('/c-9/')
				? { body: { data: { webhooks: [webhookOf({ id: 'w-9', webhook_url: url })] } } }
				: undefined;
		};
		const { caller, requests } = accepting({ nodeId: 'moving', service: service([], moving) });
		await deleteRegistration(caller);
		expect(sentOf(requests)).toContain('DELETE campaigns/c-9/webhooks/w-9');
	});

	test('looks for none in a test run', async () => {
		const { caller, requests } = accepting({ nodeId: 'test run', webhookUrl: TEST_URL });
		await createRegistration(caller);
		expect(listings(requests)).toBe(0);
	});
});
