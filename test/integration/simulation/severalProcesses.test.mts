import { harness } from '../harness.mts';
import { goesOn, to, useService } from '../service.mts';

const service = useService();

const phones = Array.from({ length: 9 }, (_, index) => `+4915112392${String(100 + index)}`);

test('three processes with Frequency Cap at one call a day call a phone twice only if both requests come within two seconds', async () => {
	await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 500, times: 99 });
	const options = { missingVariables: 'ignore', frequencyCap: { values: { atMost: 1, days: 1 } } };
	const parameters = service.place(options, { testCall: 'never', sending: { maxConcurrentRequests: 1 } });
	const loaded = await Promise.all([0, 1, 2].map(async () => await harness.loadAgain()));
	// Each begins with another third of the phones.
	const runs = loaded.map(async (package_, index) => {
		const items = to(...phones.slice(3 * index), ...phones.slice(0, 3 * index));
		return await service.run(parameters, items, { node: goesOn, package: package_ });
	});
	await Promise.all(runs);
	const timesByPhone = new Map<string, number[]>();
	for (const { body, at } of await service.requests('POST', '/call')) {
		const { to: number } = body as { to: string };
		timesByPhone.set(number, [...(timesByPhone.get(number) ?? []), Date.parse(at)]);
	}
	expect([...timesByPhone.keys()].toSorted()).toEqual(phones);
	const late = [...timesByPhone].filter(([, [first = 0, ...others]]) => others.some((at) => at - first > 2000));
	expect(late).toEqual([]);
});
