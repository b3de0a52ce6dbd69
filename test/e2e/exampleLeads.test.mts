import { comes } from './eventually.mts';
import {
	addOptions,
	addRows,
	credentialFor,
	modelFor,
	nodeOf,
	publishExample,
	rowWhen,
	tableRows,
} from './example.mts';
import { postJson } from './handmade.mts';
import { Instance } from './instance.mts';

const MINUTE_MS = 60_000;
const LIST = 'Do-Not-Call List';
/** The header that the CRM sends. */
const secret = { 'X-Secret': 'shared-1' };

interface Lead {
	id: number;
	name: string;
	state: string;
	call_at: string;
	called_after_seconds: number;
}

const people = [
	{ id: 'a', name: 'Ada', phone: '+44 (0)20 7946 0201' },
	{ id: 'b', name: 'Grace', phone: '+442079460202' },
	{ id: 'c', name: 'Emmy', phone: 'no number' },
	{ id: 'd', name: 'Hedy', phone: '0044 20 7946 0203' },
];

let n8n: Instance;
/** The workflow that keeps the list. */
let workflowId: string;

/** A time zone in which it is about noon: the hours of the test do not pass midnight. The sign is the other way round. */
const hour = 12 - new Date().getUTCHours();
const zone = `Etc/GMT${hour > 0 ? '-' : '+'}${Math.abs(hour)}`;
/** When the hours of one lead begin: long enough from the start that it comes before that. */
let opensAt: number;

beforeAll(async () => {
	n8n = await Instance.share();
	const withHeader = await credentialFor(n8n, 'httpHeaderAuth', { name: 'X-Secret', value: 'shared-1' });
	const model = await modelFor(n8n, (said) => {
		const [optOut] = /stop|Lass mich/i.exec(said) ?? [];
		const marks = { may_be_called_again: optOut === undefined, said: optOut ?? '' };
		return { say: said.includes('nonsense') ? 'This is nonsense.' : JSON.stringify(marks) };
	});
	opensAt = Math.ceil((Date.now() + 15_000) / MINUTE_MS) * MINUTE_MS;
	const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
	await publishExample(n8n, 'call-a-new-lead-at-once.json', (workflow) => {
		withHeader(nodeOf(workflow, 'New Lead'));
		const hours = `=Daily {{ $('Lead').first().json.name === 'Katherine' ? '${format.format(opensAt)}' : '0:00' }}-24:00`;
		for (const node of ['Check the Number', 'Call the Lead'].map((name) => nodeOf(workflow, name))) {
			const { callingHours } = node.parameters.options as { callingHours: { values: object } };
			addOptions(node, { callingHours: { values: { ...callingHours.values, hours } } });
		}
	});
	expect(await lead('Katherine', '+44 20 7946 0003', { time_zone: zone })).toMatchObject({ status: 202 });
	workflowId = await publishExample(n8n, 'keep-a-do-not-call-list.json', (workflow) => {
		model.use(nodeOf(workflow, 'Chat Model'));
		nodeOf(workflow, 'Contacts').parameters.jsonOutput = JSON.stringify({ contacts: people });
	});
	await n8n.soleWebhook();
});

/** Sends JSON to a webhook of n8n. */
const send = async (path: string, body: object, headers: object = secret) =>
	await postJson(`${n8n.n8n.url}/webhook/${path}`, body, headers);

const lead = async (name: string, phone: string, more: object = {}, headers?: object) =>
	await send('new-lead', { name, phone, ...more }, headers);

const timesDialed = async (...numbers: string[]) =>
	await Promise.all(numbers.map(async (to) => (await n8n.dialed(to)).length));
const statesOf = async (name: string) =>
	(await tableRows<Lead>(n8n, 'Leads')).filter((row) => row.name === name).map(({ state }) => state);

/** The row of somebody, once it has a state. */
const rowOf = async (name: string, state: string, seconds = 40) =>
	await rowWhen<Lead>(
		n8n,
		'Leads',
		(row) => row.name === name && row.state !== 'repeated',
		(row) => row.state === state,
		{ seconds },
	);

test('a lead outside the calling hours waits for them', async () => {
	expect(Date.parse((await rowOf('Katherine', 'waiting')).call_at)).toBe(opensAt);
	expect(await timesDialed('+442079460003')).toEqual([0]);
});

test('a new lead is called within 30 seconds, and the table says how long it took', async () => {
	const start = Date.now();
	const answer = await lead('Ada', '+44 (0)20 7946 0001');
	expect([answer.status, JSON.parse(answer.text)]).toEqual([202, { state: 'accepted', lead: expect.any(Number) }]);
	const row = await rowOf('Ada', 'called');
	expect(Date.now() - start).toBeLessThan(30_000);
	expect(row).toMatchObject({
		number: '+442079460001',
		details: '',
		call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
	});
	expect(row.called_after_seconds).toBeLessThanOrEqual((Date.now() - start) / 1000);
	expect(row.called_after_seconds).toBeGreaterThan(0);
	const call = { payload: { name: 'Ada' }, context: { lead: row.id }, is_testing: false };
	expect(await n8n.dialed('+442079460001')).toMatchObject([call]);
});

test('a lead that comes several times within a minute is called once, also at the same moment', async () => {
	const numbers = ['+44 20 7946 0104', '0044 20 79460104', '+442079460104'];
	const answers = await Promise.all(numbers.map((phone) => lead('Hedy', phone)));
	answers.push(await lead('Hedy', numbers[0]!));
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 202]);
	await rowOf('Hedy', 'called');
	expect((await statesOf('Hedy')).sort()).toEqual(['called', 'repeated', 'repeated', 'repeated']);
	expect(await timesDialed('+442079460104')).toEqual([1]);
});

test('only a lead that was called within the hour makes another one a repeated one', async () => {
	const number = '+442079460107';
	const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
	const first = { number, name: 'Rosa', details: '', call_id: '', call_at: ago(100) };
	await addRows(n8n, 'Leads', [
		{ ...first, state: 'called' },
		{ ...first, state: 'repeated', call_at: ago(50) },
		// Its execution is gone.
		{ ...first, state: 'waiting', call_at: ago(-600) },
	]);
	expect(await lead('Rosa', number)).toMatchObject({ status: 202 });
	expect(await lead('Rosa', number)).toMatchObject({ status: 200 });
	await comes(async () => (await timesDialed(number))[0] === 1, 'the call');
	await comes(async () => (await statesOf('Rosa')).filter((state) => state === 'called').length === 2, 'its row');
	expect(await statesOf('Rosa')).toEqual(['called', 'repeated', 'repeated', 'called', 'repeated']);
	expect(await timesDialed(number)).toEqual([1]);
});

test('a lead with a time zone that the hours cannot use is refused at once', async () => {
	const { status, text } = await lead('Lise', '+442079460108', { time_zone: 'Eastern Time (US & Canada)' });
	expect([status, JSON.parse(text)]).toEqual([
		422,
		{ state: 'not called', reason: expect.stringContaining('time zone') },
	]);
	expect(await statesOf('Lise')).toEqual([]);
});

test('a lead that comes again after the service did not answer is called; nobody is without the header', async () => {
	await n8n.fault('GET', '/api/v1/agents/*', { kind: 'status', status: 500, times: 10 });
	const number = '+442079460106';
	expect(await lead('Mary', number)).toMatchObject({ status: 503, text: expect.stringContaining('reason') });
	await n8n.noFaults();
	expect((await lead('Mary', number, {}, {})).status).toBe(403);
	expect(await statesOf('Mary')).toEqual([]);
	expect(await lead('Mary', number)).toMatchObject({ status: 202 });
	await rowOf('Mary', 'called');
	expect(await timesDialed(number)).toEqual([1]);
});

const list = async () => await tableRows<Record<'phone' | 'said', string>>(n8n, LIST);

/** Runs the calling part by hand; gives what came out at both ends. */
async function call() {
	const { id, status } = await n8n.run(workflowId, 'When You Click Execute');
	const named = async (node: string) =>
		(await n8n.outputOf(id, node)).map(({ to, result, code }) => [to, result, ...(code ? [code] : [])]);
	return { status, blocked: await named('Not Called'), others: await named('Everybody Else') };
}

/** Queues a call in which the person says something, and waits until the model has read it. */
async function say(to: string, text: string): Promise<void> {
	await n8n.willSay(to, text);
	await n8n.service.post(`/api/v1/campaigns/${n8n.sandbox.campaignId}/call`, { to });
	await comes(async () => {
		const over = (await n8n.editor.executions(workflowId)).filter(({ status }) => status === 'success');
		const heard = (await Promise.all(over.map(({ id }) => n8n.outputOf(id, 'Said in a Call')))).flat();
		return heard.some((said) => said.to === to && String(said.text).includes(text));
	}, `the transcript of ${to}`);
}

test('nobody is called who wanted no more calls, however the number is written, and others are', async () => {
	const invalid = ['no number', 'failed', 'INVALID_PHONE_NUMBER'];
	const [ada, grace, hedy] = ['+442079460201', '+442079460202', '+442079460203'];
	const others = [[ada, 'queued'], [grace, 'queued'], invalid, [hedy, 'queued']];
	expect(await call()).toEqual({ status: 'success', blocked: [], others });
	// The calls of the first run are over.
	await n8n.advance(600);
	await say(ada, 'Stop.');
	await say(hedy, 'Lass mich in Ruhe, 020 7946 0999!');
	await say(hedy, 'I said stop.');
	await say(grace, 'Call me at 5.');
	expect(await list()).toMatchObject([
		{ phone: ada, said: 'Stop' },
		{ phone: hedy, said: 'stop' },
	]);
	await n8n.advance(600);
	const [toAda = 0, toGrace = 0, toHedy = 0] = await timesDialed(ada, grace, hedy);
	const blocked = ['+44 (0)20 7946 0201', '0044 20 7946 0203'].map((number) => [number, 'blocked', 'DO_NOT_CALL']);
	expect(await call()).toEqual({ status: 'success', blocked, others: [[grace, 'queued'], invalid] });
	expect(await timesDialed(ada, grace, hedy)).toEqual([toAda, toGrace + 1, toHedy]);
});

test('if the model gives no answer that can be read, the execution fails, and nobody is listed', async () => {
	const before = await list();
	await n8n.willSay('+442079460205', 'nonsense');
	await n8n.service.post(`/api/v1/campaigns/${n8n.sandbox.campaignId}/call`, { to: '+442079460205' });
	await comes(
		async () => (await n8n.editor.executions(workflowId)).some(({ status }) => status === 'error'),
		'the failed execution',
		60,
	);
	expect(await list()).toEqual(before);
});

test('nobody is called while the list has an entry that cannot be read', async () => {
	await addRows(n8n, LIST, [{ phone: 'ask Ada', source: 'by hand', said: '' }]);
	const before = (await n8n.dialed()).length;
	const { others, blocked } = await call();
	expect(blocked).toEqual([]);
	expect(others.map(([, result]) => result)).not.toContain('queued');
	expect(await n8n.dialed()).toHaveLength(before);
});

test('the lead that waited is called when the hours begin, once, although it came again', async () => {
	if (Date.now() < opensAt - 5000) {
		expect(await lead('Katherine', '+442079460003', { time_zone: zone })).toMatchObject({ status: 202 });
	}
	const callAt = Date.parse((await rowOf('Katherine', 'called', 120)).call_at);
	expect(callAt).toBeGreaterThanOrEqual(opensAt);
	expect(callAt).toBeLessThan(opensAt + 30_000);
	expect(await timesDialed('+442079460003')).toEqual([1]);
});
