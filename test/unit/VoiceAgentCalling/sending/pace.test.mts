import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { Pace } from '../../../../nodes/VoiceAgentCalling/sending/pace.ts';
import { inFakeTime, type Model, ModelService, sendTo, useFakeClock } from './modelService.mts';

beforeEach(() => {
	useFakeClock();
	// What is left to chance in the pauses.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const units = ['seconds rounded up', 'seconds rounded down', 'milliseconds', 'ISO', 'seconds left', 'absent'] as const;

/** 500 requests in 10 seconds, each answered after 20 milliseconds. */
const limited = (changes: Partial<Model> = {}) =>
	new ModelService({
		limit: 500,
		windowMs: 10_000,
		unit: 'seconds rounded up',
		tells: 'nested',
		skewMs: 0,
		latency: () => 10,
		...changes,
	});

/** The time for 2,500 requests that a sender would need who knows everything: four whole windows, and then the rest. */
const ideal = (atATime: number) => 4 * 10_000 + (500 / atATime) * 20;

const all = Array.from({ length: 2500 }, (_, n) => String(n));

async function sendAll(service: ModelService, atATime: number) {
	const { ids, took } = await sendTo(service, all.length, { maxConcurrentRequests: atATime });
	expect(ids).toEqual(all);
	expect(service.mostInFlight).toBeLessThanOrEqual(atATime);
	return { wasted: service.wasted / all.length, times: took / ideal(atATime) };
}

describe('2,500 requests under a limit of 500 in 10 seconds all get through', () => {
	const settings = units.flatMap((unit) => [5, 50].map((atATime) => [unit, atATime] as const));

	test.each(settings)(
		'the end of the window told as %s, %i at a time: at most 1% in vain, at most a tenth slower than could be',
		async (unit, atATime) => {
			const { wasted, times } = await sendAll(limited({ unit }), atATime);
			expect(wasted).toBeLessThanOrEqual(0.01);
			expect(times).toBeLessThanOrEqual(1.1);
		},
	);

	test.each(units.slice(0, -1))('told as %s, while a refusal does not say how long to wait', async (unit) => {
		const { wasted, times } = await sendAll(limited({ unit, tells: 'nothing' }), 5);
		expect(wasted).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(1.1);
	});

	test.each(units.slice(0, -1).flatMap((unit) => [3_600_300, -1200].map((skewMs) => [unit, skewMs] as const)))(
		'told as %s by a clock that is %i ms ahead',
		async (unit, skewMs) => {
			const { wasted, times } = await sendAll(limited({ unit, skewMs }), 20);
			expect(wasted).toBeLessThanOrEqual(0.01);
			expect(times).toBeLessThanOrEqual(1.15);
		},
	);

	test('where neither an answer nor a refusal tells the end of the window: slower, but not many in vain', async () => {
		const { wasted, times } = await sendAll(limited({ unit: 'absent', tells: 'nothing' }), 20);
		expect(wasted).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(1.6);
	});
});

const never = () => undefined;
const refused = new ServiceError('Too many requests', {
	code: 'RATE_LIMIT_EXCEEDED',
	advice: '',
	httpStatus: 429,
	taken: 'no',
});
const seconds = (from: number) => (Date.now() - from) / 1000;
const soon = (seconds_: number, remaining = 0) => ({
	remaining,
	first: false,
	endsAt: Date.now() + seconds_ * 1000,
	rounded: false,
});

describe('The pace', () => {
	test('lets five go at first, and the others once the service has answered', async () => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		const turns = Array.from({ length: 8 }, async () => await pace.acquire(never));
		await inFakeTime(turns[4] as Promise<number>);
		expect(pace.requests).toBe(5);
		pace.onResponse(undefined, Date.now(), undefined);
		await inFakeTime(Promise.all(turns));
		expect(pace.requests).toBe(8);
	});

	test('waits for the next window when the service has said that nothing is left', async () => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		const from = await pace.acquire(never);
		pace.onResponse(soon(7), from, undefined);
		await inFakeTime(pace.acquire(never));
		expect(seconds(from)).toBeCloseTo(7, 1);
		expect(pace.waits).toBe(1);
	});

	test('lets one go first after a wait, and the others when that one got through', async () => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		pace.onResponse(soon(2), await pace.acquire(never), undefined);
		const turns = [1, 2, 3].map(async () => await pace.acquire(never));
		const first = await inFakeTime(Promise.race(turns));
		expect(pace.requests).toBe(2);
		pace.onResponse(soon(60, 100), first, undefined);
		await inFakeTime(Promise.all(turns));
		expect(pace.requests).toBe(4);
	});

	test('says how long it would have to wait where that is longer than Max Wait', async () => {
		const pace = new Pace({ maxWaitSeconds: 30 });
		pace.onResponse(soon(90), await pace.acquire(never), undefined);
		await expect(inFakeTime(pace.acquire(never))).rejects.toMatchObject({
			code: 'RATE_LIMIT_EXCEEDED',
			advice: expect.stringContaining('90 seconds'),
			taken: 'no',
		});
	});

	test('stops waiting at once when the request is no longer wanted', async () => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		pace.onResponse(soon(90), await pace.acquire(never), undefined);
		const from = Date.now();
		const gone = new Error('no longer wanted');
		const turn = pace.acquire(() => {
			if (seconds(from) >= 1) {
				throw gone;
			}
		});
		await expect(inFakeTime(turn)).rejects.toBe(gone);
		expect(seconds(from)).toBeLessThan(1.5);
		expect(pace.requests).toBe(1);
	});

	test.each([
		['does not say how long to wait', undefined, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
		['says that the next one may come at once', 0, [188, 375, 750, 1500, 3000, 6000, 12_000, 22_500]],
		['asks for two seconds each time', 2, [2000, 2000, 2000, 2000, 3000, 6000, 12_000, 22_500]],
	])('waits longer each time where the service refuses again and again and %s', async (_what, asked, wanted) => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		const pauses: number[] = [];
		while (pauses.length < wanted.length) {
			const sentAt = await inFakeTime(pace.acquire(never));
			pace.onResponse(undefined, sentAt, refused);
			pauses.push(Math.round(pace.tooMany(asked, sentAt)));
		}
		expect(pauses).toEqual(wanted);
	});

	test('takes those that were refused together for one refusal', async () => {
		const pace = new Pace({ maxWaitSeconds: 300 });
		const sentAt = await Promise.all([1, 2, 3, 4, 5].map(async () => await pace.acquire(never)));
		const waits = sentAt.map((at) => pace.tooMany(undefined, at));
		expect(waits).toEqual(waits.map(() => 375));
	});

	test('sends at even distances with Max Requests per Minute', async () => {
		const service = limited();
		const { ids, took } = await sendTo(service, 31, { maxConcurrentRequests: 10, maxRequestsPerMinute: 60 });
		expect(ids).toEqual(all.slice(0, 31));
		expect(took / 1000).toBeCloseTo(30, 0);
		expect(service.mostInFlight).toBe(1);
	});
});
