import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { byId, goesOn, jsonOf } from '../../service.mts';
import { triggerNode } from '../../triggers.mts';
import { failed } from '../../VoiceAgentCalling/resources/items.mts';

interface Listed {
	data?: { webhook_url?: string; webhooks?: Array<{ webhook_url?: string }> };
}

/** An n8n with a trigger, and a service that lists the URLs of webhooks in another form while `isOn`. */
async function startWith(change: (url: string) => string) {
	const state = { isOn: true };
	const service = await startChangedService((body) => {
		const { data } = body as Listed;
		for (const webhook of state.isOn ? [data ?? {}, ...(data?.webhooks ?? [])] : []) {
			if (webhook.webhook_url) {
				webhook.webhook_url = change(webhook.webhook_url);
			}
		}
		return body;
	});
	const instance = await harness.startInstance({ credentials: service.credentials() });
	service.n8nUrl = instance.url;
	const deployment = instance.deploy({ nodes: [triggerNode(service), { name: 'Next', type: 'harness.noOp' }] });
	const run = async (operation: string) => {
		const target = { source: 'campaign', campaign: byId(service.seed.campaigns.paused) };
		const trigger = { __rl: true, mode: 'url', value: deployment.webhookUrl() };
		const parameters = { resource: 'webhook', operation, ...target, trigger };
		return jsonOf(await service.run(parameters as never, [{}], { node: goesOn }));
	};
	return { service, instance, deployment, state, run };
}

test('A service that adds a slash to the URL has one webhook after each publication, whose events start the workflow', async () => {
	const { service, instance, deployment, run } = await startWith((url) => url.replace('/webhook?', '/webhook/?'));
	for (const executions of [1, 2]) {
		expect((await deployment.publish()).error).toBeUndefined();
		const [webhook, ...others] = await service.storedWebhooks();
		expect([others, (await service.deliver({ webhookId: webhook!.id })).attempts]).toMatchObject([
			[],
			[{ status: 200 }],
		]);
		expect(instance.executions).toHaveLength(executions);
	}
	expect(await run('connectToTrigger')).toMatchObject([{ connected: true, webhookId: expect.any(String) }]);
	expect(await run('disconnectFromTrigger')).toMatchObject([{ disconnected: true }]);
	expect(await service.storedWebhooks()).toHaveLength(1);
});

test('A service that lists only the host keeps no webhook: publishing and connecting fail with the reason', async () => {
	const { service, instance, deployment, state, run } = await startWith((url) => `${new URL(url).origin}/***`);
	const unpublished = instance.deploy({ nodes: [triggerNode(service), { name: 'Next', type: 'harness.noOp' }] });
	expect(String((await unpublished.publish()).error)).toContain('does not list the new webhook at the URL');
	expect(await service.storedWebhooks()).toEqual([]);
	state.isOn = false;
	expect((await deployment.publish()).error).toBeUndefined();
	state.isOn = true;
	expect(await run('connectToTrigger')).toMatchObject([failed('URL_NOT_KEPT')]);
	expect(await run('disconnectFromTrigger')).toMatchObject([{ disconnected: false }]);
	expect(await service.storedWebhooks()).toHaveLength(1);
});

test('A trigger without a UUID is not published: neither waits nor Check Registration could find it', async () => {
	const { service, instance } = await startWith((url) => url);
	const { error } = await instance.deploy({ nodes: [{ ...triggerNode(service), webhookId: 'my-trigger' }] }).publish();
	expect(String(error)).toContain('not a UUID: my-trigger');
	expect(await service.storedWebhooks()).toEqual([]);
});
