import { firstOf } from '../../../../nodes/shared/triggerSecrets/callChain.ts';
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

test('The calls of all branches to which the events of one call have led are counted, and those of other calls apart', () => {
	jest.useFakeTimers();
	const callAfter = (first: string) => {
		// Two events of the same call have begun the execution.
		const rule = redialRule([firstOf(first), firstOf(first)]);
		const call = { credential: 'c', to: '+12025550103' } as WantedCall;
		const held = rule.check(call, Date.now(), NONE_PLANNED);
		const undo = held ? undefined : rule.count?.(call);
		return { result: held?.nextAllowedAt ?? 'called', undo };
	};
	const start = Date.now();
	const results = Array.from({ length: 5 }, () => {
		jest.advanceTimersByTime(HOUR_MS);
		return callAfter('one').result;
	});
	expect(results).toEqual(Array(5).fill('called'));
	expect(callAfter('one').result).toBe(new Date(start + 25 * HOUR_MS).toISOString());
	const { result, undo } = callAfter('another');
	expect(result).toBe('called');
	undo?.();
	expect(Array.from({ length: 6 }, () => callAfter('another').result).filter((one) => one === 'called')).toHaveLength(
		5,
	);
});
