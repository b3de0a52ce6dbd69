import { assertDeliverable } from '../../../../nodes/shared/deliveries/address.ts';

test('The error about an address on this machine names it without its query: that may resume an execution', () => {
	const url = 'http://localhost:5678/webhook-waiting/77/node?signature=s3cr3t&campaign=c-1';
	expect(() => assertDeliverable(url, new URL('https://service.example'))).toThrow(
		expect.objectContaining({
			code: 'WEBHOOK_URL_NOT_PUBLIC',
			message: expect.stringMatching(/^[^?]*http:\/\/localhost:5678\/webhook-waiting\/77\/node, [^?]*$/),
		}),
	);
});
