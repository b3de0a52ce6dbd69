import type { KnownRedeliveries } from '../../../../nodes/VoiceAgentCalling/resources/webhookOperations/deliveryLog.ts';
import {
	failedForGood,
	readAttempt,
} from '../../../../nodes/VoiceAgentCalling/resources/webhookOperations/deliveryLog.ts';

const noneKnown: KnownRedeliveries = { isOne: () => false, hasOne: () => false };

/**
 * A log as the service shows it, from lines like "a1 failed 10": the attempt's ID and number, its status and second.
 * What was sent is shown only where a test wants it.
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

const ids = (attempts: ReturnType<typeof log>, known = noneKnown) => failedForGood(attempts, known).map(({ id }) => id);

describe('What failed for good, by a log that does not say which attempts belong together', () => {
	test('of a delivery that used up its attempts it is the last one', () => {
		expect(ids(log(['a1 failed 0', 'a2 failed 10', 'a3 failed 30']))).toEqual(['a3']);
	});

	test('it is nothing where a later attempt succeeded, or is still to come', () => {
		expect(ids(log(['a1 failed 0', 'a2 success 10', 'b1 success 3']))).toEqual([]);
		expect(ids(log(['a1 failed 0', 'a2 retrying 10']))).toEqual([]);
		expect(ids(log(['a1 failed 0', 'a2 pending 10']))).toEqual([]);
		expect(ids(log(['a1 retrying 0']))).toEqual([]);
	});

	test('one that has failed for good is found beside one that the service goes on calling retrying after its next attempt', () => {
		expect(ids(log(['x1 failed 0', 'y1 retrying 1', 'y2 success 11']))).toEqual(['x1']);
	});

	test('it does not matter in which order the service lists them', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'a2 failed 10', 'b2 success 11'];
		expect(ids(log(lines.toReversed()))).toEqual(['a2']);
		expect(ids(log(lines))).toEqual(['a2']);
	});

	test('deliveries that overlap are told apart by their numbers', () => {
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

	test('one that was not tried again is found, with no more than what was under way at the same time', () => {
		// As when the webhook was disabled for a while: b was cut off after its first attempt.
		const lines = [
			'a1 failed 0',
			'a2 success 10',
			'b1 failed 20',
			'c1 failed 21',
			'c2 success 31',
			'd1 failed 50',
			'd2 success 60',
		];
		const found = ids(log(lines));
		expect(found).toContain('b1');
		expect(found).not.toContain('a1');
	});

	test('where the service leaves `retrying` on what it has tried again, it is what has failed', () => {
		expect(ids(log(['a1 retrying 0', 'a2 retrying 10', 'a3 failed 30', 'b1 retrying 5', 'b2 success 15']))).toEqual([
			'a3',
		]);
		expect(ids(log(['a1 retrying 0', 'b1 failed 1', 'c1 retrying 2', 'a2 success 10', 'c2 success 12']))).toEqual([
			'b1',
		]);
	});

	test('what is known to have been redelivered is not given again, and its redelivery stands for no other attempt', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'x2 success 50'];
		const known = { hasOne: (id: string) => id === 'a1', isOne: (id: string) => id === 'x2' };
		expect(ids(log(lines), known)).toEqual(['b1']);
		// Nobody knows which of the two it was for.
		expect(ids(log(lines))).toEqual(['a1', 'b1']);
	});

	test('a redelivery that failed is given in the place of what it redelivered', () => {
		const known = { hasOne: (id: string) => id === 'a1', isOne: (id: string) => id === 'x2' };
		expect(ids(log(['a1 failed 0', 'x2 failed 50']), known)).toEqual(['x2']);
	});

	test('kinds of event do not stand for each other', () => {
		const [failed] = log(['a1 failed 0']);
		const other = readAttempt({
			id: 'b2',
			event: 'campaign.paused',
			attempt: 2,
			status: 'success',
			created_at: new Date(10_000).toISOString(),
		});
		expect(failedForGood([failed, other] as never, noneKnown)).toEqual([failed]);
	});
});

describe('What failed for good, by a log that shows what was sent', () => {
	const sent = (id: string) => ({ id: id[0] });

	test('each delivery is judged by itself', () => {
		const lines = ['a1 failed 0', 'b1 failed 20', 'c1 failed 21', 'c2 success 31', 'd1 failed 22', 'd2 retrying 50'];
		expect(ids(log(lines, sent))).toEqual(['a1', 'b1']);
	});

	test('bodies that are all alike, as a template can make them, are no reason to leave one out', () => {
		const lines = ['a1 failed 0', 'b1 failed 1', 'a2 failed 10', 'b2 success 11'];
		expect(ids(log(lines, () => ({ text: 'A call ended' })))).toEqual(['a2']);
	});
});

test('an entry without a time is looked at, not left out', () => {
	expect(
		failedForGood([readAttempt({ id: 'a', event: 'campaign.paused', attempt: 1, status: 'failed' })], noneKnown),
	).toHaveLength(1);
});

test('a log of a month is judged in a moment', () => {
	const lines = Array.from({ length: 30_000 }, (_, n) => [
		`${n}-1 failed ${n * 60}`,
		`${n}-2 ${n % 100 ? 'success' : 'failed'} ${n * 60 + 10}`,
	]).flat();
	const started = performance.now();
	expect(ids(log(lines))).toHaveLength(300);
	expect(performance.now() - started).toBeLessThan(5000);
});
