import { comes } from './eventually.mts';
import { enter, publishExample, tableRows } from './example.mts';
import { Instance } from './instance.mts';

let n8n: Instance;
let campaign: string;
let webhookId: string;
let workflowId: string;
/** How many executions there were, and how many requests the sandbox had, before the test. */
let [before, seen] = [0, 0];

beforeAll(async () => {
	n8n = await Instance.share();
	campaign = `/api/v1/campaigns/${n8n.sandbox.campaignId}`;
	// As a person enters it: of four tries, more than half may not fail.
	workflowId = await publishExample(n8n, 'stop-a-campaign-that-fails.json', (workflow) =>
		enter(workflow, 'Settings', { tries: 4 }),
	);
	({ id: webhookId } = await n8n.soleWebhook());
});

beforeEach(async () => {
	if ((await status()) !== 'active') {
		await n8n.service.patch(`${campaign}/status`, { status: 'active' });
	}
	before = (await n8n.editor.executions(workflowId)).length;
	seen = (await n8n.requests()).length;
});

const start = Date.now() - 3_600_000;

/** Delivers how tries ended that failed unless something else is said, one after the other. */
async function tried(
	calls: string[],
	orders: number[],
	{ event = 'campaign_call.failed', ...more }: Record<string, string> = {},
): Promise<void> {
	for (const [index, call_id] of calls.entries()) {
		const timestamp = new Date(start + (orders[index] ?? orders[0]!) * 1000).toISOString();
		await n8n.delivered(webhookId, { event, data: { call_id, timestamp, reason: 'failed', ...more } });
	}
}

/** Waits until as many executions are over as there were events; gives what somebody was told. */
async function told(events: number): Promise<string[]> {
	const executions = (await n8n.finished(workflowId, before + events)).slice(0, -before || undefined);
	expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
	const messages = await Promise.all(executions.map(({ id }) => n8n.outputOf(id, 'Tell Somebody')));
	return messages.flat().map(({ message }) => String(message));
}

const status = async () => (await n8n.service.get(campaign)).data.data.status;

/** The status of the campaign, and what the workflow has changed at the service in this test. */
async function state() {
	const changes = (await n8n.requests())
		.slice(seen)
		.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/') && !path.endsWith('/call'));
	return [await status(), changes.map(({ method, path, body }) => ({ method, path, body }))];
}

const goesOn = ['active', []];
const pausedOnce = () => ['paused', [{ method: 'PATCH', path: `${campaign}/status`, body: { status: 'paused' } }]];

test('a campaign whose lines are busy goes on; one whose tries fail is paused', async () => {
	const call = async (...numbers: string[]) => {
		for (const digits of numbers) {
			await n8n.service.post(`${campaign}/call`, { to: `+441${digits.slice(0, 2)}49600${digits.slice(2)}` });
		}
	};
	await call('1302', '1402', '1503', '1603', '1701');
	expect([await told(5), await status()]).toEqual([[], 'active']);
	await call('1304', '1404', '1504');
	const failed = expect.stringMatching(/^The campaign .* is paused: 3 of the last 4 tries failed \(\d × \w+/);
	expect(await told(8)).toEqual([failed]);
	expect(await state()).toEqual(pausedOnce());
	// No call is made again during the next tests.
	await n8n.sandbox.setSpeed(0);
	// What is written down names nobody.
	expect(JSON.stringify(await tableRows(n8n, 'Recent Tries'))).not.toMatch(/\+44|496000/);
});

test('after the pause the count begins anew; somebody is told once, also if calls fail at the same moment', async () => {
	await tried(['anew-1', 'anew-2', 'anew-3'], [1, 2, 3]);
	expect([await told(3), await state()]).toEqual([[], goesOn]);
	await Promise.all([4, 5, 6, 7].map((order) => tried([`anew-${order}`], [order])));
	expect(await told(7)).toHaveLength(1);
	expect(await state()).toEqual(pausedOnce());
	// Nor does a delivery count that comes again after the pause to which its call has led.
	await n8n.service.patch(`${campaign}/status`, { status: 'active' });
	seen = (await n8n.requests()).length;
	await tried(['anew-1', 'anew-2', 'anew-3'], [1, 2, 3]);
	expect([(await told(10)).length, await state()]).toEqual([1, goesOn]);
});

test('a delivery that comes again, with the same or another ID, does not count twice', async () => {
	// One execution after the other: two at the same moment can write one try twice, which then counts once.
	for (const [index, id] of ['one', 'two', 'three', 'four', 'five'].entries()) {
		await tried(['twice', 'twice'], [10], { id });
		await told(index + 1);
	}
	const rows = await tableRows<{ key: string }>(n8n, 'Recent Tries');
	expect(rows.filter(({ key }) => key.startsWith('twice'))).toHaveLength(1);
	expect(await state()).toEqual(goesOn);
});

test('the last tries are those of the latest events, in whatever order they arrive; a busy line is no failure', async () => {
	await tried(['good-1', 'good-2', 'good-3'], [34, 33, 32], { event: 'campaign_call.completed' });
	await tried(['late-1', 'late-2', 'late-3', 'late-4'], [24, 22, 23, 21]);
	// More than a day old: redelivered after n8n was down.
	await tried(['old-1', 'old-2', 'old-3', 'old-4'], [-90_000]);
	for (const reason of ['do_not_call', 'busy', 'no-answer', 'No Answer']) {
		await tried([`fine-${reason}`], [40], { reason });
	}
	expect([await told(15), await state()]).toEqual([[], goesOn]);
});

test('if the campaign cannot be paused, the execution fails, and the next event tries again; nobody was called by it', async () => {
	await n8n.fault('PATCH', `${campaign}/status`, { kind: 'status', status: 422, times: 1 });
	// They run at the same time: any of them can be the one that counts three.
	await tried(['again-1', 'again-2', 'again-3'], [80, 81, 82]);
	const latest = (await n8n.finished(workflowId, before + 3)).slice(0, 3);
	expect(latest.map(({ status: how }) => how)).toContain('error');
	expect(await status()).toBe('active');
	await tried(['again-4'], [83]);
	await comes(async () => (await status()) === 'paused', 'the pause of the campaign');
	const [{ id }] = await n8n.finished(workflowId, before + 4);
	expect(await n8n.outputOf(id, 'Tell Somebody')).toHaveLength(1);
	expect(await n8n.placed()).toHaveLength(8);
});
