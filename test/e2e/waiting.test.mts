import { TICKET_FIELD } from '../../nodes/shared/nodeLink/ticket.ts';
import { waitFor } from '../../scripts/lib/waiting.mts';
import { byId, CALL, CallAndWait, seconds, stillClock } from './callAndWait.mts';
import { eventOf, nodesRun, outputOf, outputsOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;
let calls: CallAndWait;

beforeAll(async () => {
	n8n = await Instance.start(stillClock);
	calls = new CallAndWait(n8n);
	await calls.publishTriggers();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** An execution whose wait n8n itself has to end: no process that knows of it is left. It starts first, as it takes longest. */
let alone: string;

test('Five outcomes all arrive although n8n is killed between them', async () => {
	await n8n.ringsForAnHour('+12025630001');
	alone = (
		await calls.start('Alone', ['+12025630001', 'nobody'], {
			onError: 'continueErrorOutput',
			options: { timeLimit: seconds(24) },
		})
	).executionId;
	await calls.statusBecomes(alone, 'waiting');
	const numbers = ['+12025580001', '+12025580003', '+12025580005', '+12025580004', '+12025580002'];
	const { executionId } = await calls.start('Five, restarted', numbers, {});
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(10);
	await n8n.restartN8n('SIGKILL');
	await calls.advance(50);
	await calls.statusBecomes(executionId, 'success', 60);
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'completed'],
		[numbers[1], 'noAnswer'],
		[numbers[2], 'completed'],
		[numbers[3], 'failed'],
		[numbers[4], 'busy'],
	]);
}, 120_000);

test('An execution waits during the call and a restart of n8n, and continues with the outcome', async () => {
	const before = await calls.startedByAgent();
	const { executionId } = await calls.start('Restarted', ['+12025550001'], {});
	await calls.statusBecomes(executionId, 'waiting');
	// The event that the phone rings has started the trigger's workflow, and resumed nothing.
	await waitFor(async () => (await calls.startedByAgent()) === before + 1 || undefined, { seconds: 20 });
	expect(await calls.status(executionId)).toBe('waiting');
	// The trigger of this test listens to no event that tells of a machine.
	expect((await n8n.editor.execution(executionId)).data).toContain('does not listen to Voicemail Detected');

	await n8n.restartN8n();
	if (doesN8n('keepsWaitingAtStart')) {
		expect(await calls.status(executionId)).toBe('waiting');
	}
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(45);
	await calls.statusBecomes(executionId, 'success');
	const [item] = await outputOf(n8n.editor, executionId, 'After');
	expect(item).toMatchObject({
		to: '+12025550001',
		outcome: 'completed',
		status: 'completed',
		duration: 30,
		context: { contact: '7' },
		event: { event: 'event_phone_call_ended', context: { contact: '7' } },
	});
	expect(await nodesRun(n8n.editor, executionId)).toEqual(['Start', 'Numbers', CALL, 'After']);
	// The final event has not started the trigger's workflow, and the ticket shows in no output.
	const executions = await n8n.editor.executions(calls.agentTrigger);
	expect(executions).toHaveLength(before + 1);
	for (const { id } of [...executions, { id: executionId }]) {
		expect((await n8n.editor.execution(id)).data).not.toContain(`"${TICKET_FIELD}"`);
	}
	// The same message a second time: the execution is over.
	const ticket = await calls.ticketOf('+12025550001');
	expect(await calls.answerTo(ticket, { ...ticket, event: { status: 'failed' }, at: Date.now() })).toBe(409);
	expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject([{ outcome: 'completed' }]);
}, 120_000);

test('An event that arrives before the execution waits is delivered again until it does', async () => {
	// The second call goes out ten seconds after the first, which is over by then.
	const numbers = ['+12025550002', '+12025560001'];
	const { executionId } = await calls.start('Early', numbers, { sending: { maxRequestsPerMinute: 10 } });
	await waitFor(async () => (await calls.sentCalls()).some(({ to }) => to === numbers[0]) || undefined, {
		seconds: 20,
	});
	await calls.advance(10);
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(60);
	await calls.statusBecomes(executionId, 'success');
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'busy'],
		[numbers[1], 'completed'],
	]);
}, 120_000);

test('Four outcomes out of order and one missing: each is linked to its item when the time limit passes', async () => {
	const numbers = ['+12025570001', '+12025570003', '+12025570009', '+12025570004', '+12025570002'];
	await n8n.ringsForAnHour(numbers[2]);
	const { executionId } = await calls.start('Five', numbers, { options: { timeLimit: seconds(24) } });
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(50);
	expect(await calls.status(executionId)).toBe('waiting');
	await calls.statusBecomes(executionId, 'success', 60);
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'completed'],
		[numbers[1], 'noAnswer'],
		[numbers[2], 'timedOut'],
		[numbers[3], 'failed'],
		[numbers[4], 'busy'],
	]);
	expect(items[2]).toMatchObject({ id: expect.any(String), status: expect.any(String) });
}, 120_000);

test('After the time limit the workflow continues with the outcome timedOut, and a later event starts the workflow of the trigger', async () => {
	const { executionId } = await calls.start('Late', ['+12025590001'], { options: { timeLimit: seconds(6) } });
	await calls.statusBecomes(executionId, 'success', 90);
	const [item] = await outputOf(n8n.editor, executionId, 'After');
	expect(item).toMatchObject({
		...{ id: expect.any(String), to: '+12025590001', context: { contact: '7' } },
		...{ result: 'placed', isTest: true, outcome: 'timedOut' },
	});
	const before = await calls.startedByAgent();
	await calls.advance(45);
	expect((await outputOf(n8n.editor, executionId, 'After'))[0]).toMatchObject({ outcome: 'timedOut' });
	await waitFor(async () => (await calls.startedByAgent()) === before + 1 || undefined, { seconds: 20 });
	const [{ id }] = await n8n.editor.executions(calls.agentTrigger);
	expect(await eventOf(n8n.editor, id, 'Events')).toMatchObject({
		event: 'event_phone_call_ended',
		to: '+12025590001',
	});
}, 150_000);

test("The wait for a campaign's call ends with its last attempt, or with its report", async () => {
	const campaign = { resource: 'campaign', operation: 'queueCallAndWait', campaign: byId(calls.campaignId) };
	const end = await calls.start('End', ['+12025600001'], campaign);
	const report = await calls.start('Report', ['+12025610001'], { ...campaign, options: { waitFor: ['report'] } });
	await calls.statusBecomes(end.executionId, 'waiting');
	await calls.statusBecomes(report.executionId, 'waiting');
	await calls.advance(60);
	await calls.statusBecomes(end.executionId, 'success');
	await calls.statusBecomes(report.executionId, 'success');
	expect(await outputOf(n8n.editor, end.executionId, 'After')).toMatchObject([
		{ outcome: 'completed', duration: 30, event: { event: 'campaign_call.completed' } },
	]);
	expect(await outputOf(n8n.editor, report.executionId, 'After')).toMatchObject([
		{
			...{ outcome: 'completed', event: { event: 'campaign_call.completed' }, missing: [] },
			report: { summary: expect.any(String) },
		},
	]);
}, 120_000);

test('By polling, an execution runs until all of its calls are over, and continues with their outcomes', async () => {
	const numbers = ['+12025660001', '+12025660002', '+12025660005'];
	const { executionId } = await calls.start('Polling', numbers, { waitBy: 'polling', options: { pollInterval: 1 } });
	await waitFor(async () => (await calls.sentCalls()).some(({ to }) => to === numbers[2]) || undefined, {
		seconds: 20,
	});
	expect(await calls.status(executionId)).toBe('running');
	await calls.advance(50);
	await calls.statusBecomes(executionId, 'success');
	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual([
		[numbers[0], 'completed'],
		[numbers[1], 'busy'],
		[numbers[2], 'completed'],
	]);
	expect(items.filter(({ event }) => event !== undefined)).toEqual([]);
}, 120_000);

test('At the time limit the service is asked for a single call, too', async () => {
	const { executionId } = await calls.start('Unheard', ['+12025640002'], { options: { timeLimit: seconds(12) } });
	await calls.statusBecomes(executionId, 'waiting');
	// Its event cannot arrive.
	const [webhook] = await calls.agentWebhooksWhen(1);
	await n8n.service.delete(`/api/v1/agents/${calls.agentId}/webhooks/${webhook.id}`);
	await calls.advance(20);
	await calls.statusBecomes(executionId, 'success', 30);
	const [item] = await outputOf(n8n.editor, executionId, 'After');
	expect(item).toMatchObject({ to: '+12025640002', outcome: 'busy', status: 'busy' });
	expect(item).not.toHaveProperty('event');
	await n8n.unpublish(calls.agentTrigger);
	await n8n.editor.publish(calls.agentTrigger);
	await calls.agentWebhooksWhen(1);
}, 120_000);

test('An item of the error output keeps its result, code and number while others wait', async () => {
	const { executionId } = await calls.start('Errors', ['+12025650001', 'nobody'], { onError: 'continueErrorOutput' });
	await calls.statusBecomes(executionId, 'waiting');
	await calls.advance(45);
	await calls.statusBecomes(executionId, 'success');
	expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject([
		{ to: '+12025650001', result: 'placed', outcome: 'completed' },
	]);
	const { outputs } = await outputsOf(n8n.editor, executionId, CALL);
	expect(outputs[1]).toEqual([
		{
			to: 'nobody',
			error: {
				...{ result: 'failed', code: 'INVALID_PHONE_NUMBER', message: expect.any(String), httpStatus: null },
				...{ to: 'nobody', agent_id: calls.agentId, context: { contact: '7' }, isTest: true },
			},
		},
	]);
}, 120_000);

test('If no process is left that knows of a wait, n8n ends it, and its calls have the outcome timedOut', async () => {
	await calls.statusBecomes(alone, 'success', 200);
	expect(await outputOf(n8n.editor, alone, 'After')).toMatchObject([
		{ to: '+12025630001', result: 'placed', outcome: 'timedOut' },
	]);
	const { outputs } = await outputsOf(n8n.editor, alone, CALL);
	expect(outputs[1]).toMatchObject([{ error: { result: 'failed', to: 'nobody' } }]);
}, 240_000);

test('Nobody is called when no published trigger would receive the outcome', async () => {
	const before = (await calls.sentCalls()).length;
	await n8n.unpublish(calls.agentTrigger);
	await calls.agentWebhooksWhen(0);
	const { workflowId } = await calls.start('Nobody', ['+12025620001'], { waitBy: 'event' });
	const [execution] = await n8n.finished(workflowId, 1);
	expect(execution.status).toBe('error');
	expect((await n8n.editor.execution(execution.id)).data).toContain(
		'no published Voice Agent Calling Trigger of this n8n listens to this agent',
	);
	expect(await calls.sentCalls()).toHaveLength(before);
	await n8n.editor.publish(calls.agentTrigger);
	await calls.agentWebhooksWhen(1);
}, 60_000);
