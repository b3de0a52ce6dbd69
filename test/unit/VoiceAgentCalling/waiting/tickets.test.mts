import { longestTimeLimit } from '../../../../nodes/VoiceAgentCalling/waiting/tickets.ts';

test('the longest time limit counts, of any number of items', () => {
	const items = Array.from({ length: 300_000 }, (_, n) => ({
		values: {},
		local: { waitBy: 'event' as const, timeLimit: n % 60 },
	}));
	expect(longestTimeLimit([undefined, ...items])).toBe(59);
});
