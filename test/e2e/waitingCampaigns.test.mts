import { createHmac } from 'node:crypto';

import { seconds, stillClock } from './callAndWait.mts';
import { CampaignAndWait } from './campaignAndWait.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
let campaigns: CampaignAndWait;

beforeAll(async () => {
	n8n = await Instance.start(stillClock);
	campaigns = new CampaignAndWait(n8n);
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** ID and outcome of each item after the wait. */
const outcomes = async (executionId: string) =>
	(await outputOf(n8n.editor, executionId, 'After')).map(({ id, outcome }) => [id, outcome]);

test('An execution waits during a restart of n8n, and continues when all of its campaigns have ended, with their statistics', async () => {
	const [one, two, three] = [
		await campaigns.campaign('One'),
		await campaigns.campaign('Two'),
		await campaigns.campaign('Three'),
	];
	const over = await campaigns.campaign('Over');
	await campaigns.setStatus(over, 'completed');
	const executionId = await campaigns.start('Several', [one, two, over, one, three]);
	await campaigns.statusBecomes(executionId, 'waiting');
	const counts = await Promise.all([one, two, three, over].map(async (id) => (await campaigns.waits(id)).length));
	expect(counts).toEqual([1, 1, 1, 0]);

	await campaigns.call(one);
	await campaigns.setStatus(one, 'completed');
	// The service tells of a change, which is not the end of the campaign.
	await campaigns.setStatus(three, 'paused');
	await n8n.service.put(`/api/v1/campaigns/${three}`, { name: 'Third' });
	await n8n.restartN8n();
	await campaigns.statusBecomes(executionId, 'waiting');
	await campaigns.setStatus(two, 'cancelled');
	await campaigns.setStatus(three, 'completed');
	await campaigns.statusBecomes(executionId, 'success');

	const items = await outputOf(n8n.editor, executionId, 'After');
	expect(await outcomes(executionId)).toEqual([
		[one, 'completed'],
		[two, 'cancelled'],
		[over, 'completed'],
		[one, 'completed'],
		[three, 'completed'],
	]);
	expect(items[0]).toEqual({
		...{ id: one, name: 'One', status: 'completed', outcome: 'completed' },
		stats: { total_calls: 1, completed_calls: 1, failed_calls: 0, success_rate: 100, average_duration: 30 },
	});
	expect(items[4]).toMatchObject({ name: 'Third', status: 'completed' });
	for (const id of [one, two, three]) {
		await campaigns.waitsBecome(id, 0);
	}
}, 180_000);

test('A campaign that completes after n8n was killed continues the execution', async () => {
	const id = await campaigns.campaign('Killed');
	const executionId = await campaigns.start('Killed', [id]);
	await campaigns.statusBecomes(executionId, 'waiting');
	await n8n.restartN8n('SIGKILL');
	await campaigns.call(id);
	await campaigns.setStatus(id, 'completed');
	await campaigns.statusBecomes(executionId, 'success');
	expect(await outputOf(n8n.editor, executionId, 'After')).toMatchObject([
		{ id, outcome: 'completed', stats: { completed_calls: 1 } },
	]);
	await campaigns.waitsBecome(id, 0);
}, 120_000);

test('When the time is up the service is asked: what was cancelled without an event is cancelled, what goes on has timed out', async () => {
	const [quiet, goesOn, gone] = [
		await campaigns.campaign('Quiet'),
		await campaigns.campaign('Goes on'),
		await campaigns.campaign('Gone', 'draft'),
	];
	const executionId = await campaigns.start('Late', [quiet, goesOn, gone], { options: { timeLimit: seconds(36) } });
	await campaigns.statusBecomes(executionId, 'waiting');
	const [{ id: webhookId }] = await campaigns.waits(quiet);
	await n8n.service.delete(`/api/v1/campaigns/${quiet}/webhooks/${webhookId}`);
	await campaigns.setStatus(quiet, 'cancelled');
	await n8n.service.delete(`/api/v1/campaigns/${gone}`);
	await campaigns.call(goesOn);
	await campaigns.statusBecomes(executionId, 'success');
	expect(await outcomes(executionId)).toEqual([
		[quiet, 'cancelled'],
		[goesOn, 'timedOut'],
		[gone, 'deleted'],
	]);
	const [, timedOut] = await outputOf(n8n.editor, executionId, 'After');
	expect(timedOut).toMatchObject({ status: 'active', stats: { completed_calls: 1 } });
	await campaigns.waitsBecome(goesOn, 0);
}, 120_000);

test('The webhook of an execution that was stopped goes with the next wait for the campaign', async () => {
	const two = await campaigns.campaign('Stopped');
	const stopped = await campaigns.start('Stopped', [two], { options: { timeLimit: seconds(22) } });
	await campaigns.statusBecomes(stopped, 'waiting');
	await n8n.editor.request('POST', `/rest/executions/${stopped}/stop`, {});
	const [left] = await campaigns.waits(two);
	// n8n itself ends such a wait two minutes after its time limit; only then is the webhook left over.
	await n8n.service.put(`/api/v1/campaigns/${two}/webhooks/${left.id}`, {
		name: left.name.replace(/\S+$/, new Date(Date.now() - 1000).toISOString()),
	});
	const next = await campaigns.start('Next', [two]);
	await campaigns.statusBecomes(next, 'waiting');
	const [own, other] = await campaigns.waits(two);
	expect(own.id).not.toBe(left.id);
	expect(other).toBeUndefined();
	await campaigns.setStatus(two, 'completed');
	await campaigns.statusBecomes(next, 'success');
}, 180_000);

describe('No execution is resumed by', () => {
	let id: string;
	let other: string;
	let executionId: string;
	let url: string;

	beforeAll(async () => {
		[id, other] = [await campaigns.campaign('Forged'), await campaigns.campaign('Other')];
		executionId = await campaigns.start('Forged', [id, other, id]);
		await campaigns.statusBecomes(executionId, 'waiting');
		[{ webhook_url: url }] = await campaigns.waits(id);
	}, 60_000);

	afterEach(async () => expect((await n8n.editor.execution(executionId)).status).toBe('waiting'));

	const body = () => JSON.stringify({ event: 'campaign.completed', campaign_id: id });
	const post = async (to: string, headers: Record<string, string> = {}) =>
		(await fetch(to, { method: 'POST', body: body(), headers: { 'content-type': 'application/json', ...headers } }))
			.status;

	test('a delivery without a signature, or with one that is made with another secret', async () => {
		expect(await post(url)).toBe(401);
		const signature = createHmac('sha256', 'guessed').update(body()).digest('hex');
		expect(await post(url, { 'x-webhook-signature': signature })).toBe(401);
		// As a message of this node.
		expect(await post(url, { 'x-voice-agent-calling-message': signature })).toBe(401);
	});

	test.each(['body', 'signature', 'secret'])('a delivery of the service with another %s', async (tamper) => {
		const [{ id: webhookId }] = await campaigns.waits(id);
		expect(await n8n.deliver(webhookId, { event: 'campaign.completed', tamper })).toEqual([401]);
	});

	test("another campaign's delivery", async () => {
		const [{ id: webhookId }] = await campaigns.waits(other);
		// Its webhook delivers to the address of the first one, with its own secret.
		const elsewhere = new URL(url);
		await n8n.service.put(`/api/v1/campaigns/${other}/webhooks/${webhookId}`, { webhook_url: elsewhere.href });
		expect(await n8n.deliver(webhookId, { event: 'campaign.completed' })).toEqual([401]);
		elsewhere.searchParams.delete('campaign');
		await n8n.service.put(`/api/v1/campaigns/${other}/webhooks/${webhookId}`, { webhook_url: elsewhere.href });
		expect(await n8n.deliver(webhookId, { event: 'campaign.completed' })).toEqual([401]);
	});

	test('a genuine delivery that says the campaign is completed, although the service shows it active', async () => {
		const [{ id: webhookId }] = await campaigns.waits(id);
		expect(await n8n.deliver(webhookId, { event: 'campaign.completed' })).toEqual([503]);
		expect(await n8n.deliver(webhookId, { event: 'campaign.updated' })).toEqual([200]);
	});
});

test('By polling, an execution runs until its campaigns have ended', async () => {
	const [one, two, three] = [
		await campaigns.campaign('P1'),
		await campaigns.campaign('P2'),
		await campaigns.campaign('P3'),
	];
	const executionId = await campaigns.start('Polling', [one, two, three], {
		waitBy: 'polling',
		options: { pollInterval: 1 },
	});
	await campaigns.statusBecomes(executionId, 'running');
	await campaigns.setStatus(one, 'completed');
	await campaigns.setStatus(two, 'cancelled');
	await campaigns.setStatus(three, 'completed');
	await campaigns.statusBecomes(executionId, 'success');
	expect(await outcomes(executionId)).toEqual([
		[one, 'completed'],
		[two, 'cancelled'],
		[three, 'completed'],
	]);
	expect(await campaigns.waits(one)).toEqual([]);
}, 60_000);

test('No secret of a wait is in the database of n8n, or in an output', async () => {
	const requests = await n8n.requests();
	const secrets = requests
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'))
		.map(({ body }) => String(body?.webhook_secret));
	expect(secrets.length).toBeGreaterThan(8);
	const { readFileSync, readdirSync } = await import('node:fs');
	const folder = `${n8n.folder}/.n8n`;
	const files = readdirSync(folder).filter((name) => name.startsWith('database.sqlite'));
	expect(files).not.toEqual([]);
	for (const file of [...files.map((name) => `${folder}/${name}`), `${n8n.folder}/n8n.log`]) {
		const text = readFileSync(file, 'latin1');
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
	}
});
