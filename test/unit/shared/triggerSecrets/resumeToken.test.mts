import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import {
	CONTEXT_FIELD,
	findResumeTokens,
	type ResumeToken,
	seal,
	unseal,
	withoutResumeTokens,
} from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import fc from '../../../fastCheck.mts';
import { timeInCopies } from '../../../processorTime.mts';

const key = randomBytes(32);

const resumeToken = { url: 'http://localhost/ü', execution: '1', node: 'n', run: 0, item: 0, eventTypes: [] };

const anyResumeToken: fc.Arbitrary<ResumeToken> = fc.record({
	url: fc.webUrl(),
	execution: fc.string(),
	node: fc.uuid(),
	run: fc.nat(),
	item: fc.nat(),
	eventTypes: fc.array(fc.string()),
});

test('A resume token is read with its key as it was, and its text is not visible', () => {
	fc.assert(
		fc.property(anyResumeToken, (resumeToken) => {
			const sealed = seal(key, resumeToken);
			expect(unseal(key, sealed)).toEqual(resumeToken);
			expect(seal(key, resumeToken)).not.toBe(sealed);
			expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(resumeToken.url);
		}),
	);
});

test('A resume token that was changed at any byte, truncated or sealed with another key is not read', () => {
	fc.assert(
		fc.property(anyResumeToken, fc.nat(), fc.integer({ min: 1, max: 255 }), (resumeToken, place, change) => {
			const bytes = Buffer.from(seal(key, resumeToken), 'base64url');
			const sealed = bytes.toString('base64url');
			bytes[place % bytes.length] ^= change;
			expect(unseal(key, bytes.toString('base64url'))).toBeUndefined();
			expect(unseal(key, sealed.slice(0, place % sealed.length))).toBeUndefined();
			expect(unseal(randomBytes(32), sealed)).toBeUndefined();
		}),
		{ numRuns: 40 },
	);
});

test.each([[undefined], [null], [7], [''], ['AAAA'], [{}], [['x']], ['ü'.repeat(100)]])(
	'%p is not a resume token',
	(value) => {
		expect(unseal(key, value)).toBeUndefined();
	},
);

test('Resume tokens are found at any depth, also in JSON text', () => {
	const context = { contact: '7', [CONTEXT_FIELD]: 'sea-led_1' };
	const text = JSON.stringify(context);
	expect(findResumeTokens({ context })).toEqual(['sea-led_1']);
	expect(findResumeTokens({ call: [{ text: 'x' }, { mine: context }] })).toEqual(['sea-led_1']);
	expect(findResumeTokens({ context: text, data: JSON.stringify({ text }) })).toEqual(['sea-led_1', 'sea-led_1']);
	expect(findResumeTokens({ context: { contact: '7' }, note: `Say "${CONTEXT_FIELD}"` })).toEqual([]);
});

test('A resume token that was sealed with a shorter tag is not read', () => {
	const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: 4 });
	const text = Buffer.concat([cipher.update(JSON.stringify(resumeToken)), cipher.final()]);
	const sealed = Buffer.concat([Buffer.alloc(12), text, cipher.getAuthTag()]).toString('base64url');
	expect(unseal(key, sealed)).toBeUndefined();
});

test('A resume token has a nonce of 12 bytes and a tag of 16, so that two versions of the package agree on it', () => {
	const bytes = Buffer.from(seal(key, resumeToken), 'base64url');
	const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
	const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
	expect(JSON.parse(text.toString('utf8'))).toEqual(resumeToken);
});

test('A resume token is removed from objects in lists, and a date beside it is kept as JSON has it', () => {
	const given = [{ calls: [{ [CONTEXT_FIELD]: 'sealed', id: 1 }] }, 'text', null, 7];
	expect(withoutResumeTokens(given)).toEqual([{ calls: [{ id: 1 }] }, 'text', null, 7]);
	const dated = { at: new Date(0), [CONTEXT_FIELD]: 'sealed' };
	expect(withoutResumeTokens<unknown>(dated)).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test('A resume token is removed from any object, and everything else is kept', () => {
	fc.assert(
		fc.property(
			fc.jsonValue(),
			fc.dictionary(fc.string(), fc.jsonValue()),
			anyResumeToken,
			(other, context, resumeToken) => {
				const sealed = seal(key, resumeToken);
				const event = { other, context: { ...context, [CONTEXT_FIELD]: sealed } };
				expect(withoutResumeTokens(event)).toEqual({ other, context });
			},
		),
		{ numRuns: 40 },
	);
});

test.each([
	['in JSON', (json: string) => json],
	['in a JSON string in JSON', (json: string) => JSON.stringify({ body: json })],
])('A resume token in text is removed: %s', (_where, write) => {
	const own = { [CONTEXT_FIELD]: 'abc-DEF_123' };
	for (const [whole, rest] of [
		[
			{ a: '7', ...own, more: 1 },
			{ a: '7', more: 1 },
		],
		[{ contact: '7', ...own }, { contact: '7' }],
		[{ ...own, more: 1 }, { more: 1 }],
		[own, {}],
		[
			[
				{ ...own, a: 1 },
				{ b: 2, ...own },
			],
			[{ a: 1 }, { b: 2 }],
		],
	]) {
		expect(withoutResumeTokens(write(JSON.stringify(whole)))).toBe(write(JSON.stringify(rest)));
	}
	const spaced = JSON.stringify({ contact: '7', ...own, more: 1 }, null, 2);
	expect(withoutResumeTokens(spaced)).not.toContain(CONTEXT_FIELD);
	expect(JSON.parse(withoutResumeTokens(spaced))).toEqual({ contact: '7', more: 1 });
});

test.each([
	['before a key', `${CONTEXT_FIELD}${'\\'.repeat(40_000)}`],
	['after a key', `"${CONTEXT_FIELD}${'\\'.repeat(40_000)}`],
	['before a value', `"${CONTEXT_FIELD}":${'\\'.repeat(40_000)}`],
	['or commas', `${CONTEXT_FIELD}${', '.repeat(20_000)}`],
])('a text of a stranger with many backslashes %s takes no long time', async (_what, text) => {
	expect([findResumeTokens(text), withoutResumeTokens(text)]).toEqual([[], text]);
	expect(await timeInCopies(text, () => [findResumeTokens(text), withoutResumeTokens(text)])).toBeLessThan(100);
});
