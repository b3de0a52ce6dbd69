import { takeHourlyCall } from '../../../../nodes/VoiceAgentCalling/sending/hourlyCalls.ts';

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

test.each([1, 2])('in any 60 minutes no more calls are left than the limit, in random order %d', (seed) => {
	const roll = dice(seed);
	const scopes = ['first', 'second'].map((name) => ({ name: `${name}, ${seed}`, limit: 1 + roll(5) }));
	const counted = scopes.map((): number[] => []);
	for (let step = 0; step < 2000; step++) {
		jest.advanceTimersByTime(roll(20 * 60_000));
		const now = Date.now();
		const index = roll(2);
		const { name, limit } = scopes[index]!;
		const recent = counted[index]!.filter((time) => time > now - HOUR);
		const taken = takeHourlyCall(name, limit);
		expect('giveBack' in taken).toBe(recent.length < limit);
		if ('wait' in taken) {
			expect(taken.wait).toBe(recent.at(-limit)! + HOUR - now);
		} else if (roll(4) === 0) {
			taken.giveBack();
		} else {
			counted[index]!.push(now);
		}
	}
});

test('a call that is given back after more than an hour takes nothing from later ones', () => {
	const first = takeHourlyCall('late', 1) as { giveBack(): void };
	jest.advanceTimersByTime(HOUR + 1);
	takeHourlyCall('late', 1);
	first.giveBack();
	expect(takeHourlyCall('late', 1)).toEqual({ wait: HOUR });
});

test('neither a limit that is lowered nor a clock that is set back frees calls', () => {
	takeHourlyCall('lowered', 2);
	takeHourlyCall('lowered', 2);
	expect(takeHourlyCall('lowered', 1)).toEqual({ wait: HOUR });
	jest.setSystemTime(Date.now() - 5 * HOUR);
	expect(takeHourlyCall('lowered', 1)).toEqual({ wait: 6 * HOUR });
});
