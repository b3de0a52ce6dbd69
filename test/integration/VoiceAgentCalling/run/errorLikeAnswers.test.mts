import { retried, to, useService } from '../../service.mts';
import { hmac, publishTrigger, send } from '../../triggers.mts';

const service = useService();

/** What n8n takes for an error at the top of an item's `json`, alone and with others, and what only looks like it. */
const answers: Array<Record<string, unknown>> = [
	{ error: 'none' },
	{ error: { message: 'none' } },
	{ error: null },
	{ error: 'none', message: 'm', details: [] },
	{ $error: 'none' },
	{ $json: {} },
	{ $error: { message: 'none' }, $json: {} },
	{ $error: null, $json: null },
	{ error: 'none', serviceError: 'another', $error: 'none', $serviceError: 'another', $json: {} },
	{ json: { error: 'none' }, binary: {}, pairedItem: 7, sendMessage: 'm', sourceOverwrite: {} },
	{ actions: [], data: [{}], metadata: {}, waitTill: 1, id: 'a' },
];
const modes = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const cases = answers.flatMap((answer) => modes.map((onError) => [JSON.stringify(answer), onError, answer] as const));

const request = (more: object = {}) => ({ resource: 'service', operation: 'makeApiRequest', path: 'agents', ...more });

/** Three ways to get the answer: as it is, as entries of a list, as a call. */
const ways = [
	{ parameters: () => request(), method: 'GET', body: (answer: object) => answer, items: 1 },
	{
		parameters: () => request({ options: { returnAllPages: true } }),
		method: 'GET',
		body: (answer: object) => ({ success: true, data: [answer, answer] }),
		items: 2,
	},
	{
		parameters: () => service.place({ missingVariables: 'ignore' }),
		method: 'POST',
		body: (answer: object) => ({ success: true, data: { id: 'c', to: '+12025550199', ...answer } }),
		items: 1,
	},
];

/** The values of an item, whatever they are called. */
const valuesOf = (json: object | undefined) => Object.values(json ?? {}).map((value) => JSON.stringify(value));

test.each(cases)(
	'An answer with %s is the output, all of it, and the node runs once: %s',
	async (_what, onError, answer) => {
		for (const { parameters, method, body, items } of ways) {
			await service.answer(method, 200, body(answer));
			const { outputs, tries } = await service.run(parameters(), to('+12025550199'), { node: { ...retried, onError } });
			const [done = [], failed = []] = outputs;
			expect({ tries, done: done.length, failed }).toEqual({ tries: 1, done: items, failed: [] });
			for (const { json } of done) {
				expect(valuesOf(json)).toEqual(expect.arrayContaining(valuesOf(answer)));
			}
		}
	},
);

test.each(modes)('An event with any of them starts its workflow with all that was sent: %s', async (onError) => {
	const { instance, url, secret } = await publishTrigger(service, {}, { ...retried, onError });
	for (const [index, answer] of answers.entries()) {
		const text = JSON.stringify({ ...answer, event: 'campaign_call.completed', call_id: `call-${index}` });
		expect(await send(url, text, { 'x-signature': hmac(secret, text) })).toMatchObject({ status: 200 });
		const { run } = instance.executions[index] ?? {};
		const { nodes } = (await run) ?? {};
		const outputs = nodes?.Trigger?.[0]?.outputs ?? [];
		expect(outputs.map((items) => items.length)).toEqual(onError === 'continueErrorOutput' ? [1, 0] : [1]);
		expect(valuesOf(outputs[0]?.[0]?.json)).toEqual(expect.arrayContaining(valuesOf(answer)));
	}
});
