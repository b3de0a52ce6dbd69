import { noAnswer } from '../../../../nodes/shared/service/noAnswer.ts';
import { refusal } from '../../../../nodes/shared/service/refusals.ts';
import { inEditorsNames } from '../../../../nodes/VoiceAgentCalling/execution/fieldNames.ts';
import { update } from '../../../../nodes/VoiceAgentCalling/resources/agent/update.ts';

describe('A response that is not a JSON object is not taken for the word of the service', () => {
	test.each([
		[403, '<html>Forbidden</html>', 'HTTP status 403', 'unknown'],
		[404, '', 'HTTP status 404', 'no'],
		[404, undefined, 'HTTP status 404', 'no'],
		[401, '<html>Log in</html>', 'HTTP status 401', 'no'],
		[407, '<html>', 'HTTP status 407', 'no'],
		[502, '<html>', 'HTTP status 502', 'unknown'],
		[503, 'no healthy upstream', 'HTTP status 503: no healthy upstream', 'unknown'],
		[504, ['a', 'list'], 'HTTP status 504', 'unknown'],
	])('%s with the body %j', (httpStatus, body, end, accepted) => {
		const declared = { codes: { 404: 'AGENT_NOT_FOUND' }, advice: { 403: 'Look at the plan.' } } as const;
		expect(refusal(httpStatus, body, declared)).toMatchObject({
			code: 'NOT_THE_SERVICE',
			message: `Something other than the service answered with ${end}`,
			advice: expect.stringMatching(/proxy, firewall or login page/),
			httpStatus,
			accepted,
		});
	});

	test.each([
		[301, 'https://www.example.com/login?token=secret', 'https://www.example.com', 'unknown'],
		[302, '/login', 'another address', 'unknown'],
		[308, undefined, 'another address', 'no'],
	])('a redirect: %s to %s', (httpStatus, location, target, accepted) => {
		expect(refusal(httpStatus, { message: 'Moved' }, {}, { location })).toMatchObject({
			code: 'REDIRECTED',
			message: `The Base URL redirects to ${target} (HTTP status ${httpStatus}), which was not followed`,
			accepted,
		});
	});
});

describe('An error response in any body format of the service becomes a readable message', () => {
	test.each([
		['flat', 404, { success: false, message: 'Campaign not found.' }, 'NOT_FOUND', 'Campaign not found'],
		[
			'flat with field messages',
			422,
			{ success: false, message: 'Invalid.', errors: { to: ['is required.'], 'days.0': ['is odd.'] } },
			'VALIDATION_ERROR',
			'to: is required; days.0: is odd',
		],
		[
			'flat with a code',
			422,
			{ success: false, message: 'Test first.', code: 'SFTP_TEST_REQUIRED' },
			'SFTP_TEST_REQUIRED',
			'Test first.',
		],
		[
			'flat with a list',
			422,
			{ success: false, errors: ['Duplicate id.', 'Unknown node.'] },
			'VALIDATION_ERROR',
			'Duplicate id.; Unknown node.',
		],
		[
			'nested',
			400,
			{ error: { code: 'AGENT_INACTIVE', message: 'Not published.' } },
			'AGENT_INACTIVE',
			'Not published.',
		],
		[
			'nested below success',
			401,
			{ success: false, error: { code: 'INVALID_API_KEY', message: 'Bad.', details: {} } },
			'INVALID_API_KEY',
			'Bad.',
		],
		[
			'authentication',
			401,
			{ error: 'TOKEN_EXPIRED', message: 'Expired.', status_code: 401 },
			'TOKEN_EXPIRED',
			'Expired.',
		],
		[
			'nested with the rejected field',
			400,
			{ error: { code: 'INVALID_PHONE_NUMBER', message: 'Bad.', details: { field: 'to', value: '+1' } } },
			'INVALID_PHONE_NUMBER',
			'Bad (to: "+1")',
		],
		[
			'nested with a rejected field alone',
			400,
			{ error: { details: { field: 'to', value: 'x'.repeat(99) } } },
			'BAD_REQUEST',
			`request: (to: "${'x'.repeat(59)}...)`,
		],
		['a message alone', 401, { message: 'Unauthenticated.' }, 'UNAUTHORIZED', 'Unauthenticated.'],
		['an error alone', 500, { error: 'Demo broke.' }, 'SERVER_ERROR', 'Demo broke.'],
		['an unknown shape with a message', 418, { message: 'I am a teapot', brew: 1 }, 'HTTP_418', 'I am a teapot'],
	])('%s', (_format, status, body, code, text) => {
		const error = refusal(status, body);
		expect(error).toMatchObject({ code, httpStatus: status });
		expect(error.message).toContain(text);
		expect(error.advice).toMatch(/\.$/);
	});

	test.each([
		['Campaign not found.', 'CAMPAIGN_NOT_FOUND', 'Campaign not found'],
		['No.', 'VOICE_TEMPLATE_NOT_FOUND', 'Voice template not found: No.'],
		[undefined, 'AGENT_NOT_FOUND', 'Agent not found'],
		[undefined, undefined, 'Not found'],
	])('404 with the message %s and the code %s', (message, code, text) => {
		expect(refusal(404, { message, code }).message).toBe(text);
	});

	test('401 and 403 share a code, so the HTTP status decides the message', () => {
		const body = { error: 'UNAUTHORIZED', message: 'No.', status_code: 0 };
		expect(refusal(401, body).message).toContain('does not accept the environment token');
		expect(refusal(403, body).message).toContain('does not allow');
	});

	test('the advice contains the wait that the service asks for, from a nested or flat body', () => {
		const nested = { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow.', details: { retry_after: 60 } } };
		expect(refusal(429, nested).advice).toContain('60 seconds');
		expect(refusal(429, { message: 'Slow.', retry_after: 7 }).advice).toContain('7 seconds');
	});

	test('without a code in the body, the endpoint decides the code', () => {
		expect(refusal(400, { message: 'No.' }, { codes: { 400: 'CAMPAIGN_NOT_ACTIVE' } })).toMatchObject({
			code: 'CAMPAIGN_NOT_ACTIVE',
			accepted: 'no',
		});
	});

	test('advice for the code comes first, then advice of the endpoint, then advice for the HTTP status', () => {
		const advice = { 403: 'Look at the plan.', 409: 'Look at the trunk.' };
		expect(refusal(403, { message: 'No.', code: 'SOME_CODE' }, { advice })).toMatchObject({
			code: 'SOME_CODE',
			advice: 'Look at the plan.',
		});
		expect(refusal(409, { message: 'No.', code: 'TRUNK_HAS_DIDS' }, { advice }).advice).toContain(
			'Remove its numbers first',
		);
		expect(refusal(404, { message: 'No.' }, { advice }).advice).toContain('Check the ID');
	});

	test('a message that only repeats a field error is not shown twice', () => {
		const body = { message: 'The name is taken.', errors: { name: ['The name is taken.'] } };
		expect(refusal(422, body).message).toMatch(/values: name: The name is taken$/);
	});

	test('the advice translates field names of the service to those in the editor if they differ', () => {
		const named = (errors: unknown) => inEditorsNames(refusal(422, { message: 'No.', errors }), update);
		const error = named({
			'phone_number_ids.0': ['is unknown.'],
			phone_number_ids: ['has one.'],
			direction: ['is odd.'],
			other: ['is odd.'],
		});
		expect(error).toMatchObject({ code: 'VALIDATION_ERROR', httpStatus: 422, accepted: 'no' });
		expect(error.advice).toBe(
			"Correct the values named above. In the editor phone_number_ids is 'Phone Number Names or IDs'.",
		);
		for (const errors of [{ direction: ['is odd.'] }, ['A list.'], undefined]) {
			expect(named(errors).advice).toBe('Correct the values named above.');
		}
	});

	test('after a server error, the outcome is unknown', () => {
		expect(refusal(500, {}).accepted).toBe('unknown');
		expect(refusal(429, {}).accepted).toBe('no');
	});
});

describe('A request without an answer', () => {
	test.each([
		['ECONNREFUSED', 'connect', 'UNREACHABLE'],
		['ETIMEDOUT', 'connect', 'UNREACHABLE'],
		['EADDRNOTAVAIL', 'connect', 'UNREACHABLE'],
		['ENOTFOUND', 'getaddrinfo', 'HOST_NOT_FOUND'],
		['CERT_HAS_EXPIRED', undefined, 'CERTIFICATE_NOT_TRUSTED'],
		['CERT_REVOKED', undefined, 'CERTIFICATE_NOT_TRUSTED'],
	])('that was never sent (%s, %s) is %s, and was not accepted', (code, syscall, expected) => {
		expect(noAnswer({ code, cause: { code, syscall } })).toMatchObject({ code: expected, accepted: 'no' });
		// Node.js tries each address of a host, and reports all failures together.
		expect(noAnswer({ cause: { code, errors: [{ code, syscall }] } })).toMatchObject({
			code: expected,
			accepted: 'no',
		});
	});

	test('that n8n blocked was never sent', () => {
		expect(noAnswer({ cause: { name: 'SsrfBlockedIpError' } })).toMatchObject({ code: 'UNREACHABLE', accepted: 'no' });
	});

	test.each([
		['ETIMEDOUT', 'TIMEOUT'],
		['ECONNABORTED', 'TIMEOUT'],
		['ECONNRESET', 'CONNECTION_LOST'],
		['EPIPE', 'CONNECTION_LOST'],
		['EHOSTUNREACH', 'CONNECTION_LOST'],
		['ECONNREFUSED', 'CONNECTION_LOST'],
		['EPROTO', 'CONNECTION_LOST'],
		['SOMETHING_NEW', 'CONNECTION_LOST'],
	])('that may have been sent (%s) is %s, with an unknown outcome', (code, expected) => {
		expect(noAnswer({ cause: { code } })).toMatchObject({ code: expected, accepted: 'unknown' });
	});

	test('does not keep its cause, which contains the token', () => {
		const error = noAnswer({ code: 'ECONNRESET', config: { headers: { Authorization: 'Bearer TOKEN' } } });
		expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('TOKEN');
		expect(error.cause).toBeUndefined();
	});
});
