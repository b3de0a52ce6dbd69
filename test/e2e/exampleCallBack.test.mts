import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';

import { until } from '../../scripts/lib/waiting.mts';
import { addOptions, importExample, nodeOf, tableRows } from './example.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
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
/** Calling hours that do not contain the time of the test, and when they begin. */
const closed = now.hour < 21 ? now.plus({ hours: 2 }) : now.plus({ days: 1 }).set({ hour: 12 });
const opens = closed.startOf('hour');

/** The last Sunday of next March: from 01:00 to 02:00 the clocks of London skip an hour. */
const nextMarch = DateTime.fromObject({ year: now.year + 1, month: 3, day: 31 }, { zone });
const skipped = nextMarch.minus({ days: nextMarch.weekday % 7 }).toFormat("yyyy-MM-dd'T01:30'");

/** What people say, and what the model makes of it. */
const people: Record<string, { phone: string; says: string; reads: () => Record<string, unknown> }> = {
	ada: {
		phone: '+442079460201',
		says: 'Call me in a moment.',
		reads: () => ({ callback_at: DateTime.now().setZone(zone).plus({ seconds: 10 }).toFormat(`${FORM}:ss`) }),
	},
	mary: {
		phone: '+442079460202',
		says: 'Call me in a moment, at night.',
		reads: () => ({ callback_at: DateTime.now().setZone(zone).plus({ seconds: 8 }).toFormat(`${FORM}:ss`) }),
	},
	annie: {
		phone: '+442079460203',
		says: 'Call me in a moment, or rather never again.',
		reads: () => ({ callback_at: DateTime.now().setZone(zone).plus({ seconds: 8 }).toFormat(`${FORM}:ss`) }),
	},
	joan: {
		phone: '+442079460204',
		says: 'Call me tomorrow at three.',
		reads: () => ({ callback_at: now.plus({ days: 1 }).toFormat("yyyy-MM-dd'T15:00'") }),
	},
	hedy: {
		phone: '+442079460205',
		says: 'Call me tomorrow, but I change my mind at once.',
		reads: () => ({ callback_at: DateTime.now().setZone(zone).plus({ seconds: 10 }).toFormat(`${FORM}:ss`) }),
	},
	grace: { phone: '+442079460206', says: 'Call me later.', reads: () => ({}) },
	emmy: { phone: '+442079460207', says: 'Call me next week.', reads: () => ({ callback_at: 'next week' }) },
	katherine: {
		phone: '+442079460208',
		says: 'Call me today at nine, it is ten.',
		reads: () => ({ callback_at: now.minus({ hours: 1 }).toFormat(FORM) }),
	},
	mae: {
		phone: '+442079460209',
		says: 'Call me in a hundred days.',
		reads: () => ({ callback_at: now.plus({ days: 100 }).toFormat(FORM) }),
	},
	lise: { phone: '+442079460210', says: 'Call me when the clocks change.', reads: () => ({ callback_at: skipped }) },
	dorothy: { phone: '+442079460211', says: 'I say nonsense.', reads: () => ({}) },
	rosa: { phone: '+442079460212', says: 'Thank you, goodbye.', reads: () => ({ wants_callback: false }) },
	chien: {
		phone: '+442079460213',
		says: 'Call me in a moment, on a bad line.',
		reads: () => ({ callback_at: DateTime.now().setZone(zone).plus({ seconds: 6 }).toFormat(`${FORM}:ss`) }),
	},
};

let n8n: Instance;
let model: Awaited<ReturnType<typeof startFakeModel>>;
let workflowId: string;
let webhookId: string;
/** What the model was given to read. */
const read: string[] = [];
/** The ID of each person's first call. */
const callIds: Record<string, string> = {};

function answer(text: string): Turn {
	read.push(text);
	const person = Object.values(people).find(({ says }) => text.includes(`user: ${says}`));
	if (!person || text.includes('nonsense')) {
		return { say: 'No JSON.' };
	}
	return { say: JSON.stringify({ wants_callback: true, said: person.says, ...person.reads() }) };
}

/** Where n8n's editor has the data tables. */
async function tablesPath(): Promise<string> {
	const { id } = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	return `/rest/projects/${id}/data-tables`;
}

/** Changes the state of a row as a person does. */
async function cancel(callId: string): Promise<void> {
	const tables = await tablesPath();
	const { data } = await n8n.editor.request<{ data: Array<{ id: string; name: string }> }>('GET', tables);
	const found = data.find(({ name }) => name === 'Callbacks');
	const filter = { type: 'and', filters: [{ columnName: 'call_id', condition: 'eq', value: callId }] };
	await n8n.editor.request('PATCH', `${tables}/${found?.id}/rows`, { filter, data: { state: 'cancelled' } });
}

/** Makes the do-not-call list as the example that keeps it does, with one number in another notation. */
async function blockAnnie(): Promise<void> {
	const tables = await tablesPath();
	const columns = ['phone', 'source', 'said'].map((name) => ({ name, type: 'string' }));
	const { id } = await n8n.editor.request<{ id: string }>('POST', tables, { name: 'Do-Not-Call List', columns });
	const data = [{ phone: '+44 (0)20 7946-0203', source: 'a call', said: 'Stop calling me' }];
	await n8n.editor.request('POST', `${tables}/${id}/insert`, { data });
}

beforeAll(async () => {
	[n8n, model] = await Promise.all([Instance.share(), startFakeModel(answer)]);
	const id = await n8n.createCredential('Fake model', 'openAiApi', { apiKey: 'none', url: model.url });
	await blockAnnie();
	workflowId = await importExample(n8n, 'call-back-at-a-requested-time.json', (workflow) => {
		nodeOf(workflow, 'Chat Model').credentials = { openAiApi: { id, name: 'Fake model' } };
		const hours = (open: string, shut: string) =>
			`={{ $('Call Transcripts').first().json.to === '${people.mary.phone}' ? '${shut}' : '${open}' }}`;
		addOptions(nodeOf(workflow, 'Call Back'), {
			callingHours: {
				values: {
					daysOfWeek: [1, 2, 3, 4, 5, 6, 7],
					from: hours('00:00', opens.toFormat('HH:mm')),
					to: hours('24:00', opens.plus({ minutes: 30 }).toFormat('HH:mm')),
					timeZone: "={{ $('Settings').first().json.time_zone }}",
				},
			},
		});
	});
	await n8n.editor.publish(workflowId);
	[{ id: webhookId }] = await n8n.webhooksWhen(n8n.sandbox.campaignId, ({ length }) => length === 1);
	await tell('hedy');
	await rowOf('hedy', 'planned');
	await cancel(callIds.hedy);
	for (const name of Object.keys(people).filter((name) => !['hedy', 'chien'].includes(name))) {
		await tell(name);
	}
}, 120_000);

afterAll(async () => await Promise.all([n8n?.stop(), model?.close()]), 30_000);

/** The event of a transcript, as `POST /_sandbox/deliver` takes it. */
function transcriptOf(call_id: string, to: string, says: string, name: string) {
	const transcript = [
		{ role: 'agent', content: 'Hello, do you have a minute?' },
		{ role: 'user', content: says },
	];
	return { event: 'event_call_transcript', data: { call_id, to, transcript, context: { name } } };
}

/** Delivers the transcript of a person's first call. */
async function tell(name: string): Promise<void> {
	const { phone, says } = people[name];
	callIds[name] = randomUUID();
	await n8n.delivered(webhookId, transcriptOf(callIds[name], phone, says, name));
}

async function rows(): Promise<Row[]> {
	return await tableRows<Row>(n8n, 'Callbacks');
}

/** The only row of a person, once it is in a state. */
async function rowOf(name: string, state: string): Promise<Row> {
	let found: Row[] = [];
	const ask = async () => {
		found = (await rows()).filter(({ call_id }) => call_id === callIds[name]);
		return found.some((row) => row.state === state) ? found : undefined;
	};
	const otherwise = () => new Error(`The row of ${name} stayed ${JSON.stringify(found)}`);
	const [row, ...others] = await until(ask, { seconds: 40, otherwise });
	expect(others).toEqual([]);
	expect(row.phone).toBe(people[name].phone);
	return row;
}

/** What the service was asked to place. */
async function dialed(to?: string) {
	const requests = await n8n.requests();
	const calls = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	return calls.map(({ body }) => body).filter((body) => to === undefined || body?.to === to);
}

test('The person who named a time is called at this time, once, also if the transcript comes again', async () => {
	const { callback_at, placed_call_id, said } = await rowOf('ada', 'called');
	const [placed, ...others] = await dialed(people.ada.phone);
	expect(others).toEqual([]);
	expect(placed).toMatchObject({ payload: { name: 'ada' }, context: { callback_for: callIds.ada }, is_testing: true });
	expect(said).toBe(people.ada.says);
	const { data } = await n8n.service.get(`/api/v1/agents/${n8n.sandbox.agentId}/calls`);
	expect((data.data as Array<{ id: string }>).map(({ id }) => id)).toContain(placed_call_id);
	expect(Date.now()).toBeGreaterThan(Date.parse(String(callback_at)));
	// What the model needs to work out "tomorrow".
	expect(read.find((text) => text.includes(people.ada.says))).toMatch(
		/^The call took place on \w+day, \d{4}-\d\d-\d\d \d\d:\d\d, in the time zone Europe\/London\./,
	);

	const before = Object.keys(callIds).length;
	await n8n.delivered(webhookId, transcriptOf(callIds.ada, people.ada.phone, people.ada.says, 'ada'));
	const isOver = async () => {
		const executions = await n8n.editor.executions(workflowId);
		return (executions.length > before && executions[0].status === 'success') || undefined;
	};
	await until(isOver, { seconds: 20, otherwise: () => new Error('The second transcript starts nothing') });
	await rowOf('ada', 'called');
	expect(read.filter((text) => text.includes(people.ada.says))).toHaveLength(1);
	expect(await dialed(people.ada.phone)).toHaveLength(1);
}, 90_000);

test('A call whose outcome is unknown is not placed again', async () => {
	const match = { method: 'POST', path: `/api/v1/agents/${n8n.sandbox.agentId}/call` };
	await n8n.service.post('/_sandbox/faults', { match, kind: 'drop-after' });
	await tell('chien');
	expect(await rowOf('chien', 'unknown')).toMatchObject({ details: expect.stringMatching(/\S/), placed_call_id: '' });
	expect(await dialed(people.chien.phone)).toHaveLength(1);
}, 60_000);

test('A callback whose row is no longer planned at its time is not placed', async () => {
	// It was due before the one of the test above.
	await rowOf('hedy', 'cancelled');
	expect(await dialed(people.hedy.phone)).toEqual([]);
	expect((await n8n.editor.executions(workflowId)).map(({ status }) => status)).not.toContain('error');
}, 60_000);

test('Nobody in the do-not-call table is called, although the person has asked for it', async () => {
	const { details } = await rowOf('annie', 'do not call');
	expect(details).toMatch(/\S/);
	expect(await dialed(people.annie.phone)).toEqual([]);
}, 60_000);

test('Outside the calling hours nobody is called: the callback is planned for when they begin', async () => {
	const otherwise = () => new Error('The callback was not planned again');
	const isPlannedAgain = async () => (await rowOf('mary', 'planned')).details || undefined;
	expect(await until(isPlannedAgain, { seconds: 30, otherwise })).toContain('outside the calling hours');
	const { callback_at } = await rowOf('mary', 'planned');
	expect(DateTime.fromISO(String(callback_at)).toMillis()).toBe(opens.toMillis());
	expect(await dialed(people.mary.phone)).toEqual([]);
}, 60_000);

test('A time of tomorrow is that of the time zone chosen, and the execution sleeps until then', async () => {
	const { callback_at } = await rowOf('joan', 'planned');
	const wanted = now.plus({ days: 1 }).set({ hour: 15, minute: 0, second: 0, millisecond: 0 });
	expect(DateTime.fromISO(String(callback_at)).toMillis()).toBe(wanted.toMillis());
	const waits = async () =>
		(await n8n.editor.executions(workflowId)).some(({ status }) => status === 'waiting') || undefined;
	await until(waits, { seconds: 20, otherwise: () => new Error('No execution waits') });
	expect(await dialed(people.joan.phone)).toEqual([]);
}, 60_000);

test.each([
	['grace', 'unclear', ''],
	['emmy', 'unclear', 'next week'],
	['lise', 'unclear', skipped],
	['katherine', 'past', now.minus({ hours: 1 }).toFormat(FORM)],
	['mae', 'too far ahead', now.plus({ days: 100 }).toFormat(FORM)],
])('The request of %s waits for a person: %s', async (name, state, details) => {
	expect(await rowOf(name, state)).toMatchObject({ callback_at: null, said: people[name].says, details });
	expect(await dialed(people[name].phone)).toEqual([]);
});

test('A transcript that the model cannot read waits for a person, and one without a request leaves no row', async () => {
	expect(await rowOf('dorothy', 'not read')).toMatchObject({ callback_at: null, details: expect.stringMatching(/\S/) });
	expect(await dialed(people.dorothy.phone)).toEqual([]);
	const isRead = async () => read.some((text) => text.includes(people.rosa.says)) || undefined;
	await until(isRead, { seconds: 20, otherwise: () => new Error('The transcript is not read') });
	expect((await rows()).filter(({ call_id }) => call_id === callIds.rosa)).toEqual([]);
	expect(await dialed(people.rosa.phone)).toEqual([]);
});
