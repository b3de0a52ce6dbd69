import { comes } from './eventually.mts';
import { neverByItself, nodeOf, publishExample } from './example.mts';
import { GoogleSheets } from './googleSheets.mts';
import { Instance } from './instance.mts';

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let google: GoogleSheets;
let n8n: Instance;
let workflowId: string;
let queueing: string;

beforeAll(async () => {
	google = await GoogleSheets.start();
	n8n = await Instance.start({ env: google.env });
	queueing = `/api/v1/campaigns/${n8n.sandbox.campaignId}/call`;
	const account = await google.connectAccount(n8n);
	workflowId = await publishExample(n8n, 'call-the-rows-of-a-google-sheet.json', (workflow) => {
		google.chooseIn(workflow, account);
		neverByItself(workflow, 'Every 15 Minutes');
		nodeOf(workflow, 'At Most 100 per Run').parameters.maxItems = 6;
	});
	await n8n.soleWebhook();
});

afterAll(async () => await google?.stop());

/** Runs the workflow as its schedule does; gives how the execution ended. */
const run = async () => (await n8n.run(workflowId, 'Every 15 Minutes')).status;

/** The row of somebody, once its result is as wanted. */
const rowOf = async (name: string, wanted = (result: unknown) => result !== undefined && result !== 'calling') =>
	await comes(
		async () => google.contacts.find((row) => row.Name === name && wanted(row.Result)),
		`the result of ${name} among ${JSON.stringify(google.contacts)}`,
	);

/** The numbers that the service was asked to call, after the first of them. */
const dialed = async (before = 0) => (await n8n.dialed()).slice(before).map(({ to }) => to);

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
	const sent = (await n8n.dialed()).toSorted((one, other) => String(one.to).localeCompare(String(other.to)));
	expect(sent).toMatchObject([
		{ to: '+442079460001', payload: { name: 'Ada' }, is_testing: true },
		{ to: '+442079460004', payload: { name: 'Hedy' } },
		{ to: '+442079460005', payload: { name: 'Annie' } },
	]);
	// The columns that the workflow writes are added after those of the user.
	expect(google.rows[0]).toEqual(['Phone', 'Name', 'City', 'Result', 'Details', 'Call ID', 'Time', 'Key']);

	const { calls } = (await n8n.service.get(queueing.replace('/call', ''))).data.data;
	const idOf = (to: string) => calls.find((call: { to: string }) => call.to === to).id;
	const ada = await rowOf('Ada');
	expect(ada).toMatchObject({
		Phone: '+44 20 7946 0001',
		City: 'London',
		Result: 'completed',
		'Call ID': idOf('+442079460001'),
		Details: expect.stringMatching(/^The call took \d+ seconds\.$/),
		Key: expect.any(String),
	});
	expect(new Date(String(ada?.Time)).toISOString()).toBe(ada?.Time);
	expect(await rowOf('Annie')).toMatchObject({ Result: 'voicemail', 'Call ID': idOf('+442079460005') });
	expect(await rowOf('Emmy')).toMatchObject({ Result: 'not called' });
	expect(await rowOf('Ada again')).toMatchObject({ Result: 'same number', 'Call ID': idOf('+442079460001') });
	// A call that reached nobody is over after the retries of the campaign.
	await n8n.advance(12 * 3600);
	expect(await rowOf('Hedy')).toMatchObject({ Result: 'failed', Details: 'disconnected' });
	expect(google.contacts.find(({ Name }) => Name === 'Nobody')).toEqual({ Name: 'Nobody' });
	expect(google.rows[5]?.[2]).toBe('=1+1');
});

test('Another run calls nobody who was called, also while phones ring, and calls new rows', async () => {
	const before = (await n8n.placed()).length;
	await n8n.sandbox.setSpeed(0);
	google.rows.push(['+442079460106', 'Mary']);
	expect(await run()).toBe('success');
	expect(google.contacts.at(-1)).toMatchObject({ Result: 'calling', 'Call ID': ID });
	expect(await run()).toBe('success');
	// Whoever sorts the sheet meanwhile finds the result in the right row.
	google.rows.splice(1, 0, google.rows.pop() ?? []);
	await n8n.sandbox.setSpeed(60);
	expect(await rowOf('Mary')).toMatchObject({ Phone: '+442079460106', Result: 'completed' });
	expect(await rowOf('Ada')).toMatchObject({ Phone: '+44 20 7946 0001' });
	expect(await dialed(before)).toEqual(['+442079460106']);
});

test('Two runs at the same moment call a row once', async () => {
	await n8n.sandbox.setSpeed(0);
	google.rows.push(['+442079460107', 'Joan']);
	expect(await Promise.all([run(), run()])).toEqual(['success', 'success']);
	const taken = (await n8n.placed()).filter(({ status, body }) => Number(status) < 300 && body?.to === '+442079460107');
	expect(taken).toHaveLength(1);
});

test('A row whose outcome is unknown is not called again, and gets its outcome', async () => {
	const before = (await n8n.placed()).length;
	google.rows.push(['+442079460108', 'Rosalind']);
	await n8n.fault('POST', queueing, { kind: 'drop-after' });
	expect([await run(), google.contacts.at(-1)?.Result]).toEqual(['success', 'unknown']);
	expect(await run()).toBe('success');
	expect(await dialed(before)).toEqual(['+442079460108']);
	// The service did take the call.
	await n8n.sandbox.setSpeed(60);
	expect(await rowOf('Rosalind', (result) => result === 'completed')).toMatchObject({ 'Call ID': ID });
});

test('Of more rows than a run takes, those that were never tried are called first', async () => {
	const before = (await n8n.placed()).length;
	const tried = Array.from({ length: 6 }, (_, index) => ({
		Phone: `+44207946012${index}`,
		Time: '2026-01-01T09:00:00Z',
	}));
	const cells = tried.map((row) => google.rows[0]!.map((name) => Object(row)[String(name)] ?? ''));
	google.rows.push(...cells, ['+442079460130', 'Dorothy']);
	expect(await run()).toBe('success');
	expect(await dialed(before)).toContain('+442079460130');
});

test('Nobody is called when the sheet cannot be written, and nothing was asked of the Internet', async () => {
	const before = (await n8n.placed()).length;
	google.rows.push(['+442079460110', 'Marie']);
	google.isReadOnly = true;
	expect(await run()).toBe('error');
	expect(await n8n.placed()).toHaveLength(before);
	expect(google.contacts.at(-1)).toEqual({ Phone: '+442079460110', Name: 'Marie' });
	expect(google.refusedHosts).toEqual([]);
});
