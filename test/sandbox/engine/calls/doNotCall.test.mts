import { asText, type Json } from '../../client.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

describe('do-not-call', () => {
	const service = useService();
	const receiver = useReceiver();
	const base = {
		do_not_call_enabled: true,
		max_retries: 3,
		enable_post_completion_cooldown: false,
		success_cooldown_hours: 1,
	};
	const campaignWith = (settings: object) => activeCampaign(service, { ...base, ...settings });
	/** Calls a number. @returns its status, or why it failed */
	const outcome = async (id: string, to: string): Promise<Json | undefined> => {
		await webhookOn(service, id, receiver.url, { events: ['campaign_call.failed'] });
		receiver.received.length = 0;
		const call = await queue(service, id, to);
		await service.advance(2 * 3600);
		const { status } = (await callsOf(service, id)).find((one) => asText(one.id) === asText(call.id))!;
		return receiver.received[0]?.body.reason ?? status;
	};
	/** What the same number gives each time. */
	const outcomes = async (settings: object, ...numbers: string[]) => {
		const id = await campaignWith(settings);
		const found = [];
		for (const to of numbers) {
			found.push(await outcome(id, to));
		}
		return found.join();
	};

	it.each([
		['environment', '+12025550198'],
		['global', '+12025550199'],
		['custom', '+12025557777'],
	])('prevents calls to a number of the %s list, and starts no cooldown for it', async (source, to) => {
		const list = { do_not_call_list_source: source, do_not_call_custom_list: ['+12025557777'] };
		const id = await campaignWith({ ...list, enable_post_completion_cooldown: true });
		expect(await outcome(id, to)).toBe('do_not_call');
		expect(await outcome(id, '+12025557778')).toBe('completed');
		await service.api('PUT', `/campaigns/${id}`, { do_not_call_enabled: false });
		expect(await outcome(id, to)).toBe('completed');
	});

	it.each(['environment', 'global', 'campaign', 'custom'])(
		'adds a number to the %s list after a completed call',
		async (source) => {
			const list = { do_not_call_list_source: source };
			expect(await outcomes(list, '+12025550001', '+12025550001')).toBe('completed,do_not_call');
			const isShared = source === 'environment' || source === 'global';
			expect(await outcomes(list, '+12025550001')).toBe(isShared ? 'do_not_call' : 'completed');
		},
	);

	const own = { do_not_call_list_source: 'campaign' };
	const voicemail = {
		auto_dnc_trigger_statuses: ['voicemail'],
		auto_dnc_trigger_errors: [],
		voicemail_cooldown_hours: 1,
	};
	const [ANSWERED, BUSY_LATER, ERROR, VOICEMAIL] = ['+12025550001', '+12025550003', '+12025550004', '+12025550005'];
	it.each<[what: string, settings: object, numbers: string[], expected: string]>([
		['nothing where it is off', { auto_add_to_dnc_enabled: false }, [ANSWERED, ANSWERED], 'completed,completed'],
		['nothing with do-not-call off', { do_not_call_enabled: false }, [ANSWERED, ANSWERED], 'completed,completed'],
		['no other end than a trigger', { ...own, ...voicemail }, [ANSWERED, ANSWERED], 'completed,completed'],
		['after a voicemail', { ...own, ...voicemail }, [VOICEMAIL, VOICEMAIL], 'completed,do_not_call'],
		['after no-answer', { ...own, auto_dnc_trigger_statuses: ['no-answer'] }, [BUSY_LATER], 'no-answer'],
		['after no_answer', { ...own, auto_dnc_trigger_statuses: ['no_answer'] }, [BUSY_LATER], 'no-answer'],
		['after an error, which ends the retries', own, [ERROR], 'disconnected'],
	])('adds %s: %j', async (_what, settings, numbers, expected) => {
		expect(await outcomes(settings, ...numbers)).toBe(expected);
	});
});
