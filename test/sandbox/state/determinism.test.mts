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
	it('makes two runs the same, with the same start time and a clock that stands still', async () => {
		const texts = [];
		for (const seed of [7, 7, 8]) {
			const service = await startClient({ seed, startTime: START, speed: 0 });
			texts.push(await run(service));
			await service.close();
		}
		expect(texts[0]!.length).toBeGreaterThan(10_000);
		expect(texts[1]).toBe(texts[0]);
		expect(texts[2]).not.toBe(texts[0]);
	});

	it('repeats the run after a reset, and without one ids never repeat', async () => {
		const service = await startClient({ seed: 7, startTime: START, speed: 0 });
		const first = await run(service);
		await service.control('reset', {});
		expect(await run(service)).toBe(first);
		expect(await run(service)).not.toBe(first);
		await service.close();
		const other = await startClient({ startTime: START, speed: 0 });
		const one = await run(other);
		await other.control('reset', {});
		expect(await run(other)).not.toBe(one);
		await other.close();
	});

	it('gives ids that are UUIDs, also after a restart, where they go on', async () => {
		const service = await startClient({ seed: 7, startTime: START, speed: 0 });
		const ids = [await place(service, '+12025550001'), await place(service, '+12025550001')];
		const snapshot = await service.snapshot();
		ids.push(await place(service, '+12025550001'));
		await service.control('snapshot', snapshot);
		expect(await place(service, '+12025550001')).toBe(ids[2]);
		expect(new Set(ids).size).toBe(3);
		for (const id of ids) {
			expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
		}
		await service.close();
	});
});
