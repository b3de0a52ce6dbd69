import { until } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf } from './example.mts';
import { eventOf, outputOf } from './executionData.mts';
import { Instance, type RemoteWebhook, type WorkflowNode } from './instance.mts';

const CALLS = 10;

/** Each call has one event of each kind. */
const KINDS = ['campaign_call.queued', 'campaign_call.completed'];

let n8n: Instance;
let campaign: string;

beforeAll(async () => {
	n8n = await Instance.start({ options: ['--rate-limit', '100000'] });
	campaign = n8n.sandbox.campaignId;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const everySeconds = (secondsInterval: number) => ({ rule: { interval: [{ field: 'seconds', secondsInterval }] } });

async function publishTrigger(): Promise<{ workflowId: string; webhook: RemoteWebhook }> {
	const workflowId = await n8n.createWorkflow('Events', [n8n.trigger(campaign, { events: KINDS })]);
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	return { workflowId, webhook };
}

/** Queues calls, and moves the clock until all of them and all deliveries are over. */
async function call(): Promise<void> {
	for (let n = 0; n < CALLS; n++) {
		await n8n.service.post(`/api/v1/campaigns/${campaign}/call`, { to: `+120255${n}0001` });
	}
	await n8n.service.post('/_sandbox/advance', { seconds: 3000 });
}

type Report = Record<string, unknown>;

/** The report of the next run of the example. */
async function nextReport(workflowId: string): Promise<Report> {
	const before = new Set((await n8n.editor.executions(workflowId)).map(({ id }) => id));
	return await until(
		async () => {
			const done = (await n8n.editor.executions(workflowId)).filter(
				({ id, status }) => !before.has(id) && status === 'success',
			);
			const oldest = done.at(-1);
			return oldest && (await outputOf(n8n.editor, oldest.id, 'Catch Up'))[0];
		},
		{ seconds: 40, otherwise: () => new Error('The example does not run') },
	);
}

/** The executions that each event has started, by the event's id. */
async function startedByEvent(workflowId: string, count: number): Promise<Map<string, number>> {
	const started = new Map<string, number>();
	for (const { id, status } of await n8n.finished(workflowId, count)) {
		expect(status).toBe('success');
		const event = String((await eventOf(n8n.editor, id, 'Events')).id);
		started.set(event, (started.get(event) ?? 0) + 1);
	}
	return started;
}

async function attempts(webhookId: string) {
	return (await n8n.sandbox.deliveries()).filter(({ webhook_id }) => webhook_id === webhookId);
}

test('Events missed while n8n was down are redelivered on schedule, and each starts exactly one execution', async () => {
	const { workflowId, webhook } = await publishTrigger();
	// With ten retries, the service would go on for hours.
	await n8n.service.put(`/api/v1/campaigns/${campaign}/webhooks/${webhook.id}`, { max_retries: 2 });
	const catchUp = await importExample(n8n, 'catch-up-on-a-schedule.json', (workflow) => {
		Object.assign(nodeOf(workflow, 'Every 15 Minutes').parameters, everySeconds(10));
	});
	await n8n.editor.publish(catchUp);
	// What n8n has refused until now is redelivered first.
	await nextReport(catchUp);
	expect(await nextReport(catchUp)).toMatchObject({ redelivered: 0 });
	const before = (await attempts(webhook.id)).filter(({ status }) => status === 200).length;

	await n8n.n8n.process.stop();
	await call();
	const missed = (await attempts(webhook.id)).filter(({ status }) => status === null);
	const events = new Set(missed.map(({ delivery_id }) => delivery_id));
	expect([events.size, missed.length]).toEqual([CALLS * KINDS.length, CALLS * KINDS.length * 3]);
	await n8n.restartN8n();

	const started = await startedByEvent(workflowId, before + events.size);
	expect([...started.values()]).toEqual(Array(before + events.size).fill(1));
	expect([...started.keys()]).toEqual(expect.arrayContaining([...events]));
	const report = await nextReport(catchUp);
	expect(report).toMatchObject({ redelivered: 0, failed: report.alreadyRedelivered });
	expect(report.alreadyRedelivered).toBeGreaterThanOrEqual(events.size);

	// The list of redelivered events is in n8n's database.
	const all = (await attempts(webhook.id)).length;
	await n8n.restartN8n();
	expect(await nextReport(catchUp)).toMatchObject({ redelivered: 0, alreadyRedelivered: report.alreadyRedelivered });
	await n8n.unpublish(catchUp);
	expect(await n8n.editor.executions(workflowId)).toHaveLength(before + events.size);
	expect(await attempts(webhook.id)).toHaveLength(all);

	const done = (await n8n.editor.executions(catchUp)).find(({ status }) => status === 'success');
	const [found] = await outputOf(n8n.editor, String(done?.id), 'Where Do the Events Go?');
	expect(found).toMatchObject({
		ok: true,
		exists: true,
		webhookId: webhook.id,
		rightUrl: true,
		answers: true,
		problems: [],
	});
	await n8n.unpublish(workflowId);
	await n8n.webhooksWhen(campaign, ({ length }) => length === 0);
}, 300_000);

test('Rotating the secret repeatedly while events arrive rejects no event', async () => {
	const { workflowId, webhook } = await publishTrigger();
	const chosen = { __rl: true, mode: 'id' };
	const parameters = {
		resource: 'webhook',
		operation: 'rotateSecret',
		campaign: { ...chosen, value: campaign },
		webhook: { ...chosen, value: webhook.id },
	};
	const nodes: WorkflowNode[] = [
		n8n.node('Schedule', 'n8n-nodes-base.scheduleTrigger', 1.2, everySeconds(1)),
		n8n.node('Rotate Secret', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, parameters),
	];
	const rotating = await n8n.createWorkflow('Rotate', nodes, ['Schedule', 'Rotate Secret']);
	const secrets = async () =>
		new Set(
			(await n8n.requests())
				.filter(({ method, path }) => method === 'PUT' && path.endsWith(webhook.id))
				.map(({ body }) => body?.webhook_secret),
		);
	await n8n.editor.publish(rotating);
	const answers: Array<number | null> = [];
	await until(
		async () => {
			answers.push(...(await n8n.deliver(webhook.id)));
			return (await secrets()).size >= 5 || undefined;
		},
		{ seconds: 60, every: 20, otherwise: () => new Error('The secret does not change') },
	);
	await n8n.unpublish(rotating);
	answers.push(...(await n8n.deliver(webhook.id)));
	expect(answers).toEqual(answers.map(() => 200));
	expect(await n8n.deliver(webhook.id, { tamper: 'secret' })).toEqual([401]);
	const [last] = (await n8n.editor.executions(rotating)).filter(({ status }) => status === 'success');
	expect(await outputOf(n8n.editor, String(last?.id), 'Rotate Secret')).toMatchObject([
		{ rotated: true, webhookId: webhook.id, oldSecretAcceptedUntil: expect.any(String) },
	]);
	await n8n.unpublish(workflowId);
}, 120_000);
