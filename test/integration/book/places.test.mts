import { DateTime } from 'luxon';

import { startChangedService } from '../changedService.mts';
import { harness } from '../harness.mts';
import { actionNode, goesOn, resultsOf, type Service, to } from '../service.mts';
import { goTo } from '../VoiceAgentCalling/callRules/ruledCalls.mts';
import { addCalls, agentWorkflow, phone, phoneTool, runAgent, saidByTool } from './kit.mts';

/** When a test begins: each a few days after the one before, whose calls the process remembers. */
let noon = DateTime.fromISO('2035-01-15T12:00:00Z', { zone: 'UTC' });
let service: Service;
beforeAll(async () => {
	service = await startChangedService(
		(body) => body,
		{},
		async () => undefined,
	);
});
beforeEach(async () => {
	noon = noon.plus({ days: 3 });
	goTo(noon);
	await service.reset();
});
afterAll(() => harness.restoreTime());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+49151123940${10 + index}`);
const [ada, bob, cleo, dan] = numbers(4) as [string, string, string, string];
const ignore = { missingVariables: 'ignore' };
const onceADay = { ...ignore, frequencyCap: { values: { atMost: 1, days: 1 } } };
const real = { testCall: 'never' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };

/** Lets somebody else call through the same account. */
const othersCall = async (...phones: string[]) => {
	const path = `agents/${service.seed.agents.published}/call`;
	for (const one of phones) {
		expect((await service.api('POST', path, { to: one, is_testing: false })).status).toBe(200);
	}
};

describe.each([0, 150])('A phone beyond its Frequency Cap, where the account lists %d calls more,', (more) => {
	beforeEach(async () => {
		await addCalls(service, more);
		await othersCall(ada, bob);
	});

	test('takes no place of another item in Calls per Run', async () => {
		const credentials = service.credentials({ callsPerRun: 1 });
		const options = { node: goesOn, credentials };
		const ran = await service.run(service.place(onceADay, real), to(ada, bob, cleo, dan), options);
		expect(resultsOf(ran)).toEqual(['tooOften', 'tooOften', 'placed', 'limitReached']);
	});

	test('takes no place of another use in Max Calls per Run of a tool', async () => {
		const turns = [ada, bob, cleo, dan].map((one) => [phone(one)]);
		const tool = phoneTool(service, { ...real, maxCalls: 1 }, onceADay, goesOn);
		const ran = await runAgent(agentWorkflow(service, 'agent', turns, [tool]));
		const results = saidByTool(ran).map(({ result }) => result);
		expect(results).toEqual(['tooOften', 'tooOften', 'placed', 'limitReached']);
	});

	test('takes no place of another item in the five calls of a trial', async () => {
		const parameters = service.place(onceADay, { testCall: 'automatic' });
		const ran = await service.run(parameters, to(...numbers(8)), { node: goesOn, mode: 'manual' });
		expect(resultsOf(ran).slice(0, 7)).toEqual(['tooOften', 'tooOften', ...Array(5).fill('placed')]);
		expect(await service.dialed()).toEqual(expect.not.arrayContaining(numbers(8).slice(7)));
	});
});

describe('Make API Request with delay_seconds', () => {
	const path = () => `agents/${service.seed.agents.published}/call`;
	const delayed = () => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: path(),
		...inTurn,
		options: { body: '={{ { to: $json.to, delay_seconds: 3600, is_testing: false } }}' },
	});

	test('takes its place on the day on which the phone rings', async () => {
		goTo(noon.set({ hour: 23, minute: 40 }));
		await othersCall('+12025557001', '+12025557002');
		await service.advance(600);
		const options = { node: goesOn, credentials: service.credentials({ callsPerDay: 2 }) };
		const today = await service.run(service.place(ignore, real), to(dan), options);
		const tomorrow = await service.run(delayed(), to(ada, bob, cleo), options);
		expect([resultsOf(today)[0], resultsOf(tomorrow)[2]]).toEqual(['limitReached', 'limitReached']);
		expect(await service.dialed()).toEqual(['+12025557001', '+12025557002', ada, bob]);
	});

	test('still has it after midnight, before the phone rings', async () => {
		goTo(noon.set({ hour: 23, minute: 40 }));
		const next = service.place(ignore, { ...real, ...inTurn, phoneNumber: cleo });
		const spec = (changes: object) => ({
			nodes: [
				harness.sourceOf(to(ada, bob)),
				{ name: 'Call', type: actionNode, parameters: delayed() },
				{ name: 'Next', type: actionNode, parameters: next },
			],
			credentials: service.credentials(changes),
		});
		const post = { method: 'POST' };
		await service.fault({ match: post, kind: 'latency', ms: 0, times: 2 });
		await service.fault({ match: post, kind: 'status', status: 422, times: 2 });
		const ran = await harness.runWorkflow(spec({}));
		expect([ran.status, await service.dialed(true)]).toEqual(['error', [ada, bob]]);
		await fetch(`${service.url}/_sandbox/faults`, { method: 'DELETE' });
		goTo(noon.plus({ days: 1 }).set({ hour: 0, minute: 10 }));
		const again = await harness.retryWorkflow(spec({ callsPerDay: 2 }), ran);
		expect(again.nodes.Next?.flatMap(resultsOf)[0]).toBe('limitReached');
		expect(await service.dialed(true)).toEqual([ada, bob]);
	});
});
