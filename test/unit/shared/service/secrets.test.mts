import { hideSecrets, secretsIn } from '../../../../nodes/shared/service/secrets.ts';

const asObject = (headers: Array<[string, string]>) => Object.fromEntries(headers);
const asList = (headers: Array<[string, string]>) => headers.map(([key, value]) => ({ key, value }));

/** The texts of a response after a request with these headers. */
const shown = (headers: unknown, texts: string[]) => hideSecrets(texts, secretsIn({ custom_headers: headers }));

describe.each([
	['a list', asList],
	['an object', asObject],
])('Headers as %s', (_form, formed) => {
	test('leave the words of a response as they are, where the value of a header is such a word', () => {
		const headers = formed([
			['X-Source', 'webhook'],
			['X-Team', 'agent'],
		]);
		expect(shown(headers, ['webhook', 'the agent'])).toEqual(['webhook', 'the agent']);
	});

	test.each([
		['Authorization', 'hunter2'],
		['X-Api-Key', 'hunter2'],
		['x-auth-token', 'hunter2'],
		['Cookie', 'hunter2'],
		['X-Webhook-Secret', 'hunter2'],
		['X-Source', 'a-long-value'],
	])('hide the value of %s', (name, value) => {
		expect(shown(formed([[name, value]]), [`It was ${value}.`])).toEqual(['It was [hidden].']);
	});
});

test('values without a name are hidden', () => {
	expect(shown(['hunter2'], ['hunter2'])).toEqual(['[hidden]']);
	expect(shown([{ value: 'hunter2' }], ['hunter2'])).toEqual(['[hidden]']);
	expect(shown('hunter2', ['hunter2'])).toEqual(['[hidden]']);
});

test('other secrets are hidden whatever they are', () => {
	expect(hideSecrets(['webhook'], secretsIn({ webhook_secret: 'webhook' }))).toEqual(['[hidden]']);
});
