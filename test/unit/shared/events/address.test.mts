import { assertDeliverable } from '../../../../nodes/shared/events/address.ts';

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
