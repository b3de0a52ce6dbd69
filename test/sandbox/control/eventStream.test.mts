import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import { Changes } from '../../../sandbox/world/changes.mts';
import { asText, type Json, type SandboxClient } from '../client.mts';
import { useService } from '../use.mts';
import { place } from './calls.mts';

/** A reader of the stream, which reads as the standard says (WHATWG HTML, server-sent events). */
async function listen(service: SandboxClient, lastEventId?: string) {
	const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
	let asked: ClientRequest;
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		asked = request(`${service.url}/_sandbox/events`, { headers }, resolve).on('error', reject);
		asked.end();
	});
	const messages: Array<{ id: string; data: Json }> = [];
	/** Waits for a message. */
	const until = async (found: (data: Json) => boolean) => {
		while (!messages.some(({ data }) => found(data))) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	};
	let rest = '';
	response.setEncoding('utf8');
	response.on('error', () => {});
	response.on('data', (chunk: string) => {
		const blocks = (rest + chunk).split('\n\n');
		rest = blocks.pop() ?? '';
		for (const block of blocks) {
			const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]));
			const data = fields.get('data');
			if (data !== undefined) {
				messages.push({ id: fields.get('id') ?? '', data: JSON.parse(data) as Json });
			}
		}
	});
	return { messages, response, until, leave: () => asked.destroy() };
}

const typeOf = ({ type }: Json) => asText(type);

describe('the stream of changes', () => {
	const service = useService();

	it('begins with ready, and tells what happens to a call, its requests and the clock', async () => {
		const reader = await listen(service);
		expect(reader.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
		const id = await place(service, '+12025550002');
		await service.advance(10);
		await service.control('credits', { credits: 3 });
		await service.control('mode', { calls: 'manual' });
		await reader.until((data) => typeOf(data) === 'mode');
		expect(reader.messages[0]!.data).toEqual({ type: 'ready' });
		const of = (type: string) => reader.messages.map(({ data }) => data).filter((data) => typeOf(data) === type);
		expect(of('call').map(({ id: call, status }) => [call, status])).toEqual([
			[id, 'initiated'],
			[id, 'ringing'],
			[id, 'busy'],
		]);
		expect(of('request').map(({ status }) => status)).toEqual([null, 200]);
		expect(of('object')).toEqual([{ type: 'object', resource: 'agents', id: service.seed.agents.published }]);
		expect(of('clock')).toMatchObject([{ speed: 0 }]);
		expect(of('credits')).toEqual([{ type: 'credits', credits: 3 }]);
		reader.leave();
	});

	it('continues where a reader was, also over a reset', async () => {
		const first = await listen(service);
		await service.control('credits', { credits: 1 });
		await first.until((data) => typeOf(data) === 'credits');
		const last = first.messages.at(-1)!.id;
		first.leave();
		await service.control('credits', { credits: 2 });
		await service.control('reset', {});
		const second = await listen(service, last);
		await second.until((data) => typeOf(data) === 'reset');
		expect(second.messages.map(({ data }) => data)).toEqual([{ type: 'credits', credits: 2 }, { type: 'reset' }]);
		await service.control('credits', { credits: 3 });
		await second.until(({ credits }) => Number(credits) === 3);
		second.leave();
	});

	it('has as many readers as come, and forgets those who leave', async () => {
		const readers = await Promise.all(Array.from({ length: 50 }, () => listen(service)));
		expect((await service.control('status')).listeners).toBe(50);
		await service.control('credits', { credits: 9 });
		await Promise.all(readers.map((reader) => reader.until((data) => typeOf(data) === 'credits')));
		readers.forEach((reader) => reader.leave());
		while (Number((await service.control('status')).listeners) > 0) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	});

	it('does not wait for a reader that reads nothing, and tells it to reload once it reads again', async () => {
		const slow = await listen(service);
		slow.response.pause();
		const path = `/nothing-${'x'.repeat(6000)}`;
		// More than a socket takes: two messages for each request.
		for (let count = 0; count < 2000; count += 100) {
			await Promise.all(Array.from({ length: 100 }, () => service.api('GET', path)));
		}
		slow.response.resume();
		await slow.until((data) => typeOf(data) === 'reload');
		await service.control('credits', { credits: 5 });
		await slow.until((data) => typeOf(data) === 'credits');
		expect(slow.messages.length).toBeLessThan(4000);
		slow.leave();
	});
});

describe('what is kept of the changes', () => {
	it('is bounded, and never has a gap', () => {
		const changes = new Changes();
		const heard: number[] = [];
		const stop = changes.listen(({ change }) => heard.push(Number(change.number)));
		const ids = [changes.lastId];
		for (let number = 1; number <= 10_000; number += 1) {
			changes.publish({ type: 'x', number });
			ids.push(changes.lastId);
		}
		stop();
		changes.publish({ type: 'x', number: 0 });
		expect(heard).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
		expect(changes.listening).toBe(0);
		const missed = ids.map((id) => changes.since(id)?.map(({ change }) => Number(change.number)));
		expect(missed[10_000]).toEqual([0]);
		expect(missed[9000]).toEqual([...Array.from({ length: 1000 }, (_, index) => 9001 + index), 0]);
		expect(missed[0]).toBeUndefined();
		expect(changes.since(changes.lastId)).toEqual([]);
		const wrong = missed.filter(
			(list, index) => list && (list.length !== 10_001 - index || (list[0] || 10_001) !== index + 1),
		);
		expect(wrong).toEqual([]);
		const kept = missed.filter((list) => list !== undefined).length;
		expect([kept >= 2000, kept <= 4000]).toEqual([true, true]);
	});
});
