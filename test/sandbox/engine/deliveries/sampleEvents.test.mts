import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { agentWebhookOn, queue, validCampaign, webhookOn } from '../../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

let service: SandboxClient;
let receiver: WebhookReceiver;
beforeEach(async () => {
	service = await startClient();
	receiver = await startWebhookReceiver();
});
afterEach(async () => {
	receiver.close();
	await service.close();
});

/** The fields of each kind that was received, but what marks a test. */
function fieldsByKind(bodies: Json[]): Record<string, string[]> {
	const entries = bodies.map((body): [string, string[]] => {
		const names = Object.keys(Object(body)).filter((name) => name !== 'test');
		return [asText(body.event), names.sort()];
	});
	return Object.fromEntries(entries);
}

/** Delivers a made-up event of each kind that was received. */
async function samplesOf(webhook: string, kinds: string[]): Promise<Record<string, string[]>> {
	const { length } = receiver.received;
	for (const event of kinds) {
		await service.control('deliver', { webhookId: webhook, event });
	}
	return fieldsByKind(receiver.received.slice(length).map(({ body }) => body));
}

const NUMBERS = ['0001', '0002', '0003', '0004', '0005'].map((digits) => `+1202555${digits}`);

it('have the fields of a real event of their kind, of a campaign', async () => {
	const created = await service.api('POST', '/campaigns', validCampaign(service, { max_retries: 1 }));
	const campaign = asText(created.data.data.id);
	const webhook = await webhookOn(service, campaign, receiver.url);
	const setStatus = async (status: string) => await service.api('PATCH', `/campaigns/${campaign}/status`, { status });
	await setStatus('active');
	for (const to of NUMBERS) {
		await queue(service, campaign, to);
	}
	await service.advance(100_000);
	await service.api('PUT', `/campaigns/${campaign}`, { name: 'Renamed' });
	await setStatus('paused');
	await setStatus('completed');
	await service.advance(1);
	const real = fieldsByKind(receiver.received.map(({ body }) => body));
	// It comes before there can be a webhook.
	expect(CAMPAIGN_EVENTS.filter((kind) => !(kind in real))).toEqual(['campaign.created']);
	expect(await samplesOf(webhook, Object.keys(real))).toEqual(real);
});

it('have the fields of a real event of their kind, of an agent', async () => {
	const agent = service.seed.agents.published;
	const webhook = await agentWebhookOn(service, agent, receiver.url);
	for (const to of NUMBERS) {
		await service.api('POST', `/agents/${agent}/call`, { to });
	}
	await service.advance(60);
	const real = fieldsByKind(receiver.received.map(({ body }) => body));
	// The agent uses no action in these calls.
	expect(AGENT_EVENTS.filter((kind) => !(kind in real))).toEqual(['event_action', 'event_action_failed']);
	expect(await samplesOf(webhook, Object.keys(real))).toEqual(real);
});
