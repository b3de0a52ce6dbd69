import { asText } from '../../client.mts';
import { HUNG_UP } from '../../engine/calls/callEventKinds.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';

const service = useService();
/** Ends the call to a number, as a client does that knows the number only. */
const end = async (to: string) => {
	const agent = `/agents/${service.seed.agents.published}`;
	const { data } = await service.api('GET', `${agent}/active-call/${encodeURIComponent(to)}`);
	await service.api('POST', `${agent}/end-call`, { call_sid: asText(data.data[0]!.id) });
};

describe('ending the call of a campaign', () => {
	const receiver = useReceiver();
	const over = ['campaign_call.completed', 'event_call_report', 'event_call_transcript', ...HUNG_UP];

	it.each([
		['in a conversation', '+12025550001', 20, [...over, 'event_conversation_ended']],
		['on voicemail', '+12025550005', 20, [...over, 'event_voicemail_message_left']],
		['before an answer', '+12025550003', 5, ['campaign_call.completed', 'event_phone_call_ended']],
	])('%s sends the events of its end, and the number is not retried', async (_when, to, seconds, events) => {
		const campaign = await activeCampaign(service, { max_retries: 3 });
		await webhookOn(service, campaign, receiver.url, { include_call_events: true });
		await queue(service, campaign, to);
		await service.advance(seconds);
		receiver.received.length = 0;
		await end(to);
		await service.advance(100_000);
		expect(receiver.events().sort()).toEqual(events.toSorted());
		expect(await callsOf(service, campaign)).toMatchObject([{ status: 'completed', retries: 0 }]);
	});
});
