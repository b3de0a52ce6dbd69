import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf, tableRows } from './example.mts';
import { nodesRun } from './executionData.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';

interface Row {
	call_id: string;
	phone: string;
	state: string;
	details: string;
	duration: number;
	interested: boolean | null;
	topic: string | null;
	next_step: string | null;
	summary: string | null;
	transcript: string | null;
	recording: string | null;
	missing: string | null;
}

/** n8n may use this folder alone. */
const folder = mkdtempSync(join(tmpdir(), 'allowed-'));

let n8n: Instance;
let workflowId: string;
let model: Awaited<ReturnType<typeof startFakeModel>>;
/** What the model was given to read, in order. */
const read: string[] = [];

/** A model that answers by what it reads. */
function answer(said: string): Turn {
	read.push(said);
	if (said.includes('nonsense')) {
		return { say: 'This is nonsense, and no JSON.' };
	}
	const isOffer = said.includes('on Tuesday');
	const found = isOffer ? { interested: true, next_step: 'Send the offer on Tuesday' } : { interested: false };
	return { say: JSON.stringify({ topic: isOffer ? 'An offer' : 'Nothing', ...found }) };
}

beforeAll(async () => {
	[n8n, model] = await Promise.all([
		Instance.start({ env: { N8N_RESTRICT_FILE_ACCESS_TO: folder } }),
		startFakeModel(answer),
	]);
	const id = await n8n.createCredential('Fake model', 'openAiApi', { apiKey: 'none', url: model.url });
	workflowId = await importExample(n8n, 'after-the-call.json', (workflow) => {
		nodeOf(workflow, 'Chat Model').credentials = { openAiApi: { id, name: 'Fake model' } };
		const settings = nodeOf(workflow, 'Settings').parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		settings.assignments[0].value = folder;
		// Two calls whose artifacts never arrive are given up soon.
		const given = "['+442079460104', '+442079460105'].includes($('Campaign Events').first().json.to)";
		settings.assignments[1].value = `={{ ${given} ? 6 : 60 }}`;
		Object.assign(nodeOf(workflow, 'Download'), { waitBetweenTries: 100 });
		nodeOf(workflow, 'Two Minutes Later').parameters = { amount: 1, unit: 'seconds' };
	});
	await n8n.editor.publish(workflowId);
	const [webhook] = await n8n.webhooksWhen(n8n.sandbox.campaignId, ({ length }) => length === 1);
	// Makes the tables once, to see their names: the calls have to make them again.
	await n8n.delivered(webhook.id, { event: 'campaign_call.failed' });
	await n8n.finished(workflowId, 1);
	await deleteTables();
}, 120_000);

afterAll(async () => await Promise.all([n8n?.stop(), model?.close()]), 30_000);

/** Removes the tables, so that events which come at the same moment have to make them. */
async function deleteTables(): Promise<void> {
	const { data } = await n8n.editor.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
		'GET',
		'/rest/data-tables-global',
	);
	expect(data.map(({ name }) => name).sort()).toEqual(['Call Artifacts', 'Conversations']);
	for (const { id, projectId } of data) {
		await n8n.editor.request('DELETE', `/rest/projects/${projectId}/data-tables/${id}`);
	}
}

/** Queues a call in which the person says something; gives its ID. */
async function call(to: string, text?: string): Promise<string> {
	if (text !== undefined) {
		const steps = [
			{ after: 2, do: 'answer' },
			{ after: 5, do: 'say', text },
			{ after: 5, do: 'hangUp' },
		];
		await n8n.service.post('/_sandbox/script', { to, steps });
	}
	const { data } = await n8n.service.post(`/api/v1/campaigns/${n8n.sandbox.campaignId}/call`, { to });
	return data.campaign_call.id;
}

/** When events of a kind are sent: so many sandbox seconds late, or never. */
async function delay(event: string, seconds: number | null): Promise<void> {
	await n8n.service.post('/_sandbox/delays', { event, seconds });
}

async function rows(): Promise<Row[]> {
	return await tableRows<Row>(n8n, 'Conversations');
}

/** The row of a call, once there is one. */
async function rowOf(callId: string, hours = 0): Promise<Row> {
	let found: Row[] = [];
	const ask = async () => {
		if (hours > 0) {
			await n8n.service.post('/_sandbox/advance', { seconds: hours * 3600 });
		}
		found = (await rows()).filter(({ call_id }) => call_id === callId);
		return found.length > 0 ? found : undefined;
	};
	const [row, ...others] = await until(ask, { seconds: 40, otherwise: () => new Error(`No row of ${callId}`) });
	expect(others).toEqual([]);
	return row;
}

/** The file of a call, as n8n has saved it. */
const saved = (callId: string) => readFileSync(join(folder, `${callId}.mp3`));

test('Each conversation is one row with what the model found in it, and its recording is a file', async () => {
	const [offer, none] = [
		await call('+442079460101', 'Yes, send me the offer on Tuesday.'),
		await call('+442079460102', 'No, thank you.'),
	];
	expect(await rowOf(offer)).toMatchObject({
		phone: '+442079460101',
		state: 'read',
		details: '',
		interested: true,
		topic: 'An offer',
		next_step: 'Send the offer on Tuesday',
		summary: expect.stringContaining('The person was reached.'),
		transcript: expect.stringContaining('user: Yes, send me the offer on Tuesday.'),
		recording: join(folder, `${offer}.mp3`),
		missing: '',
	});
	expect(await rowOf(none)).toMatchObject({
		phone: '+442079460102',
		state: 'read',
		interested: false,
		topic: 'Nothing',
		next_step: '',
		transcript: expect.stringContaining('user: No, thank you.'),
	});
	for (const id of [offer, none]) {
		const recording = await fetch(`${n8n.sandbox.url}/recordings/${id}.mp3`);
		expect(recording.status).toBe(200);
		expect(saved(id).equals(Buffer.from(await recording.arrayBuffer()))).toBe(true);
	}
	// The tables were made by the first of several executions that began at the same moment.
	expect((await n8n.finished(workflowId, 9)).map(({ status }) => status)).not.toContain('error');
	// The report and the whole transcript are what the model is given.
	expect(read).toHaveLength(2);
	expect(read.find((text) => text.includes('on Tuesday'))).toMatch(
		/^Report of the call:\n.*reached.*Transcript:\nagent: /s,
	);
}, 90_000);

test('The model is not asked about a voicemail, nor about a call that nobody answered', async () => {
	const before = read.length;
	const machine = await call('+442079460005');
	const busy = await call('+442079460002');
	expect(await rowOf(machine)).toMatchObject({ state: 'voicemail', phone: '+442079460005', topic: null });
	expect(await rowOf(busy, 1)).toMatchObject({ state: 'busy', phone: '+442079460002', duration: 0, topic: null });
	expect(read).toHaveLength(before);
}, 90_000);

test('A transcript that comes late is waited for', async () => {
	await delay('event_call_transcript', 3600);
	const before = read.length;
	const id = await call('+442079460103', 'Yes, send me the offer on Tuesday.');
	const arrived = async () => {
		const artifacts = await tableRows<{ call_id: string; kind: string }>(n8n, 'Call Artifacts');
		const kinds = artifacts.filter(({ call_id }) => call_id === id).map(({ kind }) => kind);
		return kinds.length === 2 ? kinds : undefined;
	};
	const otherwise = () => new Error('Report and recording did not arrive');
	expect((await until(arrived, { seconds: 20, otherwise })).sort()).toEqual(['recording', 'report']);
	// The execution that waits is the only one that is not over.
	const waiting = async () => {
		const running = (await n8n.editor.executions(workflowId)).filter(({ status }) => status === 'running');
		return running.length === 1 ? running[0] : undefined;
	};
	const { id: executionId } = await until(waiting, { seconds: 10, otherwise: () => new Error('Nothing waits') });
	expect((await rows()).filter(({ call_id }) => call_id === id)).toEqual([]);
	expect(read).toHaveLength(before);
	await n8n.service.post('/_sandbox/advance', { seconds: 3600 });
	await delay('event_call_transcript', 0);
	expect(await rowOf(id)).toMatchObject({ state: 'read', topic: 'An offer', missing: '' });
	expect(read).toHaveLength(before + 1);
	await n8n.finished(workflowId, 1);
	expect(await nodesRun(n8n.editor, executionId)).toEqual(
		expect.arrayContaining(['Two Minutes Later', 'Read the Conversation']),
	);
}, 90_000);

test('After the last try the row says what is not available, and without a transcript the model is not asked', async () => {
	const before = read.length;
	await delay('event_call_transcript', null);
	const silent = await call('+442079460104', 'Yes, send me the offer on Tuesday.');
	expect(await rowOf(silent)).toMatchObject({
		state: 'not available',
		details: 'Not available: transcript',
		missing: 'transcript',
		summary: expect.stringContaining('The person was reached.'),
		recording: join(folder, `${silent}.mp3`),
		topic: null,
	});
	expect(read).toHaveLength(before);
	await delay('event_call_transcript', 0);
	await delay('event_call_report', null);
	const unreported = await call('+442079460105', 'Yes, send me the offer on Tuesday.');
	expect(await rowOf(unreported)).toMatchObject({
		state: 'read',
		topic: 'An offer',
		missing: 'report',
		summary: '',
	});
	await delay('event_call_report', 0);
}, 90_000);

test('A recording that cannot be downloaded leaves its link, and a model that fails leaves the transcript', async () => {
	const match = { method: 'GET', path: '/recordings/*' };
	await n8n.service.post('/_sandbox/faults', { match, kind: 'status', status: 500, times: 3 });
	const id = await call('+442079460106', 'This is nonsense.');
	expect(await rowOf(id)).toMatchObject({
		state: 'not read',
		details: expect.stringMatching(/\S/),
		topic: null,
		transcript: expect.stringContaining('user: This is nonsense.'),
		recording: `${n8n.sandbox.url}/recordings/${id}.mp3`,
	});
	expect(readdirSync(folder)).not.toContain(`${id}.mp3`);
	// Nothing has ended with an error.
	expect((await n8n.finished(workflowId, 1)).map(({ status }) => status)).not.toContain('error');
}, 90_000);
