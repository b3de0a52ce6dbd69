import { hourlyCalls } from '../../../../nodes/VoiceAgentCalling/callRules/limits.ts';
import fc from '../../../fastCheck.mts';

const HOUR = 3_600_000;

const countHourlyCall = (scope: string) => hourlyCalls.count(scope);
const msUntilHourlyCall = (scope: string, limit: number, ahead: number) => hourlyCalls.msUntilNext(scope, limit, ahead);

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

test('in any 60 minutes no more calls are counted than the limit', () => {
	const step = fc.record({
		afterMs: fc.nat(20 * 60_000),
		of: fc.nat(1),
		isGivenBack: fc.constantFrom(true, false, false),
	});
	const limits = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
	let runs = 0;
	fc.assert(
		fc.property(limits, fc.array(step, { maxLength: 200, size: 'max' }), (both, steps) => {
			const tools = both.map((limit) => ({ limit, name: `tool ${(runs += 1)}`, counted: [] as number[] }));
			for (const { afterMs, of, isGivenBack } of steps) {
				jest.advanceTimersByTime(afterMs);
				const { name, limit, counted } = tools[of]!;
				const recent = counted.filter((time) => time > Date.now() - HOUR);
				const wait = msUntilHourlyCall(name, limit, 0);
				expect(wait).toBe(recent.length < limit ? 0 : recent.at(-limit)! + HOUR - Date.now());
				const giveBack = wait === 0 ? countHourlyCall(name) : undefined;
				if (isGivenBack) {
					giveBack?.();
				} else if (giveBack) {
					counted.push(Date.now());
				}
			}
		}),
	);
});

test('a call that is given back after more than an hour takes nothing from later ones', () => {
	const giveBack = countHourlyCall('late');
	jest.advanceTimersByTime(HOUR + 1);
	countHourlyCall('late');
	giveBack();
	expect(msUntilHourlyCall('late', 1, 0)).toBe(HOUR);
});

test('neither a limit that is lowered nor a clock that is set back frees calls', () => {
	countHourlyCall('lowered');
	countHourlyCall('lowered');
	expect(msUntilHourlyCall('lowered', 1, 0)).toBe(HOUR);
	jest.setSystemTime(Date.now() - 5 * HOUR);
	expect(msUntilHourlyCall('lowered', 1, 0)).toBe(6 * HOUR);
});

test('the calls of items before it count as if they were made now', () => {
	expect([0, 1, 2].map((ahead) => msUntilHourlyCall('ahead', 2, ahead))).toEqual([0, 0, HOUR]);
	countHourlyCall('ahead');
	jest.advanceTimersByTime(HOUR / 2);
	expect([0, 1, 2].map((ahead) => msUntilHourlyCall('ahead', 2, ahead))).toEqual([0, HOUR / 2, HOUR]);
});
