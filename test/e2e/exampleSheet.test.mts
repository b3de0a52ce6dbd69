import { until } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf } from './example.mts';
import { GoogleSheets } from './googleSheets.mts';
import { Instance } from './instance.mts';

const ROW_IDS = /^[0-9a-f-]{36}$/;

let google: GoogleSheets;
let n8n: Instance;
let workflowId: string;
/** How many times the workflow was run for the rows. */

beforeAll(async () => {
	google = await GoogleSheets.start();
	n8n = await Instance.start({ speed: 60, env: google.env });
	const account = await google.connectAccount(n8n);
	workflowId = await importExample(n8n, 'call-the-rows-of-a-google-sheet.json', (workflow) => {
		for (const node of workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.googleSheets')) {
			node.credentials = { googleSheetsOAuth2Api: account };
			node.parameters.documentId = { __rl: true, mode: 'id', value: google.id };
			node.parameters.sheetName = { __rl: true, mode: 'name', value: 'Contacts' };
			// n8n waits five seconds at most.
			Object.assign(node, { waitBetweenTries: 100 });
		}
		// Not while the test runs.
		const triggerAtDayOfMonth = ((new Date().getUTCDate() + 14) % 28) + 1;
		const rule = { interval: [{ field: 'months', triggerAtDayOfMonth }] };
		Object.assign(nodeOf(workflow, 'Every 15 Minutes').parameters, { rule });
	});
	await n8n.editor.publish(workflowId);
	await n8n.webhooksWhen(n8n.sandbox.campaignId, ({ length }) => length === 1);
}, 120_000);

afterAll(async () => {
	await n8n?.stop();
	await google?.stop();
}, 30_000);

/** Runs the workflow as its schedule does; gives how the execution ended. */
async function run(): Promise<string> {
	const id = await n8n.editor.run(workflowId, 'Every 15 Minutes');
	const ask = async () => {
		const { status } = await n8n.editor.execution(id);
		return ['success', 'error', 'crashed'].includes(status) ? status : undefined;
	};
	return await until(ask, { seconds: 40, otherwise: () => new Error(`Execution ${id} did not end`) });
}

/** The row of somebody, once its result is as wanted. */
async function rowOf(name: string, wanted: (result: unknown) => boolean) {
	let row: Record<string, string | number> | undefined;
	const ask = async () => {
		row = google.contacts.find(({ Name }) => Name === name);
		return row && wanted(row.Result) ? row : undefined;
	};
	return await until(ask, { seconds: 40, otherwise: () => new Error(`The row stayed ${JSON.stringify(row)}`) });
}

const isOver = (result: unknown) => result !== undefined && result !== 'calling';

/** What the sandbox was asked to queue. */
async function queued() {
	return (await n8n.requests()).filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
}

test('Each row without a result is called once, and result, call ID and time are in its row', async () => {
	google.rows = [
		['Phone', 'Name', 'City'],
		['+44 20 7946 0001', 'Ada', 'London'],
		['+442079460005', 'Annie', ''],
		['', 'Nobody'],
		['020 7946 0102', 'Emmy', ''],
		['+442079460004', 'Hedy', '=1+1'],
		['0044 20 7946 0001', 'Ada again', ''],
	];
	// Google is asked again where it takes no more requests.
	google.busy = 2;
	expect(await run()).toBe('success');
	const byNumber = (one: { to?: unknown } = {}, other: { to?: unknown } = {}) =>
		String(one.to).localeCompare(String(other.to));
	expect((await queued()).map(({ body }) => body).sort(byNumber)).toMatchObject([
		{ to: '+442079460001', payload: { name: 'Ada' }, is_testing: true },
		{ to: '+442079460004', payload: { name: 'Hedy' } },
		{ to: '+442079460005', payload: { name: 'Annie' } },
	]);
	// The columns that the workflow writes are added after those of the user.
	expect(google.rows[0]).toEqual(['Phone', 'Name', 'City', 'Result', 'Details', 'Call ID', 'Time', 'Key']);

	const calls = (await n8n.service.get(`/api/v1/campaigns/${n8n.sandbox.campaignId}`)).data.data.calls;
	const idOf = (to: string) => calls.find((call: { to: string }) => call.to === to).id;
	const ada = await rowOf('Ada', isOver);
	expect(ada).toMatchObject({
		...{ Phone: '+44 20 7946 0001', City: 'London', Result: 'completed', 'Call ID': idOf('+442079460001') },
		...{ Details: expect.stringMatching(/^The call took \d+ seconds\.$/), Key: expect.any(String) },
	});
	expect(new Date(String(ada.Time)).toISOString()).toBe(ada.Time);
	expect(await rowOf('Annie', isOver)).toMatchObject({ Result: 'voicemail', 'Call ID': idOf('+442079460005') });
	expect(await rowOf('Emmy', isOver)).toMatchObject({
		Result: 'not called',
		Details: expect.stringContaining('country code'),
	});
	expect(await rowOf('Ada again', isOver)).toMatchObject({
		...{ Result: 'same number', 'Call ID': idOf('+442079460001') },
		Details: 'Another row has the same number, and its call.',
	});
	// A call that reached nobody is over after the retries of the campaign.
	for (let hour = 0; hour < 12; hour++) {
		await n8n.service.post('/_sandbox/advance', { seconds: 3600 });
	}
	expect(await rowOf('Hedy', isOver)).toMatchObject({
		...{ Result: 'failed', Details: 'disconnected', 'Call ID': idOf('+442079460004') },
	});
	expect(google.contacts.find(({ Name }) => Name === 'Nobody')).toEqual({ Name: 'Nobody' });
	expect(google.rows[5]?.[2]).toBe('=1+1');
}, 120_000);

test('Another run calls nobody who was called, also while phones ring, and calls new rows', async () => {
	const before = (await queued()).length;
	await n8n.service.post('/_sandbox/clock', { speed: 0 });
	google.rows.push(['+442079460106', 'Mary']);
	expect(await run()).toBe('success');
	expect(google.contacts.at(-1)).toMatchObject({ Result: 'calling', 'Call ID': expect.stringMatching(ROW_IDS) });
	expect(await run()).toBe('success');
	// Whoever sorts the sheet meanwhile finds the result in the right row.
	google.rows.splice(1, 0, google.rows.pop() ?? []);
	await n8n.service.post('/_sandbox/clock', { speed: 60 });
	expect(await rowOf('Mary', isOver)).toMatchObject({ Phone: '+442079460106', Result: 'completed' });
	expect(await rowOf('Ada', isOver)).toMatchObject({ Phone: '+44 20 7946 0001' });
	expect(await run()).toBe('success');
	expect((await queued()).slice(before).map(({ body }) => body?.to)).toEqual(['+442079460106']);
}, 120_000);

test('Two runs at the same moment call a row once', async () => {
	const before = (await queued()).filter(({ status }) => status === 201 || status === 200).length;
	await n8n.service.post('/_sandbox/clock', { speed: 0 });
	google.rows.push(['+442079460107', 'Joan']);
	expect(await Promise.all([run(), run()])).toEqual(['success', 'success']);
	const taken = (await queued()).filter(({ status }) => status === 201 || status === 200);
	expect(taken.slice(before).map(({ body }) => body?.to)).toEqual(['+442079460107']);
	await n8n.service.post('/_sandbox/clock', { speed: 60 });
}, 60_000);

test('Rows that the service could not take are left for the next run, and an unknown one is not', async () => {
	const match = { method: 'POST', path: `/api/v1/campaigns/${n8n.sandbox.campaignId}/call` };
	const body = { success: false, message: 'The token was revoked.' };
	await n8n.service.post('/_sandbox/faults', { match, kind: 'status', status: 401, body, times: 10 });
	google.rows.push(['+442079460108', 'Rosalind'], ['+442079460109', 'Dorothy']);
	expect(await run()).toBe('success');
	for (const row of google.contacts.slice(-2)) {
		expect(row).toEqual({
			...{ Phone: expect.any(String), Name: expect.any(String), Key: expect.any(String), Time: expect.any(String) },
			Details: expect.stringContaining('The service does not accept the environment token'),
		});
	}
	await n8n.service.delete('/_sandbox/faults');

	const before = (await queued()).length;
	await n8n.service.post('/_sandbox/clock', { speed: 0 });
	await n8n.service.post('/_sandbox/faults', { match, kind: 'drop-after' });
	expect(await run()).toBe('success');
	expect(
		google.contacts
			.slice(-2)
			.map(({ Result }) => Result)
			.sort(),
	).toEqual(['calling', 'unknown']);
	expect(await run()).toBe('success');
	// The service did take the call, and its outcome finds the row.
	await n8n.service.post('/_sandbox/clock', { speed: 60 });
	for (const name of ['Rosalind', 'Dorothy']) {
		expect(await rowOf(name, (result) => result === 'completed')).toMatchObject({
			...{ 'Call ID': expect.stringMatching(ROW_IDS), Details: expect.stringContaining('seconds') },
		});
	}
	const numbers = (await queued()).slice(before).map(({ body: sent }) => sent?.to);
	expect(numbers.sort()).toEqual(['+442079460108', '+442079460109']);
}, 120_000);

test('Nobody is called when the sheet cannot be written, and nothing was asked of the Internet', async () => {
	const before = (await queued()).length;
	google.rows.push(['+442079460110', 'Marie']);
	google.isReadOnly = true;
	expect(await run()).toBe('error');
	google.isReadOnly = false;
	expect((await queued()).slice(before)).toEqual([]);
	expect(google.contacts.at(-1)).toEqual({ Phone: '+442079460110', Name: 'Marie' });
	expect(google.refusedHosts).toEqual([]);
}, 60_000);
