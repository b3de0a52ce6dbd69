import { errorOf, refusal } from '../../../../nodes/shared/client/refusals.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { update } from '../../../../nodes/VoiceAgentCalling/resources/agent/update.ts';
import { withEditorNames } from '../../../../nodes/VoiceAgentCalling/run/sendItems.ts';

describe('A response that is not a JSON object is not taken for the word of the service', () => {
	test.each([
		[403, '<html>Forbidden</html>', 'HTTP status 403', 'unknown'],
		[401, '<html>Log in</html>', 'HTTP status 401', 'no'],
		[407, '<html>', 'HTTP status 407', 'no'],
		[502, '<html>', 'HTTP status 502', 'unknown'],
		[503, 'no healthy upstream', 'HTTP status 503: no healthy upstream', 'unknown'],
		[504, ['a', 'list'], 'HTTP status 504', 'unknown'],
	])('%s with the body %j', (httpStatus, body, end, accepted) => {
		const declared = { 403: 'CAMPAIGN_NOT_DELETABLE', 404: 'AGENT_NOT_FOUND' } as const;
		expect(refusal(httpStatus, body, declared)).toMatchObject({
			code: 'NOT_THE_SERVICE',
			message: `Something other than the service answered with ${end}`,
			advice: expect.stringMatching(/proxy, firewall or login page/),
			httpStatus,
			accepted,
		});
	});

	test.each([
		['', {}, ''],
		['<html>Not here</html>', {}, ''],
		[{ message: 'no Route matched' }, {}, ': no Route matched'],
		[{ error: 'Not Found' }, { path: ['agents', 'ada'], codes: { 404: 'AGENT_NOT_FOUND' } }, ': Not Found'],
		// A list cannot be missing, so another service sent this.
		[{ success: false, code: 'NOT_FOUND', message: 'No such path.' }, {}, ': No such path.'],
	] as const)('a 404 with the body %j: the service is not at the Base URL', (body, more, detail) => {
		const error = errorOf(404, body, { method: 'GET', path: ['agents'], ...more } as ServiceRequest);
		expect(error).toMatchObject({
			code: 'SERVICE_NOT_FOUND',
			message: `There is no Voice Agent Calling Service at this address${detail}`,
			advice: "Check the credential's Base URL.",
			accepted: 'no',
		});
	});

	test.each<[object, Partial<ServiceRequest>, string]>([
		[{ success: false, message: 'Not here.' }, { path: ['agents', 'ada'] }, 'NOT_FOUND'],
		[{ message: 'Agent not found.' }, { path: ['agents', 'ada'] }, 'NOT_FOUND'],
		[{ success: false, message: 'Unknown agent.' }, { method: 'POST', path: ['campaigns'] }, 'NOT_FOUND'],
		// The user wrote this path, which may be wrong as well.
		[{ message: 'No such route.' }, { path: ['agent'], codes: { 404: 'PATH_NOT_FOUND' } }, 'PATH_NOT_FOUND'],
	])('a 404 that can be the word of the service remains it: %j', (body, request, code) => {
		expect(errorOf(404, body, { method: 'GET', path: [], ...request }).code).toBe(code);
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
	const nested = (code: string | undefined, message: string, more: object = {}) => ({
		error: { code, message, ...more },
	});
	const value = { field: 'to', value: '+1' };
	const long = 'x'.repeat(99);
	const errors = { to: ['is required.'], 'days.0': ['is odd.'] };
	test.each<[number, object, string, string]>([
		[404, { success: false, message: 'Campaign not found.' }, 'NOT_FOUND', 'Campaign not found'],
		[422, { success: false, message: 'Invalid.', errors }, 'VALIDATION_ERROR', 'to: is required; days.0: is odd'],
		[422, { success: false, errors: ['Duplicate id.', 'Odd.'] }, 'VALIDATION_ERROR', 'Duplicate id.; Odd.'],
		[422, { message: 'Test first.', code: 'SFTP_TEST_REQUIRED' }, 'SFTP_TEST_REQUIRED', 'Test first.'],
		[400, nested('AGENT_INACTIVE', 'Not published.'), 'AGENT_INACTIVE', 'Not published.'],
		[401, { success: false, ...nested('INVALID_API_KEY', 'Bad.') }, 'INVALID_API_KEY', 'Bad.'],
		[401, { error: 'TOKEN_EXPIRED', message: 'Expired.', status_code: 401 }, 'TOKEN_EXPIRED', 'Expired.'],
		[400, nested('INVALID_PHONE_NUMBER', 'Bad.', { details: value }), 'INVALID_PHONE_NUMBER', 'Bad (to: "+1")'],
		[400, { error: { details: { ...value, value: long } } }, 'BAD_REQUEST', `request: (to: "${'x'.repeat(59)}...)`],
		[401, { message: 'Unauthenticated.' }, 'UNAUTHORIZED', 'Unauthenticated.'],
		[500, { error: 'Demo broke.' }, 'SERVER_ERROR', 'Demo broke.'],
		[418, { message: 'I am a teapot', brew: 1 }, 'HTTP_418', 'I am a teapot'],
	])('%i %j', (status, body, code, text) => {
		const error = refusal(status, body);
		expect(error).toMatchObject({ code, httpStatus: status, message: expect.stringContaining(text) });
		expect(error.accepted).toBe(status === 418 || status === 500 ? 'unknown' : 'no');
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
		const details = { details: { retry_after: 60 } };
		expect(refusal(429, nested('RATE_LIMIT_EXCEEDED', 'Slow.', details)).advice).toContain('60 seconds');
		const advice = expect.stringContaining('7 seconds');
		expect(refusal(429, { message: 'Slow.', retry_after: 7 })).toMatchObject({ accepted: 'no', advice });
	});

	test('without a code in the body, the endpoint decides the code', () => {
		const code = 'CAMPAIGN_NOT_ACTIVE';
		expect(refusal(400, { message: 'No.' }, { 400: code })).toMatchObject({ code, accepted: 'no' });
	});

	test('advice for the code comes first, then for that of the endpoint, then for the HTTP status', () => {
		const codes = { 403: 'CAMPAIGN_NOT_DELETABLE', 409: 'CALLS_IN_PROGRESS' } as const;
		const of = (status: number, code?: string) => refusal(status, { message: 'No.', code }, codes).advice;
		for (const code of ['SOME_CODE', 'FORBIDDEN', undefined]) {
			expect(of(403, code)).toContain('If the campaign is active');
		}
		expect(of(409, 'TRUNK_HAS_DIDS')).toContain('Remove its numbers first');
		expect(of(404)).toContain('Check the ID');
	});

	test('a message that only repeats a field error is not shown twice', () => {
		const body = { message: 'The name is taken.', errors: { name: ['The name is taken.'] } };
		expect(refusal(422, body).message).toMatch(/values: name: The name is taken$/);
	});

	test('the advice translates field names of the service to those in the editor if they differ', () => {
		const advice = (all: unknown) => withEditorNames(refusal(422, { message: 'No.', errors: all }), update).advice;
		const odd = ['is odd.'];
		expect(advice({ 'phone_number_ids.0': odd, phone_number_ids: odd, direction: odd, other: odd })).toBe(
			"Correct the values named above. In the editor phone_number_ids is 'Phone Number Names or IDs'.",
		);
		for (const all of [{ direction: odd }, ['A list.'], undefined]) {
			expect(advice(all)).toBe('Correct the values named above.');
		}
	});
});
