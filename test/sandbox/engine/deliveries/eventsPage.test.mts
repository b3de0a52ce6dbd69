import { awaitedEventTypes } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventTypes.mts';
import { eventsPage, FINAL, type Sample, type Samples } from '../../../docs/events.mts';
import { expectGenerated } from '../../../docs/generated.mts';
import { asText } from '../../client.mts';
import { draftCampaign, queued, type Step, setStatus, useStories, webhook } from '../../story.mts';
import type { WebhookReceiver } from '../../webhookReceiver.mts';

/** Two sandboxes, because each story has one receiver. */
const worlds = { campaign: useStories(), agent: useStories() };
const context = { contact_id: 'contact-1' };
/** By the last four digits: completed, busy, no answer, failed, voicemail. */
const numbers = ['0001', '0002', '0003', '0004', '0005'].map((digits) => `+1202555${digits}`);

/** Triggers the events of a campaign. @returns the values of names afterwards */
const ofCampaign = () =>
	worlds.campaign.play([
		...draftCampaign('c', { max_retries: 1, retry_cooldown_hours: 1 }),
		webhook('hook', 'campaigns/{c}'),
		setStatus('c', 'active'),
		...numbers.flatMap((to): Step[] => [queued('c', to, { context }), ['wait 10000']]),
		['PUT /campaigns/{c} 200', { name: 'Another name' }],
		setStatus('c', 'paused'),
		setStatus('c', 'completed'),
		['wait 10'],
	]);

/** Triggers the events of an agent. @returns the values of names afterwards */
const ofAgent = () =>
	worlds.agent.play([
		webhook('hook', 'agents/{agent}'),
		...numbers.flatMap((to): Step[] => [['POST /agents/{agent}/call 200', { to, context }], ['wait 1000']]),
	]);

/** Returns steps that send samples of events. */
const samples = (types: readonly string[], data: object = {}): Step[] =>
	types.map((event): Step => ['POST /_sandbox/deliver 200', { webhookId: '{hook}', event, data }]);

/** Replaces the values that differ between runs by the values on the page. */
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

/** Returns the first event of each type, from the first call with it, with the same values in every run. */
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

test('docs/reference/events.md has a sample of every event type, as the sandbox sends it', async () => {
	const { campaign, agent } = worlds;
	const others = (types: readonly string[], { receiver }: typeof agent) =>
		samples(
			types.filter((type) => !receiver.events().includes(type)),
			{ context },
		);
	const names = await ofCampaign();
	await campaign.play(others(CAMPAIGN_EVENTS, campaign), names);
	const own = await ofAgent();
	await agent.play([...others(AGENT_EVENTS, agent), ['POST /agents/{agent}/webhooks/{hook}/test 200']], own);
	const all: Samples = { campaign: samplesOf(campaign.receiver), agent: samplesOf(agent.receiver) };
	expectGenerated('docs/reference/events.md', eventsPage(all));
});

/** Returns the fields of each event type received since the last time, without the marks of tests. */
function fieldsByKind({ received }: WebhookReceiver): Record<string, string[]> {
	const namesOf = (body: object) => Object.keys(body).filter((name) => name !== 'test');
	return Object.fromEntries(received.splice(0).map(({ body }) => [asText(body.event), namesOf(body).sort()]));
}

test.each([
	// This event happens before the campaign can have a webhook.
	{ of: 'campaign', happen: ofCampaign, types: CAMPAIGN_EVENTS, others: ['campaign.created'] },
	// The agent does not use actions in these calls.
	{ of: 'agent', happen: ofAgent, types: AGENT_EVENTS, others: ['event_action', 'event_action_failed'] },
] as const)('a sample has the fields of a real event of its type, of a $of', async ({ of, happen, types, others }) => {
	const { receiver, play } = worlds[of];
	const names = await happen();
	const real = fieldsByKind(receiver);
	expect(types.filter((type) => !(type in real)).sort()).toEqual(others);
	await play(samples(Object.keys(real)), names);
	expect(fieldsByKind(receiver)).toEqual(real);
});

test('what the page says that events end is what the operations that wait go by', () => {
	const all = ['report', 'transcript', 'recording'] as const;
	expect(Object.keys(FINAL.campaign).sort()).toEqual(awaitedEventTypes('campaignId', all).sort());
	expect(Object.keys(FINAL.agent).sort()).toEqual(awaitedEventTypes('agentId', ['recording']).sort());
});
