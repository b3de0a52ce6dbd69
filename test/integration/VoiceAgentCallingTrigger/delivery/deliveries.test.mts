import { harness } from '../../harness.mts';
import { type Service, startService } from '../../service.mts';
import { publishTrigger, type Registered, triggerNode } from '../../triggers.mts';

test.each([
	['hex', 'X-Webhook-Signature'],
	['sha256=hex', 'X-Hub-Signature-256'],
	['base64', 'signature'],
	['t,v1', 'X-Other.Sign_1'],
] as const)(
	'A delivery signed as %s in the header %s starts one execution with its body as the item, and none if it is tampered with',
	async (signatureFormat, signatureHeader) => {
		const service = await startService({ signatureFormat, signatureHeader });
		const { instance, webhookId, secret, deployment } = await publishTrigger(service);
		const data = {
			text: 'Grüße 😀 "\\/\u2028',
			nested: { list: [1, 2.5, null, { a: false }], big: 9007199254740991 },
			'=not': '={{ $json }}',
		};
		const { id, attempts } = await service.deliver({ webhookId, data });
		expect(attempts).toMatchObject([{ status: 200 }]);
		const campaign_id = service.seed.campaigns.active;
		const sent = { ...data, id, event: 'campaign_call.completed', webhook_id: webhookId, campaign_id };
		expect(instance.executions).toMatchObject([{ items: [sent] }]);
		expect((await instance.executions[0]?.run)?.nodes.Next?.[0]?.outputs[0]).toMatchObject([{ json: { id } }]);

		const stored = deployment.storedStaticData();
		const { length } = harness.logLines;
		for (const tamper of ['body', 'signature', 'secret'] as const) {
			expect((await service.deliver({ webhookId, tamper })).attempts).toMatchObject([{ status: 401 }]);
		}
		expect(instance.executions).toHaveLength(1);
		expect(deployment.storedStaticData()).toEqual(stored);
		const lines = harness.logLines.slice(length).filter(({ level }) => level !== 'debug');
		expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
		expect(JSON.stringify(lines)).not.toContain(secret);
	},
);

describe('A delivery', () => {
	let service: Service;
	let active: string;
	beforeAll(async () => {
		service = await startService();
		({ active } = service.seed.campaigns);
	});
	afterEach(async () => await service.reset());

	test('to the test URL starts one test run, beside the published workflow', async () => {
		const { instance, deployment, webhookId } = await publishTrigger(service);
		await deployment.listenForTest();
		const [test, ...others] = (await service.webhooks(active)).filter(({ id }) => id !== webhookId);
		expect(others).toEqual([]);
		const status = async (more: object) =>
			(await service.deliver({ webhookId: test!.id, ...more })).attempts.map((attempt) => attempt.status);
		expect(await status({ tamper: 'secret' })).toEqual([401]);
		expect(await status({})).toEqual([200]);
		await instance.settled();
		expect(await status({ webhookId })).toEqual([200]);
		expect(instance.executions.map(({ mode }) => mode)).toEqual(['manual', 'webhook']);
		expect(await service.webhooks(active)).toMatchObject([{ id: webhookId }]);
	});

	test('starts the workflow at the trigger of its webhook, if there are two', async () => {
		const { instance } = await publishTrigger(service);
		const nodes = ['One', 'Two'].map((name) => ({ ...triggerNode(service), name }));
		await instance.deploy({ nodes, connections: {} }).publish();
		const all = (await service.storedWebhooks()) as unknown as Registered[];
		const hooks = ['One', 'Two'].map((end) => all.find(({ name }) => name.endsWith(end))!);
		expect(new Set(hooks.map(({ webhook_secret }) => webhook_secret)).size).toBe(2);
		for (const { id } of hooks) {
			await service.deliver({ webhookId: id });
		}
		const runs = await Promise.all(instance.executions.map(async ({ run }) => Object.keys((await run).nodes)));
		expect(runs).toEqual([['One'], ['Two']]);
	});
});
