import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { seal, TICKET_FIELD } from '../../../../nodes/shared/nodeLink/ticket.ts';
import { harness } from '../../harness.mts';
import { type Service, startService, until } from '../../service.mts';
import { hmac, type Published, publishTrigger, type Registered, send, triggerNode } from '../../triggers.mts';

const header = 'X-Webhook-Signature';

describe.each(['hex', 'sha256=hex', 'base64', 't,v1'] as const)('signed as %s', (signatureFormat) => {
	test.each([header, 'X-Hub-Signature-256', 'signature', 'X-Other.Sign_1'])(
		'in the header %s, a delivery starts exactly one execution with its body as the item',
		async (signatureHeader) => {
			const service = await startService({ signatureFormat, signatureHeader });
			const { instance, webhookId } = await publishTrigger(service);
			const data = {
				text: 'Grüße 😀 "\\/\u2028',
				nested: { list: [1, 2.5, null, { a: false }], big: 9007199254740991 },
				'=not': '={{ $json }}',
			};
			const { id, attempts } = await service.deliver({ webhookId, data });
			expect(attempts).toMatchObject([{ status: 200 }]);
			expect(instance.executions).toHaveLength(1);
			expect(instance.executions[0]?.items).toEqual([
				expect.objectContaining({
					...data,
					id,
					event: 'campaign_call.completed',
					webhook_id: webhookId,
					campaign_id: service.seed.campaigns.active,
				}),
			]);
			expect((await instance.executions[0]?.run)?.nodes.Next?.[0]?.outputs[0]).toMatchObject([{ json: { id } }]);
		},
	);

	let tampering: Service;
	beforeAll(async () => {
		tampering = await startService({ signatureFormat });
	});

	test.each(['body', 'signature', 'secret'] as const)(
		'a delivery with a wrong %s gets 401 and starts nothing',
		async (tamper) => {
			const { instance, webhookId, secret, deployment } = await publishTrigger(tampering);
			const before = deployment.storedStaticData();
			const log = harness.logLines.length;
			expect((await tampering.deliver({ webhookId, tamper })).attempts).toMatchObject([{ status: 401 }]);
			expect(instance.executions).toEqual([]);
			expect(deployment.storedStaticData()).toEqual(before);
			const lines = harness.logLines.slice(log).filter(({ level }) => level !== 'debug');
			expect(lines).toMatchObject([{ level: 'warn' }]);
			expect(JSON.stringify(lines)).not.toContain(secret);
		},
	);
});

describe('a delivery', () => {
	let service: Service;
	let trigger: Published;
	beforeAll(async () => {
		service = await startService();
	});
	afterEach(async () => await service.reset());
	const publish = async (parameters = {}) => {
		trigger = await publishTrigger(service, parameters);
		return trigger;
	};
	let deliveryNumber = 0;
	const fresh = (more = {}) =>
		JSON.stringify({ id: `delivery-${(deliveryNumber += 1)}`, event: 'campaign_call.completed', ...more });

	test('is refused with 401 if its signature is missing, truncated, empty or of another algorithm', async () => {
		const { url, secret, instance } = await publish();
		const body = fresh();
		const right = hmac(secret, body);
		const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
		const wrong = [
			undefined,
			'',
			right.slice(0, 63),
			`${right}0`,
			right.slice(0, 32),
			md5,
			`sha1=${right}`,
			`sha256=${right.slice(1)}`,
			'sha256=',
			`t=,v1=${right}`,
			`t=now,v1=${right}`,
			`v0=${right}`,
			hmac('', body),
			hmac(secret, `${body} `),
			'0'.repeat(64),
			hmac(secret, body, 'base64').slice(0, -2),
		];
		for (const value of wrong) {
			const answer = await send(url, body, value === undefined ? {} : { [header]: value });
			expect([value, answer]).toEqual([value, { status: 401, text: 'Unauthorized' }]);
		}
		expect(instance.executions).toEqual([]);
		await expect(send(url, body, { [header]: right })).resolves.toMatchObject({ status: 200 });
		expect(instance.executions).toHaveLength(1);
	});

	test('is accepted only if its signed timestamp is inside the window', async () => {
		const { url, secret, instance } = await publish();
		const at = async (seconds: number, unit = 1) => {
			const body = fresh();
			const time = Math.floor((Date.now() / 1000 + seconds) * unit);
			return (await send(url, body, { [header]: `t=${time},v1=${hmac(secret, `${time}.${body}`)}` })).status;
		};
		expect(await Promise.all([at(0), at(-290), at(290), at(-290, 1000)])).toEqual([200, 200, 200, 200]);
		expect(await Promise.all([at(-310), at(310), at(-310, 1000), at(-1e6), at(1e6)])).toEqual([
			401, 401, 401, 401, 401,
		]);
		expect(instance.executions).toHaveLength(4);
	});

	test('with a signed timestamp cannot be replayed with the bare signature', async () => {
		const { url, secret, instance } = await publish();
		const body = fresh();
		const time = Math.floor(Date.now() / 1000);
		const signature = hmac(secret, `${time}.${body}`);
		const again = [
			[body, signature],
			[`${time}.${body}`, signature],
			[body, `sha256=${signature}`],
			[body, `t=${time + 1},v1=${signature}`],
			[body, `t=${time},t=${time},v1=${signature}`],
		] as const;
		for (const [text, value] of again) {
			const { status } = await send(url, text, { [header]: value });
			expect([401, 422]).toContain(status);
			expect((await send(url, text, { [header]: value, 'content-type': 'text/plain' })).status).toBe(401);
		}
		expect(instance.executions).toEqual([]);
	});

	test('with a valid signature is refused if its body is not a JSON object', async () => {
		const { url, secret, instance } = await publish();
		for (const body of ['[]', '"text"', '1', 'null', 'true', 'not JSON']) {
			const { status } = await send(url, body, { [header]: hmac(secret, body), 'content-type': 'text/plain' });
			expect([body, status]).toEqual([body, 401]);
			expect([401, 422]).toContain((await send(url, body, { [header]: hmac(secret, body) })).status);
		}
		expect(instance.executions).toEqual([]);
	});

	test.each([
		...['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded'],
		...['application/octet-stream', 'application/cloudevents+json', 'application/vnd.api+json', 'image/png', ''],
	])('is read byte for byte, whatever its content type says: %s', async (type) => {
		const { url, secret, instance } = await publish();
		const body = JSON.stringify({ event: 'campaign_call.completed', id: 'e1', text: ' Grüße &+%20= \u2028 ' });
		const headers = { [header]: hmac(secret, body), 'content-type': type };
		expect((await send(url, body, headers)).status).toBe(200);
		expect(instance.executions).toMatchObject([{ items: [JSON.parse(body)] }]);
		expect((await send(url, `${body} `, headers)).status).toBe(401);
	});

	test('is verified only by the header that the user named', async () => {
		const { url, secret } = await publish({ options: { signatureHeader: 'X-My-Signature' } });
		const body = fresh();
		expect((await send(url, body, { [header]: hmac(secret, body) })).status).toBe(401);
		expect((await send(url, body, { 'x-my-signature': hmac(secret, body) })).status).toBe(200);
	});

	test('that is in flight twice starts one execution, and the second one gets 503', async () => {
		const { webhookId, instance } = await publish();
		let store = () => {};
		instance.beforeStoring = async () => await new Promise((resolve) => (store = resolve));
		const delivered = service.deliver({ webhookId, times: 3 });
		await until(async () => (await service.deliveries()).length === 2);
		store();
		expect((await delivered).attempts.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
		expect(instance.executions).toHaveLength(1);
	});

	test('that was stored starts no second execution when it is repeated', async () => {
		const { url, secret, instance } = await publish();
		const body = fresh({ timestamp: '2030-01-01T10:00:00Z' });
		const headers = { [header]: hmac(secret, body) };
		const statuses = [];
		for (let time = 0; time < 3; time += 1) {
			statuses.push((await send(url, body, headers)).status);
		}
		expect(statuses).toEqual([200, 200, 200]);
		expect(instance.executions).toHaveLength(1);
	});

	test('that names no time starts an execution each time, as its bytes may be those of another event', async () => {
		const { url, secret, instance } = await publish();
		const body = JSON.stringify({ text: 'A call is over' });
		const headers = { [header]: hmac(secret, body) };
		expect([(await send(url, body, headers)).status, (await send(url, body, headers)).status]).toEqual([200, 200]);
		expect(instance.executions).toHaveLength(2);
	});

	test('that n8n could not store is repeated by the sender until it is stored', async () => {
		const { instance } = await publish({ events: ['campaign.paused'] });
		let tries = 0;
		instance.beforeStoring = async () => {
			tries += 1;
			if (tries < 3) {
				throw new Error('The database is full');
			}
		};
		await service.api('PATCH', `campaigns/${service.seed.campaigns.active}/status`, { status: 'paused' });
		await service.advance(120);
		expect((await service.deliveries()).map(({ status }) => status)).toEqual([500, 500, 200]);
		expect(instance.executions).toMatchObject([{ items: [{ event: 'campaign.paused' }] }]);
	});

	test('gets a short response without details', async () => {
		const { url, secret } = await publish();
		const body = fresh();
		const answer = await send(url, body, { [header]: hmac(secret, body) });
		expect(answer.text.length).toBeLessThan(10);
	});

	test("of a queued call has the call's context in every event", async () => {
		const { instance } = await publish({
			events: ['campaign_call.queued', 'campaign_call.started', 'campaign_call.completed'],
		});
		const { body } = await service.api('POST', `campaigns/${service.seed.campaigns.active}/call`, {
			to: '+12025550001',
			context: { contact: 7 },
		});
		await service.advance(300);
		await instance.settled();
		const call_id = (body.campaign_call as { id: string }).id;
		expect(instance.executions.map(({ items }) => items[0])).toMatchObject(
			['campaign_call.queued', 'campaign_call.started', 'campaign_call.completed'].map((event) => ({
				event,
				call_id,
				context: { contact: 7 },
			})),
		);
	});

	test('to the test URL starts one test run, beside the published workflow', async () => {
		const { instance, deployment, webhookId } = await publish();
		await deployment.listenForTest();
		const hooks = await service.webhooks(service.seed.campaigns.active);
		expect(hooks).toHaveLength(2);
		const testHook = hooks.find(({ id }) => id !== webhookId);
		expect((await service.deliver({ webhookId: testHook?.id ?? '', tamper: 'secret' })).attempts).toMatchObject([
			{ status: 401 },
		]);
		expect((await service.deliver({ webhookId: testHook?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
		await instance.settled();
		expect((await service.deliver({ webhookId })).attempts).toMatchObject([{ status: 200 }]);
		expect(instance.executions.map(({ mode }) => mode)).toEqual(['manual', 'webhook']);
		expect(await service.webhooks(service.seed.campaigns.active)).toMatchObject([{ id: webhookId }]);
	});

	test('to the test URL starts a test run, too, if an execution waits for it: that one is continued in production', async () => {
		const { instance, deployment, webhookId } = await publish();
		await deployment.listenForTest();
		const { id = '' } =
			(await service.webhooks(service.seed.campaigns.active)).find((hook) => hook.id !== webhookId) ?? {};
		const { tickets } = await loadKeys({ getCredentials: async () => ({ environmentToken: service.token }) as never });
		const kinds = ['campaign_call.completed'];
		const url = `${instance.url}/webhook-waiting/1/node`;
		const sealed = seal(tickets, { url, execution: '1', node: 'node', run: 0, item: 0, kinds });
		const data = { context: { contact: 7, [TICKET_FIELD]: sealed } };
		expect((await service.deliver({ webhookId: id, data })).attempts).toMatchObject([{ status: 200 }]);
		expect(instance.executions).toMatchObject([{ mode: 'manual', items: [{ context: { contact: 7 } }] }]);
		expect(JSON.stringify(instance.executions.map(({ items }) => items))).not.toContain(TICKET_FIELD);
	});

	test('starts the workflow at the trigger of its webhook, if there are two', async () => {
		trigger = await publishTrigger(service);
		const { instance } = trigger;
		const nodes = ['One', 'Two'].map((name) => ({ ...triggerNode(service), name }));
		const deployment = instance.deploy({ nodes, connections: {} });
		await deployment.publish();
		const hooks = ((await service.storedWebhooks()) as unknown as Registered[]).filter(
			({ name, webhook_url: url }) => url.startsWith(instance.url) && /One|Two/.test(name),
		);
		expect(new Set(hooks.map(({ webhook_secret }) => webhook_secret)).size).toBe(2);
		for (const name of ['One', 'Two']) {
			await service.deliver({ webhookId: hooks.find((hook) => hook.name.includes(name))?.id ?? '' });
		}
		const runs = await Promise.all(instance.executions.map(async ({ run }) => Object.keys((await run).nodes)));
		expect(runs).toEqual([['One'], ['Two']]);
	});
});
