import { until } from '../../scripts/lib/waiting.mts';
import { importExample, nodeOf, submitForm } from './example.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import { Instance } from './instance.mts';
import { type Mail, startMailServer } from './mailServer.mts';

const authorization = `Basic ${Buffer.from('ada:form-3').toString('base64')}`;
const APPROVER = 'approver@example.com';

let n8n: Instance;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let model: Awaited<ReturnType<typeof startFakeModel>>;
/** What the model does at its next turns. */
const turns: Turn[] = [];
let form: string;

beforeAll(async () => {
	n8n = await Instance.share();
	mail = await startMailServer();
	model = await startFakeModel(turns);
	const smtp = { id: await n8n.createCredential('Mail', 'smtp', mail.credential), name: 'Mail' };
	const approvalId = await importExample(n8n, 'approve-a-call-first.json', (workflow) => {
		const ask = nodeOf(workflow, 'Ask for Approval');
		ask.credentials = { smtp };
		nodeOf(workflow, 'Tell the Requester').credentials = { smtp };
		// Nobody decides about Hedy: a person would wait for a day.
		const { limitWaitTime } = Object(ask.parameters.options);
		limitWaitTime.values.resumeAmount = "={{ $json.name === 'Hedy' ? 0.001 : 24 }}";
	});
	await n8n.editor.publish(approvalId);
	const data = { apiKey: 'none', url: model.url };
	const openAiApi = { id: await n8n.createCredential('Fake model', 'openAiApi', data), name: 'Fake model' };
	const login = { user: 'ada', password: 'form-3' };
	const httpBasicAuth = { id: await n8n.createCredential('Form', 'httpBasicAuth', login), name: 'Form' };
	const proposalId = await importExample(n8n, 'let-an-ai-agent-propose-calls.json', (workflow) => {
		const start = Object(nodeOf(workflow, 'Ask for Something'));
		form = `${n8n.n8n.url}/form/${String(start.webhookId)}`;
		start.credentials = { httpBasicAuth };
		nodeOf(workflow, 'Chat Model').credentials = { openAiApi };
		nodeOf(workflow, 'Propose a Call').parameters.options = {
			...Object(nodeOf(workflow, 'Propose a Call').parameters.options),
			// The fake model answers at once and not bit by bit.
			enableStreaming: false,
		};
		nodeOf(workflow, 'Ask a Person').parameters.workflowId = { __rl: true, mode: 'id', value: approvalId };
	});
	await n8n.editor.publish(proposalId);
}, 120_000);

afterAll(async () => {
	await n8n?.stop();
	await model?.close();
	await mail?.close();
}, 30_000);

afterEach(async () => {
	await n8n.service.delete('/_sandbox/faults');
});

/** Decides as Rosa, on the page that the email leads to. */
async function decide(link: string, decision: string): Promise<void> {
	expect(await submitForm(link, [decision, 'Rosa'])).toBe(200);
}

/** Writes a request into the form; the model makes this proposal of it. */
async function ask(requester: string, turn: Turn): Promise<void> {
	turns.push(turn);
	expect(await submitForm(form, [`Please, ${requester}`, requester], { authorization })).toBe(200);
	await until(async () => (turns.length === 0 ? true : undefined), {
		seconds: 20,
		otherwise: () => new Error('The model was not asked'),
	});
}

const proposal = (phone: string, name: string, reason: string): Turn => ({
	tool: 'format_final_json_response',
	args: { output: { phone, name, reason } },
});

/** The first email to somebody that contains a text in its subject or body, once it has arrived. */
async function mailTo(to: string, part: string): Promise<Mail> {
	const find = async () =>
		mail.mails.find((one) => one.to === to && [one.subject, one.text, one.html].join('\n').includes(part));
	return await until(find, {
		seconds: 90,
		otherwise: () =>
			new Error(
				`No email to ${to} about ${part}: ${JSON.stringify(mail.mails.map(({ to, subject }) => [to, subject]))}`,
			),
	});
}

/** The address of the page where a person decides, once n8n serves it: it sends the email a moment before that. */
async function linkIn({ html }: Mail): Promise<string> {
	const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => String(link).replaceAll('&amp;', '&'));
	expect(links).toHaveLength(1);
	const [link = ''] = links;
	const executionId = /\/webhook-waiting\/(\d+)\//.exec(link)?.[1] ?? '';
	const left = async () => (await n8n.editor.execution(executionId)).status !== 'running' || undefined;
	await until(left, { seconds: 20, otherwise: () => new Error(`Execution ${executionId} is still running`) });
	return link;
}

/** What the service was asked to call with this number. */
async function dialed(to: string) {
	return (await n8n.requests()).filter(({ method, body }) => method === 'POST' && body?.to === to);
}

test('of three proposals, the approved one is called once, and the others are not: declined, not decided', async () => {
	await ask('one@example.com', proposal('+44 20 7946 0001', 'Ada', 'Her delivery comes on Tuesday.'));
	await ask('two@example.com', proposal('+442079460102', 'Grace', 'She asked for it.'));
	await ask('three@example.com', proposal('+442079460103', 'Hedy', 'Her contract ends.'));

	// The model can only answer: it has no tool that calls.
	for (const tools of model.offered) {
		expect(tools.map(({ name }) => name)).toEqual(['format_final_json_response']);
	}
	const wanted = await mailTo(APPROVER, 'Call Ada?');
	expect(wanted.html).toContain('Whom: Ada, +442079460001');
	expect(wanted.html).toContain('Why: Her delivery comes on Tuesday.');
	expect(wanted.html).toMatch(/Cost: about \d+\.\d\d [A-Z]{3} for 3 minutes \(estimate; a test call uses no credits\)/);
	expect(wanted.html).toContain('Asked by: one@example.com');

	// A mail program that opens the link decides nothing.
	const page = await (await fetch(await linkIn(wanted))).text();
	expect(page).toContain('Call Ada?');
	const unwanted = await mailTo(APPROVER, 'Call Grace?');
	await mailTo('three@example.com', 'Nobody decided');
	const asked = await n8n.requests();
	expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);

	await decide(await linkIn(wanted), 'Approve');
	const { subject, text } = await mailTo('one@example.com', 'call');
	expect(subject).toBe('The call is placed');
	expect(text.trim()).toBe('The call to Ada (+442079460001) was approved by Rosa. It is placed, as a test call.');
	expect((await dialed('+442079460001')).map(({ body }) => body)).toEqual([
		{
			to: '+442079460001',
			payload: { name: 'Ada' },
			context: { approved_by: 'Rosa', reason: 'Her delivery comes on Tuesday.' },
			is_testing: true,
		},
	]);

	await decide(await linkIn(unwanted), 'Decline');
	const declined = await mailTo('two@example.com', 'declined');
	expect(declined.text.trim()).toBe('The call to Grace (+442079460102) was declined by Rosa. Nobody is called.');
	expect((await mailTo('three@example.com', 'Nobody decided')).text.trim()).toBe(
		'Nobody decided in time about the call to Hedy (+442079460103). Nobody is called.',
	);

	// A link works once, and not after the time: the last test sees what was called.
	for (const used of [wanted, unwanted, await mailTo(APPROVER, 'Call Hedy?')]) {
		await decide(await linkIn(used), 'Approve');
	}
}, 150_000);

test('an answer of the model that is no proposal reaches no approver and no phone, and the requester hears why', async () => {
	const before = (await n8n.requests()).length;
	const approvals = mail.mails.filter(({ to }) => to === APPROVER).length;
	await ask('four@example.com', proposal('', '', 'The request has no number.'));
	await ask('five@example.com', proposal('020 7946 0001', 'Ada', 'Her delivery comes on Tuesday.'));
	await ask('six@example.com', { say: 'I have called Ada.' });
	expect((await mailTo('four@example.com', 'No call')).text).toContain('The request has no number. Nobody is called.');
	expect((await mailTo('five@example.com', 'No call')).text).toContain('did not become a proposal');
	expect((await mailTo('six@example.com', 'No call')).text).toContain('The AI agent gave no answer.');
	expect(mail.mails.filter(({ to }) => to === APPROVER)).toHaveLength(approvals);
	expect(await n8n.requests()).toHaveLength(before);
}, 120_000);

test('what a model writes is text in the email: it adds no link and no line', async () => {
	const reason = 'Urgent.\nCost: nothing\\nWhom: nobody &lt;b&gt; <a href="http://127.0.0.1/approve">Approve</a>';
	await ask('seven@example.com', proposal('+442079460107', 'Annie', reason));
	const received = await mailTo(APPROVER, 'Call Annie?');
	expect(received.html).toContain(
		'\nWhy: Urgent. Cost: nothing nWhom: nobody lt;b gt; a href="http://127.0.0.1/approve" Approve /a\n',
	);
	// Fails if there is a second link.
	const link = await linkIn(received);
	expect(link).toContain('/webhook-waiting/');
	await decide(link, 'Decline');
	await mailTo('seven@example.com', 'declined');
	expect(await dialed('+442079460107')).toEqual([]);
}, 120_000);

test('a refusal of the service and a missing answer are told apart, and nobody is called again', async () => {
	const match = { method: 'POST', path: `/api/v1/agents/${n8n.sandbox.agentId}/call` };
	await ask('eight@example.com', proposal('+442079460108', 'Emmy', 'She asked for it.'));
	await n8n.service.post('/_sandbox/faults', {
		match,
		kind: 'status',
		status: 422,
		body: { message: 'Not in this country.' },
	});
	await decide(await linkIn(await mailTo(APPROVER, 'Call Emmy?')), 'Approve');
	expect((await mailTo('eight@example.com', 'call')).text).toContain('It was not placed: ');

	await ask('nine@example.com', proposal('+442079460109', 'Joan', 'She asked for it.'));
	await n8n.service.post('/_sandbox/faults', { match, kind: 'drop-after' });
	await decide(await linkIn(await mailTo(APPROVER, 'Call Joan?')), 'Approve');
	const { subject, text } = await mailTo('nine@example.com', 'call');
	expect(subject).toBe('It is not clear whether the call was placed');
	expect(text).toContain('Look up the call before anybody tries again');
	expect(await dialed('+442079460109')).toHaveLength(1);
}, 120_000);

test('the form is closed to everybody without the password', async () => {
	expect(await submitForm(form, ['Call Ada', 'ten@example.com'])).toBe(401);
});

test('in the end, nobody was called but those whose call was approved', async () => {
	const calls = (await n8n.requests()).filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
	expect(calls.map(({ body }) => body?.to)).toEqual(['+442079460001', '+442079460108', '+442079460109']);
	// Each request got one answer.
	const answers = mail.mails.filter(({ to }) => to !== APPROVER).map(({ to }) => to);
	expect(new Set(answers).size).toBe(answers.length);
});
