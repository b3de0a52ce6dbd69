import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { comes } from './eventually.mts';
import { enter, modelFor, nodeOf, publishExample, rowWhen, tableRows } from './example.mts';
import { Instance } from './instance.mts';

const OFFER = 'Yes, send me the offer on Tuesday.';

let n8n: Instance;
let folder: string;
let workflowId: string;
/** What the model was given to read. */
const read: string[] = [];

beforeAll(async () => {
	n8n = await Instance.share();
	folder = join(n8n.folder, 'files', 'recordings');
	mkdirSync(folder);
	const model = await modelFor(n8n, (said) => {
		read.push(said);
		const isOffer = said.includes('on Tuesday');
		const found = isOffer ? { interested: true, next_step: 'Send the offer on Tuesday' } : { interested: false };
		const marks = { topic: isOffer ? 'An offer' : 'Nothing', ...found };
		return { say: said.includes('nonsense') ? 'This is nonsense, and no JSON.' : JSON.stringify(marks) };
	});
	workflowId = await publishExample(n8n, 'after-the-call.json', (workflow) => {
		model.use(nodeOf(workflow, 'Chat Model'));
		// Two calls whose artifacts never arrive are given up soon.
		const given = "['+442079460104', '+442079460105'].includes($('Campaign Events').first().json.to)";
		enter(workflow, 'Settings', { folder, tries: `={{ ${given} ? 6 : 60 }}` });
		Object.assign(nodeOf(workflow, 'Download'), { waitBetweenTries: 100 });
		nodeOf(workflow, 'Two Minutes Later').parameters = { amount: 1, unit: 'seconds' };
	});
	await n8n.soleWebhook();
});

/** Queues a call in which the person says something; gives its ID. */
async function call(to: string, text: string): Promise<string> {
	await n8n.willSay(to, text);
	const { data } = await n8n.service.post(`/api/v1/campaigns/${n8n.sandbox.campaignId}/call`, { to });
	return data.campaign_call.id;
}

/** The row of a call, once there is one. */
const rowOf = async (callId: string) =>
	await rowWhen<{ call_id: string }>(n8n, 'Conversations', ({ call_id }) => call_id === callId);

test('Each conversation is one row with what the model found in it, and its recording is a file', async () => {
	// The tables are made by the first of several executions that begin at the same moment.
	const [offer, none] = [await call('+442079460101', OFFER), await call('+442079460102', 'No, thank you.')];
	expect(await rowOf(offer)).toMatchObject({
		phone: '+442079460101',
		state: 'read',
		details: '',
		missing: '',
		interested: true,
		topic: 'An offer',
		next_step: 'Send the offer on Tuesday',
		summary: expect.stringContaining('The person was reached.'),
		transcript: expect.stringContaining(`user: ${OFFER}`),
		recording: join(folder, `${offer}.mp3`),
	});
	expect(await rowOf(none)).toMatchObject({ state: 'read', interested: false, topic: 'Nothing', next_step: '' });
	const recording = await fetch(`${n8n.sandbox.url}/recordings/${offer}.mp3`);
	expect(readFileSync(join(folder, `${offer}.mp3`)).equals(Buffer.from(await recording.arrayBuffer()))).toBe(true);
	// The report and the whole transcript are what the model is given.
	expect(read).toHaveLength(2);
	expect(read.find((text) => text.includes('on Tuesday'))).toMatch(
		/^Report of the call:\n.*reached.*Transcript:\nagent: /s,
	);
});

test('A transcript that comes late is waited for', async () => {
	await n8n.delay(3600, 'event_call_transcript');
	const before = read.length;
	const id = await call('+442079460103', OFFER);
	await comes(async () => {
		const artifacts = await tableRows<{ call_id: string }>(n8n, 'Call Artifacts');
		return artifacts.filter(({ call_id }) => call_id === id).length === 2;
	}, 'report and recording');
	expect(read).toHaveLength(before);
	await n8n.advance(3600);
	await n8n.delay(0, 'event_call_transcript');
	expect(await rowOf(id)).toMatchObject({ state: 'read', topic: 'An offer', missing: '' });
	expect(read).toHaveLength(before + 1);
});

test('After the last try the row says what is not available, and without a transcript the model is not asked', async () => {
	const before = read.length;
	await n8n.delay(null, 'event_call_transcript');
	const silent = await call('+442079460104', OFFER);
	expect(await rowOf(silent)).toMatchObject({
		state: 'not available',
		details: 'Not available: transcript',
		missing: 'transcript',
		topic: null,
		recording: join(folder, `${silent}.mp3`),
	});
	expect(read).toHaveLength(before);
	await n8n.delay(0, 'event_call_transcript');
	await n8n.delay(null, 'event_call_report');
	const unreported = await call('+442079460105', OFFER);
	expect(await rowOf(unreported)).toMatchObject({ state: 'read', topic: 'An offer', missing: 'report', summary: '' });
	await n8n.delay(0, 'event_call_report');
});

test('A recording that cannot be downloaded leaves its link, and a model that fails leaves the transcript', async () => {
	await n8n.fault('GET', '/recordings/*', { kind: 'status', status: 500, times: 3 });
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
});
