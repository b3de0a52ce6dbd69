import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CONTEXT_FIELD, type ResumeToken, seal } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import { CallAndWait, stillClock } from './callAndWait.mts';
import { comes } from './eventually.mts';
import { eventOf } from './executionData.mts';
import { postJson } from './handmade.mts';
import { Instance } from './instance.mts';

const number = '+12025630001';
const event = 'event_phone_call_ended';
const heard: string[] = [];
const elsewhere = createServer((request, response) => {
	heard.push(request.url ?? '');
	response.end();
});

let n8n: Instance;
let calls: CallAndWait;
let executionId: string;
let resumeToken: ResumeToken;
let webhook: Awaited<ReturnType<CallAndWait['agentWebhook']>>;

beforeAll(async () => {
	n8n = await Instance.share(stillClock);
	calls = new CallAndWait(n8n);
	await calls.publishTriggers();
	webhook = await calls.agentWebhook();
	executionId = await calls.waiting([number]);
	resumeToken = await calls.resumeTokenOf(number);
	elsewhere.listen(0, '127.0.0.1').unref();
});

const sealed = async (changed: Partial<ResumeToken>, token = n8n.sandbox.token) => {
	const keys = await calls.keys(token);
	return { context: { [CONTEXT_FIELD]: seal(keys.resumeTokens, { ...resumeToken, ...changed }) }, call_id: 'forged' };
};
/** Delivers a genuine event with a resume token. */
const deliver = async (...resumeTokenOf: Parameters<typeof sealed>) =>
	await n8n.delivered(webhook.id, { event, data: { ...(await sealed(...resumeTokenOf)), changed: resumeTokenOf } });
const message = () => ({ ...resumeToken, event: { status: 'completed' }, at: Date.now() });

/** Sends JSON without a signature; gives the status. */
const unsigned = async (url: string, body: object) => (await postJson(url, body)).status;

/** Places another call with the context of the first, whose two events start the workflow of the trigger. */
async function callWithCopy(to: string): Promise<void> {
	const before = await calls.startedByAgent();
	const body = { to, context: await calls.contextOf(number), is_testing: true };
	await n8n.service.post(`/api/v1/agents/${calls.agentId}/call`, body);
	await n8n.advanceBySteps(10);
	await comes(async () => (await calls.startedByAgent()) === before + 2, 'two executions of the trigger');
}

describe('No execution is resumed by', () => {
	afterEach(async () => expect(await calls.status(executionId)).toBe('waiting'));

	test('an event that the service has not signed', async () => {
		expect(await unsigned(webhook.webhook_url, { event, ...(await sealed({})) })).toBe(401);
	});

	test('a resume token that leads to another host, or to another address of this n8n, or was sealed with another token', async () => {
		const { port } = elsewhere.address() as AddressInfo;
		await deliver({ url: `http://127.0.0.1:${port}${new URL(resumeToken.url).pathname}` });
		await deliver({ url: new URL('/rest/login', resumeToken.url).href, item: 1 });
		await deliver({}, 'another token');
		expect(heard).toEqual([]);
	});

	const others = [{ execution: '0' }, { node: 'other' }, { run: 1 }];

	test('a resume token of another execution, another node and another run', async () => {
		for (const changed of others) {
			await deliver(changed);
		}
	});

	test('a message to the waiting node that is not signed, signed with another key, or ten minutes old', async () => {
		expect(await unsigned(resumeToken.url, message())).toBe(401);
		expect(await calls.answerTo(resumeToken, message(), 'another token')).toBe(401);
		expect(await calls.answerTo(resumeToken, { ...message(), at: Date.now() - 600_000 })).toBe(401);
	});

	test('a message to the waiting node that is meant for another execution, another node or another run', async () => {
		for (const changed of others) {
			expect(await calls.answerTo(resumeToken, { ...message(), ...changed })).toBe(409);
		}
	});

	test('the event of another call with a copy of the context, which starts the workflow of the trigger', async () => {
		await callWithCopy('+12025630002');
		const [latest] = await n8n.editor.executions(calls.agentTrigger);
		const started = { event: 'event_phone_call_did_not_connect', to: '+12025630002' };
		expect(await eventOf(n8n.editor, String(latest?.id), 'Events')).toMatchObject(started);
	});
});

test('The real event resumes the execution; one whose resume token belongs to it then starts the workflow of the trigger', async () => {
	await n8n.advanceBySteps(45);
	expect(await calls.itemsOf(executionId)).toMatchObject([{ outcome: 'completed', to: number }]);
	await callWithCopy('+12025640002');
});
