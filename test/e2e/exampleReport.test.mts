import { until } from '../../scripts/lib/waiting.mts';
import { importExample, tableRows } from './example.mts';
import { Instance } from './instance.mts';

interface CampaignRow {
	campaign_id: string;
	name: string;
	status: string;
	total_calls: number;
	completed_calls: number;
	failed_calls: number;
}

interface CallRow {
	call_id: string;
	campaign_id: string;
	phone: string;
	status: string;
	retries: number;
}

let n8n: Instance;
let campaign: string;
let webhookId: string;
let workflowId: string;

beforeAll(async () => {
	n8n = await Instance.share();
	campaign = n8n.sandbox.campaignId;
	workflowId = await importExample(n8n, 'campaign-report-to-a-table.json');
	await n8n.editor.publish(workflowId);
	[{ id: webhookId }] = await n8n.webhooksWhen(campaign, (webhooks) => webhooks.length === 1);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Queues a call and waits until it is as wanted. */
async function called(to: string, wanted: string): Promise<void> {
	const { data } = await n8n.service.post(`/api/v1/campaigns/${campaign}/call`, { to });
	const { id } = data.campaign_call;
	const ask = async () => {
		const { calls } = (await n8n.service.get(`/api/v1/campaigns/${campaign}`)).data.data;
		return calls.find((call: { id: string; status: string }) => call.id === id).status === wanted || undefined;
	};
	await until(ask, { seconds: 20, otherwise: () => new Error(`The call to ${to} did not become ${wanted}`) });
}

/** Both tables, once an execution has written that many calls. */
async function written(executions: number) {
	const done = await n8n.finished(workflowId, executions);
	expect(done.map(({ status }) => status)).toEqual(done.map(() => 'success'));
	return {
		campaigns: await tableRows<CampaignRow>(n8n, 'Campaign Reports'),
		calls: await tableRows<CallRow>(n8n, 'Campaign Report Calls'),
	};
}

test('A completed campaign writes its statistics and all of its calls to the tables, also when the event comes twice', async () => {
	await called('+442079460001', 'completed');
	await called('+442079460005', 'completed');
	await called('+442079460002', 'scheduled');
	expect(await n8n.editor.executions(workflowId)).toEqual([]);
	expect(await tableRows(n8n, 'Campaign Reports')).toEqual([]);

	await n8n.service.patch(`/api/v1/campaigns/${campaign}/status`, { status: 'completed' });
	const first = await written(1);
	const { data } = (await n8n.service.get(`/api/v1/campaigns/${campaign}`)).data;
	const { name, stats, calls } = data;
	expect(first.campaigns).toMatchObject([
		{
			campaign_id: campaign,
			name,
			status: 'completed',
			total_calls: stats.total_calls,
			completed_calls: stats.completed_calls,
			failed_calls: stats.failed_calls,
		},
	]);
	expect(first.campaigns[0].total_calls).toBeGreaterThanOrEqual(3);
	const byId = (a: { call_id: string }, b: { call_id: string }) => a.call_id.localeCompare(b.call_id);
	const told = calls.map((call: { id: string; to: string; status: string; retries: number }) => {
		return { call_id: call.id, campaign_id: campaign, phone: call.to, status: call.status, retries: call.retries };
	});
	expect(first.calls.sort(byId)).toMatchObject(told.sort(byId));
	expect(first.calls.filter(({ phone }) => phone === '+442079460005')).toMatchObject([{ status: 'completed' }]);
	expect(first.calls.filter(({ phone }) => phone === '+442079460002')).toMatchObject([
		{ status: 'cancelled', retries: 1 },
	]);

	// The service may tell it again, with another ID: each row is written anew.
	await n8n.delivered(webhookId, { event: 'campaign.completed' });
	const second = await written(2);
	const plain = (rows: object[]) => rows.map((row) => ({ ...row, updatedAt: '', reported_at: '' }));
	expect(plain(second.campaigns)).toEqual(plain(first.campaigns));
	expect(plain(second.calls.sort(byId))).toEqual(plain(first.calls));
}, 120_000);
