import { randomUUID } from 'node:crypto';

import { jsonIn } from '../docs/copyable.mts';
import { workflowIn } from '../docs/pageWorkflows.mts';
import { stillClock } from './callAndWait.mts';
import { credentialFor, enter, importExample, nodeOf, publishExample } from './example.mts';
import { outputsOf } from './executionData.mts';
import { hmac, newEvent, sendRaw } from './handmade.mts';
import { Instance } from './instance.mts';

/** The page whose recipes are tested. */
const PAGE = 'docs/reference/http-request.md';
const START = 'When You Click Execute';

let n8n: Instance;

beforeAll(async () => {
	n8n = await Instance.share(stillClock);
});

beforeEach(async () => await n8n.service.post('/_sandbox/reset'));

test('no recipe of the page has a node of a package that n8n does not have itself', () => {
	const names = ['Call with HTTP Request', 'Receive events with a Webhook node'];
	const types = names.flatMap((name) => workflowIn(PAGE, name).nodes.map(({ type }) => type));
	expect(types.filter((type) => !type.startsWith('n8n-nodes-base.'))).toEqual([]);
});

describe.each(['agents', 'campaigns'])('Call with HTTP Request, with a path of %s:', (owners) => {
	const path = () => `${owners}/${owners === 'agents' ? n8n.sandbox.agentId : n8n.sandbox.campaignId}/call`;
	const contacts = ['+12025550111', '+12025550122', 'no number', '+12025550133', '+12025550122'];

	/** Runs the workflow of the page for these contacts, with what somebody changes in the node that calls. */
	async function run(change = {}) {
		const token = await credentialFor(n8n, 'httpBearerAuth', { token: n8n.sandbox.token });
		const id = await importExample(n8n, workflowIn(PAGE, 'Call with HTTP Request'), (workflow) => {
			const items = contacts.map((phone, place) => ({ id: `contact-${place}`, phone, name: 'Ada' }));
			nodeOf(workflow, 'Contacts').parameters.jsCode = `return ${JSON.stringify(items)};`;
			enter(workflow, 'Settings', { baseUrl: n8n.sandbox.url, path: path() });
			const call = nodeOf(workflow, 'Call');
			token(call);
			Object.assign(call, change);
		});
		return await n8n.run(id, START);
	}

	test('each contact has its own result, and what was cut off is unknown and not sent again', async () => {
		await n8n.fault('POST', `/api/v1/${path()}`, { kind: 'drop-after' });
		const { id, status } = await run();
		expect(status).toBe('success');
		const [accepted, others] = [await n8n.outputOf(id, 'Accepted'), await n8n.outputOf(id, 'Not Accepted')];
		// A campaign refuses a number that it has queued; an agent calls it again, as the page warns.
		const last = owners === 'agents' ? [] : [{ contact_id: 'contact-4', result: 'refused' }];
		expect(others).toMatchObject([
			{ contact_id: 'contact-0', result: 'unknown' },
			{ contact_id: 'contact-2', result: 'refused' },
			...last,
		]);
		const all = [...accepted, ...others].map(({ contact_id }) => contact_id);
		expect(all.sort()).toEqual(contacts.map((_phone, place) => `contact-${place}`));
		const sent = await n8n.dialed();
		expect(sent.map(({ to }) => to)).toEqual(contacts);
		expect(sent.map(({ is_testing }) => is_testing)).toEqual(contacts.map(() => true));
		const calls: Array<{ id: string }> =
			owners === 'agents'
				? (await n8n.service.get('/_sandbox/calls')).data
				: (await n8n.service.get(`/api/v1/campaigns/${n8n.sandbox.campaignId}`)).data.data.calls;
		const ids = calls.map((call) => call.id);
		expect(ids).toEqual(expect.arrayContaining(accepted.map(({ call_id }) => call_id)));
	});

	test('with Retry On Fail everybody is called again, as the page warns', async () => {
		await n8n.fault('POST', `/api/v1/${path()}`, { kind: 'drop-after' });
		await run({ retryOnFail: true, maxTries: 2, waitBetweenTries: 1, onError: 'stopWorkflow' });
		expect((await n8n.dialed()).map(({ to }) => to)).toEqual([...contacts, ...contacts]);
	});
});

describe('Receive events with a Webhook node:', () => {
	const secret = `secret-${randomUUID()}`;
	let workflowId: string;
	let address: string;

	/** Publishes the workflow of the page, and registers its address as the page says. */
	async function publish(): Promise<string> {
		const { url, token, campaignId } = n8n.sandbox;
		const shown = jsonIn(PAGE).find(({ headers }) => headers !== undefined);
		const json = JSON.stringify(shown).replace('TOKEN', token).replace('SECRET', secret);
		const register = await credentialFor(n8n, 'httpCustomAuth', { json });
		const sign = await credentialFor(n8n, 'crypto', { hmacSecret: secret });
		const path = randomUUID();
		address = `${n8n.n8n.url}/webhook/${path}`;
		workflowId = await publishExample(n8n, workflowIn(PAGE, 'Receive events with a Webhook node'), (workflow) => {
			register(nodeOf(workflow, 'Register'));
			sign(nodeOf(workflow, 'Signature'));
			nodeOf(workflow, 'Events').parameters.path = path;
			// The editor gives it to a node that is pasted.
			Object.assign(nodeOf(workflow, 'Events'), { webhookId: path });
			enter(workflow, 'Settings', { baseUrl: url, campaignId, webhookUrl: address });
		});
		const execution = await n8n.run(workflowId, START);
		expect(execution.status).toBe('success');
		return execution.id;
	}

	/** What has come to the node Event, in all executions. */
	async function events(count: number): Promise<Array<Record<string, unknown>>> {
		const executions = await n8n.finished(workflowId, count);
		const outputs = await Promise.all(
			executions.map(({ id }) => outputsOf(n8n.editor, id, 'Event').catch(() => ({ outputs: [] }))),
		);
		return outputs.flatMap(({ outputs: all }) => all.flat()) as Array<Record<string, unknown>>;
	}

	test('signed deliveries of the service start it, each with its event; forged ones are refused', async () => {
		const execution = await publish();
		const webhook = await n8n.soleWebhook();
		expect(webhook.webhook_url).toBe(address);
		for (const to of ['+12025550111', '+12025550122']) {
			expect(await n8n.deliver(webhook.id, { data: { to } })).toEqual([200]);
		}
		for (const tamper of ['body', 'signature', 'secret']) {
			expect(await n8n.deliver(webhook.id, { tamper })).toEqual([401]);
		}
		const body = newEvent({ to: '+12025550133 ü' });
		const send = async (signature?: string, sent = body) =>
			(await sendRaw('POST', address, sent, signature === undefined ? {} : { 'x-webhook-signature': signature }))
				.status;
		const genuine = hmac(secret, body);
		const forged = [undefined, '', genuine.slice(1), hmac('other', body), hmac('', body), 'undefined'];
		for (const signature of forged) {
			expect([signature, await send(signature)]).toEqual([signature, 401]);
		}
		expect(await send(genuine, `${body} `)).toBe(401);
		expect([await send(genuine), await send(`sha256=${genuine}`)]).toEqual([200, 200]);
		const all = await events(1 + 2 + 3 + forged.length + 1 + 2);
		expect(all.map(({ to }) => to).sort()).toEqual([
			'+12025550111',
			'+12025550122',
			'+12025550133 ü',
			'+12025550133 ü',
		]);
		// The credentials stay out of what n8n stores.
		const stored = JSON.stringify(await n8n.editor.execution(execution));
		expect([stored.includes(secret), stored.includes(n8n.sandbox.token)]).toEqual([false, false]);
	});
});
