import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asText } from '../../client.mts';
import { place } from '../../control/calls.mts';
import { activeCampaign, agentWebhookOn, queue, webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

const service = useService();
const receiver = useReceiver();
const NUMBERS = ['0001', '0002', '0003', '0004', '0005'].map((digits) => `+1202555${digits}`);

/** The fields of each kind that was received since the last time, but what marks a test. */
function fieldsByKind(): Record<string, string[]> {
	const namesOf = (body: object) => Object.keys(body).filter((name) => name !== 'test');
	const taken = receiver.received.splice(0).map(({ body }) => [asText(body.event), namesOf(body).sort()]);
	return Object.fromEntries(taken);
}

/** Delivers a made-up event of each kind. */
async function samplesOf(webhookId: string, kinds: readonly string[]): Promise<Record<string, string[]>> {
	for (const event of kinds) {
		await service.control('deliver', { webhookId, event });
	}
	return fieldsByKind();
}

it('have the fields of a real event of their kind, of a campaign', async () => {
	const campaign = await activeCampaign(service, { max_retries: 1 });
	const webhook = await webhookOn(service, campaign, receiver.url);
	const set = (status: string) => service.api('PATCH', `/campaigns/${campaign}/status`, { status });
	for (const to of NUMBERS) {
		await queue(service, campaign, to);
	}
	await service.advance(100_000);
	await service.api('PUT', `/campaigns/${campaign}`, { name: 'Renamed' });
	await set('paused');
	await set('completed');
	await service.advance(1);
	const real = fieldsByKind();
	// They come before there can be a webhook.
	const early = ['campaign.created', 'campaign.started'];
	expect(CAMPAIGN_EVENTS.filter((kind) => !(kind in real)).sort()).toEqual(early);
	expect(await samplesOf(webhook, Object.keys(real))).toEqual(real);
});

it('have the fields of a real event of their kind, of an agent', async () => {
	const webhook = await agentWebhookOn(service, service.seed.agents.published, receiver.url);
	for (const to of NUMBERS) {
		await place(service, to);
	}
	await service.advance(60);
	const real = fieldsByKind();
	expect(await samplesOf(webhook, Object.keys(real))).toEqual(real);
	// The agent uses no action in these calls.
	const other = AGENT_EVENTS.filter((kind) => !(kind in real));
	const { event_action, event_action_failed, ...none } = await samplesOf(webhook, other);
	expect([event_action, event_action_failed, none]).toEqual([
		expect.arrayContaining(['action_name', 'input', 'result', 'call_id', 'context']),
		expect.arrayContaining(['action_name', 'error', 'call_id', 'context']),
		{},
	]);
});
