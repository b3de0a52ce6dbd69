import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import { Changes } from '../../../sandbox/world/changes.mts';
import { asText, type Json } from '../client.mts';
import { useStories } from '../story.mts';

describe('the stream of changes', () => {
	const { service, play } = useStories();
	const credits = (count: number) => service.control('credits', { credits: count });
	const leave: Array<() => void> = [];
	afterEach(() => leave.splice(0).forEach((one) => one()));

	/** Opens the stream and parses it by the standard (WHATWG HTML, server-sent events). */
	const listen = async (lastEventId?: string) => {
		const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
		let asked: ClientRequest;
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			asked = request(`${service.url}/_sandbox/events`, { headers }, resolve).on('error', reject);
			asked.end();
		});
		leave.push(() => asked.destroy());
		const messages: Array<{ id: string; data: Json }> = [];
		/** Waits for a message of a type. */
		const until = async (type: string) => {
			while (!messages.some(({ data }) => asText(data.type) === type)) {
				await new Promise((resolve) => setTimeout(resolve, 5));
			}
		};
		let rest = '';
		response.setEncoding('utf8').on('error', () => {});
		response.on('data', (chunk: string) => {
			const blocks = (rest + chunk).split('\n\n');
			rest = blocks.pop() ?? '';
			for (const block of blocks) {
				const [, id = ''] = /^id: ?(.*)$/m.exec(block) ?? [];
				const [, data] = /^data: ?(.*)$/m.exec(block) ?? [];
				messages.push(...(data === undefined ? [] : [{ id, data: JSON.parse(data) as Json }]));
			}
		});
		return { messages, response, until };
	};

	it('begins with ready, and has what happens to a call, its requests and the clock', async () => {
		const reader = await listen();
		expect(reader.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
		await play([['POST /agents/{agent}/call 200', { to: '+12025550002' }], ['wait 10']]);
		await credits(3);
		await reader.until('credits');
		const of = (type: string) => reader.messages.map(({ data }) => data).filter((data) => asText(data.type) === type);
		expect(reader.messages[0]!.data).toEqual({ type: 'ready' });
		expect(of('call').map(({ status }) => status)).toEqual(['initiated', 'ringing', 'busy']);
		expect(of('request').map(({ status }) => status)).toEqual([null, 200]);
		expect(of('object')).toEqual([{ type: 'object', resource: 'agents', id: service.seed.agents.published }]);
		expect([of('clock'), of('credits')]).toEqual([
			[expect.objectContaining({ speed: 0 })],
			[{ type: 'credits', credits: 3 }],
		]);
	});

	it('continues where a reader was, also over a reset, and forgets those who leave', async () => {
		const first = await listen();
		await credits(1);
		await first.until('credits');
		const last = first.messages.at(-1)!.id;
		leave.splice(0).forEach((one) => one());
		await credits(2);
		await service.control('reset', {});
		const second = await listen(last);
		await second.until('reset');
		expect(second.messages.map(({ data }) => data)).toEqual([{ type: 'credits', credits: 2 }, { type: 'reset' }]);
		while (Number((await service.control('status')).listeners) !== 1) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	});

	it('does not wait for a reader that reads nothing, and tells it to reload once it reads again', async () => {
		const slow = await listen();
		slow.response.pause();
		const path = `/nothing-${'x'.repeat(6000)}`;
		// More than a socket buffers: there are two messages for each request.
		for (let count = 0; count < 2000; count += 100) {
			await Promise.all(Array.from({ length: 100 }, () => service.api('GET', path)));
		}
		slow.response.resume();
		await slow.until('reload');
		await credits(5);
		await slow.until('credits');
		expect(slow.messages.length).toBeLessThan(4000);
	});
});

test('what is kept of the changes is bounded, and never has a gap', () => {
	const changes = new Changes();
	const ids = [changes.lastId];
	for (let number = 1; number <= 10_000; number += 1) {
		changes.publish({ type: 'x', number });
		ids.push(changes.lastId);
	}
	const missed = ids.map((id) => changes.since(id)?.map(({ change }) => Number(change.number)));
	const kept = missed.filter((list) => list !== undefined);
	expect([missed[0], kept.length >= 2000, kept.length <= 4000]).toEqual([undefined, true, true]);
	expect(missed.slice(-kept.length)).toEqual(kept);
	const [longest] = kept as [number[]];
	const wrong = kept.filter((list, index) => list.join() !== longest.slice(index).join());
	expect([longest.length, longest.at(-1), wrong]).toEqual([kept.length - 1, 10_000, []]);
});
