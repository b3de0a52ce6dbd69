import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import {
	hmac,
	type Published,
	publishTrigger,
	rawRegistration,
	secretOf,
	send,
	triggerNode,
	webhookUrlOf,
} from '../../triggers.mts';

let service: Service;
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
beforeAll(async () => {
	service = await startService();
	({ active, paused, draft } = service.seed.campaigns);
});
beforeEach(async () => {
	await service.reset();
	trigger = await publishTrigger(service, { options: { additionalCampaigns: [paused, draft] } });
});

const campaign = (ownerId: string) => ({ source: 'campaign', ownerId });
const hooksOf = async () => (await Promise.all([active, paused, draft].map((id) => service.webhooks(id)))).flat();

/** The status of a delivery that is signed for one owner, and sent to the URL of another. */
async function deliver(signedFor: string, sentTo: string, event: object = { id: `${Math.random()}` }): Promise<number> {
	const body = JSON.stringify(event);
	const secret = secretOf(rawRegistration(trigger.deployment).secret, campaign(signedFor));
	const url = webhookUrlOf(trigger.deployment, campaign(sentTo));
	return (await send(url, body, { 'x-signature': hmac(secret, body) })).status;
}

test('is not published without the campaigns of an expression that gives nothing', async () => {
	const options = { additionalCampaigns: '={{ undefined }}' };
	await expect(publishTrigger(service, { options })).rejects.toThrow('is empty: its expression has no value');
});

test('the trigger starts the workflow with the events of each campaign, and says whose they are', async () => {
	const hooks = await hooksOf();
	expect(hooks.map(({ webhook_url }) => webhook_url)).toEqual(
		[active, paused, draft].map((id) => webhookUrlOf(trigger.deployment, campaign(id))),
	);
	for (const { id } of hooks) {
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	}
	const owners = trigger.instance.executions.map(({ items }) => items[0]?.webhookOwner);
	expect(owners).toEqual([active, paused, draft].map((id) => ({ source: 'campaign', id })));
});

test('a delivery with the name of another campaign, another kind or nobody in its URL is refused', async () => {
	expect(await deliver(active, active)).toBe(200);
	expect([await deliver(active, paused), await deliver(paused, active)]).toEqual([401, 401]);
	expect(await deliver('nowhere', active)).toBe(401);
	const body = '{"id":"forged"}';
	const signature = hmac(secretOf(rawRegistration(trigger.deployment).secret, campaign(active)), body);
	for (const query of ['', `?agent=${active}`, `?campaign=${active}&agent=${active}`, '?campaign=', '?campaign']) {
		const url = `${trigger.deployment.webhookUrl()}${query}`;
		expect((await send(url, body, { 'x-signature': signature })).status).toBe(401);
	}
	// The secret of the trigger itself signs nothing.
	const base = hmac(rawRegistration(trigger.deployment).secret, body);
	expect((await send(trigger.url, body, { 'x-signature': base })).status).toBe(401);
	expect(trigger.instance.executions).toHaveLength(1);
});

test('the same bytes of two campaigns are two events', async () => {
	const event = { event: 'campaign_call.completed', id: 'same', timestamp: '2030-01-01T00:00:00Z' };
	expect([
		await deliver(active, active, event),
		await deliver(paused, paused, event),
		await deliver(active, active, event),
	]).toEqual([200, 200, 200]);
	expect(trigger.instance.executions).toHaveLength(2);
});

test('choosing other campaigns moves the webhooks, and unpublishing deletes all', async () => {
	await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: draft } } });
	expect(
		(await Promise.all([active, paused, draft].map((id) => service.webhooks(id)))).map(({ length }) => length),
	).toEqual([1, 0, 1]);
	// The service cannot delete the one that is no longer chosen.
	await service.fault({ match: { method: 'DELETE' }, kind: 'status', status: 500, times: 6 });
	await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: [paused] } } });
	expect(
		(await Promise.all([active, paused, draft].map((id) => service.webhooks(id)))).map(({ length }) => length),
	).toEqual([1, 1, 0]);
	for (const { id } of await hooksOf()) {
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	}
	await trigger.deployment.unpublish();
	expect(await hooksOf()).toEqual([]);
});

test('a campaign that does not exist is named, and no webhook stays behind', async () => {
	await trigger.deployment.unpublish();
	const parameters = { options: { additionalCampaigns: [paused, 'nowhere'] } };
	const { error } = await trigger.deployment.edit('Trigger', { parameters });
	expect(error?.message).toMatch(/Campaign not found.*\(campaign nowhere\)\. Choose the campaign/);
	expect(await hooksOf()).toEqual([]);
});

test('a refused webhook takes back those that were registered with it', async () => {
	await trigger.deployment.unpublish();
	const path = `/api/v1/campaigns/${draft}/webhooks`;
	await service.fault({ match: { method: 'POST', path }, kind: 'status', status: 403, times: 5 });
	const { error } = await trigger.deployment.publish();
	expect(error?.message).toContain(draft);
	expect(await hooksOf()).toEqual([]);
});

test('Rotate Secret rotates the secrets of all, and the old ones are accepted meanwhile', async () => {
	service.n8nUrl = trigger.instance.url;
	const before = rawRegistration(trigger.deployment).secret;
	const [, { id = '' } = {}] = await hooksOf();
	const parameters = {
		resource: 'webhook',
		operation: 'rotateSecret',
		campaign: byId(paused),
		webhook: byId(id),
	};
	expect((await service.run(parameters)).outputs[0]).toMatchObject([{ json: { rotated: true, webhookId: id } }]);
	const after = rawRegistration(trigger.deployment).secret;
	expect(after).not.toBe(before);
	const sent = (await service.requests('PUT')).map(({ body }) => body);
	expect(sent).toEqual([active, paused, draft].map((one) => ({ webhook_secret: secretOf(after, campaign(one)) })));
	for (const hook of await hooksOf()) {
		expect((await service.deliver({ webhookId: hook.id })).attempts).toMatchObject([{ status: 200 }]);
		expect((await service.deliver({ webhookId: hook.id, tamper: 'secret' })).attempts).toMatchObject([{ status: 401 }]);
	}
	const body = '{"id":"old"}';
	const signature = hmac(secretOf(before, campaign(draft)), body);
	const url = webhookUrlOf(trigger.deployment, campaign(draft));
	expect((await send(url, body, { 'x-signature': signature })).status).toBe(200);
	service.n8nUrl = undefined;
});

test('the first execution from the test URL is of any of the campaigns, and the published webhooks stay', async () => {
	await trigger.deployment.listenForTest();
	const test = (await service.webhooks(paused)).find(({ webhook_url }) => webhook_url.includes('/webhook-test/'));
	expect(test?.webhook_url).toContain(`?campaign=${paused}`);
	expect((await service.deliver({ webhookId: test?.id ?? '' })).attempts).toMatchObject([{ status: 200 }]);
	await trigger.instance.settled();
	await trigger.deployment.stopTest();
	expect(trigger.instance.executions).toMatchObject([{ mode: 'manual', items: [{ webhookOwner: { id: paused } }] }]);
	expect(await hooksOf()).toHaveLength(3);
});

test('several agents can be chosen, too', async () => {
	const { published, draft: other } = service.seed.agents;
	const agents = await publishTrigger(service, {
		source: 'agent',
		agent: byId(published),
		events: ['event_phone_call_ended'],
		options: { additionalAgents: [other] },
	});
	for (const id of [published, other]) {
		const [hook] = await service.webhooks(id, 'agents');
		expect(hook?.webhook_url).toBe(webhookUrlOf(agents.deployment, { source: 'agent', ownerId: id }));
		await service.deliver({ webhookId: hook?.id ?? '', event: 'event_phone_call_ended' });
	}
	expect(agents.instance.executions.map(({ items }) => items[0]?.webhookOwner)).toEqual([
		{ source: 'agent', id: published },
		{ source: 'agent', id: other },
	]);
});

test('a warning in the log names each finished campaign', async () => {
	const { completed, cancelled } = service.seed.campaigns;
	const before = harness.logLines.length;
	const finished = trigger.instance.deploy({
		nodes: [triggerNode(service, { options: { additionalCampaigns: [completed, cancelled] } })],
	});
	await finished.publish();
	const warned = harness.logLines.slice(before).filter(({ level }) => level === 'warn');
	expect(warned.map(({ metadata }) => (metadata as { campaignId: string }).campaignId).sort()).toEqual(
		[completed, cancelled].sort(),
	);
});
