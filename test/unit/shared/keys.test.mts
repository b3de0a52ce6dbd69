import { hkdfSync } from 'node:crypto';

import { loadKeys } from '../../../nodes/shared/keys.ts';

/** The keys that a node derives from a token. */
const keysOf = async (environmentToken: unknown) =>
	await loadKeys({
		getCredentials: async (type) =>
			({ environmentToken: type === 'voiceAgentCallingApi' && environmentToken }) as never,
	});

test('nodes with the same token have the same keys, by HKDF for each purpose, so that two versions of the package agree', async () => {
	const keys = await keysOf('TOKEN');
	const derived = Object.keys(keys).map((purpose) =>
		Buffer.from(hkdfSync('sha256', 'TOKEN', '', `n8n-nodes-voice-agent-calling ${purpose}`, 32)),
	);
	// Of the fingerprint, which is public, three bytes are shown.
	const fingerprint = derived.at(-1)?.toString('hex').slice(0, 6);
	expect(Object.values(keys)).toEqual([...derived.slice(0, -1), fingerprint]);
	expect(new Set(derived.map((key) => key.toString('hex'))).size).toBe(derived.length);
	expect(await keysOf(' TOKEN\n')).toEqual(keys);
});

test.each([undefined, null, '', ' \n', '\u200b'])(
	'an empty token has no keys, because everybody could compute them: %j',
	async (token) => {
		await expect(keysOf(token)).rejects.toThrow("'Environment Token' is empty");
	},
);
