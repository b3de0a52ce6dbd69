import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { campaignState, msUntilNextSlot } from '../../../../nodes/VoiceAgentCalling/callRules/campaign.ts';
import { CAMPAIGN, has, serviceOf, serviceWith, UNREADABLE } from './service.mts';

beforeAll(loadCountries);

const stateOf = (campaign: object) => campaignState(serviceOf({ campaign: campaign as never }).api, 'spring');

const NOW = Date.parse('2026-03-02T05:00:00Z');

describe('a campaign', () => {
	test('that is active and has an agent can call, when its hours allow it', async () => {
		const { nextSlot, ...state } = await stateOf({ earliest_call_time: '09:00:00' });
		expect(state).toMatchObject({ exists: true, agentId: 'ada', findings: [], queued: new Set() });
		expect(state.schedule).toMatchObject({ timeZone: 'Europe/Berlin' });
		expect(nextSlot?.(NOW)).toBe(Date.parse('2026-03-02T09:00:00+01:00'));
	});

	test.each([
		['that waits calls when it is started again', 'paused', 'Set Status', NOW],
		['that is completed never calls again', 'completed', 'Create', undefined],
		['that is cancelled never calls again', 'cancelled', 'Create', undefined],
	])('%s', async (_what, status, advice, next) => {
		const { findings, nextSlot } = await stateOf({ status });
		expect(findings).toMatchObject([{ code: 'CAMPAIGN_NOT_ACTIVE', what: `The campaign is ${status}` }]);
		expect(findings[0]?.advice).toContain(advice);
		expect(nextSlot?.(NOW)).toBe(next);
	});

	test('that does not exist has one finding, and nothing else', async () => {
		expect(await campaignState(serviceWith({}).api, 'spring')).toEqual({
			findings: [expect.objectContaining({ code: 'CAMPAIGN_NOT_FOUND' })],
			exists: false,
			queued: new Set(),
		});
	});

	test.each(UNREADABLE)('with %s in its place may not be called ready', async (_what, answer) => {
		await expect(campaignState(serviceWith({ 'campaigns/spring': answer }).api, 'spring')).rejects.toThrow();
	});

	test('has a call to each number whose call is not over, in any notation', async () => {
		const open = ['queued', 'scheduled', 'initiated', 'ringing', 'answered'];
		const calls = [...open, 'completed', 'failed'].map((status, index) => ({ status, to: `+1 202 555 010${index}` }));
		const { queued } = await stateOf({ calls: [null, 'queued', ...calls] });
		expect(queued).toEqual(new Set(open.map((_status, index) => `+1202555010${index}`)));
		expect(await stateOf({ agent_id: null, calls: 'queued' })).toMatchObject({ agentId: undefined, queued: undefined });
	});

	test.each<[status: string, retries: number, maxRetries: unknown, mayRing: boolean]>([
		['queued', 0, 0, true],
		['ringing', 2, 2, true],
		['held', 9, 2, true],
		['no-answer', 1, 2, true],
		['busy', 1, '2', true],
		['no-answer', 2, 2, false],
		['busy', 3, 2, false],
		['no-answer', 0, 0, false],
		['no-answer', 9, undefined, true],
		['completed', 0, 2, false],
		['failed', 0, 2, false],
		['cancelled', 0, 2, false],
	])(
		'may ring a phone again for a call that is %s after %d of %s retries: %s',
		async (status, retries, max, mayRing) => {
			const call = { status, retries, to: '+12025550100' };
			const read = await stateOf({ calls: ['none', call], max_retries: max as number, stats: { total_calls: 2 } });
			expect(read).toMatchObject({
				maxRetries: max === undefined ? undefined : Number(max),
				pending: mayRing ? [call] : [],
			});
			// With a part of the calls, nobody can tell.
			expect(await stateOf({ calls: [call], stats: { total_calls: 2 } })).toMatchObject({ pending: undefined });
		},
	);

	test.each(['', null, -1, 'some'])('says nothing about retries with %j in place of their number', async (max) => {
		expect(await stateOf({ max_retries: max })).toMatchObject({ maxRetries: undefined });
	});

	test('is read once in a run', async () => {
		const { api, read } = serviceWith({ 'campaigns/spring': has(CAMPAIGN) });
		await campaignState(api, 'spring');
		await campaignState(api, 'spring');
		await campaignState(api, 'summer');
		expect(read()).toEqual(['campaigns/spring', 'campaigns/summer']);
	});
});

describe('a wait for a queued call is longer', () => {
	beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['setTimeout', 'nextTick', 'setImmediate'] }));
	afterEach(() => jest.useRealTimers());

	test('by the time until the campaign calls', async () => {
		const campaign = { earliest_call_time: '09:00:00' };
		expect(await msUntilNextSlot(serviceOf({ campaign }).api, 'spring')).toBe(3 * 3_600_000);
	});

	test.each([
		['the campaign cannot be read', { 'campaigns/spring': { status: 500 } }],
		['the campaign does not exist', {}],
		['it is not clear when it calls', { 'campaigns/spring': has({ ...CAMPAIGN, timezone: 'Mars/Base' }) }],
	])('not at all, if %s', async (_what, answers) => {
		expect(await msUntilNextSlot(serviceWith(answers).api, 'spring')).toBe(0);
	});
});
