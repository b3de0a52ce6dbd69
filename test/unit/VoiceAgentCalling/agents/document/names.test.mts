import { holdsSecret } from '../../../../../nodes/VoiceAgentCalling/agents/document/hiddenSecrets.ts';
import {
	byKey,
	hasNames,
	namesOf,
	slugOf,
	type VoiceNames,
} from '../../../../../nodes/VoiceAgentCalling/agents/document/names.ts';

test.each([
	['Book Appointment!', 'book-appointment'],
	['book_appointment', 'book_appointment'],
	['  Öffnungszeiten & Preise ', 'öffnungszeiten-preise'],
	['ÖFFNUNG', 'öffnung'],
	['予約', '予約'],
	['a.b/c', 'a-b-c'],
	['__proto__', 'proto'],
	['!?', 'fallback'],
	['x'.repeat(200), 'x'.repeat(60)],
	[`${'x'.repeat(59)} y`, 'x'.repeat(59)],
])('the key of %s is %s', (name, key) => {
	expect(slugOf(name, 'fallback')).toBe(key);
});

test('the oldest of several keeps the key, and no number is given twice', () => {
	const item = (name: string, day: number) => ({ name, created_at: `2026-01-0${day}T00:00:00Z` });
	const items = [item('a', 3), item('a-2', 2), item('a', 1), item('a', 4), item('b', 5)];
	const keyed = byKey(items, ({ name }) => String(name));
	const days = [...keyed].map(([key, { created_at: at }]) => `${key} ${String(at).slice(8, 10)}`);
	expect(days).toEqual(['a 01', 'a-2 02', 'a-3 03', 'a-4 04', 'b 05']);
});

test("of several with the same time or none, the order of the service's list does not matter", () => {
	const made = '2026-01-01T00:00:00Z';
	const items = ['z', 'y', 'x'].map((id) => ({ id, name: 'a', created_at: id === 'x' ? null : made }));
	const keys = (list: typeof items) =>
		[...byKey(list, ({ name }) => String(name))].map(([key, { id }]) => `${key} ${id}`);
	const expected = ['a x', 'a-2 y', 'a-3 z'];
	expect([keys(items), keys(items.toReversed())]).toEqual([expected, expected]);
});

test('a voice is found by its name, language and tier, since tiers share names', () => {
	const voices = [
		{ id: '1', name: 'Aurora', language: 'en-US', quality_tier: 'basic' },
		{ id: '2', name: 'Aurora', language: 'en-US', quality_tier: 'pro' },
		{ id: '3', name: 'Aurora', language: 'en-CA', quality_tier: 'pro' },
		{ id: '4', display_name: 'Bennett', language: 'en-US', quality_tier: 'pro' },
	];
	const found = (wanted: VoiceNames) => voices.filter((voice) => hasNames(namesOf(voice), wanted)).map(({ id }) => id);
	expect(found({ name: 'Aurora', language: 'en-US', quality_tier: 'pro' })).toEqual(['2']);
	expect(found({ name: 'Aurora', quality_tier: 'pro' })).toEqual(['2', '3']);
	expect(found({ name: 'Bennett' })).toEqual(['4']);
	expect(found({ name: 'aurora' })).toEqual([]);
});

test.each([null, 'no URL', 'Ask for the code with ?token=1 in it.', 'https://{{ host }}/{{ token }}?page=1'])(
	'%s holds no secret',
	(text) => {
		expect(holdsSecret(text)).toBe(false);
	},
);

test.each([
	...['page=2', 'agent=1&page=2', 'monkey=1', 'author=1&zipcode=2&country_code=3&keyword=4'].map((query) => [
		query,
		false,
	]),
	...['access_token', 'API-Key', 'X-Signature', 'key', 'accessKey', 'subscription-key', 'pwd', 'access%5Ftoken'].map(
		(name) => [`${name}=1`, true],
	),
] as Array<[string, boolean]>)('whether the query %s of an address holds a secret: %s', (query, holds) => {
	expect(holdsSecret(`https://example.com/hook?${query}`)).toBe(holds);
});

test.each([
	'https://user:password@example.com/',
	'https://key@example.com/',
	'https://example.com/#access_token=1',
	'https://example.com:{{ port }}/?token=1',
	'{{ url }}?token=1',
])('%s holds a secret', (url) => {
	expect(holdsSecret(url)).toBe(true);
});
