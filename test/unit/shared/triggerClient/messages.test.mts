import { randomBytes } from 'node:crypto';

import { MESSAGE_HEADER, proofFor, readMessage, sendMessage } from '../../../../nodes/shared/triggerClient/messages.ts';

const key = randomBytes(32);
const url = 'https://n8n.example/webhook/1';

/** Sends a message. @returns what was sent, and the reply to a response with this proof */
async function sent(message: object, proof?: (signature: string) => string) {
	const requests: Array<Record<string, unknown>> = [];
	let received = { body: Buffer.alloc(0), header: '' };
	const httpRequest = async (request: { body: string; headers: Record<string, string> }) => {
		requests.push(request);
		received = { body: Buffer.from(request.body), header: request.headers[MESSAGE_HEADER] };
		return { statusCode: 307, headers: proof ? { [MESSAGE_HEADER]: proof(received.header) } : {}, body: 'OK' };
	};
	const reply = await sendMessage({ httpRequest } as never, key, url, message as never);
	return { requests, received, reply };
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
		[received.body, `${String(received.header)}00`, key],
		[received.body, `00${String(received.header)}`, key],
		[received.body, String(received.header).slice(2), key],
		[received.body, String(received.header).toUpperCase(), key],
		[received.body, { toString: () => received.header }, key],
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
		[-5, true],
		[5, true],
		[5.1, false],
	] as const) {
		jest.spyOn(Date, 'now').mockReturnValueOnce(at + minutes * 60_000);
		expect(readMessage(key, received.body, received.header) !== undefined).toBe(isRead);
	}
});

test('A reply is proven if it is signed with the same key', async () => {
	const proven = async (proof?: (signature: string) => string) => (await sent({}, proof)).reply.proven;
	expect(await proven((signature) => proofFor(key, signature))).toBe(true);
	expect(await proven((signature) => proofFor(randomBytes(32), signature))).toBe(false);
	expect(await proven((signature) => signature)).toBe(false);
	expect(await proven()).toBe(false);
});

test('A message is JSON, goes out once by POST, and has a time limit of 20 seconds', async () => {
	const { requests, reply } = await sent({ command: 'check' });
	expect(reply).toEqual({ status: 307, body: 'OK', proven: false });
	// Without these three, n8n follows a redirect with the body, and throws for other statuses than 2xx.
	const asIs = { returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true };
	const headers = { 'content-type': 'application/json', 'x-voice-agent-calling-message': expect.any(String) };
	const body = expect.stringMatching(/^{"command":"check","at":\d+}$/);
	expect(requests).toEqual([{ method: 'POST', url, body, headers, timeout: 20_000, ...asIs }]);
});
