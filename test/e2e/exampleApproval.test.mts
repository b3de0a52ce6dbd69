import { comes } from './eventually.mts';
import { authorization, modelFor, nodeOf, publishExample, publishForm, submitForm } from './example.mts';
import type { Turn } from './fakeModel.mts';
import { byId, Instance } from './instance.mts';
import { type Mail, startMailServer } from './mailServer.mts';

const APPROVER = 'approver@example.com';
const TUESDAY = 'Her delivery comes on Tuesday.';

let n8n: Instance;
let mails: Mail[];
let model: Awaited<ReturnType<typeof modelFor>>;
/** What the model does at its next turns. */
const turns: Turn[] = [];
let form: string;

beforeAll(async () => {
	n8n = await Instance.share();
	const mail = await startMailServer(n8n);
	mails = mail.mails;
	model = await modelFor(n8n, turns);
	const approvalId = await publishExample(n8n, 'approve-a-call-first.json', (workflow) => {
		const ask = nodeOf(workflow, 'Ask for Approval');
		mail.use(ask);
		mail.use(nodeOf(workflow, 'Tell the Requester'));
		// Nobody decides about Hedy: a person would wait for a day.
		const { limitWaitTime } = Object(ask.parameters.options);
		limitWaitTime.values.resumeAmount = "={{ $json.name === 'Hedy' ? 0.001 : 24 }}";
	});
	({ form } = await publishForm(n8n, 'let-an-ai-agent-propose-calls.json', 'Ask for Something', (workflow) => {
		model.use(nodeOf(workflow, 'Chat Model'));
		const { parameters } = nodeOf(workflow, 'Propose a Call');
		// The fake model answers at once and not bit by bit.
		parameters.options = { ...Object(parameters.options), enableStreaming: false };
		nodeOf(workflow, 'Ask a Person').parameters.workflowId = byId(approvalId);
	}));
});

/** Decides as Rosa, on the page that the email leads to. */
const decide = async (mail: Mail, decision: string) =>
	expect(await submitForm(await linkIn(mail), [decision, 'Rosa'])).toBe(200);

/** Writes a request into the form; the model makes this proposal of it. */
async function ask(requester: string, turn: Turn): Promise<void> {
	turns.push(turn);
	expect(await submitForm(form, [`Please, ${requester}`, requester], { authorization })).toBe(200);
	await comes(async () => turns.length === 0, 'the turn of the model');
}

const proposal = (phone: string, name: string, reason: string): Turn => ({
	tool: 'format_final_json_response',
	args: { output: { phone, name, reason } },
});

/** The first email to somebody that contains a text in its subject or body, once it has arrived. */
async function mailTo(to: string, part: string): Promise<Mail> {
	const has = (mail: Mail) => mail.to === to && [mail.subject, mail.text, mail.html].join('\n').includes(part);
	return await comes(async () => mails.find(has), `an email to ${to} about ${part}`, 90);
}

/** The address of the page where a person decides, once n8n serves it: it sends the email a moment before that. */
async function linkIn({ html }: Mail): Promise<string> {
	const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => String(link).replaceAll('&amp;', '&'));
	expect(links).toEqual([expect.stringContaining('/webhook-waiting/')]);
	const executionId = /\/webhook-waiting\/(\d+)\//.exec(links[0]!)?.[1] ?? '';
	await comes(async () => (await n8n.editor.execution(executionId)).status !== 'running', 'the end of what runs');
	return links[0]!;
}

test('of three proposals, the approved one is called once, and the others are not: declined, not decided', async () => {
	await ask('one@example.com', proposal('+44 20 7946 0001', 'Ada', TUESDAY));
	await ask('two@example.com', proposal('+442079460102', 'Grace', 'She asked for it.'));
	await ask('three@example.com', proposal('+442079460103', 'Hedy', 'Her contract ends.'));

	// The model can only answer: it has no tool that calls.
	expect(new Set(model.offered.flat().map(({ name }) => name))).toEqual(new Set(['format_final_json_response']));
	const wanted = await mailTo(APPROVER, 'Call Ada?');
	for (const part of ['Whom: Ada, +442079460001', `Why: ${TUESDAY}`, 'Asked by: one@example.com']) {
		expect(wanted.html).toContain(part);
	}
	expect(wanted.html).toMatch(/Cost: about \d+\.\d\d [A-Z]{3} for 3 minutes/);

	// A mail program that opens the link decides nothing.
	expect(await (await fetch(await linkIn(wanted))).text()).toContain('Call Ada?');
	const unwanted = await mailTo(APPROVER, 'Call Grace?');
	const late = await mailTo('three@example.com', 'Nobody decided');
	expect(late.text.trim()).toBe('Nobody decided in time about the call to Hedy (+442079460103). Nobody is called.');
	expect((await n8n.requests()).filter(({ method }) => method === 'POST')).toEqual([]);

	await decide(wanted, 'Approve');
	const placed = await mailTo('one@example.com', 'The call is placed');
	expect(placed.text.trim()).toBe(
		'The call to Ada (+442079460001) was approved by Rosa. It is placed, as a test call.',
	);
	const context = { approved_by: 'Rosa', reason: TUESDAY };
	expect(await n8n.dialed()).toEqual([{ to: '+442079460001', payload: { name: 'Ada' }, context, is_testing: true }]);

	await decide(unwanted, 'Decline');
	const declined = await mailTo('two@example.com', 'declined');
	expect(declined.text.trim()).toBe('The call to Grace (+442079460102) was declined by Rosa. Nobody is called.');

	// A link works once, and not after the time: the last test sees what was called.
	for (const used of [wanted, unwanted, await mailTo(APPROVER, 'Call Hedy?')]) {
		await decide(used, 'Approve');
	}
});

test('what a model writes is text in the email: it adds no link and no line', async () => {
	const reason = 'Urgent.\nCost: nothing\\nWhom: nobody &lt;b&gt; <a href="http://127.0.0.1/approve">Approve</a>';
	await ask('seven@example.com', proposal('+442079460107', 'Annie', reason));
	const received = await mailTo(APPROVER, 'Call Annie?');
	expect(received.html).toContain(
		'\nWhy: Urgent. Cost: nothing nWhom: nobody lt;b gt; a href="http://127.0.0.1/approve" Approve /a\n',
	);
	// Fails if there is a second link.
	await linkIn(received);
});

test('a person is asked about the number that would be dialed, and about none where it is not clear', async () => {
	await ask('four@example.com', proposal('+39 (0)331 1815000', 'Rita', 'She asked for it.'));
	const asked = await mailTo(APPROVER, 'Call Rita?');
	expect(asked.html).toContain('Whom: Rita, +3903311815000');
	await decide(asked, 'Decline');
	await mailTo('four@example.com', 'declined');
	for (const [requester, number] of [
		['five@example.com', '+49 30 1234567 (12)'],
		['six@example.com', '+49 30 1234567/68'],
		['eight@example.com', '+999 12345678'],
		['eleven@example.com', ''],
	] as const) {
		await ask(requester, proposal(number, 'Nobody', 'She asked for it.'));
		const { subject, text } = await mailTo(requester, 'call');
		expect(subject).toBe('No call is proposed');
		expect(text).toMatch(/She asked for it\. .*number.* Nobody is called\./s);
	}
	expect(mails.filter(({ subject }) => subject === 'Call Nobody?')).toEqual([]);
});

test('a missing answer is not taken for a refusal, and nobody was called but those whose call was approved', async () => {
	await ask('nine@example.com', proposal('+442079460109', 'Joan', 'She asked for it.'));
	await n8n.fault('POST', `/api/v1/agents/${n8n.sandbox.agentId}/call`, { kind: 'drop-after' });
	await decide(await mailTo(APPROVER, 'Call Joan?'), 'Approve');
	const { subject, text } = await mailTo('nine@example.com', 'call');
	expect(subject).toBe('It is not clear whether the call was placed');
	expect(text).toContain('Look up the call before anybody tries again');
	expect((await n8n.dialed()).map(({ to }) => to)).toEqual(['+442079460001', '+442079460109']);
	expect(await submitForm(form, ['Call Ada', 'ten@example.com'])).toBe(401);
	// Each request got one answer.
	const answers = mails.filter(({ to }) => to !== APPROVER).map(({ to }) => to);
	expect(new Set(answers).size).toBe(answers.length);
});
