import { hideResumeTokens, hideSecrets, secretsIn } from '../../../../nodes/shared/client/secrets.ts';
import { connectionOf } from '../../../../nodes/shared/client/transport.ts';
import { timeInCopies } from '../../../processorTime.mts';

const asObject = (headers: Array<[string, string]>) => Object.fromEntries(headers);
const asList = (headers: Array<[string, string]>) => headers.map(([key, value]) => ({ key, value }));
const shown = (headers: unknown, texts: string[]) => hideSecrets(texts, secretsIn({ custom_headers: headers }));

describe.each([
	['a list', asList],
	['an object', asObject],
])('Headers as %s', (_form, formed) => {
	test('leave the words of a response as they are, where the value of a header is such a word', () => {
		const words = Object.entries({ 'X-Source': 'webhook', 'X-Team': 'agent' });
		expect(shown(formed(words), ['webhook', 'the agent'])).toEqual(['webhook', 'the agent']);
	});

	test.each(['Authorization', 'X-Api-Key', 'x-auth-token', 'Cookie', 'X-Webhook-Secret', 'X-Source'])(
		'hide the value of %s',
		(name) => {
			const value = name === 'X-Source' ? 'a-long-value' : 'hunter2';
			expect(shown(formed([[name, value]]), [`It was ${value}.`])).toEqual(['It was [hidden].']);
		},
	);
});

test('values without a name and other secrets are hidden, whatever they are', () => {
	for (const headers of [['hunter2'], [{ value: 'hunter2' }], 'hunter2']) {
		expect(shown(headers, ['hunter2'])).toEqual(['[hidden]']);
	}
	expect(hideSecrets(['webhook'], secretsIn({ webhook_secret: 'webhook' }))).toEqual(['[hidden]']);
});

test.each([
	['as it is', 'vt|a/b+c&d==0123456789'],
	['in JSON as PHP writes it', String.raw`vt|a\/b+c&d==0123456789`],
	['in JSON with escaped letters', String.raw`vt|a/b+c\u0026d==0123456789`],
	['in a URL', 'vt%7Ca%2Fb%2Bc%26d%3D%3D0123456789'],
	['in HTML', 'vt|a/b+c&amp;d==0123456789'],
])('the token is hidden %s', (_how, text) => {
	const environmentToken = 'vt|a/b+c&d==0123456789';
	const { secrets } = connectionOf({ baseUrl: 'https://voice.example.com', environmentToken });
	expect(hideSecrets(`Bad header: ${text}.`, secrets)).toBe('Bad header: [hidden].');
});

test.each(['?signature=a1b2&campaign=c-1', '?signature=a1b2&amp;campaign=c-1', '%3Fsignature%3Da1b2%26campaign%3Dc-1'])(
	'the resume token of a wait is hidden as %s',
	(query) => {
		const url = 'https://n8n.example.com/webhook-waiting/12/n';
		expect(hideResumeTokens(`${url}${query} answered`)).toBe(`${url} answered`);
	},
);

test('A text of a stranger that begins many addresses of executions takes no long time', async () => {
	const text = '?signature='.repeat(10_000);
	expect(hideResumeTokens(text)).toBe(text);
	expect(await timeInCopies(text, () => hideResumeTokens(text))).toBeLessThan(100);
});
