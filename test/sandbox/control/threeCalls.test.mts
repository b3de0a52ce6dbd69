import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { asList, asText, type SandboxClient, startClient } from '../client.mts';
import { agentWebhookOn } from '../objects.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';
import { act, place, timelineOf, wordsOf } from './calls.mts';

/** An agent that books appointments, takes calls, and has an active number. @returns its id and number */
async function bookingAgent(service: SandboxClient, url: string): Promise<{ agent: string; number: string }> {
	const inbound = asList(await service.control('agents')).find(
		({ direction, current_status }) => asText(direction) === 'inbound' && asText(current_status) === 'published',
	)!;
	const agent = asText(inbound.id);
	await service.api('POST', `/agents/${agent}/actions`, {
		...{ node_id: 'book', name: 'book', description: 'Books', type: 'webhook', url },
		inputs: [{ name: 'day', type: 'string', required: true }],
		speak_on_receive: 'See you on {{day}}, {{name}}.',
	});
	await service.api('POST', `/agents/${agent}/publish`);
	return { agent, number: asText(asList(inbound.phone_numbers)[0]!.number) };
}

describe('three phones', () => {
	it('ring at once: one by hand, one by a script, one that calls the agent, and each has its own story', async () => {
		const service = await startClient({ speed: 0, seed: 1, startTime: Date.UTC(2030, 0, 7, 9) });
		const receiver = await startWebhookReceiver();
		const booked: string[] = [];
		const backend = createServer((request, response) => {
			request.on('data', (chunk) => booked.push(String(chunk)));
			request.on('end', () => response.writeHead(200).end('{"booked":true}'));
		});
		await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
		const { agent, number } = await bookingAgent(
			service,
			`http://127.0.0.1:${(backend.address() as AddressInfo).port}/book`,
		);
		const settings = { webhook_secret: 'secret' };
		await agentWebhookOn(service, agent, receiver.url, settings);
		await agentWebhookOn(service, service.seed.agents.published, receiver.url, settings);

		await service.control('script', {
			from: '+12025550190',
			steps: [
				{ after: 1, do: 'answer' },
				{ after: 2, do: 'say', text: 'An appointment, please.' },
				{ do: 'useAction', action: 'book', arguments: { day: 'Friday' } },
				{ after: 3, do: 'hangUp' },
			],
		});
		await service.control('mode', { calls: 'manual', ringSeconds: 30 });
		const byHand = await place(service, '+12025550002', { context: { who: 'hand' } });
		const unanswered = await place(service, '+12025550001', { context: { who: 'nobody' } });
		const { call } = await service.control('inbound', {
			...{ to: number, from: '+12025550190', payload: { name: 'Ada' }, context: { who: 'caller' } },
		});
		await service.advance(1);
		expect(asList((await service.control('calls?active=true')).items).map(({ status }) => status)).toEqual([
			'ringing',
			'ringing',
			'ringing',
		]);
		await act(service, byHand, 'answer');
		await service.advance(10);
		await act(service, byHand, 'say', { text: 'Please call tomorrow.' });
		await act(service, byHand, 'hangUp');
		await service.advance(60);

		const stories = await Promise.all([byHand, unanswered, asText(call!.id)].map((id) => timelineOf(service, id)));
		expect(stories.map(({ status, duration, ended_by }) => [status, duration, ended_by])).toEqual([
			['completed', 10, 'person'],
			['no-answer', 0, null],
			['completed', 5, 'person'],
		]);
		expect(stories.map(wordsOf)).toEqual([
			['agent: Hello, this is Amelia.', 'user: Please call tomorrow.'],
			[],
			[expect.stringMatching(/^agent: /), 'user: An appointment, please.', 'agent: See you on Friday, Ada.'],
		]);
		expect(booked).toEqual(['{"day":"Friday"}']);
		expect(stories[2]!.report).toMatchObject({ summary: 'A person called. The agent used book. The person hung up.' });

		// Every event of a call reached its agent's webhook, once, signed, and with the context of that call.
		for (const story of stories) {
			const own = receiver.received.filter(({ body }) => body.call_id === story.id);
			expect(own.map(({ body }) => asText(body.event)).sort()).toEqual(
				asList(story.events)
					.map(({ event }) => asText(event))
					.sort(),
			);
			expect(own.every(({ body }) => JSON.stringify(body.context) === JSON.stringify(story.context))).toBe(true);
		}
		for (const { id } of asList((await service.control('deliveries?limit=500')).items)) {
			expect(await service.control(`deliveries/${asText(id)}/verify`)).toMatchObject({ accepted: true });
		}
		expect(await service.control('status')).toMatchObject({ counts: { active_calls: 0 }, next_event_at: null });
		backend.close();
		receiver.close();
		await service.close();
	});
});
