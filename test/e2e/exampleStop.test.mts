import { importExample } from './example.mts';
import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share();
});

/** The IDs of the campaigns with a status, in order. */
async function campaigns(status: string): Promise<string[]> {
	const { data } = await n8n.service.get('/api/v1/campaigns', { params: { status, per_page: 100 } });
	return data.data.map(({ id }: { id: string }) => id).sort();
}

/** The status of every call to a number, of any agent and campaign. */
async function statusOf(to: string): Promise<string[]> {
	const { data } = await n8n.service.get('/api/v1/calls', { params: { search: to.slice(1) } });
	return data.data.map(({ status }: { status: string }) => status);
}

test('Stop all calls pauses every active campaign, ends every call in progress, and leaves what is queued in place', async () => {
	const [agent, campaign] = [`/api/v1/agents/${n8n.sandbox.agentId}`, `/api/v1/campaigns/${n8n.sandbox.campaignId}`];
	const numbers = ['+442079460010', '+442079460011', '+442079460012'];
	const [outbound, delayed, ofCampaign] = numbers as [string, string, string];
	for (const to of numbers) {
		await n8n.ringsForAnHour(to);
	}
	const [active, paused] = [await campaigns('active'), await campaigns('paused')];
	expect(active.length).toBeGreaterThan(1);
	await n8n.service.post(`${agent}/call`, { to: outbound });
	await n8n.service.post(`${agent}/call`, { to: delayed, delay_seconds: 3600 });
	await n8n.service.post(`${campaign}/call`, { to: ofCampaign });
	await n8n.advance(5);
	expect([await statusOf(outbound), await statusOf(ofCampaign)]).toEqual([['ringing'], ['ringing']]);

	const workflowId = await importExample(n8n, 'stop-all-calls.json');
	const { id, status } = await n8n.run(workflowId, 'When You Click Execute');
	expect([status, await campaigns('active')]).toEqual(['success', []]);
	expect(await campaigns('paused')).toEqual([...paused, ...active].sort());
	const stopped = await n8n.outputOf(id, 'Stop All Calls');
	const withResult = (wanted: string, field: string) =>
		stopped.filter(({ result }) => result === wanted).map((item) => item[field]);
	expect(withResult('paused', 'id').sort()).toEqual(active);
	expect(withResult('ended', 'number').sort()).toEqual(numbers);
	for (const to of numbers) {
		expect((await statusOf(to)).filter((one) => /initiated|ringing|answered/.test(one))).toEqual([]);
	}
	// A day later nobody was called again.
	await n8n.advance(86_400);
	expect(await statusOf(ofCampaign)).toHaveLength(1);

	// With nothing to stop it ends as quietly. Only this test has called anybody.
	expect((await n8n.run(workflowId, 'When You Click Execute')).status).toBe('success');
	expect(await n8n.placed()).toHaveLength(3);
});
