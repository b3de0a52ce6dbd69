import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { hmac, type Published, publishTrigger, registered, send, triggerNode } from '../../triggers.mts';

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

const hooksOf = async () => (await Promise.all([active, paused, draft].map((id) => service.webhooks(id)))).flat();

/** The webhook of a campaign that delivers to the trigger, with its secret. */
async function hookOf(campaign: string) {
	const [hook] = (await registered(service, trigger.deployment)).filter(({ campaign_id: id }) => id === campaign);
	return hook ?? { webhook_url: '', webhook_secret: 'none' };
}

/** The status of a delivery that is signed for one owner, and sent to the URL of another. */
async function deliver(signedFor: string, sentTo: string, event: object = { id: `${Math.random()}` }): Promise<number> {
	const body = JSON.stringify(event);
	const { webhook_secret: secret } = await hookOf(signedFor);
	const { webhook_url: url } = await hookOf(sentTo);
	return (await send(url, body, { 'x-signature': hmac(secret, body) })).status;
}

test('is not published without the campaigns of an expression that gives nothing', async () => {
	const options = { additionalCampaigns: '={{ undefined }}' };
	await expect(publishTrigger(service, { options })).rejects.toThrow('is empty: its expression has no value');
});

test('the trigger starts the workflow with the events of each campaign, and says whose they are', async () => {
	const hooks = await hooksOf();
	expect(hooks.map(({ webhook_url }) => new URL(webhook_url).searchParams.get('campaign'))).toEqual([
		active,
		paused,
		draft,
	]);
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
	const { webhook_url, webhook_secret } = await hookOf(active);
	const signature = hmac(webhook_secret, body);
	const made = new URL(webhook_url).searchParams.get('g');
	// The same time with another campaign.
	const swapped = webhook_url.replace(active, paused);
	expect((await send(swapped, body, { 'x-signature': signature })).status).toBe(401);
	const queries = ['', `?agent=${active}`, `?campaign=${active}&agent=${active}`, '?campaign=', '?campaign'];
	for (const query of queries.flatMap((one) => [one, `${one === '' ? '?' : `${one}&`}g=${made}`])) {
		const url = `${trigger.deployment.webhookUrl()}${query}`;
		expect([query, (await send(url, body, { 'x-signature': signature })).status]).toEqual([query, 401]);
	}
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
		expect(hook?.webhook_url).toContain(`${agents.deployment.webhookUrl()}?agent=${id}&`);
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
