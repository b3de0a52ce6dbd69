import {
	isSettled,
	isStillRunning,
	refusesUnknownMethod,
} from '../../../../nodes/shared/triggerClient/n8nResponses.ts';

const running = { message: 'The execution "77" is running already.' };
const ended = { message: 'The execution "77" has finished already.' };
const deleted = { message: 'The execution "77" does not exist.' };
const other = {
	message: 'The workflow for execution "77" does not contain a waiting webhook with a matching path/method.',
};

test.each<[boolean, string, number, unknown]>([
	[true, 'n8n says that it runs', 409, running],
	[true, 'n8n has not stored its data yet', 500, { code: 0, message: 'Unexpected' }],
	[false, 'n8n says that it has ended', 409, ended],
	[false, 'n8n says it with another status', 404, running],
	[false, 'a gateway repeats it', 409, { message: `Conflict: ${running.message}` }],
	[false, 'a proxy answers with text', 409, running.message],
	[false, 'a proxy fails with JSON', 500, { message: 'Unexpected' }],
	[false, 'a proxy fails with text', 500, '<html>'],
	[false, 'a gateway fails with a code of n8n', 502, { code: 0 }],
])('The execution may soon wait (%s): %s', (wanted, _what, status, body) => {
	expect(isStillRunning({ status, body, proven: false })).toBe(wanted);
});

test.each<[boolean, string, number, unknown, boolean?]>([
	[true, 'the waiting node has taken it', 200, 'OK', true],
	[true, 'the waiting node has refused it', 499, 'Gone', true],
	[false, 'the waiting node has failed', 500, 'Try again', true],
	[true, 'the execution has ended', 409, ended],
	[true, 'the execution was deleted', 404, deleted],
	[true, 'the execution waits for something else', 404, other],
	[true, 'the execution waits for something else now', 409, other],
	[false, 'the execution is running', 409, running],
	[false, 'something else answers', 200, 'OK'],
	[false, 'a proxy does not find n8n', 404, { message: 'No route' }],
	[false, 'a proxy repeats what n8n says', 404, { message: `Not found. ${deleted.message}` }],
	[false, 'a gateway has trouble', 502, deleted],
])('A message needs no repetition (%s): %s', (wanted, _what, status, body, proven = false) => {
	expect(isSettled({ status, body, proven })).toBe(wanted);
});

test.each<[boolean, string, unknown]>([
	[true, 'n8n answers', { body: { message: 'The method PROPFIND is not supported.' } }],
	[false, 'something else knows the method', { body: { message: 'Multi-Status' } }],
	[false, 'a page answers', { body: '<html>' }],
	[false, 'nothing answers', undefined],
])('n8n is at an address (%s): %s', async (wanted, _what, answer) => {
	const httpRequest = async ({ method }: { method?: string }) => {
		if (answer === undefined || method !== 'PROPFIND') {
			throw new Error('connect ECONNREFUSED');
		}
		return answer;
	};
	expect(await refusesUnknownMethod({ httpRequest } as never, 'https://n8n.example/webhook/1')).toBe(wanted);
});
