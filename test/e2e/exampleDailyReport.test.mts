import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DateTime } from 'luxon';

import { n8nProgram } from '../../scripts/n8n/environment.mts';
import type { WorkflowFile } from '../../scripts/quickstart/examples.mts';
import { importExample, nodeOf } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';
import { type Mail, startMailServer } from './mailServer.mts';

/** The library by which n8n itself reads HTML. */
const { load } = createRequire(join(dirname(n8nProgram), '..', '..', 'n8n-nodes-base', 'package.json'))('cheerio') as {
	load(html: string): (selector: string) => Selection;
};

interface Selection {
	length: number;
	text(): string;
	attr(name: string): string | undefined;
	toArray(): Array<{ attribs: Record<string, string> }>;
}

interface Call {
	status: string;
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
let smtp: { id: string; name: string };
let callsPath: string;

beforeAll(async () => {
	const start = yesterday.minus({ minutes: 10 }).toUTC().toISO();
	[n8n, mail] = await Promise.all([
		Instance.share({ speed: 0, options: ['--start-time', String(start)] }),
		startMailServer(),
	]);
	smtp = { id: await n8n.createCredential('Mail', 'smtp', mail.credential), name: 'Mail' };
	callsPath = `/api/v1/agents/${n8n.sandbox.agentId}/calls`;
}, 120_000);

afterAll(async () => await Promise.all([n8n?.stop(), mail?.close()]), 30_000);

afterEach(async () => await n8n.service.delete('/_sandbox/faults'));

/** Imports the example, with what a person enters in it. */
async function imported({ timeZone = zone, agent = '' } = {}): Promise<string> {
	return await importExample(n8n, 'daily-report-by-email.json', (workflow: WorkflowFile) => {
		const settings = nodeOf(workflow, 'Settings').parameters.assignments as { assignments: [{ value: string }] };
		settings.assignments[0].value = timeZone;
		const send = nodeOf(workflow, 'Send the Report');
		send.credentials = { smtp };
		Object.assign(send.parameters, { fromEmail: 'n8n@example.com', toEmail: 'ada@example.com, grace@example.com' });
		if (agent) {
			const chosen = { __rl: true, mode: 'id', value: agent };
			Object.assign(nodeOf(workflow, 'Calls of the Agent').parameters.filters as object, { agent: chosen });
			nodeOf(workflow, 'Price per Minute').parameters.agent = chosen;
		}
	});
}

/** Runs the example once; gives its email, and what was counted. */
async function report(choice: Parameters<typeof imported>[0] = {}) {
	const workflowId = await imported(choice);
	const before = mail.mails.length;
	const id = await n8n.editor.run(workflowId, 'Every Morning');
	const [execution] = await n8n.finished(workflowId, 1);
	expect(execution).toMatchObject({ id, status: 'success' });
	const received = mail.mails.slice(before);
	expect(received).toHaveLength(1);
	const [counted] = await outputOf(n8n.editor, id, 'Count and Draw');
	return { email: received[0] as Mail, counted: counted as Record<string, unknown> };
}

/** What a mail program would load, or run, when the email is opened. */
function loaded(html: string): number {
	return load(html)('img, script, link, iframe, object, style, a, [src], [href], [background], [onerror]').length;
}

/** Places calls at the time that the sandbox shows, and lets them end. */
async function call(numbers: string[], more: object = {}): Promise<void> {
	for (const to of numbers) {
		await n8n.service.post(`/api/v1/agents/${n8n.sandbox.agentId}/call`, { to, ...more });
	}
	await n8n.service.post('/_sandbox/advance', { seconds: 240 });
}

/** Moves the sandbox's clock on to a time. */
async function clockAt(time: DateTime): Promise<void> {
	const { now } = (await n8n.service.get('/_sandbox/status')).data;
	await n8n.service.post('/_sandbox/advance', { seconds: time.diff(DateTime.fromISO(now)).as('seconds') });
}

test("The email has yesterday's calls by outcome as bars, of the day in the time zone chosen, and their estimated cost", async () => {
	await call(['+442079460001']);
	await clockAt(yesterday.plus({ minutes: 5 }));
	await call(['+442079460001', '+442079461001', '+442079462001', '+442079460002', '+442079460003', '+442079460004']);
	await call(['+442079463001'], { is_testing: true });
	await clockAt(today.minus({ minutes: 6 }));
	await call(['+442079464001']);
	await clockAt(today.plus({ minutes: 5 }));
	await call(['+442079465001', '+442079460002']);

	const { email, counted } = await report();
	expect(email.subject).toBe(`8 calls on ${yesterdayInWords}`);
	expect(email.from).toBe('n8n@example.com');
	expect(email.to).toBe('ada@example.com, grace@example.com');
	expect(email.attachments).toEqual([]);
	expect(counted.counts).toEqual({ Completed: 5, Busy: 1, 'No answer': 1, Failed: 1 });

	const all = (await n8n.service.get(`${callsPath}?per_page=100`)).data.data as Call[];
	const own = all.filter(({ created_at }) => DateTime.fromISO(created_at, { zone }).hasSame(yesterday, 'day'));
	expect(own).toHaveLength(8);
	expect(all.length).toBeGreaterThanOrEqual(own.length + 3);
	const seconds = (calls: Call[]) => calls.reduce((sum, { duration }) => sum + duration, 0);
	const { estimated_cost_per_minute: price } = (await n8n.service.get(`/api/v1/agents/${n8n.sandbox.agentId}/pricing`))
		.data.data;
	const cost = (seconds(own.filter(({ is_testing }) => !is_testing)) / 60) * price;
	expect(cost).toBeGreaterThan(0);
	expect(seconds(own)).toBeGreaterThan(seconds(own.filter(({ is_testing }) => !is_testing)));
	expect(counted.cost).toBeCloseTo(cost, 9);
	expect(counted.minutes).toBeCloseTo(seconds(own) / 60, 9);
	for (const text of [email.text, load(email.html)('body').text()]) {
		expect(text).toContain(`Estimated cost: ${cost.toFixed(2)} USD`);
		expect(text).toContain('an estimate and no invoice');
		expect(text).toContain('Test calls among them: 1');
		expect(text).toContain(`Time zone: ${zone}`);
	}
	expect(email.text).toContain('Completed: 5\nBusy: 1');
	const bars = load(email.html)('td[style*="background"]').toArray();
	expect(bars.map(({ attribs }) => attribs.width)).toEqual(['63%', '13%', '13%', '13%']);
	expect(loaded(email.html)).toBe(0);
}, 90_000);

test('A day without calls has an email that says so', async () => {
	const { draft } = (await n8n.service.get('/_sandbox/seed')).data.agents;
	const { email, counted } = await report({ agent: draft });
	expect(email.subject).toBe(`0 calls on ${yesterdayInWords}`);
	expect(email.text).toContain('Nobody was called.');
	expect(email.text).toMatch(/Estimated cost: 0\.00 USD/);
	expect(counted).toMatchObject({ calls: 0, counts: {}, minutes: 0, cost: 0 });
	expect(load(email.html)('td[style*="background"]').length).toBe(0);
}, 60_000);

test('Nothing that the service returns becomes HTML', async () => {
	const name = `<img src="https://example.com/x" onerror='alert(1)'> & "Co"`;
	const created_at = yesterday.plus({ hours: 3 }).toUTC().toISO();
	const made = (status: string, duration: number) => ({ id: status, status, duration, created_at, agent: { name } });
	const body = {
		success: true,
		data: [made('<script>alert(2)</script>', 60), made('completed', 30), made('completed', 30)],
		pagination: { current_page: 1, last_page: 1, per_page: 100, total: 3 },
	};
	await n8n.service.post('/_sandbox/faults', { match: { path: callsPath }, kind: 'status', status: 200, body });
	const { email } = await report();
	expect(email.subject).toBe(`3 calls on ${yesterdayInWords}`);
	expect(loaded(email.html)).toBe(0);
	const text = load(email.html)('body').text();
	expect(text).toContain(`Agent: ${name}`);
	expect(text).toContain('Not over: <script>alert(2)</script>');
}, 60_000);

test('The email says what could not be read: the price, or the calls', async () => {
	const pricing = `/api/v1/agents/${n8n.sandbox.agentId}/pricing*`;
	const fault = { kind: 'status', status: 403, body: { success: false, message: 'Not allowed here.' }, times: 9 };
	await n8n.service.post('/_sandbox/faults', { match: { path: pricing }, ...fault });
	const withoutPrice = (await report()).email;
	expect(withoutPrice.subject).toBe(`8 calls on ${yesterdayInWords}`);
	expect(withoutPrice.text).toMatch(/Estimated cost: unknown\. .*Not allowed here\./s);

	await n8n.service.delete('/_sandbox/faults');
	await n8n.service.post('/_sandbox/faults', { match: { path: callsPath }, ...fault });
	const withoutCalls = (await report()).email;
	expect(withoutCalls.subject).toBe(`No report for ${yesterdayInWords}`);
	expect(withoutCalls.text).toMatch(/The calls could not be read:\s.*Not allowed here\./s);
	expect(withoutCalls.text).not.toContain('Nobody was called');
}, 60_000);

test('A time zone that is none sends no email, and the error says where to correct it', async () => {
	const workflowId = await imported({ timeZone: 'London time' });
	const before = mail.mails.length;
	const id = await n8n.editor.run(workflowId, 'Every Morning');
	expect((await n8n.finished(workflowId, 1))[0]).toMatchObject({ id, status: 'error' });
	expect((await n8n.editor.execution(id)).data).toContain('\\"London time\\" is not a time zone');
	expect(mail.mails).toHaveLength(before);
}, 60_000);
