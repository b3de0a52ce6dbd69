import type { IDataObject } from 'n8n-workflow';

import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { Calls } from '../../../../nodes/VoiceAgentCalling/callRules/calls.ts';
import type { Item } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { newBook, OTHER_PHONE, PHONE, TWIN } from './calls.mts';
import { runWith } from './runs.mts';
import { type Answers, has } from './service.mts';

beforeAll(loadCountries);

interface Given {
	/** The number of each item. */
	to: string[];
	local?: IDataObject | object;
	limits?: { callsPerRun?: number; callsPerDay?: number };
	answers?: Answers;
	isTest?: (item: number) => boolean;
}

let runs = 0;

/** The calls of a run of an operation, before its first request. */
function callsOf({ to, local = {}, limits = {}, answers = {}, isTest = () => false }: Given) {
	const made = runWith(answers);
	made.run.connection = { ...made.run.connection, ...limits };
	const items = to.map((number, item): Item => {
		const call = { callerIdField: 'agentId', callerId: 'ada', to: number, isTest: isTest(item) } as const;
		return {
			input: { values: {}, local: local as Record<string, unknown>, call, toolLimits: undefined },
			state: { is: 'ready' },
		};
	});
	const operation = { checksCall: false, placesCall: true } as Operation;
	const startedAt = Date.now();
	const operationRun = { run: made.run, operation, items, startedAt, rootMode: 'trigger', continueOnFail: true };
	const node = { credential: `calls ${(runs += 1)}`, node: 'Call', run: 0, isTool: false };
	const calls = new Calls(operationRun, newBook().book, node);
	return {
		...made,
		calls,
		items,
		/** What becomes of the items before the first request. */
		async prepared(): Promise<string[]> {
			await calls.prepare();
			await calls.planCalls();
			return items.map(({ state }) => (state.is === 'withheld' ? state.reason.result : state.is));
		},
	};
}

test('A blocked number is not called, nor is the other number of its phone, and nothing is read for it', async () => {
	const local = { blockedNumbers: { phones: new Set([PHONE]) }, callingHours: {} };
	const { prepared, requests } = callsOf({ to: [PHONE, TWIN], local });
	expect([await prepared(), requests]).toEqual([['blocked', 'blocked'], []]);
	const others = callsOf({ to: [OTHER_PHONE, TWIN], local: { blockedNumbers: local.blockedNumbers } });
	expect(await others.prepared()).toEqual(['ready', 'blocked']);
});

describe('Before the first request, the items within a limit are the first ones', () => {
	const to = ['+12025550101', '+12025550102', '+12025550103', '+12025550104'];

	test('of Calls per Run, without what other rules hold back or what shares a call', async () => {
		const [first, second, third] = to as [string, string, string];
		const local = { blockedNumbers: { phones: new Set([first]) } };
		const { prepared, requests } = callsOf({ to: [first, second, second, third], local, limits: { callsPerRun: 1 } });
		expect(await prepared()).toEqual(['blocked', 'ready', 'ready', 'limitReached']);
		expect(requests).toEqual([]);
	});

	test('of Calls per Day, in which test calls take no place', async () => {
		const listed = { to: '+442079460958', direction: 'outbound', created_at: new Date().toISOString() };
		const body = { success: true, data: [{ id: 'x', ...listed }], pagination: { last_page: 1, total: 1 } };
		const { prepared } = callsOf({
			to,
			answers: { calls: { body } },
			limits: { callsPerDay: 3 },
			isTest: (item) => item === 0,
		});
		expect(await prepared()).toEqual(['ready', 'ready', 'ready', 'limitReached']);
	});

	test('of Calls per Day, which is not read for test calls alone', async () => {
		const { prepared, requests } = callsOf({ to, limits: { callsPerDay: 1 }, isTest: () => true });
		expect([await prepared(), requests]).toEqual([['ready', 'ready', 'ready', 'ready'], []]);
	});
});

test('If the calls of the day cannot be counted, nothing is sent', async () => {
	const { prepared } = callsOf({ to: [PHONE], limits: { callsPerDay: 9 }, answers: { calls: { status: 403 } } });
	await expect(prepared()).rejects.toMatchObject({
		accepted: 'no',
		message: expect.stringContaining("'Calls per Day'"),
	});
});

test('If the list of calls cannot be read, only the items with a Frequency Cap fail', async () => {
	const { prepared, items } = callsOf({ to: [PHONE, OTHER_PHONE], answers: { calls: { status: 403 } } });
	items[0]!.input!.local = { frequencyCap: { atMost: 3, days: 7 } };
	expect(await prepared()).toEqual(['failed', 'ready']);
});

test('An invalid item asks for no call', () => {
	const { calls, items } = callsOf({ to: [PHONE], answers: { calls: has([]) } });
	items[0]!.input = undefined;
	expect([calls.wantedCallOf(0), calls.knownCallOf(0), calls.guardOf(0)]).toEqual([undefined, undefined, undefined]);
});
