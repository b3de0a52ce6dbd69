import { asList, asText, type Json, type SandboxClient, startClient } from '../client.mts';
import { place, timelineOf } from '../control/calls.mts';
import { activeCampaign, queue, webhookOn } from '../objects.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';

const START = Date.UTC(2030, 0, 7, 9);

/** A run with everything that has ids: its answers and what the receiver got, without what is real time. */
async function run(service: SandboxClient): Promise<string> {
	const receiver = await startWebhookReceiver();
	// Also what is sent at once, while the requests below go on, gets this answer.
	receiver.answer(500);
	const answers: Json[] = [];
	const campaign = await activeCampaign(service, { max_retries: 1, retry_cooldown_hours: 1 });
	for (const name of ['One', 'Two', 'Three']) {
		await webhookOn(service, campaign, receiver.url, { name, include_call_events: true });
	}
	answers.push((await service.api('POST', '/agents', { name: 'x' })).data);
	answers.push((await service.api('POST', `/calendars`, { name: 'Own' })).data);
	for (const to of ['+12025550001', '+12025550002', '+12025550005']) {
		answers.push(await queue(service, campaign, to));
	}
	const id = await place(service, '+12025550001');
	await service.advance(3);
	receiver.answer(200);
	await service.advance(8000);
	answers.push(await timelineOf(service, id));
	answers.push(await service.control('calls'), await service.control('calls?limit=5'));
	const attempts = asList((await service.control('deliveries?limit=500')).items);
	answers.push(...attempts.sort((one, other) => asText(one.id).localeCompare(asText(other.id))));
	answers.push((await service.api('GET', `/campaigns/${campaign}`)).data);
	const received = receiver.received.map(({ raw }) => raw).sort();
	receiver.close();
	const text = JSON.stringify([answers, received]).replaceAll(service.url, 'URL');
	return text.replace(/"duration_ms":\d+/g, '"duration_ms":0').replaceAll(receiver.url, 'RECEIVER');
}

describe('a seed', () => {
	it('makes two runs the same, with the same start time and a clock that stands still, also after a reset', async () => {
		const [first, other, none] = await Promise.all(
			[{ seed: 7 }, { seed: 7 }, {}].map((options) => startClient({ ...options, startTime: START, speed: 0 })),
		);
		const text = await run(first!);
		expect(text.length).toBeGreaterThan(10_000);
		expect((await run(other!)) === text).toBe(true);
		await first!.control('reset', {});
		expect((await run(first!)) === text).toBe(true);
		expect((await run(none!)) === text).toBe(false);
		await Promise.all([first!.close(), other!.close(), none!.close()]);
	});
});
