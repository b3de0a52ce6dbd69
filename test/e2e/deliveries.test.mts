import { hmac, newEvent, seconds, sendRaw, timestamped } from './handmade.mts';
import { Instance, type RemoteWebhook } from './instance.mts';

const header = 'X-Webhook-Signature';

let n8n: Instance;
let workflowId: string;
let webhook: RemoteWebhook;
/** The one that the webhook was registered with. */
let secret: string;

beforeAll(async () => {
	n8n = await Instance.share();
	workflowId = await n8n.published('Deliveries', [n8n.trigger(n8n.sandbox.campaignId)]);
	webhook = await n8n.soleWebhook();
	await n8n.delivered(webhook.id);
	secret = String((await n8n.requests()).find(({ body }) => body?.webhook_secret !== undefined)?.body?.webhook_secret);
});

const send = async (body: string, headers: Record<string, string>, method = 'POST') =>
	await sendRaw(method, webhook.webhook_url, body, headers);

test('A delivery starts nothing when forged, and is answered with a bare 401', async () => {
	const before = (await n8n.editor.executions(workflowId)).length;
	for (const tamper of ['body', 'signature', 'secret']) {
		expect([tamper, await n8n.deliver(webhook.id, { tamper })]).toEqual([tamper, [401]]);
	}
	const body = newEvent();
	const old = timestamped(secret, body, seconds(-310));
	const prefixed = `${seconds()}.${body}`;
	for (const [what, text, headers] of [
		['no signature', body, {}],
		['too old', body, { [header]: old }],
		['an old one with the time set to now', body, { [header]: old.replace(/\d+/, String(seconds())) }],
		// The signed text of a timestamped delivery, as the body of one without a timestamp.
		['its signed text as the body', prefixed, { [header]: hmac(secret, prefixed), 'content-type': 'text/plain' }],
		['signed, but no event', '42', { [header]: hmac(secret, '42'), 'content-type': 'text/plain' }],
	] as Array<[string, string, Record<string, string>]>) {
		expect([what, await send(text, headers)]).toEqual([what, { status: 401, text: 'Unauthorized' }]);
	}
	// What is not JSON although it says so, n8n itself refuses, and another method, too.
	expect((await send('{"event":', { [header]: hmac(secret, '{"event":') })).status).toBe(422);
	expect((await send(body, { [header]: hmac(secret, body) }, 'PUT')).status).toBe(404);
	expect(await n8n.editor.executions(workflowId)).toHaveLength(before);
});

test('A delivery is read byte for byte, whatever its content type says', async () => {
	const started = await n8n.finished(workflowId, 1);
	const types = ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'application/cloudevents+json'];
	for (const type of types) {
		const text = newEvent({ text: ' Grüße &+%20= ' });
		const headers = { [header]: timestamped(secret, text), 'content-type': type };
		expect([type, (await send(text, headers)).status]).toEqual([type, 200]);
		expect([type, (await send(`${text} `, headers)).status]).toEqual([type, 401]);
	}
	// n8n itself reads a form with files, so nothing is left to verify.
	const form = '--x\r\ncontent-disposition: form-data; name="event"\r\n\r\n1\r\n--x--\r\n';
	const asForm = { [header]: hmac(secret, form), 'content-type': 'multipart/form-data; boundary=x' };
	expect((await send(form, asForm)).status).toBe(401);
	await n8n.finished(workflowId, started.length + types.length);
});
