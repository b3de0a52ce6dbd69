import { publishExample, tableRows } from './example.mts';
import { Instance } from './instance.mts';

interface CallRow {
	call_id: string;
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
	campaign = `/api/v1/campaigns/${n8n.sandbox.campaignId}`;
	workflowId = await publishExample(n8n, 'campaign-report-to-a-table.json');
	({ id: webhookId } = await n8n.soleWebhook());
});

/** Both tables, once that many executions are over. */
async function written(executions: number) {
	const done = await n8n.finished(workflowId, executions);
	expect(done.map(({ status }) => status)).toEqual(done.map(() => 'success'));
	const plain = <Row extends object>(rows: Row[]) => rows.map((row) => ({ ...row, updatedAt: '', reported_at: '' }));
	const calls = plain(await tableRows<CallRow>(n8n, 'Campaign Report Calls'));
	const campaigns = plain(await tableRows<object>(n8n, 'Campaign Reports'));
	return { campaigns, calls: calls.sort((one, other) => one.call_id.localeCompare(other.call_id)) };
}

test('A completed campaign writes its statistics and all of its calls to the tables, also when the event comes twice', async () => {
	for (const to of ['+442079460001', '+442079460005', '+442079460002']) {
		await n8n.service.post(`${campaign}/call`, { to });
	}
	await n8n.advanceBySteps(80, 10);
	expect(await n8n.editor.executions(workflowId)).toEqual([]);

	await n8n.service.patch(`${campaign}/status`, { status: 'completed' });
	const first = await written(1);
	const { id, name, stats, calls } = (await n8n.service.get(campaign)).data.data;
	const { total_calls, completed_calls, failed_calls } = stats;
	const row = { campaign_id: id, name, status: 'completed', total_calls, completed_calls, failed_calls };
	expect(first.campaigns).toMatchObject([row]);
	const told = calls.map((call: Record<'id' | 'to' | 'status' | 'retries', string>) => {
		return { call_id: call.id, campaign_id: id, phone: call.to, status: call.status, retries: call.retries };
	});
	expect(first.calls).toHaveLength(told.length);
	expect(first.calls).toEqual(expect.arrayContaining(told.map((call: object) => expect.objectContaining(call))));
	const statuses = Object.fromEntries(first.calls.map(({ phone, status, retries }) => [phone, [status, retries]]));
	expect(statuses).toMatchObject({ '+442079460005': ['completed', 0], '+442079460002': ['cancelled', 1] });

	// The service may tell it again, with another ID: each row is written anew.
	await n8n.delivered(webhookId, { event: 'campaign.completed' });
	expect(await written(2)).toEqual(first);
});
