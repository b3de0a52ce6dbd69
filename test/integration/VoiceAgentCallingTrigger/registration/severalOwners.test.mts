import { harness } from '../../harness.mts';
import { byId, jsonOf, useService } from '../../service.mts';
import { hmac, type Published, publishTrigger, registered, send } from '../../triggers.mts';

const service = useService();
let trigger: Published;
let active: string;
let paused: string;
let draft: string;
beforeAll(() => void ({ active, paused, draft } = service.seed.campaigns));
beforeEach(async () => {
	trigger = await publishTrigger(service, { options: { additionalCampaigns: [paused, draft] } });
});

const hooksOfEach = async () => await Promise.all([active, paused, draft].map((id) => service.webhooks(id)));
const hooksOf = async () => (await hooksOfEach()).flat();
const counts = async () => (await hooksOfEach()).map(({ length }) => length);

/** The webhook of a campaign that delivers to the trigger, with its secret. */
async function hookOf(campaign: string) {
	const [hook] = (await registered(service, trigger.deployment)).filter(({ campaign_id: id }) => id === campaign);
	return hook ?? { webhook_url: '', webhook_secret: 'none' };
}

/** The status of a delivery that is signed for one owner, and sent to the URL of another. */
async function deliver(signedFor: string, sentTo: string): Promise<number> {
	const body = JSON.stringify({ id: `${signedFor} to ${sentTo}` });
	const { webhook_secret: secret } = await hookOf(signedFor);
	const { webhook_url: url } = await hookOf(sentTo);
	return (await send(url, body, { 'x-signature': hmac(secret, body) })).status;
}

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

test('choosing other campaigns moves the webhooks, and unpublishing deletes all', async () => {
	await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: draft } } });
	expect(await counts()).toEqual([1, 0, 1]);
	// The service cannot delete the one that is no longer chosen.
	await service.answer('DELETE', 500, undefined, 6);
	await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: [paused] } } });
	expect(await counts()).toEqual([1, 1, 0]);
	for (const { id } of await hooksOf()) {
		expect((await service.deliver({ webhookId: id })).attempts).toMatchObject([{ status: 200 }]);
	}
	await trigger.deployment.unpublish();
	expect(await hooksOf()).toEqual([]);
});

test('if the service could not delete a webhook with a replaced secret, the next publication names it in the log', async () => {
	const [hook] = await service.webhooks(paused);
	service.n8nUrl = trigger.instance.url;
	const rotate = {
		resource: 'webhook',
		operation: 'rotateSecret',
		campaign: byId(paused),
		webhook: byId(hook?.id ?? ''),
	};
	expect(jsonOf(await service.run(rotate))).toMatchObject([{ rotated: true }]);
	await service.answer(`DELETE campaigns/${paused}/webhooks/${hook?.id}`, 500, undefined, 3);
	const { length } = harness.logLines;
	await trigger.deployment.edit('Trigger', { parameters: { options: { additionalCampaigns: [draft] } } });
	expect(await service.webhooks(paused)).toHaveLength(1);
	const said = harness.logLines.slice(length).map(({ message }) => message);
	expect(said).toEqual([expect.stringMatching(`${paused}.*still delivers here.*'Disconnect From Trigger'`)]);
});

test('a refused webhook takes back those that were registered with it', async () => {
	await trigger.deployment.unpublish();
	await service.answer(`POST campaigns/${draft}/webhooks`, 403, undefined, 5);
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
