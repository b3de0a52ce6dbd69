import { judge, type Records } from '../../scripts/lib/outcome.mts';
import type { DeliveryAttempt } from '../../scripts/lib/sandbox.mts';

const kinds = ['campaign_call.queued', 'campaign_call.started', 'campaign_call.retry_scheduled'];

const attempt = (delivery_id: string, event: string, status: number | null = 200): DeliveryAttempt => ({
	webhook_id: 'webhook',
	event,
	delivery_id,
	status,
});
const execution = (deliveryId: string, status = 'success') => ({
	id: `execution-${deliveryId}`,
	status,
	data: `[{"id":"1"},"${deliveryId}"]`,
});

const attempts = kinds.flatMap((event) => [attempt(`${event}-1`, event), attempt(`${event}-2`, event)]);
const executions = attempts.map(({ delivery_id }) => execution(delivery_id));
const refused = attempt('forged', 'campaign_call.completed', 401);
/** Two contacts whose calls went as they should. */
const good: Records = {
	contacts: 2,
	queueRun: 'success',
	queued: 2,
	attempts: [...attempts, refused],
	forged: { id: 'forged', status: 401 },
	executions,
};

test('a round of the quick start in which everything happened once passes, and its numbers are right', () => {
	const { counts, checks } = judge(good);
	expect(checks.filter(({ passed }) => !passed)).toEqual([]);
	expect(counts).toEqual({ queued: 2, deliveries: 6, verified: 6, refused: 1, executions: 6 });
});

const eachOnce = 'Each delivered event started exactly one execution, and it succeeded';
const over = 'An event reported that each call was over, or due again later';
const nothingElse = 'Nothing else started an execution';
const accepted = { ...refused, status: 200 };
const forged = {
	attempts: [...attempts, accepted],
	forged: { id: 'forged', status: 200 },
	executions: [...executions, execution('forged')],
};
const failed = execution('campaign_call.queued-1', 'error');
const again = attempt('campaign_call.queued-1', 'campaign_call.queued', 503);

test.each<[string, Partial<Records>, string[]]>([
	['a delivery that was accepted at its second attempt', { attempts: [again, ...good.attempts] }, []],
	['a delivery without an execution', { executions: executions.slice(1) }, [eachOnce]],
	['an execution that failed', { executions: [failed, ...executions.slice(1)] }, [eachOnce, nothingElse]],
	['a delivery that started two', { executions: [...executions, executions[0]] }, [eachOnce, nothingElse]],
	['a forged delivery that was accepted', forged, ['The forged delivery was refused with 401', nothingElse]],
	['a call that was not queued', { queued: 1 }, ['Each of the 2 contacts was queued once']],
	['no event of the end', { attempts: [...attempts.slice(0, 4), refused], executions: executions.slice(0, 4) }, [over]],
])('a round fails only for what is wrong in it: %s', (_what, wrong, failed) => {
	const { checks } = judge({ ...good, ...wrong });
	expect(checks.filter(({ passed }) => !passed).map(({ text }) => text)).toEqual(failed);
});

test('when nothing happened at all, nothing passes by being empty', () => {
	const nothing = {
		queueRun: 'error',
		queued: 0,
		attempts: [],
		forged: { id: 'forged', status: null },
		executions: [],
	};
	const wrong = judge({ contacts: 2, ...nothing }).checks.filter(({ passed }) => !passed);
	expect(wrong.map(({ text }) => text)).toContain(eachOnce);
});
