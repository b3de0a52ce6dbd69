import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { NumberList } from '../../../../nodes/VoiceAgentCalling/fields/numberList.ts';

beforeAll(loadCountries);

test('a long list is read in many parts, between which n8n does other work', async () => {
	const entries = Array.from({ length: 100_000 }, (_none, id) => `+4930${10_000_000 + id}`);
	const list = new NumberList(entries, { name: 'List', countryAdvice: '', isTyped: false });
	let turns = 0;
	const timer = setInterval(() => turns++, 0);
	await list.prepare();
	clearInterval(timer);
	expect(turns).toBeGreaterThan(10);
	const has = (end: number) => list.phones.has(`+4930${end}`);
	expect([10_000_000, 10_099_999, 10_100_000].map(has)).toEqual([true, true, false]);
});
