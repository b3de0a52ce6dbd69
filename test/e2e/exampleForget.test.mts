import { comes } from './eventually.mts';
import { authorization, makeTable, postForm, publishForm, submitForm, tableRows } from './example.mts';
import { Instance } from './instance.mts';

const PHONE = '+442079460701';
const OTHER = '+442079460702';
/** A landline, where the 0 belongs to the number, and the mobile of somebody else, who has the same digits without it. */
const LANDLINE = '+39 (0)331 1815000';
const STRANGER = '+393311815000';

let n8n: Instance;
let workflowId: string;
let form: string;
let calendarPath: string;
/** The IDs of the person's calls, of an agent and of a campaign. */
let [called, queued] = ['', ''];
let [booked, meeting, other] = ['', '', ''];
/** The rows of all tables before the tests, as they were written. */
let before: Record<string, object[]>;
/** How many requests the sandbox had then. */
let seen = 0;

/** Adds an event to the calendar; gives its ID. */
async function event(title: string, more: object = {}): Promise<string> {
	const [start_at, end_at] = [86_400_000, 88_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
	return (await n8n.service.post(calendarPath, { title, start_at, end_at, ...more })).data.data.id;
}

beforeAll(async () => {
	n8n = await Instance.share();
	const [agent, campaign] = [`/api/v1/agents/${n8n.sandbox.agentId}`, `/api/v1/campaigns/${n8n.sandbox.campaignId}`];
	await n8n.service.post(`${agent}/call`, { to: PHONE });
	[{ id: called }] = (await n8n.service.get('/api/v1/calls', { params: { search: PHONE.slice(1) } })).data.data;
	await n8n.service.post(`${agent}/call`, { to: OTHER });
	await n8n.ringsForAnHour(PHONE);
	queued = (await n8n.service.post(`${campaign}/call`, { to: PHONE })).data.campaign_call.id;
	await n8n.service.post(`${campaign}/call`, { to: OTHER });
	calendarPath = `/api/v1/calendars/${(await n8n.service.get('/_sandbox/seed')).data.calendar}/events`;
	const attendees = ['Grace', 'Ada', 'Nada'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com` }));
	booked = await event('Appointment: Ada', { description: 'Phone: +44 (0)20 7946-0701' });
	meeting = await event('Team meeting', { attendees });
	other = await event('Appointment: Grace', { description: `Phone: ${OTHER}. Email: nada@example.com` });
	before = {
		Leads: [
			{ number: PHONE, name: 'Ada', call_id: called },
			{ number: OTHER, name: 'Grace', call_id: 'other' },
			{ number: '020 7946 0701', name: 'Ada again', call_id: '' },
			{ number: STRANGER, name: 'Rita', call_id: '' },
		],
		Conversations: [
			{ call_id: queued, phone: '0044 20 7946 0701', recording: '/recordings/ada.mp3' },
			{ call_id: 'other', phone: OTHER, recording: '/recordings/grace.mp3' },
		],
		'Call Artifacts': [queued, 'other'].map((call_id) => ({ call_id, content: 'Hello' })),
		'Do-Not-Call List': [
			{ phone: '+44 20 7946 0701', source: 'call', said: 'Stop calling me, I am Ada' },
			{ phone: OTHER, source: 'SMS', said: 'STOP' },
		],
		'My customers': [{ phone: PHONE }],
	};
	for (const [name, rows] of Object.entries(before)) {
		await makeTable(n8n, name, rows as Array<Record<string, string>>);
	}
	({ form, workflowId } = await publishForm(n8n, 'forget-a-person.json', 'Whom to Forget'));
	seen = (await n8n.requests()).length;
});

/** Submits the first page, and waits until the next one has a text; gives its address. */
async function ask(phone: string, email: string, text?: string): Promise<{ address: string; page: string }> {
	const response = await postForm(form, [phone, email], { headers: { authorization } });
	expect(response.status).toBe(200);
	const address = ((await response.json()) as { formWaitingUrl: string }).formWaitingUrl;
	return { address, page: text === undefined ? '' : await pageWith(address, text) };
}

/** Decides on the second page; gives the last one, once it has a text. It is read, and not submitted as a redirect would. */
async function decide(address: string, option: string, text: string): Promise<string> {
	await postForm(address, [option], { redirect: 'manual' });
	return await pageWith(address, text);
}

/** A page of the form, once it has a text. n8n does not answer while the execution runs. */
const pageWith = async (address: string, text: string) =>
	await comes(async () => {
		const response = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
		const page = (await response?.text()) ?? '';
		return page.includes(text) && page;
	}, `a page with "${text}"`);

/** All rows of the tables, as they were written, and what the service was asked to change. */
async function state() {
	const tables: Record<string, object[]> = {};
	for (const name of Object.keys(before)) {
		const rows = await tableRows<Record<string, unknown>>(n8n, name);
		tables[name] = rows.map(({ id: _id, createdAt: _created, updatedAt: _updated, ...row }) => row);
	}
	const changes = (await n8n.requests())
		.slice(seen)
		.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
	return { tables, changes: changes.map(({ method, path }) => `${method} ${path}`) };
}

test('without a confirmation, nothing is deleted and nothing is blocked', async () => {
	expect(await submitForm(form, [PHONE, ''])).toBe(401);
	for (const unreadable of ['020 7946 0701', '+44 20 7946 07011', '+49 30 1234567 (12)']) {
		const { page } = await ask(unreadable, '', 'This is not a number');
		expect(page).toContain('Nothing was looked up');
	}
	const stranger = await ask(LANDLINE, '', '+3903311815000 will be blocked');
	expect(stranger.page).not.toContain('will be deleted');
	await decide(stranger.address, 'No, delete nothing', 'Nothing was deleted');
	const { address, page } = await ask(PHONE, 'ada@example.com', 'will be deleted');
	expect(page).toContain('1 rows of the data table Conversations');
	expect(page).toContain('Appointment: Ada');
	expect(page).not.toContain('Appointment: Grace');
	await decide(address, 'No, delete nothing', 'Nothing was deleted');
	expect(await state()).toEqual({ tables: before, changes: [] });
});

test('if something cannot be read, nothing is deleted', async () => {
	await n8n.fault('GET', `/api/v1/campaigns/${n8n.sandbox.campaignId}`, { kind: 'status', status: 403, times: 1 });
	await ask(PHONE, '');
	const notOver = ['waiting', 'success', 'running', 'new'];
	expect(await n8n.finished(workflowId, 1, notOver)).toMatchObject([{ status: 'error' }]);
	expect(await state()).toEqual({ tables: before, changes: [] });
});

test('what is confirmed is deleted, the number is blocked, and the last page says what is left', async () => {
	const { address } = await ask('0044 (20) 7946-0701', 'Ada@Example.com', 'will be deleted');
	const rest = await decide(address, 'Yes, delete it for good', 'on the Do-Not-Call List');
	expect(await state()).toEqual({
		tables: {
			...Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, rows.slice(1)])),
			'My customers': before['My customers'],
			'Do-Not-Call List': [
				{ phone: OTHER, source: 'SMS', said: 'STOP' },
				{ phone: PHONE, source: 'forgotten', said: '' },
			],
		},
		changes: [
			`DELETE ${calendarPath}/${booked}`,
			expect.stringMatching(`^DELETE ${calendarPath}/${meeting}/attendees/[^/]+$`),
		],
	});
	expect((await n8n.service.get(`${calendarPath}/${meeting}`)).data.data.attendees).toMatchObject([
		{ name: 'Grace' },
		{ name: 'Nada' },
	]);
	expect((await n8n.service.get(`${calendarPath}/${other}`)).data.data.title).toBe('Appointment: Grace');
	for (const part of [
		'4 rows of data tables deleted',
		'1 calendar events deleted, 1 attendees removed',
		`call ${called}`,
		'Leads, row 3 (020 7946 0701)',
		'/recordings/ada.mp3',
		'EXECUTIONS_DATA_MAX_AGE',
	]) {
		expect(rest).toContain(part);
	}
	expect(rest.split(`call ${queued}`)).toHaveLength(3);
	expect(rest).not.toMatch(/grace\.mp3|Not deleted/);
});
