import { DateTime } from 'luxon';

import { enter, importExample, nodeOf } from './example.mts';
import { Instance } from './instance.mts';
import { type Mail, ofN8n, startMailServer } from './mailServer.mts';

const { load } = ofN8n('cheerio') as { load(html: string): (selector: string) => Selection };

interface Selection {
	length: number;
	text(): string;
	toArray(): Array<{ attribs: Record<string, string> }>;
}

interface Call {
	duration: number;
	is_testing: boolean;
	created_at: string;
}

/** A time zone in which it is about noon: no test runs across midnight there. */
const offset = 12 - DateTime.utc().hour;
const zone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
const today = DateTime.now().setZone(zone).startOf('day');
const yesterday = today.minus({ days: 1 });
const yesterdayInWords = yesterday.toFormat('cccc, d LLLL yyyy');

let n8n: Instance;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let agentPath: string;

beforeAll(async () => {
	const start = yesterday.minus({ minutes: 10 }).toUTC().toISO();
	n8n = await Instance.share({ speed: 0, options: ['--start-time', String(start)] });
	mail = await startMailServer(n8n);
	agentPath = `/api/v1/agents/${n8n.sandbox.agentId}`;
});

afterEach(async () => await n8n.noFaults());

/** Imports the example, with what a person enters in it, and runs it once; gives its email, and what was counted. */
async function report() {
	const before = mail.mails.length;
	const workflowId = await importExample(n8n, 'daily-report-by-email.json', (workflow) => {
		enter(workflow, 'Settings', { time_zone: zone });
		const send = nodeOf(workflow, 'Send the Report');
		mail.use(send);
		Object.assign(send.parameters, { fromEmail: 'n8n@example.com', toEmail: 'ada@example.com, grace@example.com' });
	});
	const { id, status } = await n8n.run(workflowId, 'Every Morning');
	expect([status, mail.mails.length]).toEqual(['success', before + 1]);
	const email = mail.mails.at(-1) as Mail;
	// What a mail program would load, or run, when the email is opened.
	const loaded = 'img, script, link, iframe, object, style, a, [src], [href], [background], [onerror]';
	expect(load(email.html)(loaded).length).toBe(0);
	return { email, counted: (await n8n.outputOf(id, 'Count and Draw'))[0] };
}

/** Places calls at a time, and lets them end. */
async function call(time: DateTime, numbers: string[], more: object = {}): Promise<void> {
	const { now } = (await n8n.service.get('/_sandbox/status')).data;
	await n8n.advance(Math.max(0, time.diff(DateTime.fromISO(now)).as('seconds')));
	for (const number of numbers) {
		await n8n.service.post(`${agentPath}/call`, { to: `+44207946${number}`, ...more });
	}
	await n8n.advance(240);
}

test("The email has yesterday's calls by outcome as bars, of the day in the time zone chosen, and their estimated cost", async () => {
	await call(yesterday.minus({ minutes: 10 }), ['0001']);
	await call(yesterday.plus({ minutes: 5 }), ['0001', '1001', '2001', '0002', '0003', '0004']);
	await call(yesterday.plus({ minutes: 9 }), ['3001'], { is_testing: true });
	await call(today.minus({ minutes: 6 }), ['4001']);
	await call(today.plus({ minutes: 5 }), ['5001', '0002']);

	const { email, counted } = await report();
	const to = 'ada@example.com, grace@example.com';
	expect(email).toMatchObject({
		subject: `8 calls on ${yesterdayInWords}`,
		from: 'n8n@example.com',
		to,
		attachments: [],
	});
	const all = (await n8n.service.get(`${agentPath}/calls?per_page=100`)).data.data as Call[];
	const own = all.filter(({ created_at }) => DateTime.fromISO(created_at, { zone }).hasSame(yesterday, 'day'));
	expect([own.length, all.length >= 11]).toEqual([8, true]);
	const seconds = (calls: Call[]) => calls.reduce((sum, { duration }) => sum + duration, 0);
	const real = seconds(own.filter(({ is_testing }) => !is_testing));
	expect(seconds(own)).toBeGreaterThan(real);
	const cost = (real / 60) * (await n8n.service.get(`${agentPath}/pricing`)).data.data.estimated_cost_per_minute;
	expect(cost).toBeGreaterThan(0);
	expect(counted).toMatchObject({
		counts: { Completed: 5, Busy: 1, 'No answer': 1, Failed: 1 },
		cost: expect.closeTo(cost, 9),
		minutes: expect.closeTo(seconds(own) / 60, 9),
	});
	for (const text of [email.text, load(email.html)('body').text()]) {
		for (const part of [`Estimated cost: ${cost.toFixed(2)} USD`, 'Test calls among them: 1', `Time zone: ${zone}`]) {
			expect(text).toContain(part);
		}
	}
	const bars = load(email.html)('td[style*="background"]').toArray();
	expect(bars.map(({ attribs }) => attribs.width)).toEqual(['63%', '13%', '13%', '13%']);
});

test('Nothing that the service returns becomes HTML', async () => {
	const name = `<img src="https://example.com/x" onerror='alert(1)'> & "Co"`;
	const created_at = yesterday.plus({ hours: 3 }).toUTC().toISO();
	const made = (status: string) => ({ id: status, status, duration: 30, created_at, agent: { name } });
	const body = {
		success: true,
		data: [made('<script>alert(2)</script>'), made('completed'), made('completed')],
		pagination: { current_page: 1, last_page: 1, per_page: 100, total: 3 },
	};
	await n8n.fault('GET', `${agentPath}/calls`, { kind: 'status', status: 200, body });
	const { email } = await report();
	expect(email.subject).toBe(`3 calls on ${yesterdayInWords}`);
	const text = load(email.html)('body').text();
	expect(text).toContain(`Agent: ${name}`);
	expect(text).toContain('Not over: <script>alert(2)</script>');
});

test('The email says what could not be read: the price, or the calls', async () => {
	const fault = { kind: 'status', status: 403, body: { success: false, message: 'Not allowed here.' }, times: 9 };
	await n8n.fault('GET', `${agentPath}/pricing*`, fault);
	const text = expect.stringMatching(/Estimated cost: unknown\. .*Not allowed here\./s);
	expect((await report()).email).toMatchObject({ subject: `8 calls on ${yesterdayInWords}`, text });
	await n8n.fault('GET', `${agentPath}/calls`, fault);
	const without = expect.stringMatching(/The calls could not be read:\s.*Not allowed here\./s);
	expect((await report()).email).toMatchObject({ subject: `No report for ${yesterdayInWords}`, text: without });
});
