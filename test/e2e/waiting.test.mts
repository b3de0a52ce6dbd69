import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { CONTEXT_FIELD } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import { CALL, CallAndWait, seconds, stillClock } from './callAndWait.mts';
import { CampaignAndWait } from './campaignAndWait.mts';
import { comes } from './eventually.mts';
import { eventOf, outputsOf, shownOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { doesN8n } from './olderN8n.mts';

let n8n: Instance;
let calls: CallAndWait;
let campaigns: CampaignAndWait;

beforeAll(async () => {
	n8n = await Instance.start(stillClock);
	calls = new CallAndWait(n8n);
	campaigns = new CampaignAndWait(n8n);
	await calls.publishTriggers(['event_voicemail_message_left', 'event_recording']);
});

/** Numbers whose last digits say what becomes of a call: a person, no answer, voicemail, failed, busy. */
const five = (middle: string) => ['1', '3', '5', '4', '2'].map((last) => `+120255${middle}000${last}`);
const outcomesOf = async (executionId: string) =>
	(await calls.itemsOf(executionId)).map(({ to, outcome }) => [to, outcome]);

/** Sets the time at which n8n itself ends a wait to now, in its database: two minutes after the time limit are long. */
function letTimePass(executionId: string): void {
	const database = new DatabaseSync(join(n8n.folder, '.n8n', 'database.sqlite'));
	const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
	database.prepare('UPDATE execution_entity SET waitTill = ? WHERE id = ?').run(now, Number(executionId));
	database.close();
}

describe('n8n is killed while executions wait:', () => {
	/** An execution whose wait n8n itself has to end: no process that knows of it is left. */
	let alone: string;
	let many: string;
	let recorded: string;
	let ofCampaign: string;
	let campaign: string;
	const numbers = five('8');

	beforeAll(async () => {
		await n8n.ringsForAnHour('+12025630001');
		many = await calls.waiting(numbers);
		await n8n.delay(60, 'event_phone_call_ended');
		recorded = await calls.waiting(['+12025530001'], { options: { waitFor: ['recording'] } });
		campaign = await campaigns.campaign('Killed');
		ofCampaign = await campaigns.start([campaign]);
		await n8n.advanceBySteps(45);
		expect(await calls.status(many)).toBe('waiting');
		// n8n is there again after its time limit.
		const options = seconds(8);
		alone = await calls.waiting(['+12025630001', 'nobody'], { onError: 'continueErrorOutput', options });
		await n8n.restartN8n('SIGKILL', async () => letTimePass(alone));
		await n8n.advanceBySteps(60);
		await n8n.delay(0, 'event_phone_call_ended');
	});

	test('five outcomes all arrive, and voicemail that was heard of before the kill is one of them', async () => {
		const outcomes = ['completed', 'noAnswer', 'voicemail', 'failed', 'busy'];
		expect(await outcomesOf(many)).toEqual(numbers.map((number, index) => [number, outcomes[index]]));
	});

	test('the recording that came before the end of the call is there', async () => {
		const items = await calls.itemsOf(recorded);
		const recording = `${n8n.sandbox.url}/recordings/${items[0]?.id}.mp3`;
		expect(items).toMatchObject([{ outcome: 'completed', recording, missing: [] }]);
	});

	test('a campaign that completes later continues the execution', async () => {
		await campaigns.call(campaign);
		await campaigns.setStatus(campaign, 'completed');
		const { items } = await campaigns.itemsOf(ofCampaign);
		expect(items).toMatchObject([{ id: campaign, outcome: 'completed', stats: { completed_calls: 1 } }]);
		await campaigns.nobodyWaits(campaign);
	});

	test('if no process is left that knows of a wait, n8n ends it, and its calls have the outcome timedOut', async () => {
		expect(await calls.itemsOf(alone)).toMatchObject([{ to: '+12025630001', result: 'placed', outcome: 'timedOut' }]);
		const { outputs } = await outputsOf(n8n.editor, alone, CALL);
		expect(outputs[1]).toMatchObject([{ error: { result: 'failed', to: 'nobody' } }]);
	});
});

test('Executions wait during a call, campaigns and a restart of n8n, and continue with what became of them', async () => {
	const before = await calls.startedByAgent();
	const number = '+12025550001';
	const executionId = await calls.waiting([number]);
	// The event that the phone rings has started the trigger's workflow, and resumed nothing.
	await comes(async () => (await calls.startedByAgent()) === before + 1, 'an execution of the trigger');
	expect(await calls.status(executionId)).toBe('waiting');
	const [one, two] = [await campaigns.campaign('One'), await campaigns.campaign('Two')];
	const [three, over] = [await campaigns.campaign('Three'), await campaigns.campaign('Over')];
	await campaigns.setStatus(over, 'completed');
	const ofCampaigns = await campaigns.start([one, two, over, one, three]);
	const counts = await Promise.all([one, two, three, over].map(async (id) => (await campaigns.waits(id)).length));
	expect(counts).toEqual([1, 1, 1, 0]);
	await campaigns.setStatus(one, 'completed');
	// The service tells of a change, which is not the end of the campaign.
	await campaigns.setStatus(three, 'paused');

	await n8n.restartN8n();
	if (doesN8n('keepsWaitingAtStart')) {
		expect([await calls.status(executionId), await calls.status(ofCampaigns)]).toEqual(['waiting', 'waiting']);
	}
	await n8n.statusBecomes(executionId, 'waiting');
	await n8n.advanceBySteps(45);
	const context = { contact: '7' };
	const completed = { to: number, outcome: 'completed', status: 'completed', duration: 30, context };
	expect(await calls.itemsOf(executionId)).toMatchObject([completed]);
	expect((await outputsOf(n8n.editor, executionId, CALL)).nodes).toEqual(['Start', 'Numbers', CALL, 'After']);
	// The final event has not started the trigger's workflow, and the resume token shows in no output.
	const ended = (await n8n.editor.executions(calls.agentTrigger)).slice(0, -before || undefined);
	for (const { id } of [...ended, { id: executionId }]) {
		expect((await n8n.editor.execution(id)).data).not.toContain(`"${CONTEXT_FIELD}"`);
	}
	const events = await Promise.all(ended.map(async ({ id }) => (await eventOf(n8n.editor, id, 'Events')).event));
	expect(events).not.toContain('event_phone_call_ended');
	// The same message a second time: the execution is over.
	const resumeToken = await calls.resumeTokenOf(number);
	expect(await calls.answerTo(resumeToken, { ...resumeToken, event: { status: 'failed' }, at: Date.now() })).toBe(409);

	await n8n.statusBecomes(ofCampaigns, 'waiting');
	await campaigns.setStatus(two, 'cancelled');
	await campaigns.setStatus(three, 'completed');
	const { items, outcomes } = await campaigns.itemsOf(ofCampaigns);
	const wanted = ['completed', 'cancelled', 'completed', 'completed', 'completed'];
	expect(outcomes).toEqual([one, two, over, one, three].map((id, index) => [id, wanted[index]]));
	expect(items[0]).toMatchObject({ name: 'One', status: 'completed', stats: { total_calls: 0 } });
	for (const id of [one, two, three]) {
		await campaigns.nobodyWaits(id);
	}
});

test('An event that arrives before the execution waits is delivered again until it does', async () => {
	// The second call goes out seconds after the first, which is over by then.
	const numbers = ['+12025550002', '+12025560001'];
	const executionId = await calls.begin(numbers, { sending: { maxRequestsPerMinute: 30 } });
	await comes(async () => (await n8n.dialed(numbers[0]))[0], 'the first call');
	await n8n.advanceBySteps(10);
	await n8n.statusBecomes(executionId, 'waiting');
	await n8n.advanceBySteps(60);
	expect((await outcomesOf(executionId)).map(([, outcome]) => outcome)).toEqual(['busy', 'completed']);
});

test('Four outcomes out of order and one missing: each is linked to its item when the time limit passes', async () => {
	const numbers = five('7');
	await n8n.ringsForAnHour(numbers[4]!);
	const onError = 'continueErrorOutput';
	const executionId = await calls.waiting([...numbers, 'nobody'], { onError, options: seconds(12) });
	await n8n.advanceBySteps(50);
	expect(await calls.status(executionId)).toBe('waiting');
	// The end of this wait has to come from the time limit alone.
	const items = await calls.itemsOf(executionId);
	const outcomes = ['completed', 'noAnswer', 'voicemail', 'failed', 'timedOut'];
	expect(items.map(({ to, outcome }) => [to, outcome])).toEqual(numbers.map((to, index) => [to, outcomes[index]]));
	expect(items[4]).toMatchObject({ id: expect.any(String), status: expect.any(String), isTest: true });
	// An item of the error output keeps its result, code and number while others wait.
	const { outputs } = await outputsOf(n8n.editor, executionId, CALL);
	const result = { result: 'failed', code: 'INVALID_PHONE_NUMBER', message: expect.any(String), httpStatus: null };
	const given = { to: 'nobody', agent_id: calls.agentId, context: { contact: '7' }, isTest: true };
	const error = { ...result, nextAllowedAt: null, outcome: 'notCalled', advice: expect.any(String), ...given };
	expect(outputs[1]).toEqual([{ to: 'nobody', error }]);
	// The hints of the run that fell asleep are there.
	const { hints } = await shownOf(n8n.editor, executionId, CALL);
	expect(hints.join()).toContain('1 with a number that cannot be called');
	// A later event starts the workflow of the trigger.
	await n8n.advance(3600);
	await comes(async () => {
		const [latest] = await n8n.editor.executions(calls.agentTrigger);
		return (await eventOf(n8n.editor, String(latest?.id), 'Events')).to === numbers[4];
	}, 'an execution for the late event');
});

test("The wait for a campaign's call ends when report, transcript and recording are there; forged ones do not count", async () => {
	// What never comes is missing when the time is up.
	await n8n.delay(null, 'event_call_transcript');
	const all = ['report', 'transcript', 'recording'];
	const never = await calls.waiting(['+12025560001'], { ...calls.queued, options: { waitFor: all, ...seconds(6) } });
	await n8n.advanceBySteps(60);
	const missing = ['transcript'];
	expect(await calls.itemsOf(never)).toMatchObject([{ outcome: 'completed', transcript: null, missing }]);

	await n8n.delay(30, 'campaign_call.completed');
	await n8n.delay(40, 'event_call_transcript');
	const number = '+12025540001';
	const waitFor = '={{ $itemIndex === 0 ? ["transcript", "report", "recording"] : [] }}';
	const executionId = await calls.waiting([number, '+12025540006'], { ...calls.queued, options: { waitFor } });
	const webhook = await n8n.soleWebhook();
	const listed = (await n8n.service.get(`/api/v1/campaigns/${calls.campaignId}`)).data.data.calls;
	const { id: call_id } = listed.find(({ to }: { to: string }) => to === '+12025540006');
	const data = { context: await calls.contextOf(number), call_id, transcript: 'forged' };
	await n8n.delivered(webhook.id, { event: 'event_call_transcript', data });
	await n8n.advanceBySteps(70);
	expect(await calls.status(executionId)).toBe('waiting');
	await n8n.advanceBySteps(60);
	const [first, second] = await calls.itemsOf(executionId);
	expect(first).toMatchObject({
		to: number,
		outcome: 'completed',
		missing: [],
		report: { summary: expect.any(String) },
		transcript: [{ role: 'agent' }, { role: 'user' }],
		recording: expect.stringContaining('/recordings/'),
	});
	expect(second).not.toHaveProperty('missing');
	await n8n.delay(0, 'campaign_call.completed', 'event_call_transcript');
});

test('By polling, an execution runs until all of its calls are over, and continues with their outcomes', async () => {
	const numbers = ['+12025660001', '+12025660002'];
	const executionId = await calls.begin(numbers, { waitBy: 'polling', options: { pollInterval: 1 } });
	await comes(async () => (await n8n.dialed(numbers[1]))[0], 'the second call');
	expect(await calls.status(executionId)).toBe('running');
	await n8n.advanceBySteps(50);
	const items = await calls.itemsOf(executionId);
	expect(items.map(({ outcome, event }) => [outcome, event])).toEqual([
		['completed', undefined],
		['busy', undefined],
	]);
});

test('n8n stores who was called with an execution that is stopped while it waits', async () => {
	const number = '+12025650001';
	const executionId = await calls.waiting([number, 'nobody', number], { onError: 'continueRegularOutput' });
	await n8n.editor.request('POST', `/rest/executions/${executionId}/stop`);
	expect(await n8n.ended(executionId)).toBe('canceled');
	const { outputs } = await outputsOf(n8n.editor, executionId, CALL);
	expect(outputs[0]).toMatchObject([
		{ to: number, result: 'placed', id: expect.any(String) },
		{ to: 'nobody', result: 'failed' },
		{ to: number, result: 'sameNumber' },
	]);
	const { hints } = await shownOf(n8n.editor, executionId, CALL);
	expect(hints.join()).toContain('1 with a number that cannot be called');
});

test('At the time limit the service is asked', async () => {
	const executionId = await calls.waiting(['+12025640002'], { options: seconds(6) });
	// Its event cannot arrive.
	const { id } = await calls.agentWebhook();
	await n8n.service.delete(`/api/v1/agents/${calls.agentId}/webhooks/${id}`);
	await n8n.advanceBySteps(20);
	const [item] = await calls.itemsOf(executionId);
	expect(item).toMatchObject({ to: '+12025640002', outcome: 'busy', status: 'busy' });
	expect(item).not.toHaveProperty('event');
});
