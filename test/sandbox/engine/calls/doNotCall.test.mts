import { asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

const HOUR = 3600;

describe('do-not-call', () => {
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

	const base = {
		do_not_call_enabled: true,
		max_retries: 3,
		enable_post_completion_cooldown: false,
		success_cooldown_hours: 1,
	};
	/** Calls a number and returns whether it was dialed, and the reason in the events. */
	const outcome = async (id: string, to: string): Promise<{ status: Json; reason?: Json }> => {
		await webhookOn(service, id, receiver.url, { events: ['campaign_call.failed'] });
		receiver.received.length = 0;
		const call = await queue(service, id, to);
		await service.advance(2 * HOUR);
		const status = (await callsOf(service, id)).find((one) => asText(one.id) === asText(call.id))!.status!;
		return { status, reason: receiver.received[0]?.body.reason };
	};

	it.each([
		['environment', '+12025550198'],
		['global', '+12025550199'],
	])('prevents calls to a number of the %s list', async (source, to) => {
		const id = await activeCampaign(service, { ...base, do_not_call_list_source: source });
		expect(await outcome(id, to)).toEqual({ status: 'failed', reason: 'do_not_call' });
		const off = await activeCampaign(service, { ...base, do_not_call_enabled: false, do_not_call_list_source: source });
		expect(await outcome(off, to)).toMatchObject({ status: 'completed' });
	});

	it('prevents calls to a number of the campaign’s custom list', async () => {
		const custom = { do_not_call_list_source: 'custom', do_not_call_custom_list: ['+12025557777'] };
		const id = await activeCampaign(service, { ...base, ...custom });
		expect(await outcome(id, '+12025557777')).toMatchObject({ status: 'failed' });
		expect(await outcome(id, '+12025557778')).toMatchObject({ status: 'completed' });
	});

	it.each(['environment', 'global', 'campaign', 'custom'])(
		'adds a number to the %s list after a completed call',
		async (source) => {
			const id = await activeCampaign(service, { ...base, do_not_call_list_source: source });
			expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'completed' });
			expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'failed', reason: 'do_not_call' });
			const other = await activeCampaign(service, { ...base, do_not_call_list_source: source });
			const shared = source === 'environment' || source === 'global';
			expect(await outcome(other, '+12025550001')).toMatchObject({ status: shared ? 'failed' : 'completed' });
		},
	);

	it('adds a number after a voicemail or an error only where that is a trigger', async () => {
		const triggers = {
			auto_dnc_trigger_statuses: ['voicemail'],
			auto_dnc_trigger_errors: [],
			do_not_call_list_source: 'campaign',
			voicemail_cooldown_hours: 1,
		};
		const id = await activeCampaign(service, { ...base, ...triggers });
		expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'completed' });
		expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'completed' });
		expect(await outcome(id, '+12025550005')).toMatchObject({ status: 'completed' });
		expect(await outcome(id, '+12025550005')).toMatchObject({ status: 'failed' });
	});

	it.each(['no_answer', 'no-answer'])('accepts %s as a trigger in both spellings', async (trigger) => {
		const triggers = { auto_dnc_trigger_statuses: [trigger], do_not_call_list_source: 'campaign' };
		const id = await activeCampaign(service, { ...base, ...triggers, max_retries: 5 });
		expect(await outcome(id, '+12025550003')).toEqual({ status: 'failed', reason: 'no-answer' });
	});

	it('ends the retries of a number that an error put on the list', async () => {
		const id = await activeCampaign(service, { ...base, do_not_call_list_source: 'campaign' });
		expect(await outcome(id, '+12025550004')).toEqual({ status: 'failed', reason: 'disconnected' });
		expect((await callsOf(service, id))[0]).toMatchObject({ retries: 0 });
	});

	it('adds nothing in a campaign that has it off', async () => {
		const off = await activeCampaign(service, { ...base, do_not_call_enabled: false });
		expect(await outcome(off, '+12025550001')).toMatchObject({ status: 'completed' });
		const on = await activeCampaign(service, base);
		expect(await outcome(on, '+12025550001')).toMatchObject({ status: 'completed' });
	});

	it('starts no cooldown for a number that was not called', async () => {
		const id = await activeCampaign(service, { ...base, enable_post_completion_cooldown: true });
		expect(await outcome(id, '+12025550198')).toMatchObject({ status: 'failed' });
		await service.api('PUT', `/campaigns/${id}`, { do_not_call_enabled: false });
		expect(await outcome(id, '+12025550198')).toMatchObject({ status: 'completed' });
	});

	it('adds nothing where auto_add_to_dnc_enabled is off', async () => {
		const id = await activeCampaign(service, { ...base, auto_add_to_dnc_enabled: false });
		expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'completed' });
		expect(await outcome(id, '+12025550001')).toMatchObject({ status: 'completed' });
	});
});
