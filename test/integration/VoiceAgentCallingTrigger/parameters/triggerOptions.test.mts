import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { harness, type NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import {
	hmac,
	onAgent,
	type Published,
	publishTrigger,
	send,
	storedRegistration,
	triggerNode,
	webhookUrlOf,
} from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterEach(async () => await service.reset());

/** Signs and sends an event. */
async function sendSigned(
	{ url, secret }: Published,
	event: object,
	headers: Record<string, string> = {},
): Promise<number> {
	const body = JSON.stringify(event);
	return (await send(url, body, { 'x-signature': hmac(secret, body), ...headers })).status;
}

describe('on an agent', () => {
	test('the trigger starts the workflow on events of its calls, also of those in a campaign', async () => {
		const ends = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
		const { instance } = await publishTrigger(service, onAgent(service, ends));
		const { published } = service.seed.agents;
		const expected: unknown[] = [];
		for (const [index, to] of ['+12025550001', '+12025550002', '+12025550004'].entries()) {
			const { body } = await service.api('POST', `agents/${published}/call`, { to, context: { contact: to } });
			const { id: call_id } = body.data as { id: string };
			expected.push(
				expect.objectContaining({ event: ends[index], agent_id: published, to, call_id, context: { contact: to } }),
			);
		}
		const { active } = service.seed.campaigns;
		const { body } = await service.api('POST', `campaigns/${active}/call`, { to: '+12025551001' });
		const { id: call_id } = body.campaign_call as { id: string };
		expected.push(expect.objectContaining({ event: ends[0], campaign_id: active, call_id }));
		await service.advance(300);
		await instance.settled();
		expect(instance.executions.map(({ items }) => items[0])).toEqualInAnyOrder(expected);
	});

	test('the list search returns agents', async () => {
		const { results } = await harness.listSearch({
			type: triggerNode(service).type,
			method: 'searchAgents',
			credentials: service.credentials(),
		});
		expect(results.map(({ value }) => value)).toContain(service.seed.agents.published);
	});
});

describe('outputs', () => {
	const names = async (parameters: NodeSpec['parameters']) => {
		const instance = await harness.startInstance({ credentials: service.credentials() });
		return instance.deploy({ nodes: [triggerNode(service, parameters)] }).outputNames('Trigger');
	};

	test('are one, or one for each family', async () => {
		const families = { options: { outputs: 'families' } };
		expect(await names({})).toEqual(['']);
		expect(await names({ options: { outputs: 'single' } })).toEqual(['']);
		expect(await names(onAgent(service))).toEqual(['']);
		expect(await names(families)).toEqual(['Campaign', 'Campaign Call', 'Artifact', 'Inside Calls']);
		expect(await names({ ...onAgent(service), ...families })).toEqual(['Call Events', 'Artifact']);
	});

	test.each([
		[
			'a campaign',
			false,
			['Campaign', 'Campaign Call', 'Artifact', 'Inside Calls'],
			[...CAMPAIGN_EVENTS, ...AGENT_EVENTS, 'a.kind.of.tomorrow', 'campaign'],
		],
		['an agent', true, ['Call Events', 'Artifact'], [...AGENT_EVENTS, 'a.kind.of.tomorrow']],
	])('every event of %s is in the output of its family only', async (_of, ofAgent, families, kinds) => {
		const parameters = { ...(ofAgent ? onAgent(service) : {}), options: { outputs: 'families' } };
		const published = await publishTrigger(service, parameters);
		for (const event of new Set(kinds)) {
			expect(await sendSigned(published, { event, n: 1 })).toBe(200);
		}
		const byOutput = Object.fromEntries(families.map((family) => [family, [] as unknown[]]));
		for (const { outputs } of published.instance.executions) {
			expect(outputs).toHaveLength(families.length);
			expect(outputs.flat()).toHaveLength(1);
			outputs.forEach((items, index) => byOutput[families[index] ?? '']?.push(...items.map(({ event }) => event)));
		}
		const artifacts = ['event_recording', 'event_call_report', 'event_call_transcript'];
		const inside = AGENT_EVENTS.filter((kind) => kind !== 'event_recording');
		const startingWith = (start: string) => CAMPAIGN_EVENTS.filter((kind) => kind.startsWith(start));
		const expected = ofAgent
			? { 'Call Events': [...inside, 'a.kind.of.tomorrow'], Artifact: ['event_recording'] }
			: {
					Campaign: startingWith('campaign.'),
					'Campaign Call': startingWith('campaign_call.'),
					Artifact: artifacts,
					'Inside Calls': [...inside, 'a.kind.of.tomorrow', 'campaign'],
				};
		for (const [family, events] of Object.entries(expected)) {
			expect(byOutput[family]).toEqualInAnyOrder([...events]);
		}
	});

	test('do not run the nodes at the other outputs', async () => {
		const instance = await harness.startInstance({ credentials: service.credentials() });
		const deployment = instance.deploy({
			nodes: [
				triggerNode(service, { options: { outputs: 'families' } }),
				{ name: 'First', type: 'harness.noOp' },
				{ name: 'Second', type: 'harness.noOp' },
			],
			connections: { Trigger: [['First'], ['Second']] },
		});
		await deployment.publish();
		await service.deliver({ webhookId: storedRegistration(deployment).webhookId });
		const run = await instance.executions[0]?.run;
		expect(Object.keys(run?.nodes ?? {})).toEqual(['Trigger', 'Second']);
	});
});

describe('a test delivery', () => {
	const tested = async (parameters: NodeSpec['parameters'], owner: string) => {
		const published = await publishTrigger(service, parameters);
		const { body } = await service.api('POST', `${owner}/webhooks/${published.webhookId}/test`);
		expect(body).toMatchObject({ success: true });
		await service.advance(1);
		return published;
	};
	const active = () => `campaigns/${service.seed.campaigns.active}`;
	const agent = () => `agents/${service.seed.agents.published}`;

	test('of a campaign or an agent is acknowledged and starts nothing', async () => {
		for (const { instance } of [await tested({}, active()), await tested(onAgent(service), agent())]) {
			expect(instance.executions).toEqual([]);
		}
		expect((await service.deliveries()).map(({ status }) => status)).toEqual([200, 200]);
	});

	test('starts the workflow if the option is set', async () => {
		const options = { testDeliveries: 'start' };
		const { instance } = await tested({ options }, active());
		expect(instance.executions).toMatchObject([{ items: [{ event: 'campaign_call.completed', test: true }] }]);
		const other = await tested({ ...onAgent(service), options }, agent());
		expect(other.instance.executions).toMatchObject([{ items: [{ event: 'webhook.test', test: true }] }]);
	});

	test('is an event of the kind webhook.test or with test: true, and no other', async () => {
		const published = await publishTrigger(service);
		for (const event of [{ event: 'webhook.test' }, { event: 'campaign.paused', test: true }]) {
			expect(await sendSigned(published, event)).toBe(200);
		}
		expect(published.instance.executions).toEqual([]);
		const real = [
			{ event: 'campaign.paused', test: false },
			{ event: 'campaign.paused', test: 'true' },
			{ event: 'webhook.tested' },
			{ event: 'campaign.paused', is_testing: true },
		];
		for (const event of real) {
			expect(await sendSigned(published, event)).toBe(200);
		}
		expect(published.instance.executions.map(({ items }) => items[0])).toMatchObject(real);
	});

	test('without a valid signature is refused', async () => {
		const { url } = await publishTrigger(service);
		const body = JSON.stringify({ event: 'webhook.test', test: true });
		expect((await send(url, body)).status).toBe(401);
		expect((await send(url, body, { 'x-signature': hmac('another', body) })).status).toBe(401);
	});

	test('always starts a test run in the editor', async () => {
		const { instance, deployment } = await publishTrigger(service);
		await deployment.listenForTest();
		const [, hook] = await service.webhooks(service.seed.campaigns.active);
		await service.api('POST', `${active()}/webhooks/${hook?.id}/test`);
		await service.advance(1);
		expect(instance.executions).toMatchObject([{ mode: 'manual', items: [{ test: true }] }]);
	});
});

describe('an event that is older than another of the same call', () => {
	const at = (call_id: string, timestamp: unknown, more: object = {}) => ({
		event: 'campaign_call.started',
		id: `${call_id}-${String(timestamp)}`,
		call_id,
		timestamp,
		...more,
	});

	test('is marked as late, and no other event is', async () => {
		const published = await publishTrigger(service);
		const events = [
			at('one', '2030-01-01T10:00:05.500Z'),
			at('two', '2030-01-01T10:00:00Z'),
			at('one', '2030-01-01T10:00:05Z'),
			at('one', '2030-01-01T10:00:05.500000Z', { event: 'campaign_call.completed' }),
			at('one', '2030-01-01T12:00:06+02:00'),
			at('one', '2030-01-01T10:00:05.999Z'),
			at('two', 'some day'),
			at('two', 5),
			{ event: 'campaign.paused', id: 'no call', timestamp: '2029-01-01T00:00:00Z' },
		];
		for (const event of events) {
			expect(await sendSigned(published, event)).toBe(200);
		}
		expect(published.instance.executions.map(({ items: [item] }) => item?.late)).toEqual([
			undefined,
			undefined,
			true,
			undefined,
			undefined,
			true,
			undefined,
			undefined,
			undefined,
		]);
	});

	test('is not late because it was sent before', async () => {
		const published = await publishTrigger(service);
		let tries = 0;
		published.instance.beforeStoring = async () => {
			tries += 1;
			if (tries === 1) {
				throw new Error('The database is full');
			}
		};
		const event = at('one', '2030-01-01T10:00:05Z');
		expect([
			await sendSigned(published, event),
			await sendSigned(published, event),
			await sendSigned(published, event),
		]).toEqual([500, 200, 200]);
		expect(published.instance.executions.map(({ items }) => items)).toMatchObject([[event]]);
	});

	test('is late only in the workflow that received the newer one', async () => {
		const [first, second] = [await publishTrigger(service), await publishTrigger(service)];
		await sendSigned(first, at('one', '2030-01-01T10:00:05Z'));
		await sendSigned(second, at('one', '2030-01-01T10:00:00Z'));
		expect(second.instance.executions.map(({ items: [item] }) => item?.late)).toEqual([undefined]);
	});
});

describe('a random header', () => {
	const required = { options: { requireHeader: true } };
	const registered = async () =>
		(await service.requests('POST', '/webhooks')).at(-1)?.body as {
			custom_headers: Array<{ key: string; value: string }>;
		};

	test("is registered beside the user's own headers, and a delivery without it is refused", async () => {
		const published = await publishTrigger(service, {
			options: { requireHeader: true, extraHeaders: { values: [{ name: 'X-One', value: '1' }] } },
		});
		const { headerValue = '' } = storedRegistration(published.deployment);
		expect((await registered()).custom_headers).toEqual([
			{ key: 'X-One', value: '1' },
			{ key: 'X-Webhook-Key', value: headerValue },
		]);
		expect(headerValue).toMatch(/^[\w-]{43}$/);
		const { webhookId, instance } = published;
		expect((await service.deliver({ webhookId })).attempts).toMatchObject([{ status: 200 }]);
		expect((await service.deliver({ webhookId, tamper: 'signature' })).attempts).toMatchObject([{ status: 401 }]);
		const log = harness.logLines.length;
		for (const value of [
			undefined,
			'',
			'x',
			headerValue.slice(1),
			`${headerValue}x`,
			headerValue.toUpperCase(),
			'ü',
			`${headerValue}, ${headerValue}`,
		]) {
			const headers = value === undefined ? undefined : { 'x-webhook-key': Buffer.from(value).toString('latin1') };
			expect([value, await sendSigned(published, { event: 'campaign.paused', value }, headers)]).toEqual([value, 401]);
		}
		expect(instance.executions).toHaveLength(1);
		const lines = harness.logLines.slice(log).filter(({ level }) => level !== 'debug');
		expect(lines[0]?.message).toContain('X-Webhook-Key is missing or wrong');
		expect(JSON.stringify(lines)).not.toContain(headerValue);
		expect(await sendSigned(published, { event: 'campaign.paused' }, { 'x-webhook-key': headerValue })).toBe(200);
	});

	test('does not replace the signature', async () => {
		const { url, deployment } = await publishTrigger(service, required);
		const { headerValue = '' } = storedRegistration(deployment);
		expect((await send(url, '{}', { 'x-webhook-key': headerValue })).status).toBe(401);
	});

	test('is in no output', async () => {
		const { webhookId, instance, deployment } = await publishTrigger(service, {
			options: { requireHeader: true, includeDeliveryDetails: true },
		});
		await service.deliver({ webhookId });
		const stored = JSON.stringify(await instance.executions[0]?.run);
		expect(stored).toContain('deliveryDetails');
		for (const hidden of [storedRegistration(deployment).headerValue ?? '?', 'x-webhook-key']) {
			expect(stored.toLowerCase()).not.toContain(hidden.toLowerCase());
		}
	});

	test('is required from setting the option until removing it', async () => {
		const { deployment, instance, secret } = await publishTrigger(service);
		const deliver = async () =>
			(await service.deliver({ webhookId: storedRegistration(deployment).webhookId })).attempts[0]?.status;
		await deployment.edit('Trigger', { parameters: required });
		expect(await deliver()).toBe(200);
		const { headerValue = '', secret: second } = storedRegistration(deployment);
		const url = webhookUrlOf(deployment);
		const deliverBy = async (key: string, headers = {}) =>
			await sendSigned({ url, secret: key } as Published, { key, headers }, headers);
		// Deliveries that were in flight before do not have the header.
		expect([
			await deliverBy(secret),
			await deliverBy(second),
			await deliverBy(second, { 'x-webhook-key': headerValue }),
		]).toEqual([200, 401, 200]);
		await deployment.edit('Trigger', { parameters: { options: {} } });
		expect(await deliver()).toBe(200);
		expect([await deliverBy(second, { again: 'without' }), storedRegistration(deployment).headerValue]).toEqual([
			401,
			undefined,
		]);
		expect(instance.executions.length).toBe(4);
	});
});

test('the ID of the owner can be an expression', async () => {
	const { published } = service.seed.agents;
	const { webhookId } = await publishTrigger(service, { ...onAgent(service), agent: byId(`={{ "${published}" }}`) });
	expect(await service.webhooks(published, 'agents')).toMatchObject([{ id: webhookId }]);
});
