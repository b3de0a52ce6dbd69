import {
	failedForGood,
	type KnownRedeliveries,
	readAttempt,
} from '../../../../nodes/VoiceAgentCalling/resources/webhook/deliveryLog.ts';

const noRedeliveries: KnownRedeliveries = { isOne: () => false, hasOne: () => false };

/**
 * Makes a delivery log from lines like "a1 failed 10": ID and number of the attempt, status, and second.
 *
 * @param sent returns the payload by the attempt's ID; without it, the log contains no payloads
 */
function log(lines: string[], sent?: (id: string) => unknown) {
	return lines.map((line) => {
		const [id = '', status, second] = line.split(' ');
		return readAttempt({
			id,
			event: 'campaign_call.completed',
			attempt: Number(id.slice(-1)),
			status,
			created_at: new Date(Number(second) * 1000).toISOString(),
			request_payload: sent?.(id) as never,
		});
	});
}

const ids = (attempts: ReturnType<typeof log>, redeliveries = noRedeliveries) =>
	failedForGood(attempts, redeliveries).map(({ id }) => id);

describe('Events that did not arrive, from a log without payloads', () => {
	test('after all attempts failed, the last one is returned', () => {
		expect(ids(log(['a1 failed 0', 'a2 failed 10', 'a3 failed 30']))).toEqual(['a3']);
	});

	test('nothing is returned if a later attempt succeeded or will follow', () => {
		expect(ids(log(['a1 failed 0', 'a2 success 10', 'b1 success 3']))).toEqual([]);
		expect(ids(log(['a1 failed 0', 'a2 retrying 10']))).toEqual([]);
		expect(ids(log(['a1 failed 0', 'a2 pending 10']))).toEqual([]);
		expect(ids(log(['a1 retrying 0']))).toEqual([]);
	});

	test('a failed one is found next to one whose first attempt stays `retrying` after the second', () => {
		expect(ids(log(['x1 failed 0', 'y1 retrying 1', 'y2 success 11']))).toEqual(['x1']);
	});

	test('the order of the log does not matter', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'a2 failed 10', 'b2 success 11'];
		expect(ids(log(lines.toReversed()))).toEqual(['a2']);
		expect(ids(log(lines))).toEqual(['a2']);
	});

	test('overlapping deliveries are distinguished by the numbers of their attempts', () => {
		const lines = [
			'a1 failed 0',
			'b1 failed 1',
			'c1 failed 2',
			'a2 failed 10',
			'b2 failed 11',
			'c2 success 12',
			'a3 failed 30',
			'b3 success 31',
		];
		expect(ids(log(lines))).toEqual(['a3']);
	});

	test('a delivery without further attempts is found, with at most those in progress at the same time', () => {
		// For example, the webhook was disabled for a while: b had no second attempt.
		const lines = [
			'a1 failed 0',
			'a2 success 10',
			'b1 failed 20',
			'c1 failed 21',
			'c2 success 31',
			'd1 failed 50',
			'd2 success 60',
		];
		const failed = ids(log(lines));
		expect(failed).toContain('b1');
		expect(failed).not.toContain('a1');
	});

	test('if the service leaves attempts on `retrying`, those on `failed` are returned', () => {
		expect(ids(log(['a1 retrying 0', 'a2 retrying 10', 'a3 failed 30', 'b1 retrying 5', 'b2 success 15']))).toEqual([
			'a3',
		]);
		expect(ids(log(['a1 retrying 0', 'b1 failed 1', 'c1 retrying 2', 'a2 success 10', 'c2 success 12']))).toEqual([
			'b1',
		]);
	});

	test('a redelivered attempt is not returned again, and its redelivery does not count for another attempt', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'x2 success 50'];
		const redeliveries = { hasOne: (id: string) => id === 'a1', isOne: (id: string) => id === 'x2' };
		expect(ids(log(lines), redeliveries)).toEqual(['b1']);
		// Otherwise, the second attempt can belong to either.
		expect(ids(log(lines))).toEqual(['a1', 'b1']);
	});

	test('a failed redelivery is returned instead of the original attempt', () => {
		const redeliveries = { hasOne: (id: string) => id === 'a1', isOne: (id: string) => id === 'x2' };
		expect(ids(log(['a1 failed 0', 'x2 failed 50']), redeliveries)).toEqual(['x2']);
	});

	test('event types are counted separately', () => {
		const [failed] = log(['a1 failed 0']);
		const other = readAttempt({
			id: 'b2',
			event: 'campaign.paused',
			attempt: 2,
			status: 'success',
			created_at: new Date(10_000).toISOString(),
		});
		expect(failedForGood([failed, other] as never, noRedeliveries)).toEqual([failed]);
	});
});

describe('Events that did not arrive, from a log with payloads', () => {
	const sent = (id: string) => ({ id: id[0] });

	test('each delivery is evaluated separately', () => {
		const lines = ['a1 failed 0', 'b1 failed 20', 'c1 failed 21', 'c2 success 31', 'd1 failed 22', 'd2 retrying 50'];
		expect(ids(log(lines, sent))).toEqual(['a1', 'b1']);
	});

	test('identical payloads, for example from a template, do not hide a failed delivery', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'a2 failed 10', 'b2 success 11'];
		expect(ids(log(lines, () => ({ text: 'A call ended' })))).toEqual(['a2']);
	});
});

test('an entry without a time is not skipped', () => {
	expect(
		failedForGood([readAttempt({ id: 'a', event: 'campaign.paused', attempt: 1, status: 'failed' })], noRedeliveries),
	).toHaveLength(1);
});

test('a log with 60,000 entries takes at most 15 seconds', () => {
	const lines = Array.from({ length: 30_000 }, (_, n) => [
		`${n}-1 failed ${n * 60}`,
		`${n}-2 ${n % 100 ? 'success' : 'failed'} ${n * 60 + 10}`,
	]).flat();
	const started = performance.now();
	expect(ids(log(lines))).toHaveLength(300);
	expect(performance.now() - started).toBeLessThan(15_000);
});
