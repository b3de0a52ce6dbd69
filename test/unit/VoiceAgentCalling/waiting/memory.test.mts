import { WaitMemory } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

test('Of a wait that is over, nothing is kept', () => {
	const memory = new WaitMemory();
	memory.calls.outcomes.set(0, { outcome: 'busy' });
	memory.calls.findings.set(0, { artifacts: {} });
	memory.campaigns.set('a', { id: 'a', outcome: 'completed' });
	memory.mentioned.set('a', true);
	memory.end();
	const { calls, campaigns, mentioned, resumed } = memory;
	expect([calls.outcomes, calls.findings, campaigns, mentioned].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
	expect(resumed).toBe(true);
});

test('One request looks for all that wait with it, and none after the execution went on', async () => {
	const memory = new WaitMemory();
	let looks = 0;
	/** A late event may come until the first look. */
	const look = async () =>
		await memory.pollOnce(
			() => (looks === 0 ? 100 : undefined),
			async () => ++looks,
		);
	expect(await inFakeTime(Promise.all([look(), look(), look()]))).toEqual([1, 'merged', 'merged']);
	looks = 0;
	const late = look();
	memory.end();
	expect([await inFakeTime(late), looks]).toEqual(['merged', 0]);
});
