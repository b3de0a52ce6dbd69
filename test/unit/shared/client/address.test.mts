import { assertDeliverable, unreachableIn } from '../../../../nodes/shared/client/address.ts';

const service = new URL('https://service.example');

test('The error about an address on this machine names it without its query: that may resume an execution', () => {
	const url = 'http://localhost:5678/webhook-waiting/77/node?signature=s3cr3t&campaign=c-1';
	expect(() => assertDeliverable(url, service)).toThrow(
		expect.objectContaining({
			code: 'WEBHOOK_URL_NOT_PUBLIC',
			accepted: 'no',
			message: expect.stringMatching(/^[^?]*http:\/\/localhost:5678\/webhook-waiting\/77\/node, [^?]*$/),
		}),
	);
});

const start = 'https://n8n.example/webhook/';

test.each([
	['a public address', start, service],
	['a public address, from a service on this machine', start, new URL('http://localhost:3000')],
	['an address on this machine, from a service there', 'http://localhost:5678/', new URL('http://127.0.0.1:3000')],
	[
		'the published port of a container, from a service outside of it',
		'http://localhost:5678/',
		new URL('http://host.docker.internal:4010'),
	],
	['a URL of 500 characters', start.padEnd(500, 'x'), service],
])('The service can deliver to %s', (_what, url, from) => {
	expect(() => assertDeliverable(url, from)).not.toThrow();
});

test.each([
	['an address for all of this machine', 'http://0.0.0.0:5678/', 'WEBHOOK_URL_NOT_PUBLIC'],
	['a URL of 501 characters', start.padEnd(501, 'x'), 'WEBHOOK_URL_TOO_LONG'],
])('The service cannot deliver to %s, and nothing is sent to it', (_what, url, code) => {
	expect(() => assertDeliverable(url, service)).toThrow(expect.objectContaining({ code, accepted: 'no' }));
});

test.each([
	['the URL of an action', { url: 'http://localhost/book' }],
	['the authorization URL of an action', { url: start, authorization_url: 'http://127.0.0.1:8080/' }],
	['the URL of a webhook', { webhook_url: 'http://[::1]/' }],
])('The service can never call %s on this machine, and it is not sent', (_what, body) => {
	expect(unreachableIn(body, service)).toMatchObject({ code: 'WEBHOOK_URL_NOT_PUBLIC', accepted: 'no' });
	expect(unreachableIn(body, new URL('http://localhost:4010'))).toBeUndefined();
});

test.each([
	['a public address', { url: start }],
	['a private address, which a service in the same network reaches', { url: 'http://192.168.0.10/' }],
	['a text that is not an address', { url: 'localhost', webhook_url: 7 }],
	['no body', undefined],
])('%s is sent', (_what, body) => {
	expect(unreachableIn(body, service)).toBeUndefined();
});
