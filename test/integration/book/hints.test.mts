import { harness, type NodeSpec } from '../harness.mts';
import {
	actionNode,
	goesOn,
	hintsOf,
	inFastTime,
	resultsOf,
	retried,
	saidBy,
	shortWait,
	to,
	until,
	useService,
} from '../service.mts';

const service = useService();
const [ada, bob, cleo] = ['+12025550111', '+12025550122', '+12025550133'] as const;
const post = { method: 'POST' };
const ignore = { missingVariables: 'ignore' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const polling = { waitBy: 'polling' };

/** What no text may say after a phone may have rung. */
const NOBODY = /No calls were (placed|queued)|Nothing was done|nobody was called/i;

/** All operations that call. */
const calling: Record<string, () => NodeSpec['parameters']> = {
	Place: () => service.place(ignore, inTurn),
	'Place and Wait': () =>
		service.place({ ...ignore, ...shortWait }, { ...inTurn, ...polling, operation: 'placeAndWait' }),
	'Queue Call': () => service.queue(ignore, inTurn),
	'Queue Call and Wait': () =>
		service.queue({ ...ignore, ...shortWait }, { ...inTurn, ...polling, operation: 'queueCallAndWait' }),
	'Make API Request': () => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		...inTurn,
		options: { body: '={{ { to: $json.to } }}' },
	}),
};

describe.each(Object.keys(calling))('%s', (name) => {
	const run = async (numbers: readonly string[], node: Partial<NodeSpec>) =>
		await inFastTime(async () => await service.run(calling[name]!(), to(...numbers), { node }));

	test.each(['drop-after', 'malformed'] as const)(
		'the hint and the error count an unknown outcome, and neither says that nobody was called: %s',
		async (kind) => {
			for (const numbers of [[ada], [ada, bob]]) {
				const lose = async () => await service.fault({ match: post, kind, times: numbers.length });
				await lose();
				const hint = hintsOf(await run(numbers, goesOn)).join();
				expect(hint).toContain(`${numbers.length} with an unknown outcome`);
				expect(hint).not.toMatch(NOBODY);
				await service.reset();
				await lose();
				const said = saidBy(await run(numbers, {}));
				expect(said).toMatch(/Outcome unknown/);
				expect(said).not.toMatch(NOBODY);
				await service.reset();
			}
		},
	);

	test('the error that ends another try counts the calls of the try before', async () => {
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault({ match: post, kind: 'status', status: 422, times: 9 });
		const said = saidBy(await run([ada, bob, cleo], { ...retried, maxTries: 2 }));
		expect(said).not.toMatch(NOBODY);
		expect(said).toMatch(/(Calls (placed|queued)|Done): sheet row 2\./);
	});
});

test('where only calls of others in the execution may ring, neither text says that nobody was called', async () => {
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		await service.fault({ match: post, kind: 'drop-after' });
		const run = await harness.runWorkflow({
			nodes: [
				harness.sourceOf(to(ada)),
				{ name: 'Call', type: actionNode, ...goesOn, parameters: service.place(ignore) },
				{ name: 'Person', type: 'harness.noOp' },
				{ name: 'Other', type: actionNode, onError, parameters: service.place(ignore) },
			],
			connections: { Source: [['Call', 'Person']], Person: [['Other']] },
			credentials: service.credentials(),
		});
		const { error } = run;
		const said = [...hintsOf({ run }), ...(error ? [saidBy({ run: { error } })] : [])].join(' ');
		expect(said).not.toMatch(NOBODY);
	}
});

test('a stopped execution counts what was under way as unknown', async () => {
	await service.fault({ match: post, kind: 'latency', ms: 300 });
	const started = await harness.startWorkflow({
		nodes: [harness.sourceOf(to(ada, bob)), { name: 'Call', type: actionNode, parameters: calling.Place!() }],
		credentials: service.credentials(),
	});
	await until(async () => (await service.dialed()).length === 1);
	started.cancel();
	const said = saidBy({ run: await started.result });
	await service.settled();
	expect(said).toContain('1 with an unknown outcome (sheet row 2)');
	expect(said).not.toMatch(NOBODY);
	expect(await service.dialed()).toEqual([ada]);
});

test('the numbers in the hint are those of the service', async () => {
	await service.fault({ match: post, kind: 'latency', ms: 0 });
	await service.fault({ match: post, kind: 'status', status: 422 });
	await service.fault({ match: post, kind: 'drop-after' });
	const numbers = [ada, bob, cleo, '+12025550144', ada, '+12025550155'];
	const testCall = '={{ $itemIndex === 5 ? "always" : "never" }}';
	const ran = await service.run(service.place(ignore, { ...inTurn, testCall }), to(...numbers), { node: goesOn });
	expect(resultsOf(ran)).toEqual(['placed', 'failed', 'unknown', 'placed', 'sameNumber', 'placed']);
	const [hint] = hintsOf(ran);
	for (const part of [
		'1 with an unknown',
		'1 test call placed',
		'2 real calls placed',
		'1 with the error',
		'1 with the number',
	]) {
		expect(hint).toContain(part);
	}
	expect(await service.dialed(true)).toHaveLength(3);
});
