import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import type { CallOutcome } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
import { type Polling, pollUntilOver } from '../../../../nodes/VoiceAgentCalling/waiting/polling.ts';
import type { AwaitedCall } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';

const completed: CallOutcome = { outcome: 'completed' };
const calls: AwaitedCall[] = [0, 1, 2].map((item) => ({ item, id: `call-${item}`, owner: 'agent' }));
const failure = new ServiceError('It did not work', { code: 'UNEXPECTED', advice: '', accepted: 'no' });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Polls every 15 seconds for a minute. Each step of `reads` is what one read finds. */
function poll(reads: Array<number[] | ServiceError>, more: Partial<Polling<AwaitedCall, CallOutcome>> = {}) {
	const asked: Array<{ second: number; items: number[] }> = [];
	const errors: ServiceError[] = [];
	const start = Date.now();
	const result = pollUntilOver(calls, {
		intervalMs: 15_000,
		until: start + 60_000,
		async read(open) {
			asked.push({ second: (Date.now() - start) / 1000, items: open.map(({ item }) => item) });
			const read = reads[asked.length - 1] ?? [];
			if (read instanceof ServiceError) {
				throw read;
			}
			return new Map(read.map((item) => [item, completed]));
		},
		sleep: async (ms) => void (await jest.advanceTimersByTimeAsync(ms)),
		isCanceled: () => false,
		onError: (error) => errors.push(error),
		...more,
	});
	return { result, asked, errors };
}

test('the service is asked after each interval, only for open calls, until all are over', async () => {
	const { result, asked } = poll([[], [1], [0, 2]]);
	expect([...(await result).keys()].sort()).toEqual([0, 1, 2]);
	expect(asked).toEqual([
		{ second: 15, items: [0, 1, 2] },
		{ second: 30, items: [0, 1, 2] },
		{ second: 45, items: [0, 2] },
	]);
});

test('the service is asked for the last time when the time is up', async () => {
	const { result, asked } = poll([[2]], { intervalMs: 25_000 });
	expect(await result).toEqual(new Map([[2, completed]]));
	expect(asked.map(({ second }) => second)).toEqual([25, 50, 60]);
});

test('after an error the service is asked again', async () => {
	const { result, errors } = poll([failure, [0, 1], failure, [2]]);
	expect((await result).size).toBe(3);
	expect(errors).toEqual([failure, failure]);
});

test('a canceled run stops polling, and its error is not reported', async () => {
	let sleeps = 0;
	const { result, asked, errors } = poll([[0], failure], {
		sleep: async () => void (sleeps += 1),
		isCanceled: () => sleeps === 2,
	});
	expect(await result).toEqual(new Map([[0, completed]]));
	expect(asked).toHaveLength(2);
	expect(errors).toEqual([]);
});
