import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import {
	findTickets,
	seal,
	TICKET_FIELD,
	type Ticket,
	unseal,
	withoutTickets,
} from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import fc from '../../../fastCheck.mts';
import { timeInCopies } from '../../../processorTime.mts';

const key = randomBytes(32);

const ticket = { url: 'http://localhost/ü', execution: '1', node: 'n', run: 0, item: 0, kinds: [] };

const anyTicket: fc.Arbitrary<Ticket> = fc.record({
	url: fc.webUrl(),
	execution: fc.string(),
	node: fc.uuid(),
	run: fc.nat(),
	item: fc.nat(),
	kinds: fc.array(fc.string()),
});

test('A ticket is read with its key as it was, and its text is not visible', () => {
	fc.assert(
		fc.property(anyTicket, (ticket) => {
			const sealed = seal(key, ticket);
			expect(unseal(key, sealed)).toEqual(ticket);
			expect(seal(key, ticket)).not.toBe(sealed);
			expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(ticket.url);
		}),
	);
});

test('A ticket that was changed at any byte, truncated or sealed with another key is not read', () => {
	fc.assert(
		fc.property(anyTicket, fc.nat(), fc.integer({ min: 1, max: 255 }), (ticket, place, change) => {
			const bytes = Buffer.from(seal(key, ticket), 'base64url');
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
	'%p is not a ticket',
	(value) => {
		expect(unseal(key, value)).toBeUndefined();
	},
);

test('Tickets are found at any depth, also in JSON text', () => {
	const context = { contact: '7', [TICKET_FIELD]: 'sea-led_1' };
	const text = JSON.stringify(context);
	expect(findTickets({ context })).toEqual(['sea-led_1']);
	expect(findTickets({ call: [{ text: 'x' }, { mine: context }] })).toEqual(['sea-led_1']);
	expect(findTickets({ context: text, data: JSON.stringify({ text }) })).toEqual(['sea-led_1', 'sea-led_1']);
	expect(findTickets({ context: { contact: '7' }, note: `Say "${TICKET_FIELD}"` })).toEqual([]);
});

test('A ticket that was sealed with a shorter tag is not read', () => {
	const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: 4 });
	const text = Buffer.concat([cipher.update(JSON.stringify(ticket)), cipher.final()]);
	const sealed = Buffer.concat([Buffer.alloc(12), text, cipher.getAuthTag()]).toString('base64url');
	expect(unseal(key, sealed)).toBeUndefined();
});

test('A ticket has a nonce of 12 bytes and a tag of 16, so that two versions of the package agree on it', () => {
	const bytes = Buffer.from(seal(key, ticket), 'base64url');
	const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
	const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
	expect(JSON.parse(text.toString('utf8'))).toEqual(ticket);
});

test('A ticket is removed from objects in lists, and a date beside it is kept as JSON has it', () => {
	const given = [{ calls: [{ [TICKET_FIELD]: 'sealed', id: 1 }] }, 'text', null, 7];
	expect(withoutTickets(given)).toEqual([{ calls: [{ id: 1 }] }, 'text', null, 7]);
	const dated = { at: new Date(0), [TICKET_FIELD]: 'sealed' };
	expect(withoutTickets<unknown>(dated)).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

test('A ticket is removed from any object, and everything else is kept', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), anyTicket, (other, context, ticket) => {
			const sealed = seal(key, ticket);
			const event = { other, context: { ...context, [TICKET_FIELD]: sealed } };
			expect(withoutTickets(event)).toEqual({ other, context });
		}),
		{ numRuns: 40 },
	);
});

test.each([
	['in JSON', (json: string) => json],
	['in a JSON string in JSON', (json: string) => JSON.stringify({ body: json })],
])('A ticket in text is removed: %s', (_where, write) => {
	const own = { [TICKET_FIELD]: 'abc-DEF_123' };
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
		expect(withoutTickets(write(JSON.stringify(whole)))).toBe(write(JSON.stringify(rest)));
	}
	const spaced = JSON.stringify({ contact: '7', ...own, more: 1 }, null, 2);
	expect(withoutTickets(spaced)).not.toContain(TICKET_FIELD);
	expect(JSON.parse(withoutTickets(spaced))).toEqual({ contact: '7', more: 1 });
});

test.each([
	['before a key', `${TICKET_FIELD}${'\\'.repeat(40_000)}`],
	['after a key', `"${TICKET_FIELD}${'\\'.repeat(40_000)}`],
	['before a value', `"${TICKET_FIELD}":${'\\'.repeat(40_000)}`],
	['or commas', `${TICKET_FIELD}${', '.repeat(20_000)}`],
])('a text of a stranger with many backslashes %s takes no long time', async (_what, text) => {
	expect([findTickets(text), withoutTickets(text)]).toEqual([[], text]);
	expect(await timeInCopies(text, () => [findTickets(text), withoutTickets(text)])).toBeLessThan(100);
});
