import { setTimeout as sleep } from 'node:timers/promises';

import { comes } from './eventually.mts';
import { byId, Instance } from './instance.mts';

test('a run of 1,000 items, paced by the limit of the service, sends nothing more a second after it is stopped', async () => {
	// 100 requests in 3 seconds: the run sends a hundred, and waits.
	const n8n = await Instance.share({ speed: 1, options: ['--rate-limit', '100', '--rate-window', '3'] });
	const people = Array.from({ length: 1000 }, (_none, index) => ({ to: `+1202555${1000 + index}` }));
	// By hand, Automatic calls five phones only.
	const campaign = byId(n8n.sandbox.campaignId);
	const queue = { resource: 'campaign', operation: 'queueCall', campaign, testCall: 'always' };
	const workflowId = await n8n.chain('Stopped', [
		n8n.manualStart(),
		n8n.given('Numbers', people),
		n8n.action('Call', { ...queue, phoneNumber: '={{ $json.to }}', sending: { maxConcurrentRequests: 20 } }),
	]);
	const id = await n8n.editor.run(workflowId, 'Start');
	await comes(async () => (await n8n.placed()).length >= 40, '40 calls');
	await n8n.editor.request('POST', `/rest/executions/${id}/stop`);
	await sleep(1000);
	const { length } = await n8n.placed();
	// Longer than the window of the service's rate limit.
	await sleep(3200);
	const numbers = (await n8n.dialed()).map(({ to }) => to);
	expect([numbers.length, new Set(numbers).size, length < 500]).toEqual([length, length, true]);
	expect(await n8n.ended(id)).toBe('canceled');
});
