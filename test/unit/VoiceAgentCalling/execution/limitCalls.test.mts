import { limitCalls } from '../../../../nodes/VoiceAgentCalling/execution/limitCalls.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { useFakeClock } from '../sending/modelService.mts';
import { runOf } from '../sending/run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

test('a call that the service refuses after midnight gives no call of the new day back', async () => {
	jest.setSystemTime(Date.UTC(2026, 10, 21, 23, 59, 59));
	const connection = { base: new URL('https://service.example'), testCallsOnly: false, secrets: [], callsPerDay: 2 };
	const { run } = runOf({ service: [{ body: { data: [], pagination: { total: 0 } } }] }, { connection });
	const call = { callerIdField: 'agentId', callerId: 'a', to: '+12025550111', isTest: false };
	const items = [{ input: { values: {}, local: {}, callLimits: undefined } }];
	const operation = { callIn: () => call } as unknown as Operation;
	await limitCalls({ run, operation, items, startedAt: Date.now(), isCanceled: () => false });
	const giveBack = run.limits?.count(false);
	jest.advanceTimersByTime(1000);
	run.limits?.count(false);
	giveBack?.();
	expect(run.limits?.reached(false)).toBeUndefined();
	run.limits?.count(false);
	expect(run.limits?.reached(false)).toMatchObject({ result: 'limitReached' });
});
