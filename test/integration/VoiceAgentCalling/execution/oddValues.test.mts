import { harness, type NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, publishTrigger, send, triggerNode } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

/** Runs an operation that must not send anything. @returns the error that the user sees */
async function refused(parameters: NodeSpec['parameters']): Promise<string> {
	const { run } = await service.run(parameters);
	expect(run.status).toBe('error');
	expect(await service.requests()).toEqual([]);
	const { message, description } = run.error as Error & { description?: string };
	return `${message} | ${description}`;
}

const place = (more: NodeSpec['parameters']): NodeSpec['parameters'] => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '+12025550111',
	...more,
});

describe('An invalid value is reported with the editor’s name for the field', () => {
	test.each([
		[
			'an empty limit',
			{ resource: 'agent', operation: 'getAll', limit: '={{ null }}' },
			"'Limit' cannot be null",
			'Fill it in',
		],
		[
			'a day that is none',
			{ resource: 'campaign', operation: 'getAll', filters: { dateFrom: 'next week' } },
			'\'Date From\' cannot be "next week"',
			'Enter a date, like',
		],
		[
			'a limit of half an item',
			{ resource: 'agent', operation: 'getAll', limit: 1.5 },
			"'Limit' cannot be 1.5",
			'Enter a whole number',
		],
		['a limit of none', { resource: 'agent', operation: 'getAll', limit: 0 }, "'Limit' cannot be 0", 'Use 1 or more'],
		[
			'a filter that is none',
			{ resource: 'agent', operation: 'getAll', filters: { status: 'sleeping' } },
			'\'Status\' cannot be "sleeping"',
			'Use one of draft, published',
		],
	])('%s', async (_what, parameters, name, advice) => {
		const text = await refused(parameters);
		expect(text).toContain(name);
		expect(text).toContain(advice);
	});

	test.each([
		[
			'a test call with another value',
			{ testCall: '={{ "perhaps" }}' },
			'\'Test Call\' cannot be "perhaps"',
			'Automatic, Always or Never',
		],
		['a delay that is text', { options: { delay: 'soon' } }, '\'Delay (Seconds)\' cannot be "soon"', 'Enter a number'],
		['a delay beyond the limit', { options: { delay: 3601 } }, "'Delay (Seconds)' cannot be 3601", 'Use 3600 or less'],
		['an ID that leads elsewhere', { agent: byId('..') }, '".." cannot be an ID', 'complete ID'],
	])('%s', async (_what, more, name, advice) => {
		const text = await refused(place(more));
		expect(text).toContain(name);
		expect(text).toContain(advice);
	});
});

test('values of extra headers are never quoted: they may be secret', async () => {
	const text = await refused({
		resource: 'webhook',
		operation: 'create',
		campaign: byId(service.seed.campaigns.active),
		name: 'Hook',
		webhookUrl: 'https://example.com',
		options: { extraHeaders: { values: [{ name: 'bad name', value: 'very-hidden-value' }] } },
	});
	expect(text).toContain("'Extra Headers'");
	expect(text).not.toContain('very-hidden-value');
});

test('a success whose body reports a failure is an error with its message', async () => {
	const body = { success: false, message: 'Down for the night.' };
	const answers = { kind: 'status', status: 200, body } as const;
	const campaign = byId(service.seed.campaigns.active);
	for (const parameters of [
		{ resource: 'campaign', operation: 'getAll' },
		{ resource: 'campaign', operation: 'get', campaign },
		{ resource: 'webhook', operation: 'getAll', campaign },
	]) {
		await service.fault(answers);
		const { run } = await service.run(parameters);
		expect(run.error?.message).toContain('Down for the night.');
	}
});

describe.each([
	{ success: true },
	{ success: true, data: {} },
	{ success: true, data: { status: 'initiated' } },
	{ success: true, data: {}, error: { message: 'Busy.' } },
	{ success: true, data: { id: '' } },
	{ campaign_call: { status: 'queued' }, campaign: { id: 'c' } },
])('a success with %j, without the ID of the call, counts as unknown: the phone may ring', (body) => {
	test.each([
		['Place', () => place({})],
		['Place and Wait', () => place({ operation: 'placeAndWait', waitBy: 'polling' })],
		[
			'Queue Call',
			() => ({
				...{ resource: 'campaign', operation: 'queueCall', phoneNumber: '+12025550111' },
				campaign: byId(service.seed.campaigns.active),
			}),
		],
		[
			'Make API Request',
			() => ({
				...{ resource: 'service', operation: 'makeApiRequest', method: 'POST' },
				path: `/agents/${service.seed.agents.published}/call`,
				options: { body: '{"to":"+12025550111"}' },
			}),
		],
	])('%s', async (_, parameters) => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 200, body });
		const { run } = await service.run(parameters());
		expect(run.error?.message).toContain('Outcome unknown');
		expect((run.error as Error & { description?: string }).description).toContain('The phone may be ringing.');
	});
});

describe('The trigger', () => {
	test('is not published with an option that it cannot use', async () => {
		const instance = await harness.startInstance({ credentials: service.credentials() });
		const options = { testDeliveries: '={{ "perhaps" }}' };
		const { error } = await instance.deploy({ nodes: [triggerNode(service, { options })] }).publish();
		expect(error?.message).toContain("'Test Deliveries'");
		expect(await service.webhooks(service.seed.campaigns.active)).toEqual([]);
	});

	test('accepts events as text from an expression', async () => {
		const { webhookId } = await publishTrigger(service, { events: '={{ "campaign.paused, campaign.started" }}' });
		const [webhook] = await service.webhooks(service.seed.campaigns.active);
		expect(webhook).toMatchObject({ id: webhookId, events: ['campaign.paused', 'campaign.started'] });
	});

	test('stores nothing for an unknown sender, even if an option is invalid', async () => {
		const { instance, url } = await publishTrigger(service, { options: { signatureHeader: '={{ ["a"] }}' } }).catch(
			async () => {
				return await publishTrigger(service, { options: { signatureHeader: 'x-a' } });
			},
		);
		expect((await send(url, '{}')).status).toBe(401);
		expect(instance.executions).toEqual([]);
	});

	test('starts the workflow for each event, also if several have the same ID', async () => {
		const { instance, url, secret } = await publishTrigger(service);
		for (const event of ['campaign_call.queued', 'campaign_call.started', 'campaign_call.completed']) {
			const body = JSON.stringify({ id: 'call-1', event });
			expect((await send(url, body, { 'x-signature': hmac(secret, body) })).status).toBe(200);
		}
		expect(instance.executions).toHaveLength(3);
	});

	test('does not change the webhook of the original when an exported copy is published', async () => {
		const original = await publishTrigger(service);
		const copy = await harness.startInstance({ credentials: service.credentials() });
		const deployment = copy.deploy({ nodes: [triggerNode(service)] });
		const { 'node:Trigger': data, ...rest } = original.deployment.storedStaticData() as Record<string, object>;
		deployment.restoreStaticData({ ...rest, 'node:Trigger': { ...data, instanceId: 'another n8n' } });
		await deployment.publish();
		await deployment.unpublish();
		const webhooks = await service.webhooks(service.seed.campaigns.active);
		expect(webhooks.map(({ id }) => id)).toEqual([original.webhookId]);
	});
});
