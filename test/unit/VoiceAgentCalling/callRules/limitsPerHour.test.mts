import { countHourlyCall, msUntilHourlyCall } from '../../../../nodes/VoiceAgentCalling/callRules/limits.ts';

const HOUR = 3_600_000;

beforeEach(() => jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') }));
afterEach(() => jest.useRealTimers());

/** A random number from 0 up to `limit`, the same in each run. */
function dice(seed: number) {
	let state = seed;
	return (limit: number) => {
		state = (state * 1103515245 + 12345) % 2 ** 31;
		return Math.floor((state / 2 ** 31) * limit);
	};
}

test.each([1, 2])('in any 60 minutes no more calls are counted than the limit, in random order %d', (seed) => {
	const roll = dice(seed);
	const scopes = ['first', 'second'].map((name) => ({ name: `${name}, ${seed}`, limit: 1 + roll(5) }));
	const counted = scopes.map((): number[] => []);
	for (let step = 0; step < 2000; step++) {
		jest.advanceTimersByTime(roll(20 * 60_000));
		const now = Date.now();
		const index = roll(2);
		const { name, limit } = scopes[index]!;
		const recent = counted[index]!.filter((time) => time > now - HOUR);
		const wait = msUntilHourlyCall(name, limit, 0);
		expect(wait).toBe(recent.length < limit ? 0 : recent.at(-limit)! + HOUR - now);
		if (wait === 0) {
			const giveBack = countHourlyCall(name);
			if (roll(4) === 0) {
				giveBack();
			} else {
				counted[index]!.push(now);
			}
		}
	}
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
