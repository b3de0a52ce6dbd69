import { awaitedKinds } from '../../../../nodes/VoiceAgentCalling/waiting/artifacts.ts';
import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { eventsPage, FINAL, type Sample, type Samples } from '../../../docs/events.mts';
import { expectGenerated } from '../../../docs/generated.mts';
import { asText } from '../../client.mts';
import { agentWebhookOn, queue, validCampaign, webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';
import type { WebhookReceiver } from '../../webhookReceiver.mts';

const service = useService();
const receivers = { campaign: useReceiver(), agent: useReceiver() };

const context = { contact_id: 'contact-1' };

/** By the last four digits: completed, busy, no answer, failed, voicemail. */
const numbers = ['0001', '0002', '0003', '0004', '0005'].map((digits) => `+1202555${digits}`);

/** Sends samples of the kinds that have not happened so far. */
async function sendOthers(receiver: WebhookReceiver, webhookId: string, kinds: readonly string[]): Promise<void> {
	for (const event of kinds.filter((kind) => !receiver.events().includes(kind))) {
		await service.control('deliver', { webhookId, event, data: { context } });
	}
}

/** Makes the events of a campaign happen. @returns the webhook that got them */
async function ofCampaign(): Promise<string> {
	const { url } = receivers.campaign;
	const settings = validCampaign(service, { max_retries: 1, retry_cooldown_hours: 1 });
	const id = asText((await service.api('POST', '/campaigns', settings)).data.data.id);
	const webhookId = await webhookOn(service, id, url);
	const set = async (status: string) => await service.api('PATCH', `/campaigns/${id}/status`, { status });
	await set('active');
	for (const number of numbers) {
		await queue(service, id, number, { context });
		await service.advance(10_000);
	}
	await service.api('PUT', `/campaigns/${id}`, { name: 'Another name' });
	await set('paused');
	await set('completed');
	await service.advance(10);
	return webhookId;
}

/** Makes the events of an agent happen. @returns the webhook that got them */
async function ofAgent(): Promise<string> {
	const { published } = service.seed.agents;
	const webhookId = await agentWebhookOn(service, published, receivers.agent.url);
	for (const to of numbers) {
		await service.api('POST', `/agents/${published}/call`, { to, context });
		await service.advance(1000);
	}
	return webhookId;
}

/** Replaces what differs between runs by the values on the page. */
const FIXED: Record<string, unknown> = {
	id: '6b1f0c52-3d8e-4a97-b2c4-0f5e7d918a36',
	webhook_id: '0c9a4f7e-52d1-4b63-8e0a-7f3b1d6c2e95',
	campaign_id: 'e41d8b06-97c2-4f5a-a3d0-5b2c8e7f1946',
	agent_id: '7d20e5c9-1b84-4c3f-96ea-2f8d0a4b5c71',
	call_id: '3fa8c610-d275-4e9b-8b1c-60d9e4a7f258',
	campaign_name: 'Spring renewals',
	agent_name: 'Ada',
	webhook_name: 'n8n: React to calls, Events',
	timestamp: '2026-03-02T09:30:00.000Z',
	to: '+12025550100',
	scheduled_at: '2026-03-02T10:30:00Z',
	is_testing: false,
	recording_url: 'https://recordings.invalid/3fa8c610-d275-4e9b-8b1c-60d9e4a7f258.mp3',
};

/** The first event of each kind, of the first call that has it, with the same values on every run. */
function samplesOf({ received }: WebhookReceiver): Map<string, Sample> {
	const samples = new Map<string, Sample>();
	for (const { body } of (received as unknown as Array<{ body: Sample }>).toReversed()) {
		const sameOf = (key: string, value: unknown) => FIXED[key] ?? shown(key, value, String(body.call_id));
		const entries = Object.entries(body).map(([key, value]) => [key, sameOf(key, value)]);
		samples.set(String(body.event), Object.fromEntries(entries));
	}
	return samples;
}

function shown(key: string, value: unknown, callId: string): unknown {
	if (key === 'duration' && value !== 0) {
		return 42;
	}
	return typeof value === 'string' ? value.replaceAll(callId, String(FIXED.call_id)) : value;
}

test('docs/reference/events.md has a sample of every kind, as the sandbox sends it', async () => {
	await sendOthers(receivers.campaign, await ofCampaign(), CAMPAIGN_EVENTS);
	const ofAgents = await ofAgent();
	await sendOthers(receivers.agent, ofAgents, AGENT_EVENTS);
	await service.api('POST', `/agents/${service.seed.agents.published}/webhooks/${ofAgents}/test`);
	const samples: Samples = { campaign: samplesOf(receivers.campaign), agent: samplesOf(receivers.agent) };
	expectGenerated('docs/reference/events.md', eventsPage(samples));
});

/** The fields of each kind that was received since the last time, but what marks a test. */
function fieldsByKind({ received }: WebhookReceiver): Record<string, string[]> {
	const namesOf = (body: object) => Object.keys(body).filter((name) => name !== 'test');
	return Object.fromEntries(received.splice(0).map(({ body }) => [asText(body.event), namesOf(body).sort()]));
}

test.each([
	// It comes before there can be a webhook.
	{ of: 'campaign', happen: ofCampaign, kinds: CAMPAIGN_EVENTS, others: ['campaign.created'] },
	// The agent uses no action in these calls.
	{ of: 'agent', happen: ofAgent, kinds: AGENT_EVENTS, others: ['event_action', 'event_action_failed'] },
] as const)('a sample has the fields of a real event of its kind, of a $of', async ({ of, happen, kinds, others }) => {
	const webhookId = await happen();
	const real = fieldsByKind(receivers[of]);
	expect(kinds.filter((kind) => !(kind in real)).sort()).toEqual(others);
	for (const event of Object.keys(real)) {
		await service.control('deliver', { webhookId, event });
	}
	expect(fieldsByKind(receivers[of])).toEqual(real);
});

test('what the page says that events end is what the operations that wait go by', () => {
	const all = ['report', 'transcript', 'recording'] as const;
	expect(Object.keys(FINAL.campaign).sort()).toEqual(awaitedKinds('campaignId', all).sort());
	expect(Object.keys(FINAL.agent).sort()).toEqual(awaitedKinds('agentId', ['recording']).sort());
});
