import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MESSAGE_HEADER, proofFor, readMessage, sendMessage } from '../../../../nodes/shared/nodeLink/messages.ts';

const key = randomBytes(32);

/** Sends a message to a new server. @returns the request that the server received, and the reply */
async function sent(message: object, response: { status?: number; proof?: (signature: string) => string } = {}) {
	let received: { body: Buffer; header: unknown } | undefined;
	const server = createServer((request, serverResponse) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const header = String(request.headers[MESSAGE_HEADER]);
			received = { body: Buffer.concat(chunks), header };
			serverResponse.writeHead(response.status ?? 200, response.proof && { [MESSAGE_HEADER]: response.proof(header) });
			serverResponse.end('OK');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const helpers = {
		async httpRequest({ method, body, headers }: { method?: string; body?: string; headers?: Record<string, string> }) {
			const fetched = await fetch(url, { method, body, headers });
			return {
				statusCode: fetched.status,
				headers: Object.fromEntries(fetched.headers),
				body: await fetched.text(),
			};
		},
	};
	const reply = await sendMessage(helpers as never, key, url, message as never);
	server.close();
	return { received: received!, reply };
}

test('A message is read with the same key, as it was sent', async () => {
	const { received } = await sent({ command: 'check' });
	expect(readMessage(key, received.body, received.header)).toMatchObject({ command: 'check', at: expect.any(Number) });
});

test('A message is not read with a missing or wrong signature, an altered body or another key', async () => {
	const { received } = await sent({ command: 'check' });
	const altered = Buffer.from(received.body.toString().replace('check', 'rotate'));
	for (const [body, header, otherKey] of [
		[received.body, undefined, key],
		[received.body, '', key],
		[received.body, ['a', 'b'], key],
		[received.body, 'f'.repeat(64), key],
		[altered, received.header, key],
		[received.body, received.header, randomBytes(32)],
	] as const) {
		expect(readMessage(otherKey, body, header)).toBeUndefined();
	}
});

test('A message is read within five minutes', async () => {
	const { received } = await sent({ command: 'check' });
	const { at } = JSON.parse(received.body.toString()) as { at: number };
	for (const [minutes, isRead] of [
		[-5.1, false],
		[-4.9, true],
		[4.9, true],
		[5.1, false],
	] as const) {
		jest.spyOn(Date, 'now').mockReturnValueOnce(at + minutes * 60_000);
		expect(readMessage(key, received.body, received.header) !== undefined).toBe(isRead);
	}
});

test('A reply is proven if it is signed with the same key', async () => {
	const proven = async (proof?: (signature: string) => string) => (await sent({}, { proof })).reply.proven;
	expect(await proven((signature) => proofFor(key, signature))).toBe(true);
	expect(await proven((signature) => proofFor(randomBytes(32), signature))).toBe(false);
	expect(await proven((signature) => signature)).toBe(false);
	expect(await proven()).toBe(false);
});
