import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MESSAGE_HEADER, proofFor, readMessage, sendMessage } from '../../../../nodes/shared/nodeLink/messages.ts';

const key = randomBytes(32);

/** Sends a message to a server of its own; gives what that got, and what came back of its answer. */
async function sent(message: object, answer: { status?: number; proof?: (signature: string) => string } = {}) {
	let got: { body: Buffer; header: unknown } | undefined;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const header = String(request.headers[MESSAGE_HEADER]);
			got = { body: Buffer.concat(chunks), header };
			response.writeHead(answer.status ?? 200, answer.proof && { [MESSAGE_HEADER]: answer.proof(header) });
			response.end('OK');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const helpers = {
		async httpRequest({ method, body, headers }: { method?: string; body?: string; headers?: Record<string, string> }) {
			const response = await fetch(url, { method, body, headers });
			return {
				statusCode: response.status,
				headers: Object.fromEntries(response.headers),
				body: await response.text(),
			};
		},
	};
	const reply = await sendMessage(helpers as never, key, url, message as never);
	server.close();
	return { got: got!, reply };
}

test('A message is believed by whoever has the same key, as it was sent', async () => {
	const { got } = await sent({ command: 'check' });
	expect(readMessage(key, got.body, got.header)).toMatchObject({ command: 'check', at: expect.any(Number) });
});

test('A message is not believed without its signature, with another one, altered, or with another key', async () => {
	const { got } = await sent({ command: 'check' });
	const altered = Buffer.from(got.body.toString().replace('check', 'rotate'));
	for (const [body, header, otherKey] of [
		[got.body, undefined, key],
		[got.body, '', key],
		[got.body, ['a', 'b'], key],
		[got.body, 'f'.repeat(64), key],
		[altered, got.header, key],
		[got.body, got.header, randomBytes(32)],
	] as const) {
		expect(readMessage(otherKey, body, header)).toBeUndefined();
	}
});

test('A message is believed for five minutes', async () => {
	const { got } = await sent({ command: 'check' });
	const { at } = JSON.parse(got.body.toString()) as { at: number };
	for (const [minutes, believed] of [
		[-5.1, false],
		[-4.9, true],
		[4.9, true],
		[5.1, false],
	] as const) {
		jest.spyOn(Date, 'now').mockReturnValueOnce(at + minutes * 60_000);
		expect(readMessage(key, got.body, got.header) !== undefined).toBe(believed);
	}
});

test('An answer is proven where it comes from somebody with the same key', async () => {
	const proven = async (proof?: (signature: string) => string) => (await sent({}, { proof })).reply.proven;
	expect(await proven((signature) => proofFor(key, signature))).toBe(true);
	expect(await proven((signature) => proofFor(randomBytes(32), signature))).toBe(false);
	expect(await proven((signature) => signature)).toBe(false);
	expect(await proven()).toBe(false);
});
