import { DateTime } from 'luxon';

import { enter, importExample, nodeOf, tableRows } from './example.mts';
import { byId, Instance } from './instance.mts';
import { type Mail, startMailServer } from './mailServer.mts';

let n8n: Instance;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let agent: string;
let workflowId: string;

beforeAll(async () => {
	const start = DateTime.utc().minus({ minutes: 50 });
	n8n = await Instance.share({ speed: 0, options: ['--start-time', start.toISO()] });
	mail = await startMailServer(n8n);
	agent = n8n.sandbox.agentId;
	workflowId = await imported();
});

/** Imports the example, with what a person enters in it. */
async function imported(costPerHour = 1000, toEmail = 'ada@example.com'): Promise<string> {
	return await importExample(n8n, 'alert-while-something-is-wrong.json', (workflow) => {
		enter(workflow, 'Settings', { cost_per_hour: costPerHour });
		const send = nodeOf(workflow, 'Send the Alert');
		mail.use(send);
		Object.assign(send.parameters, { fromEmail: 'n8n@example.com', toEmail });
	});
}

/** Executes a workflow once; gives the emails that it sent. */
async function emails(id = workflowId, expected = 'success'): Promise<Mail[]> {
	const before = mail.mails.length;
	expect(await n8n.run(id, 'Every 15 Minutes')).toMatchObject({ status: expected });
	return mail.mails.slice(before);
}

/** Places calls at the time that the sandbox shows, and lets them end. */
async function call(count: number, ending: string): Promise<void> {
	for (let number = 0; number < count; number++) {
		await n8n.service.post(`/api/v1/agents/${agent}/call`, { to: `+44207946${ending}` });
	}
	await n8n.advance(240);
}

const open = async () => {
	const rows = await tableRows<{ problem: string; is_open: boolean }>(n8n, 'Open Alerts');
	return rows.filter(({ is_open }) => is_open).map(({ problem }) => problem);
};

test('one email says what has begun, and the next runs are silent', async () => {
	// Without a call, or with too few to say something, nobody gets one.
	expect([await emails(), await open()]).toEqual([[], []]);
	await call(5, '0004');
	await call(6, '0001');
	const subject = 'Something is wrong: Failed calls, No events';
	const [email, ...others] = await emails();
	expect([email, others]).toMatchObject([{ to: 'ada@example.com', subject }, []]);
	expect(email?.text).toContain('Failed calls: 5 of 11 calls of the last hour failed. The limit is 30 %.');
	expect(email?.text).toContain('No events: 11 calls sent no event here: no webhook of the agent leads to this n8n.');
	expect([await open(), await emails()]).toEqual([['Failed calls', 'No events'], []]);
});

test('what cannot be read is told once, and ends no alert', async () => {
	await n8n.fault('GET', `/api/v1/agents/${agent}/calls`, { kind: 'status', status: 403, times: 2 });
	const text = expect.stringContaining('Calls of the Agent: ');
	expect(await emails()).toMatchObject([{ subject: 'Something is wrong: Cannot check', text }]);
	expect([await emails(), await open()]).toEqual([[], ['Failed calls', 'No events', 'Cannot check']]);
	await n8n.noFaults();
	expect(await emails()).toMatchObject([{ subject: 'Over: Cannot check' }]);
});

test('one email says what is over: events arrive, and the calls succeed', async () => {
	const trigger = n8n.trigger('', { source: 'agent', agent: byId(agent), events: ['event_phone_call_ended'] });
	await n8n.editor.publish(await n8n.chain('Listens', [trigger]));
	// A webhook is there, and no event has arrived yet.
	expect(await emails()).toEqual([]);
	await n8n.advance(3000);
	const webhook = await n8n.agentWebhook(agent);
	await n8n.delivered(String(webhook?.id), { event: 'event_phone_call_ended' });
	await call(10, '0001');
	expect(await emails()).toMatchObject([{ subject: 'Over: Failed calls, No events' }]);
	expect([await open(), await emails()]).toEqual([[], []]);
});

test('an alert whose email could not be sent is sent by the next run; nothing was changed at the service', async () => {
	expect(await emails(await imported(0.01, ''), 'error')).toEqual([]);
	expect(await open()).toEqual([]);
	const [email] = await emails(await imported(0.01));
	expect(email?.text).toMatch(/Cost: About \d+\.\d\d USD in the last hour\. The limit is 0\.01\./);
	expect(await open()).toContain('Cost');
	const changes = (await n8n.requests()).filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
	// The calls of this test, and the webhook of its trigger.
	expect(changes.filter(({ path }) => path.endsWith('/call'))).toHaveLength(21);
	expect(changes.filter(({ path }) => !/\/(call|webhooks)$/.test(path))).toEqual([]);
});
