import type { WantedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { redialRule } from '../../../../nodes/VoiceAgentCalling/callRules/limits.ts';
import { NONE_PLANNED } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';

const HOUR_MS = 3_600_000;

afterEach(() => jest.useRealTimers());

test('If the chain of calls cannot be read, a phone is called three times in an hour at most, and others are', () => {
	jest.useFakeTimers();
	const rule = redialRule('unknown');
	const callTo = (to: string) => {
		const call = { credential: 'c', to } as WantedCall;
		const held = rule.check(call, Date.now(), NONE_PLANNED);
		if (held === undefined) {
			rule.count?.(call);
		}
		return held?.nextAllowedAt ?? 'called';
	};
	const next = new Date(Date.now() + HOUR_MS).toISOString();
	const times = ['+12025550101', '+12025550101', '+12025550101', '+12025550101', '+12025550102'].map(callTo);
	expect(times).toEqual(['called', 'called', 'called', next, 'called']);
	jest.advanceTimersByTime(HOUR_MS);
	expect(callTo('+12025550101')).toBe('called');
});
