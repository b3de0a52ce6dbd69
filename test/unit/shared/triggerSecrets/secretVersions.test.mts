import { MAX_PREVIOUS, type SecretVersions } from '../../../../nodes/shared/owner.ts';
import { acceptedVersions, isRecent, nextVersions } from '../../../../nodes/shared/triggerSecrets/secretVersions.ts';
import fc from '../../../fastCheck.mts';

const HOUR_MS = 3_600_000;
const START = 1_764_100_000_000;

test('A secret is accepted while it is the current one, and for an hour after the next one was made', () => {
	const pauses = fc.array(fc.integer({ min: 0, max: 2 * HOUR_MS }), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(pauses, fc.integer({ min: 0, max: 3 * HOUR_MS }), (waits, later) => {
			const made: number[] = [];
			let now = START;
			let all: SecretVersions | undefined;
			for (const wait of waits) {
				now += wait;
				all = nextVersions(all, now);
				made.push(all.current);
			}
			const at = now + later;
			made.forEach((version, index) => {
				const replacedAt = made[index + 1];
				// More than eight are not kept.
				const isKept = made.length - 1 - index <= MAX_PREVIOUS;
				const wanted = replacedAt === undefined || (isKept && isRecent(replacedAt, at));
				expect(acceptedVersions(all as SecretVersions, at).includes(version)).toBe(wanted);
			});
			expect([...made].sort()).toEqual([...new Set(made)]);
		}),
	);
});

test('A new secret is followed by those before that are still accepted, the newest first, and eight at most', () => {
	const after = (pauses: number[]) => {
		let now = START;
		return pauses.reduce((before, pause) => nextVersions(before, (now += pause)), nextVersions(undefined, now));
	};
	const [first, second] = [START + 2 * HOUR_MS, START + 4 * HOUR_MS];
	expect(after([2 * HOUR_MS, 2 * HOUR_MS])).toEqual({ current: second, previous: [first] });
	const seconds = Array.from({ length: MAX_PREVIOUS }, (_, n) => START + 1000 * (9 - n));
	expect(after(Array.from({ length: 10 }, () => 1000))).toEqual({ current: START + 10_000, previous: seconds });
});

test('A secret that was never one of a webhook is not accepted', () => {
	const { current, previous } = nextVersions(nextVersions(undefined, START), START + 1000);
	expect(acceptedVersions({ current, previous }, START + 2000)).toEqual([START + 1000, START]);
});

test('A clock that is set back makes no secret a second time, and ends no hour early', () => {
	const first = nextVersions(undefined, START);
	const second = nextVersions(first, START - HOUR_MS);
	expect(second).toEqual({ current: START + 1, previous: [START] });
	expect(acceptedVersions(second, START - HOUR_MS / 2)).toEqual([START + 1, START]);
});

test('A clock that was far ahead does not decide when an hour ends', () => {
	const ahead = nextVersions(undefined, START + 40 * 24 * HOUR_MS);
	const next = nextVersions(ahead, START);
	expect(next).toEqual({ current: START, previous: [ahead.current] });
	expect(acceptedVersions(next, START + HOUR_MS)).toEqual([START, ahead.current]);
	expect(acceptedVersions(next, START + HOUR_MS + 1)).toEqual([START]);
});

test.each([
	[HOUR_MS, true],
	[HOUR_MS + 1, false],
	[-HOUR_MS, true],
	[-HOUR_MS - 1, false],
])('A time %i milliseconds ago is recent: %s', (ago, wanted) => {
	expect(isRecent(START - ago, START)).toBe(wanted);
});
