import { importExample } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** The IDs of the campaigns with a status, in order. */
async function campaigns(status: string): Promise<string[]> {
	const { data } = await n8n.service.get('/api/v1/campaigns', { params: { status, per_page: 100 } });
	return (data.data as Array<{ id: string }>).map(({ id }) => id).sort();
}

/** The status of every call to a number, of any agent and campaign. */
async function statusOf(to: string): Promise<string[]> {
	const { data } = await n8n.service.get('/api/v1/calls', { params: { search: to.slice(1) } });
	return (data.data as Array<{ status: string }>).map(({ status }) => status);
}

test('Stop all calls pauses every active campaign, ends every call in progress, and leaves what is queued in place', async () => {
	const { agentId, campaignId } = n8n.sandbox;
	const [outbound, delayed, ofCampaign] = ['+442079460010', '+442079460011', '+442079460012'];
	for (const to of [outbound, delayed, ofCampaign]) {
		await n8n.ringsForAnHour(to);
	}
	const active = await campaigns('active');
	expect(active.length).toBeGreaterThan(1);
	expect(active).toContain(campaignId);
	const paused = await campaigns('paused');
	await n8n.service.post(`/api/v1/agents/${agentId}/call`, { to: outbound });
	await n8n.service.post(`/api/v1/agents/${agentId}/call`, { to: delayed, delay_seconds: 3600 });
	await n8n.service.post(`/api/v1/campaigns/${campaignId}/call`, { to: ofCampaign });
	await n8n.service.post('/_sandbox/advance', { seconds: 5 });
	expect(await statusOf(outbound)).toEqual(['ringing']);
	expect(await statusOf(ofCampaign)).toEqual(['ringing']);

	const workflowId = await importExample(n8n, 'stop-all-calls.json');
	const id = await n8n.editor.run(workflowId, 'When You Click Execute');
	expect(await n8n.finished(workflowId, 1)).toMatchObject([{ id, status: 'success' }]);

	expect(await campaigns('active')).toEqual([]);
	expect(await campaigns('paused')).toEqual([...paused, ...active].sort());
	const changed = await outputOf(n8n.editor, id, 'Pause the Campaign');
	expect(changed.map((item) => item.id).sort()).toEqual(active);
	expect(await outputOf(n8n.editor, id, 'End the Call')).toHaveLength(3);
	for (const to of [outbound, delayed, ofCampaign]) {
		expect({
			to,
			inProgress: (await statusOf(to)).filter((status) => /initiated|ringing|answered/.test(status)),
		}).toEqual({ to, inProgress: [] });
	}
	// A day later nobody was called again.
	await n8n.service.post('/_sandbox/advance', { seconds: 86_400 });
	expect(await statusOf(ofCampaign)).toHaveLength(1);

	// With nothing to stop it ends as quietly.
	await n8n.editor.run(workflowId, 'When You Click Execute');
	expect((await n8n.finished(workflowId, 2)).map(({ status }) => status)).toEqual(['success', 'success']);
	// Only this test has called anybody.
	expect(await n8n.placed()).toHaveLength(3);
}, 120_000);
