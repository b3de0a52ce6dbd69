import { noAnswer } from '../../../../nodes/shared/service/noAnswer.ts';

/** An error as n8n 1 and 2.0 make it: they keep the text of the HTTP library's error, and neither it nor its code. */
function olderError(message: string, messages: string[]): Error {
	return Object.assign(new Error(message), { name: 'NodeApiError', cause: undefined, messages });
}

const REFUSED = 'The service refused the connection - perhaps it is offline';

describe('From the texts that older versions of n8n keep of an error it is known', () => {
	test.each([
		['a refused connection', REFUSED, ['connect ECONNREFUSED 127.0.0.1:9'], 'UNREACHABLE'],
		[
			'one at each address',
			REFUSED,
			['connect ECONNREFUSED 127.0.0.1:9 | connect ECONNREFUSED [::1]:9'],
			'UNREACHABLE',
		],
		['one at each address, without their texts', REFUSED, ['Error', 'Error'], 'UNREACHABLE'],
		['an unknown host', 'The connection cannot be', ['getaddrinfo ENOTFOUND x.invalid'], 'HOST_NOT_FOUND'],
		['a certificate', 'self-signed certificate', ['self-signed certificate'], 'CERTIFICATE_NOT_TRUSTED'],
		[
			'a certificate, with a hint of Node.js',
			'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with …',
			[],
			'CERTIFICATE_NOT_TRUSTED',
		],
		[
			'the host of a certificate',
			"Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b",
			[],
			'CERTIFICATE_NOT_TRUSTED',
		],
	])('that nothing was sent: %s', (_what, message, messages, code) => {
		expect(noAnswer(olderError(message, messages))).toMatchObject({ code, accepted: 'no' });
	});

	test.each([
		['a broken connection', 'The host is unreachable, perhaps the server is offline', ['read EHOSTUNREACH']],
		['a reset', 'The connection to the server was closed unexpectedly', ['read ECONNRESET']],
		['a hang-up', 'socket hang up', ['socket hang up']],
		['a text that only mentions one', 'The proxy says: connect ECONNREFUSED 10.0.0.1:443', []],
		['a certificate that is only mentioned', 'The proxy says: certificate has expired', []],
		['nothing', '', []],
	])('not that nothing was sent: %s', (_what, message, messages) => {
		expect(noAnswer(olderError(message, messages))).toMatchObject({ code: 'CONNECTION_LOST', accepted: 'unknown' });
	});

	test('that no answer came in time', () => {
		const error = olderError('The connection was aborted', ['timeout of 1000ms exceeded']);
		expect(noAnswer(error)).toMatchObject({ code: 'TIMEOUT', accepted: 'unknown' });
	});

	test('nothing, where n8n keeps the error itself', () => {
		const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
		const error = Object.assign(new Error(REFUSED, { cause }), { messages: ['connect ECONNREFUSED 127.0.0.1:9'] });
		expect(noAnswer(error)).toMatchObject({ accepted: 'unknown' });
	});
});
