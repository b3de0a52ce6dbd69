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
	for (const [purpose, key] of Object.entries(keys)) {
		const info = `n8n-nodes-voice-agent-calling ${purpose}`;
		expect(key).toEqual(Buffer.from(hkdfSync('sha256', 'TOKEN', '', info, 32)));
	}
	expect(new Set(Object.values(keys).map((key) => key.toString('hex'))).size).toBe(Object.keys(keys).length);
	expect(await keysOf(' TOKEN\n')).toEqual(keys);
});

test.each([undefined, null, '', ' \n', '\u200b'])(
	'an empty token has no keys, because everybody could compute them: %j',
	async (token) => {
		await expect(keysOf(token)).rejects.toThrow("'Environment Token' is empty");
	},
);
