import { hkdfSync } from 'node:crypto';

import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';

/** The keys that a node derives from a token. */
const keysOf = async (environmentToken: unknown) =>
	await loadKeys({ getCredentials: async () => ({ environmentToken }) as never });

test('nodes with the same token have the same keys, with spaces around it or not', async () => {
	expect(await keysOf(' TOKEN\n')).toEqual(await keysOf('TOKEN'));
	expect(await keysOf(undefined)).toEqual(await keysOf(''));
});

test('nodes with another token have other keys, and tickets have another key than messages', async () => {
	const [one, other] = [await keysOf('TOKEN'), await keysOf('TOKEN2')];
	const all = [one.tickets, one.messages, other.tickets, other.messages].map((key) => key.toString('hex'));
	expect(new Set(all).size).toBe(4);
});

test('a key has 32 bytes and is derived by HKDF, so that two versions of the package agree on it', async () => {
	const keys = await keysOf('TOKEN');
	for (const [purpose, key] of Object.entries(keys)) {
		const info = `n8n-nodes-voice-agent-calling ${purpose}`;
		expect(key).toEqual(Buffer.from(hkdfSync('sha256', 'TOKEN', '', info, 32)));
	}
});

test('the keys come from the credential of the nodes', async () => {
	const types: string[] = [];
	await loadKeys({ getCredentials: async (type) => (types.push(type), { environmentToken: 'TOKEN' }) as never });
	expect(types).toEqual(['voiceAgentCallingApi']);
});
