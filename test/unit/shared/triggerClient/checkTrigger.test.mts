import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { checkTriggerOf, problemOf, type RemoteWebhook } from '../../../../nodes/shared/triggerClient/checkTrigger.ts';
import {
	MESSAGE_HEADER,
	messageTrigger,
	noReply,
	proofFor,
	type Reply,
	readMessage,
} from '../../../../nodes/shared/triggerClient/messages.ts';
import { cut, doubleOfN8n, unreachable } from '../../n8n.mts';

const path = '/webhook/11111111-2222-3333-4444-5555555555aa/webhook';
const url = `https://n8n.example${path}?campaign=c-1&g=1764100000000&k=abcdef`;
const plain = `https://n8n.example${path}`;

/** A webhook of a campaign that delivers to an address. */
const webhookAt = (address: string): RemoteWebhook => ({
	id: 'w-1',
	url: address,
	ownerType: 'campaign',
	ownerId: 'c-1',
});

/** Asks what listens at an address. @returns the answer, and the messages that were sent */
async function asked(address: string, reply: Reply | ServiceError, own = true) {
	const sent: Array<[string, IDataObject]> = [];
	const client = {
		isOwnAddress: async (to: string) => own || to === HERE,
		addressHere: async () => HERE,
		keys: async () => ({ fingerprint: 'abcdef' }),
		message: async (to: string, message: IDataObject) => {
			sent.push([to, message]);
			return reply instanceof ServiceError ? { error: reply } : { value: reply };
		},
	};
	return { answer: await checkTriggerOf(client, webhookAt(address)), sent };
}

/** The URL that the trigger has on an n8n that is elsewhere now. */
const HERE = url.replace('n8n.example', 'here.example');

const NOT_REGISTERED = 'The requested webhook "POST a/webhook" is not registered.';

const trigger = { chosen: [], events: ['campaign_call.failed'], registered: ['w-2'] };
const ok: Reply = { status: 200, body: trigger, proven: true };

describe('A message to a trigger', () => {
	test.each([
		url,
		`${plain}?a=1&k=abcdef&g=1764100000000&campaign=c-1`,
		`https://n8n.example${path.toUpperCase().replaceAll('WEBHOOK', 'webhook')}${url.slice(plain.length)}`,
		`https://n8n.example/n8n${path}${url.slice(plain.length)}`,
	])('is sent, and answered with what the trigger says: %s', async (address) => {
		const { answer, sent } = await asked(address, ok);
		expect(answer).toEqual({ trigger });
		expect(sent).toEqual([[address, { command: 'check' }]]);
	});

	test.each([
		['another campaign', `${plain}?campaign=c-2`, 'TRIGGER_OF_ANOTHER'],
		['an agent with the same ID', `${plain}?agent=c-1`, 'TRIGGER_OF_ANOTHER'],
		['a longer ID', url.replace('c-1', 'c-10'), 'TRIGGER_OF_ANOTHER'],
		['nobody', plain, 'NOT_REGISTERED_BY_TRIGGER'],
		['two', `${plain}?campaign=c-1&agent=c-1`, 'NOT_REGISTERED_BY_TRIGGER'],
		['no secret', `${plain}?campaign=c-1`, 'NOT_REGISTERED_BY_TRIGGER'],
		['only a secret', `${plain}?g=1764100000000`, 'NOT_REGISTERED_BY_TRIGGER'],
	])('tells that the trigger refuses the deliveries to a URL that names %s', async (_what, address, code) => {
		expect((await asked(address, ok)).answer).toMatchObject({ code });
	});

	test('tells that the trigger refuses the deliveries of a webhook without the secret header by which it verifies', async () => {
		const byHeader = { ...ok, body: { ...trigger, verifyBy: 'header' } };
		expect((await asked(url, byHeader)).answer).toMatchObject({
			code: 'SECRET_HEADER_MISSING',
			trigger: byHeader.body,
		});
		expect((await asked(`${url}&by=header`, byHeader)).answer).toEqual({ trigger: byHeader.body });
		expect((await asked(`${url}&by=header`, ok)).answer).toEqual({ trigger });
	});

	test.each([url.replace('abcdef', 'abcdee'), url.replace('&k=abcdef', '')])(
		'tells that the trigger refuses the deliveries of a webhook whose secret is not from the token of the credential: %s',
		async (address) => {
			expect((await asked(address, ok)).answer).toEqual({ code: 'SECRET_OF_OTHER_TOKEN', trigger });
		},
	);

	test('tells that a URL without a query is right for a webhook that the trigger has registered', async () => {
		const body = { ...trigger, registered: ['w-1'] };
		expect((await asked(plain, { ...ok, body })).answer).toEqual({ trigger: body });
	});

	test('to another address is sent to this n8n, which may have been there: it has the trigger, or has not', async () => {
		const { answer, sent } = await asked(url, ok, false);
		const moved = { code: 'OTHER_ADDRESS', detail: 'it delivers to https://n8n.example' };
		expect(answer).toMatchObject({ ...moved, advice: expect.stringContaining(HERE) });
		expect(sent).toEqual([[HERE, { command: 'check' }]]);
		const none = { status: 404, body: { message: NOT_REGISTERED }, proven: false };
		expect((await asked(url, none, false)).answer).toEqual({ code: 'NOT_ON_THIS_N8N' });
	});

	test.each([
		['to another node of another n8n', 'https://n8n.example/webhook/orders', false, 'NOT_ON_THIS_N8N'],
		['to a test URL', url.replace('webhook/', 'webhook-test/'), true, 'TEST_URL'],
		['to another node', 'https://n8n.example/webhook/orders', true, 'NOT_A_TRIGGER'],
		['to another path of the trigger', `${plain}/more`, true, 'NOT_A_TRIGGER'],
		['to another kind of node', plain.replace(/webhook$/, 'form'), true, 'NOT_A_TRIGGER'],
		['to a longer name', `${plain}s`, true, 'NOT_A_TRIGGER'],
		['to an ID with other signs', url.replace('aa/', 'zz/'), true, 'NOT_A_TRIGGER'],
		['to a longer ID', url.replace('/1111', '/a1111'), true, 'NOT_A_TRIGGER'],
		['to an ID without its parts', url.replace('-2222', ''), true, 'NOT_A_TRIGGER'],
		['to an address with a trigger in its query', `https://n8n.example/orders?x=${path}`, true, 'NOT_A_TRIGGER'],
	])('is not sent %s', async (_where, address, own, code) => {
		expect(await asked(address, ok, own)).toEqual({ answer: { code }, sent: [] });
	});

	const refused = (detail: string) => ({ code: 'N8N_REFUSED', detail });
	test.each<[string, number, unknown, object]>([
		['n8n knows no such webhook', 404, { message: NOT_REGISTERED }, { code: 'NOT_PUBLISHED' }],
		['the trigger has another credential', 401, 'Unauthorized', { code: 'TRIGGER_NOT_PROVEN' }],
		['what answers has no proof', 200, {}, { code: 'TRIGGER_NOT_PROVEN' }],
		['n8n has no such node', 400, { code: 0, message: 'Unknown.' }, refused('HTTP status 400, Unknown')],
		['n8n says it otherwise', 400, { message: 'Is not registered' }, refused('HTTP status 400, Is not registered')],
		['n8n does not find something else', 404, { message: 'Not found' }, refused('HTTP status 404, Not found')],
		['n8n fails', 500, { message: 'Internal' }, { ...refused('HTTP status 500, Internal'), accepted: 'unknown' }],
	])('gets no answer of a trigger if %s', async (_what, status, body, answer) => {
		expect((await asked(url, { status, body, proven: false })).answer).toEqual(answer);
	});

	test.each<[number, unknown]>([
		...[300, 301, 400, 401, 403, 404, 407, 200, 500, 502, 504].map((status): [number, string] => [status, '<html>']),
		[403, 'Unauthorized'],
		[403, { error: 'Forbidden' }],
		[403, undefined],
	])('gets no answer of n8n if a proxy answers with %s %j', async (status, body) => {
		const location = 'https://n8n.example/webhook?secret=1';
		const { answer } = await asked(url, { status, body, proven: false, location });
		const redirects = status === 300 || status === 301;
		const detail = redirects
			? `it redirects to https://n8n.example (HTTP status ${status})`
			: `something before it answered with HTTP status ${status}`;
		const more = status >= 500 && { accepted: 'unknown' };
		expect(answer).toEqual({ code: 'NO_ANSWER', detail, advice: expect.stringContaining('before n8n'), ...more });
	});

	test('gets no answer of n8n if there is no response: that says why', async () => {
		const error = (cause: object) => noReply(Object.assign(new Error('private'), cause));
		expect((await asked(url, error({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }))).answer).toEqual({
			code: 'NO_ANSWER',
			detail: 'its certificate is signed by an unknown authority',
			advice: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
		});
		const late = { detail: 'no answer came in time', accepted: 'unknown' };
		expect((await asked(url, error({ code: 'ECONNABORTED' }))).answer).toMatchObject(late);
	});

	test.each<[string, Reply]>([
		['refuses it', { ...ok, status: 400, body: { message: 'Unknown command' } }],
		['fails', { ...ok, status: 500 }],
		['does not say for whom it is', { ...ok, body: { ...trigger, chosen: undefined } }],
		['does not say which events it needs', { ...ok, body: { ...trigger, events: 'all' } }],
		['does not say what it has registered', { ...ok, body: { ...trigger, registered: {} } }],
		['says nothing', { ...ok, body: 'OK' }],
	])('gets no answer of a trigger of this version if that %s', async (_what, reply) => {
		expect((await asked(url, reply)).answer).toMatchObject({ code: 'N8N_REFUSED' });
	});
});

test('a problem says what was seen, and what to do about just that', () => {
	const { code, message, whatToDo } = problemOf({ code: 'N8N_REFUSED' });
	expect([code, message, whatToDo].filter(Boolean)).toHaveLength(3);
	const seen = problemOf({ code: 'N8N_REFUSED', detail: 'HTTP status 400', advice: 'Wait.' });
	expect(seen).toEqual({ code, message: `${message}: HTTP status 400`, whatToDo: 'Wait.' });
});

test("a proxy of n8n that does not answer is told from n8n's own address", () => {
	const ofProxy = Object.assign(new Error('private'), unreachable, { hostname: 'proxy.example', port: 3128 });
	const message = expect.stringContaining('proxy');
	expect(noReply(ofProxy, url)).toMatchObject({ code: 'NO_ANSWER', accepted: 'no', message });
	expect(noReply(unreachable, url).message).not.toContain('proxy');
});

test('a trigger with the same credential proves its reply; no reply is an error', async () => {
	const { messages } = await loadKeys(doubleOfN8n().caller);
	const { caller, messages: sent } = doubleOfN8n({
		others: async ({ headers = {}, body }) => {
			const read = readMessage(messages, Buffer.from(String(body)), headers[MESSAGE_HEADER]);
			expect(read).toMatchObject({ command: 'check' });
			return { headers: { [MESSAGE_HEADER]: proofFor(messages, headers[MESSAGE_HEADER]) }, body: { events: [] } };
		},
	});
	expect(await messageTrigger(caller, url, { command: 'check' })).toEqual({
		value: { status: 200, body: { events: [] }, proven: true },
	});
	expect(sent).toMatchObject([{ method: 'POST', url }]);
	expect((await messageTrigger(doubleOfN8n({ others: [cut] }).caller, url, {})).error).toMatchObject({
		code: 'NO_ANSWER',
	});
});
