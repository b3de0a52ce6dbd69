import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { campaignEvents } from '../../nodes/shared/fields/eventKinds.ts';
import { outputOf } from './executionData.mts';
import { hmac, newEvent, seconds, sendRaw, timestamped } from './handmade.mts';
import { Instance, type RemoteWebhook } from './instance.mts';

let n8n: Instance;
let campaign: string;

beforeAll(async () => {
	n8n = await Instance.share();
	campaign = n8n.sandbox.campaignId;
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

const header = 'X-Webhook-Signature';

/** Publishes a workflow with nothing but the trigger; gives its webhook, and the secret that it was registered with. */
async function publish(name: string, parameters: Record<string, unknown> = {}) {
	const id = await n8n.createWorkflow(name, [n8n.trigger(campaign, parameters)]);
	const before = (await n8n.requests()).length;
	await n8n.editor.publish(id);
	const [webhook] = await n8n.webhooksWhen(campaign, ({ length }) => length === 1);
	await n8n.delivered(webhook.id);
	const registration = (await n8n.requests())
		.slice(before)
		.find(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'));
	return { id, webhook, url: webhook.webhook_url, secret: String(registration?.body?.webhook_secret) };
}

async function unpublish(id: string): Promise<void> {
	await n8n.unpublish(id);
	expect(await n8n.webhooks(campaign)).toEqual([]);
}

/** The `id` of the event of each execution of a workflow, once there are that many. */
async function eventIds(workflowId: string, count: number): Promise<string[]> {
	const executions = await n8n.finished(workflowId, count);
	expect(executions.map(({ status, mode }) => `${mode} ${status}`)).toEqual(Array(count).fill('webhook success'));
	return await Promise.all(executions.map(async ({ id }) => String((await outputOf(n8n.editor, id, 'Events'))[0].id)));
}

/** The ids of the deliveries that the sandbox has made to a webhook. */
async function deliveredIds(webhook: RemoteWebhook): Promise<string[]> {
	const deliveries = await n8n.sandbox.deliveries();
	const own = deliveries.filter(({ webhook_id, status }) => webhook_id === webhook.id && status === 200);
	return [...new Set(own.map(({ delivery_id }) => delivery_id))];
}

describe('A delivery', () => {
	test('starts one execution for each accepted signature format', async () => {
		const { id, url, webhook, secret } = await publish('True');
		const sign: Array<(body: string) => string> = [
			(body) => hmac(secret, body),
			(body) => hmac(secret, body).toUpperCase(),
			(body) => `sha256=${hmac(secret, body)}`,
			(body) => hmac(secret, body, 'base64'),
			(body) => `v1=${hmac(secret, body)}`,
			(body) => timestamped(secret, body),
			(body) => timestamped(secret, body, seconds(-290)),
		];
		const bodies = sign.map(() => newEvent({ note: 'Grüße, 你好' }));
		for (const [index, body] of bodies.entries()) {
			expect(await sendRaw('POST', url, body, { [header]: sign[index](body) })).toMatchObject({ status: 200 });
		}
		// The header's name is not published: any will do where none is named.
		const elsewhere = newEvent();
		expect(await sendRaw('POST', url, elsewhere, { 'X-Hub': hmac(secret, elsewhere) })).toMatchObject({ status: 200 });

		const sent = [...bodies, elsewhere].map((body) => String(JSON.parse(body).id));
		const ids = await eventIds(id, sent.length + 1);
		expect(ids.sort()).toEqual([...sent, ...(await deliveredIds(webhook))].sort());
		await unpublish(id);
	}, 60_000);

	test('is read byte for byte, whatever its content type says', async () => {
		const { id, url, secret } = await publish('Types');
		const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'image/png'];
		const all = [...types, 'application/json; charset=utf-8', 'application/cloudevents+json'];
		const started = (await n8n.finished(id, 1)).length;
		for (const type of all) {
			const text = newEvent({ text: ' Grüße &+%20= ' });
			const headers = { [header]: hmac(secret, text), 'content-type': type };
			expect([type, (await sendRaw('POST', url, text, headers)).status]).toEqual([type, 200]);
			expect([type, (await sendRaw('POST', url, `${text} `, headers)).status]).toEqual([type, 401]);
		}
		// n8n itself reads a form with files, so nothing is left to verify.
		const form = '--x\r\ncontent-disposition: form-data; name="event"\r\n\r\n1\r\n--x--\r\n';
		const asForm = { [header]: hmac(secret, form), 'content-type': 'multipart/form-data; boundary=x' };
		expect((await sendRaw('POST', url, form, asForm)).status).toBe(503);
		await n8n.finished(id, started + all.length);
		await unpublish(id);
	}, 60_000);

	test('starts nothing when forged, and is answered with a bare 401', async () => {
		const { id, url, webhook, secret } = await publish('Forged');
		for (const tamper of ['body', 'signature', 'secret']) {
			expect([tamper, await n8n.deliver(webhook.id, { tamper })]).toEqual([tamper, [401]]);
		}
		const body = newEvent();
		const now = seconds();
		const old = timestamped(secret, body, seconds(-310));
		// The signed text of a timestamped delivery, as the body of one without a timestamp.
		const prefixed = `${now}.${body}`;
		const forged: Array<[string, string, Record<string, string>]> = [
			['no signature', body, {}],
			['an empty one', body, { [header]: '' }],
			['a short one', body, { [header]: hmac(secret, body).slice(0, 63) }],
			['a prefix alone', body, { [header]: 'sha256=' }],
			['of another body', body, { [header]: hmac(secret, newEvent()) }],
			['of an empty secret', body, { [header]: hmac('', body) }],
			['too old', body, { [header]: old }],
			['from the future', body, { [header]: timestamped(secret, body, seconds(320)) }],
			['an old one with the time set to now', body, { [header]: old.replace(/\d+/, String(now)) }],
			['a timestamped one as a bare one', body, { [header]: hmac(secret, prefixed) }],
			['its signed text as the body', prefixed, { [header]: hmac(secret, prefixed), 'content-type': 'text/plain' }],
			['two timestamps', body, { [header]: `t=${now},${timestamped(secret, body, now)}` }],
			...['["text"]', '"text"', '42', 'null', '{"event":'].map((text): [string, string, Record<string, string>] => [
				`signed, but no event: ${text}`,
				text,
				{ [header]: hmac(secret, text), 'content-type': 'text/plain' },
			]),
		];
		for (const [what, text, headers] of forged) {
			expect([what, await sendRaw('POST', url, text, headers)]).toEqual([what, { status: 401, text: 'Unauthorized' }]);
		}
		// What is not JSON although it says so, n8n itself refuses.
		expect(await sendRaw('POST', url, '{"event":', { [header]: hmac(secret, '{"event":') })).toMatchObject({
			status: 422,
		});
		for (const other of ['GET', 'DELETE', 'PUT', 'PATCH']) {
			expect(await sendRaw(other, url, body, { [header]: hmac(secret, body) })).toMatchObject({ status: 404 });
		}

		// The delivery that checked the workflow after publishing.
		expect(await eventIds(id, 1)).toEqual(await deliveredIds(webhook));
		const log = readFileSync(join(n8n.folder, 'n8n.log'), 'utf8');
		for (const reason of [
			'no signature',
			'wrong signature',
			'outside the time window',
			'the body is not a JSON object',
		]) {
			expect(log).toContain(`A delivery to "Events" was refused: ${reason}`);
		}
		await unpublish(id);
	}, 60_000);
});

test('Where a signature header is configured, only that header is checked', async () => {
	const { id, url, webhook, secret } = await publish('Named', { options: { signatureHeader: header } });
	const body = newEvent();
	const [elsewhere, there] = [{ 'X-Other': hmac(secret, body) }, { [header]: hmac(secret, body) }];
	expect(await sendRaw('POST', url, body, elsewhere)).toEqual({ status: 401, text: 'Unauthorized' });
	expect(await sendRaw('POST', url, body, there)).toMatchObject({ status: 200 });
	// A replay is acknowledged, which reveals nothing, but starts no execution.
	expect(await sendRaw('POST', url, body, there)).toMatchObject({ status: 200 });
	const ids = await eventIds(id, 2);
	expect(ids.sort()).toEqual([String(JSON.parse(body).id), ...(await deliveredIds(webhook))].sort());
	await unpublish(id);
}, 60_000);

test('Fifty concurrent deliveries start fifty executions, and ten concurrent duplicates start one', async () => {
	const { id, webhook } = await publish('Many');
	const answers = await Promise.all(Array.from({ length: 50 }, async () => await n8n.deliver(webhook.id)));
	expect(answers.flat()).toEqual(Array(50).fill(200));
	for (let round = 0; round < 5; round++) {
		const twins = await n8n.deliver(webhook.id, { times: 10 });
		// Duplicates that arrive before the first is stored get 503, and are sent again.
		expect(twins.filter((status) => status !== 200 && status !== 503)).toEqual([]);
		expect(twins).toContain(200);
	}
	const ids = await eventIds(id, 1 + 50 + 5);
	expect(new Set(ids).size).toBe(56);
	expect(ids.sort()).toEqual((await deliveredIds(webhook)).sort());
	await unpublish(id);
}, 90_000);

test('Every event type starts the workflow with the event as it was sent', async () => {
	const response = await n8n.service.get(`/api/v1/campaigns/${campaign}/webhooks`);
	const kinds: string[] = response.data.data.available_events;
	// The trigger does not offer the creation of its campaign, before which the campaign has no webhook.
	const offered = campaignEvents.map(({ value }) => String(value));
	expect(kinds.toSorted()).toEqual([...offered, 'campaign.created'].toSorted());
	const { id, webhook } = await publish('Kinds', { events: kinds });
	expect(webhook.events.toSorted()).toEqual(kinds.toSorted());
	for (const event of kinds) {
		expect([event, await n8n.deliver(webhook.id, { event, data: { context: { kind: event } } })]).toEqual([
			event,
			[200],
		]);
	}
	const executions = await n8n.finished(id, kinds.length + 1);
	expect(executions).toHaveLength(kinds.length + 1);
	const outputs = await Promise.all(
		executions.map(async (execution) => await outputOf(n8n.editor, execution.id, 'Events')),
	);
	const seen = outputs.flat().filter(({ context }) => Object.keys(Object(context)).length > 0);
	expect(seen.map(({ event }) => String(event)).sort()).toEqual(kinds.toSorted());
	for (const event of seen) {
		expect(event).toMatchObject({ webhook_id: webhook.id, campaign_id: campaign, context: { kind: event.event } });
	}
	await unpublish(id);
}, 60_000);
