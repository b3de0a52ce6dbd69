import { holdsSecret } from '../../../../nodes/VoiceAgentCalling/agentDocument/hiddenSecrets.ts';
import {
	byKey,
	hasNames,
	namesOf,
	slugOf,
	type VoiceNames,
} from '../../../../nodes/VoiceAgentCalling/agentDocument/names.ts';

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
	expect([...keyed].map(([key, { created_at: at }]) => [key, String(at).slice(8, 10)])).toEqual([
		['a', '01'],
		['a-2', '02'],
		['a-3', '03'],
		['a-4', '04'],
		['b', '05'],
	]);
});

test("of several with the same time or none, the order of the service's list does not matter", () => {
	const items = ['z', 'y', 'x'].map((id) => ({
		id,
		name: 'a',
		created_at: id === 'x' ? null : '2026-01-01T00:00:00Z',
	}));
	const keys = (list: typeof items) => [...byKey(list, ({ name }) => String(name))].map(([key, { id }]) => [key, id]);
	const expected = [
		['a', 'x'],
		['a-2', 'y'],
		['a-3', 'z'],
	];
	expect([keys(items), keys(items.toReversed())]).toEqual([expected, expected]);
});

test('a voice is found by its name, language and tier, since tiers share names', () => {
	const voices = [
		{ id: '1', name: 'Aurora', language: 'en-US', quality_tier: 'basic' },
		{ id: '2', name: 'Aurora', language: 'en-US', quality_tier: 'pro' },
		{ id: '3', name: 'Aurora', language: 'en-CA', quality_tier: 'pro' },
		{ id: '4', display_name: 'Bennett', language: 'en-US', quality_tier: 'pro' },
	];
	const found = (names: VoiceNames) => voices.filter((voice) => hasNames(namesOf(voice), names)).map(({ id }) => id);
	expect(found({ name: 'Aurora', language: 'en-US', quality_tier: 'pro' })).toEqual(['2']);
	expect(found({ name: 'Aurora', quality_tier: 'pro' })).toEqual(['2', '3']);
	expect(found({ name: 'Bennett' })).toEqual(['4']);
	expect(found({ name: 'aurora' })).toEqual([]);
});

test.each([
	['https://example.com/hook', false],
	['https://example.com/hook?agent=1&page=2', false],
	['https://user:password@example.com/', true],
	['https://key@example.com/', true],
	['https://example.com/?access_token=1', true],
	['https://example.com/?API-Key=1', true],
	['https://example.com/?X-Signature=1', true],
	['https://example.com/?key=1', true],
	['https://example.com/?monkey=1', false],
	['https://example.com/?author=1&zipcode=2&country_code=3&keyword=4', false],
	['https://example.com/?accessKey=1', true],
	['https://example.com/?subscription-key=1', true],
	['https://example.com/?pwd=1', true],
	['https://example.com/?access%5Ftoken=1', true],
	['https://example.com/#access_token=1', true],
	['https://example.com:{{ port }}/?token=1', true],
	['https://{{ host }}/{{ token }}?page=1', false],
	['{{ url }}?token=1', true],
	['Ask for the code with ?token=1 in it.', false],
	['no URL', false],
	[null, false],
])('whether %s holds a secret: %s', (url, holds) => {
	expect(holdsSecret(url)).toBe(holds);
});
