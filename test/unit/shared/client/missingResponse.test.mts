import { missingResponse } from '../../../../nodes/shared/client/missingResponse.ts';

describe('A request without an answer', () => {
	test.each<[string, object, string]>([
		['n8n could not connect', { code: 'ETIMEDOUT', syscall: 'connect' }, 'UNREACHABLE'],
		['n8n blocked it', { name: 'SsrfBlockedIpError' }, 'UNREACHABLE'],
	])('was never sent where %s', (_why, cause, code) => {
		expect(missingResponse({ cause })).toMatchObject({ code, accepted: 'no' });
	});

	test.each([
		['ETIMEDOUT', 'TIMEOUT'],
		['ECONNABORTED', 'TIMEOUT'],
		['EPROTO', 'CONNECTION_LOST'],
		['NEW', 'CONNECTION_LOST'],
	])('may have been sent where the code is %s alone', (code, expected) => {
		expect(missingResponse({ cause: { code } })).toMatchObject({ code: expected, accepted: 'unknown' });
	});

	test('does not keep its cause, which contains the token', () => {
		const error = missingResponse({ code: 'ECONNRESET', config: { headers: { Authorization: 'Bearer TOKEN' } } });
		expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('TOKEN');
		expect(error.cause).toBeUndefined();
	});
});

/** An error as n8n 1 and 2.0 make it: they keep the text of the HTTP library's error, and neither it nor its code. */
function olderError(message: string, messages: string[]): Error {
	return Object.assign(new Error(message), { name: 'NodeApiError', cause: undefined, messages });
}

const REFUSED = 'The service refused the connection - perhaps it is offline';

const CERTIFICATE = 'CERTIFICATE_NOT_TRUSTED';
const FIRST = 'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with …';
const HOST = "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b";
const [V4, V6] = ['connect ECONNREFUSED 127.0.0.1:9', 'connect ECONNREFUSED [::1]:9'];

describe('From the texts that older versions of n8n keep of an error it is known', () => {
	test.each([
		['a refused connection', REFUSED, [V4], 'UNREACHABLE'],
		['one at each address', REFUSED, [`${V4} | ${V6}`], 'UNREACHABLE'],
		['one at each address, without their texts', REFUSED, ['Error', 'Error'], 'UNREACHABLE'],
		['an unknown host', 'The connection cannot be', ['getaddrinfo ENOTFOUND x.invalid'], 'HOST_NOT_FOUND'],
		['a certificate', 'self-signed certificate', ['self-signed certificate'], CERTIFICATE],
		['a certificate, with a hint of Node.js', FIRST, [], CERTIFICATE],
		['the host of a certificate', HOST, [], CERTIFICATE],
	])('that nothing was sent: %s', (_what, message, messages, code) => {
		expect(missingResponse(olderError(message, messages))).toMatchObject({ code, accepted: 'no' });
	});

	test.each([
		['a broken connection', 'The host is unreachable, perhaps the server is offline', ['read EHOSTUNREACH']],
		['a reset', 'The connection to the server was closed unexpectedly', ['read ECONNRESET']],
		['a hang-up', 'socket hang up', ['socket hang up']],
		['a text that only mentions one', 'The proxy says: connect ECONNREFUSED 10.0.0.1:443', []],
		['a certificate that is only mentioned', 'The proxy says: certificate has expired', []],
		['nothing', '', []],
	])('not that nothing was sent: %s', (_what, message, messages) => {
		expect(missingResponse(olderError(message, messages))).toMatchObject({
			code: 'CONNECTION_LOST',
			accepted: 'unknown',
		});
	});

	test('that no answer came in time, and nothing where n8n keeps the error itself', () => {
		const late = olderError('The connection was aborted', ['timeout of 1000ms exceeded']);
		expect(missingResponse(late)).toMatchObject({ code: 'TIMEOUT', accepted: 'unknown' });
		const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
		const error = Object.assign(new Error(REFUSED, { cause }), { messages: [V4] });
		expect(missingResponse(error)).toMatchObject({ accepted: 'unknown' });
	});
});
