import { eventCounts, isFirstRoundOver, judge, type Records } from '../../scripts/quickstart/outcome.mts';
import type { DeliveryAttempt } from '../../scripts/quickstart/sandbox.mts';

const kinds = ['campaign_call.queued', 'campaign_call.started', 'campaign_call.retry_scheduled'];

function attempt(id: string, event: string, status: number | null = 200): DeliveryAttempt {
	return { webhook_id: 'webhook', event, delivery_id: id, status };
}

function execution(deliveryId: string, status = 'success') {
	return { id: `execution-${deliveryId}`, status, data: `[{"id":"1"},"${deliveryId}"]` };
}

/** Two contacts whose calls went as they should. */
function goodRecords(): Records {
	const attempts = kinds.flatMap((event) => [attempt(`${event}-1`, event), attempt(`${event}-2`, event)]);
	return {
		contacts: 2,
		queueRun: 'success',
		queued: 2,
		attempts: [...attempts, attempt('forged', 'campaign_call.completed', 401)],
		forged: { id: 'forged', status: 401 },
		executions: attempts.map(({ delivery_id }) => execution(delivery_id)),
	};
}

function failedChecks(records: Records): string[] {
	return judge(records)
		.checks.filter(({ passed }) => !passed)
		.map(({ text }) => text);
}

test('a round in which everything happened once passes, and its numbers are right', () => {
	const { counts, checks } = judge(goodRecords());
	expect(checks.every(({ passed }) => passed)).toBe(true);
	expect(counts).toEqual({ queued: 2, deliveries: 6, verified: 6, refused: 1, executions: 6 });
});

test('a delivery that was accepted at its second attempt counts once', () => {
	const records = goodRecords();
	const attempts = [attempt('campaign_call.queued-1', 'campaign_call.queued', 503), ...records.attempts];
	expect(failedChecks({ ...records, attempts })).toEqual([]);
	expect(eventCounts(attempts).get('campaign_call.queued')).toBe(2);
});

test('a delivery without an execution fails', () => {
	const records = goodRecords();
	const executions = records.executions.slice(1);
	expect(failedChecks({ ...records, executions })).toEqual([
		'Each delivered event started exactly one execution, and it succeeded',
	]);
});

test('an execution that failed is none', () => {
	const records = goodRecords();
	const executions = [execution('campaign_call.queued-1', 'error'), ...records.executions.slice(1)];
	expect(judge({ ...records, executions }).counts.executions).toBe(5);
	expect(failedChecks({ ...records, executions })).toContain(
		'Each delivered event started exactly one execution, and it succeeded',
	);
});

test('a delivery that started two executions fails', () => {
	const records = goodRecords();
	const executions = [...records.executions, execution('campaign_call.queued-1')];
	expect(failedChecks({ ...records, executions })).toHaveLength(2);
});

test('a forged delivery that is accepted and runs fails twice', () => {
	const records = goodRecords();
	const attempts = records.attempts.map((one) => (one.delivery_id === 'forged' ? { ...one, status: 200 } : one));
	const forged = { id: 'forged', status: 200 };
	const executions = [...records.executions, execution('forged')];
	expect(judge({ ...records, attempts, forged, executions }).counts.refused).toBe(0);
	expect(failedChecks({ ...records, attempts, forged, executions })).toEqual([
		'The forged delivery was refused with 401',
		'Nothing else started an execution',
	]);
});

test('a call that was not queued, or whose events are missing, fails', () => {
	const records = goodRecords();
	expect(failedChecks({ ...records, queued: 1 })).toEqual(['Each of the 2 contacts was queued once']);
	const attempts = records.attempts.filter(({ event }) => event !== 'campaign_call.retry_scheduled');
	const executions = records.executions.filter(({ data }) => !data.includes('retry_scheduled'));
	expect(failedChecks({ ...records, attempts, executions })).toEqual([
		'An event told that each call was over, or due again later',
	]);
});

test('when nothing happened at all, nothing passes by being empty', () => {
	const empty: Records = {
		contacts: 2,
		queueRun: 'error',
		queued: 0,
		attempts: [],
		forged: { id: 'forged', status: null },
		executions: [],
	};
	expect(judge(empty).counts).toEqual({ queued: 0, deliveries: 0, verified: 0, refused: 0, executions: 0 });
	expect(failedChecks(empty)).toContain('Each delivered event started exactly one execution, and it succeeded');
});

test('the first round is over when each call was queued, started and ended or is due again', () => {
	const { attempts } = goodRecords();
	expect(isFirstRoundOver(attempts, 2)).toBe(true);
	expect(isFirstRoundOver(attempts.slice(1), 2)).toBe(false);
	expect(isFirstRoundOver(attempts, 3)).toBe(false);
});
