import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';

import { comes } from './eventually.mts';
import { addOptions, changeRows, makeTable, modelFor, nodeOf, publishExample, rowWhen, tableRows } from './example.mts';
import { Instance } from './instance.mts';

interface Row {
	call_id: string;
	phone: string;
	state: string;
	callback_at: string | null;
	said: string | null;
	details: string | null;
	placed_call_id: string | null;
}

const zone = 'Europe/London';
const FORM = "yyyy-MM-dd'T'HH:mm";
const now = DateTime.now().setZone(zone);
/** Calling hours that do not contain the time of the test begin here. */
const opens = (now.hour < 21 ? now.plus({ hours: 2 }) : now.plus({ days: 1 }).set({ hour: 12 })).startOf('hour');

/** The last Sunday of next March: from 01:00 to 02:00 the clocks of London skip an hour. */
const nextMarch = DateTime.fromObject({ year: now.year + 1, month: 3, day: 31 }, { zone });
const skipped = nextMarch.minus({ days: nextMarch.weekday % 7 }).toFormat("yyyy-MM-dd'T01:30'");
const past = now.minus({ hours: 1 }).toFormat(FORM);
const far = now.plus({ days: 100 }).toFormat(FORM);
const soon = (seconds: number) => () => DateTime.now().setZone(zone).plus({ seconds }).toFormat(`${FORM}:ss`);

/** When people want to be called, as the model reads it. */
const times: Record<string, () => string | undefined> = {
	ada: soon(8),
	mary: soon(6),
	annie: soon(6),
	hedy: soon(8),
	chien: soon(4),
	joan: () => now.plus({ days: 1 }).toFormat("yyyy-MM-dd'T15:00'"),
	emmy: () => 'next week',
	katherine: () => past,
	mae: () => far,
	lise: () => skipped,
	grace: () => undefined,
	dorothy: () => undefined,
	rosa: () => undefined,
};
const names = Object.keys(times);
const phoneOf = (name: string) => `+4420794602${String(10 + names.indexOf(name))}`;
const saidBy = (name: string) => `Call me back. I am ${name}.`;

let n8n: Instance;
let workflowId: string;
let webhookId: string;
/** What the model was given to read. */
const read: string[] = [];
/** The ID of each person's first call. */
const callIds: Record<string, string> = {};

beforeAll(async () => {
	n8n = await Instance.share();
	const model = await modelFor(n8n, (text) => {
		read.push(text);
		const name = names.find((one) => text.includes(saidBy(one))) ?? '';
		const callback = { wants_callback: name !== 'rosa', said: saidBy(name), callback_at: times[name]?.() };
		// n8n asks again about what is no JSON, without the transcript.
		return { say: ['', 'dorothy'].includes(name) ? 'No JSON.' : JSON.stringify(callback) };
	});
	// As the example that keeps it does, with the number in another notation.
	const blocked = `+44 (0)20 7946-${phoneOf('annie').slice(-4)}`;
	await makeTable(n8n, 'Do-Not-Call List', [
		{ phone: blocked, source: 'a call', said: 'Stop calling me on 020 7946 0999' },
	]);
	workflowId = await publishExample(n8n, 'call-back-at-a-requested-time.json', (workflow) => {
		model.use(nodeOf(workflow, 'Chat Model'));
		const ofMary = `${opens.toFormat('HH:mm')}-${opens.plus({ minutes: 30 }).toFormat('HH:mm')}`;
		const isMary = `$('Call Transcripts').first().json.to === '${phoneOf('mary')}'`;
		const values = {
			hours: `=Daily {{ ${isMary} ? '${ofMary}' : '0:00-24:00' }}`,
			timeZone: "={{ $('Settings').first().json.time_zone }}",
		};
		addOptions(nodeOf(workflow, 'Call Back'), { callingHours: { values } });
	});
	({ id: webhookId } = await n8n.soleWebhook());
	await tell('hedy');
	await rowOf('hedy', 'planned');
	await changeRows(n8n, 'Callbacks', ['call_id', callIds.hedy!], { state: 'cancelled' });
	for (const name of names.filter((one) => !['hedy', 'chien'].includes(one))) {
		await tell(name);
	}
});

/** Delivers the transcript of a person's first call. */
async function tell(name: string): Promise<void> {
	const call_id = (callIds[name] ??= randomUUID());
	const transcript = [{ role: 'user', content: saidBy(name) }];
	const data = { call_id, to: phoneOf(name), transcript, context: { name } };
	await n8n.delivered(webhookId, { event: 'event_call_transcript', data });
}

/** The only row of a person, once it is in a state, and the calls to this person. */
async function rowOf(name: string, state: string, details = /^/) {
	const whose = ({ call_id }: Row) => call_id === callIds[name];
	const isWanted = (row: Row) => row.state === state && details.test(row.details ?? '');
	const row = await rowWhen<Row>(n8n, 'Callbacks', whose, isWanted);
	expect(row.phone).toBe(phoneOf(name));
	const calls = await n8n.dialed(phoneOf(name));
	return { ...row, at: Date.parse(String(row.callback_at)), calls };
}

const readOf = (name: string) => read.filter((text) => text.includes(saidBy(name)));

test('The person who named a time is called at this time, once, also if the transcript comes again', async () => {
	const { at, placed_call_id, said, calls } = await rowOf('ada', 'called');
	const call = { payload: { name: 'ada' }, context: { callback_for: callIds.ada }, is_testing: true };
	expect([said, calls]).toMatchObject([saidBy('ada'), [call]]);
	const { data } = await n8n.service.get(`/api/v1/agents/${n8n.sandbox.agentId}/calls`);
	expect(data.data.map(({ id }: { id: string }) => id)).toContain(placed_call_id);
	expect(Date.now()).toBeGreaterThan(at);
	// What the model needs to work out "tomorrow".
	expect(readOf('ada')[0]).toMatch(
		/^The call took place on \w+day, \d{4}-\d\d-\d\d \d\d:\d\d, in the time zone Europe\/London\./,
	);

	const before = names.length - 1;
	await tell('ada');
	await comes(async () => {
		const executions = await n8n.editor.executions(workflowId);
		return executions.length > before && executions[0]?.status === 'success';
	}, 'the execution of the second transcript');
	expect([(await rowOf('ada', 'called')).calls.length, readOf('ada').length]).toEqual([1, 1]);
});

test('A call whose outcome is unknown is not placed again', async () => {
	await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, { kind: 'drop-after' });
	await tell('chien');
	const { details, placed_call_id, calls } = await rowOf('chien', 'unknown');
	expect([details, placed_call_id, calls.length]).toEqual([expect.stringMatching(/\S/), '', 1]);
});

test('A callback whose row is no longer planned at its time is not placed', async () => {
	// It was due before the one of the test above.
	expect((await rowOf('hedy', 'cancelled')).calls).toEqual([]);
	expect((await n8n.editor.executions(workflowId)).map(({ status }) => status)).not.toContain('error');
});

test('Nobody in the do-not-call table is called, although the person has asked for it', async () => {
	const { details, calls } = await rowOf('annie', 'do not call');
	expect([details, calls]).toEqual([expect.stringMatching(/\S/), []]);
});

test('Outside the calling hours nobody is called: the callback is planned for when they begin', async () => {
	const { at, calls } = await rowOf('mary', 'planned', /outside the calling hours/);
	expect([at, calls]).toEqual([opens.toMillis(), []]);
});

test('A time of tomorrow is that of the time zone chosen, and the execution sleeps until then', async () => {
	const { at, calls } = await rowOf('joan', 'planned');
	const wanted = now.plus({ days: 1 }).set({ hour: 15, minute: 0, second: 0, millisecond: 0 });
	expect([at, calls]).toEqual([wanted.toMillis(), []]);
	const executions = async () => await n8n.editor.executions(workflowId);
	await comes(async () => (await executions()).some(({ status }) => status === 'waiting'), 'an execution that waits');
});

test.each([
	['grace', 'unclear', ''],
	['emmy', 'unclear', 'next week'],
	['lise', 'unclear', skipped],
	['katherine', 'past', past],
	['mae', 'too far ahead', far],
	['dorothy', 'not read', expect.stringMatching(/\S/)],
])('The request of %s waits for a person: %s', async (name, state, details) => {
	expect(await rowOf(name, state)).toMatchObject({ callback_at: null, details, calls: [] });
});

test('A transcript without a request leaves no row', async () => {
	await comes(async () => readOf('rosa').length > 0, 'the transcript at the model');
	expect((await tableRows<Row>(n8n, 'Callbacks')).filter(({ call_id }) => call_id === callIds.rosa)).toEqual([]);
	expect(await n8n.dialed(phoneOf('rosa'))).toEqual([]);
});
