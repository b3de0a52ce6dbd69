import { setTimeout as sleep } from 'node:timers/promises';

import { waitFor } from '../../scripts/lib/waiting.mts';
import { Instance } from './instance.mts';

let n8n: Instance;

beforeAll(async () => {
	// 100 requests in 3 seconds: the run sends a hundred, and waits.
	n8n = await Instance.share({ speed: 1, options: ['--rate-limit', '100', '--rate-window', '3'] });
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const paces = {
	'by the limit of the service': { maxConcurrentRequests: 20 },
	'by Max Requests per Minute': { maxConcurrentRequests: 5, maxRequestsPerMinute: 600 },
};

test.each(Object.entries(paces))(
	'a run of 1,000 items, paced %s, sends nothing more a second after it is stopped',
	async (name, sending) => {
		await n8n.service.post('/_sandbox/reset');
		const { campaigns } = (await n8n.service.get('/_sandbox/seed')).data;
		const nodes = [
			n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			n8n.node('Numbers', 'n8n-nodes-base.code', 2, {
				jsCode: 'return Array.from({ length: 1000 }, (_, n) => ({ json: { to: `+1202555${1000 + n}` } }));',
			}),
			n8n.node('Call', 'n8n-nodes-voice-agent-calling.voiceAgentCalling', 1, {
				resource: 'campaign',
				operation: 'queueCall',
				campaign: { __rl: true, mode: 'id', value: campaigns.active },
				phoneNumber: '={{ $json.to }}',
				sending,
			}),
			n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
		];
		const workflowId = await n8n.createWorkflow(`Stopped, ${name}`, nodes, ['Start', 'Numbers', 'Call', 'After']);
		const id = await n8n.editor.run(workflowId, 'Start');
		await waitFor(async () => (await calls()).length >= 40 || undefined, { seconds: 30 });

		await n8n.editor.request('POST', `/rest/executions/${id}/stop`);
		const stoppedAt = Date.now();
		await sleep(2000);
		const { length } = await calls();
		// Longer than the window of the service's rate limit.
		await sleep(3500);
		const all = await calls();
		expect(all).toHaveLength(length);
		expect(all.length).toBeLessThan(500);
		expect(Math.max(...all.map(({ at }) => Date.parse(at))) - stoppedAt).toBeLessThan(2000);

		const [{ status }] = await n8n.finished(workflowId, 1);
		expect(status).toBe('canceled');
		// No number was called twice.
		expect(new Set(all.map(({ body }) => body.to)).size).toBe(all.length);
	},
	90_000,
);

async function calls(): Promise<Array<{ at: string; body: { to: string } }>> {
	const { data } =
		await n8n.service.get<Array<{ method: string; path: string; at: string; body: { to: string } }>>(
			'/_sandbox/requests',
		);
	return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
}
