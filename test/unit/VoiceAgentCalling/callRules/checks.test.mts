import type { IDataObject } from 'n8n-workflow';

import type { RulesCheck } from '../../../../nodes/shared/client/api.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { withheld } from '../../../../nodes/shared/errors/withheld.ts';
import type { ParsedNumber } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { loadCountries, parsePhoneNumber } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import {
	checkAgentCall,
	checkCampaignCall,
	type Readiness,
	readinessItem,
} from '../../../../nodes/VoiceAgentCalling/callRules/checks.ts';
import { AGENT, CAMPAIGN, FORBIDDEN, has, serviceOf, serviceWith, UNREADABLE } from './service.mts';

const PHONE = '+12025550111';
const NOW = Date.parse('2026-03-02T05:00:00Z');

type Checks = Parameters<typeof checkAgentCall>[2];
type Service = Pick<ReturnType<typeof serviceWith>, 'api'>;

/** A service, with rules that say this about the call. */
const ruled = ({ api, ...service }: Service, says: Partial<RulesCheck>) => ({
	...service,
	api: { ...api, rules: { check: async () => undefined, count: () => ({ startsAt: NOW }), ...says } },
});

const byAgent = ({ api }: Service, call: object = {}, checks: Partial<Checks> = {}) =>
	checkAgentCall(api, { agentId: 'ada', to, ...call }, { repeatedNumber: 'callEachTime', ...checks });
const byCampaign = ({ api }: Service, call: object = {}, checks: Partial<Checks> = {}) =>
	checkCampaignCall(api, { campaignId: 'spring', to, ...call }, { repeatedNumber: 'callEachTime', ...checks });
/** Another number to call. */
const other = (number: unknown) => ({ to: parsePhoneNumber(number) });
const codes = ({ findings }: Readiness) => findings.map(({ code }) => code);

let to: ReturnType<typeof parsePhoneNumber>;

beforeAll(async () => {
	await loadCountries();
	to = parsePhoneNumber(PHONE);
});
beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

describe.each([
	['an agent', byAgent],
	['a campaign', byCampaign],
])('a call by %s', (_by, check) => {
	test('is ready where nothing is in its way: it can start at once', async () => {
		expect(await check(serviceOf({}), other('+1 (202) 555-0111'))).toEqual({
			findings: [],
			normalizedTo: PHONE,
			nextSlot: NOW,
			nextAllowedAt: undefined,
		});
	});

	test.each([
		['', 'MISSING_PHONE_NUMBER'],
		[null, 'MISSING_PHONE_NUMBER'],
		['030 1234567', 'INVALID_PHONE_NUMBER'],
		['555', 'INVALID_PHONE_NUMBER'],
	])('is not ready without a valid number: %j', async (given, code) => {
		const result = await check(serviceOf({}), other(given), { repeatedNumber: 'callOnce' });
		expect(result).toMatchObject({ normalizedTo: null, findings: [{ code }] });
		expect(result.findings[0]?.advice).toMatch(/\.$/);
	});

	test('is not ready if the user’s rules forbid it, and says when they allow it', async () => {
		const night = withheld('outsideHours', 'it is night', 'Wait.', '2026-03-02T09:00:00+01:00');
		expect(await check(ruled(serviceOf({}), { check: async () => night }))).toMatchObject({
			findings: [{ code: 'OUTSIDE_HOURS', what: 'it is night', advice: 'Wait.' }],
			nextAllowedAt: '2026-03-02T09:00:00+01:00',
		});
	});

	test('counts for the rules only if it is ready, and is not if it is one too many then', async () => {
		const count = jest.fn(() => ({ startsAt: NOW }));
		expect(codes(await check(ruled(serviceOf({}), { count })))).toEqual([]);
		expect(codes(await check(ruled(serviceOf({}), { count }), other('555')))).toEqual(['INVALID_PHONE_NUMBER']);
		expect(count).toHaveBeenCalledTimes(1);
		const nextAllowedAt = '2026-03-09T09:00:00.000Z';
		const tooMany = withheld('tooOften', 'too often', 'Wait.', nextAllowedAt);
		expect(await check(ruled(serviceOf({}), { count: () => ({ withheld: tooMany }) }))).toMatchObject({
			findings: [{ code: 'TOO_OFTEN', what: 'too often', advice: 'Wait.' }],
			nextAllowedAt,
		});
		const broken = async () => {
			throw new TypeError('Broken');
		};
		await expect(check(ruled(serviceOf({}), { check: broken }))).rejects.toThrow('Broken');
	});

	test('is not ready if it lacks variables of the agent', async () => {
		const service = serviceOf({ agent: { description: '{{name}} in {{city}}, {{a.b}}' } });
		const [missing] = (await check(service, { payload: { name: 'Ada' } })).findings;
		expect(missing).toMatchObject({ code: 'MISSING_VARIABLES', what: expect.stringMatching(/: city$/) });
		expect((await check(service)).findings[0]?.what).toMatch(/: name, city$/);
		expect(codes(await check(service, { payload: { name: 'Ada', city: 'Rome' } }))).toEqual([]);
		// As the call itself, which is sent then.
		expect(codes(await check(service, {}, { missingVariables: 'ignore' }))).toEqual([]);
	});

	test('is not ready if it cannot be told which variables it lacks', async () => {
		const variablesError = new ServiceError('No flow', { code: 'VARIABLES_NOT_READ', advice: 'Ask.', accepted: 'no' });
		expect((await check(serviceOf({}), {}, { variablesError })).findings).toEqual([
			{ code: 'VARIABLES_NOT_READ', what: 'No flow', advice: 'Ask.' },
		]);
	});

	test('is not ready if the token may not read the flow, which can have more variables', async () => {
		const service = serviceWith({
			'agents/ada': has(AGENT),
			'agents/ada/flow': FORBIDDEN,
			'agents/ada/calls': has([]),
			'campaigns/spring': has(CAMPAIGN),
		});
		expect(codes(await check(service))).toEqual(['VARIABLES_NOT_READ']);
	});

	test('is not ready if the agent cannot call, with all reasons', async () => {
		const agent = { current_status: 'draft', direction: 'inbound', description: '{{name}}' };
		const found = codes(await check(serviceOf({ agent }), other('1')));
		expect(found).toEqual(['INVALID_PHONE_NUMBER', 'AGENT_INACTIVE', 'AGENT_NOT_OUTBOUND', 'MISSING_VARIABLES']);
	});

	test.each(UNREADABLE)('is no result with %s in place of the agent', async (_what, answer) => {
		const service = serviceWith({ 'agents/ada': answer, 'campaigns/spring': has(CAMPAIGN) });
		await expect(check(service)).rejects.toThrow();
	});

	test('is not ready if an earlier item that is ready has the same phone, where that counts', async () => {
		const service = serviceOf({ agent: { description: '{{name}}' } });
		const payload = { name: 'Ada' };
		const numbers: Array<[string, object?]> = [
			['+390549886377', {}],
			['+390549886377', payload],
			['+39 0549 886377', payload],
			['+3780549886377', payload],
			[PHONE, payload],
			['555', payload],
			['555', payload],
		];
		const found = [];
		for (const [number, given] of numbers) {
			const call = { ...other(number), payload: given };
			found.push(codes(await check(service, call, { repeatedNumber: 'callOnce' })));
		}
		const repeated = ['REPEATED_NUMBER'];
		const invalid = ['INVALID_PHONE_NUMBER'];
		expect(found).toEqual([['MISSING_VARIABLES'], [], repeated, repeated, [], invalid, invalid]);
		expect(codes(await check(service, { payload }, { repeatedNumber: 'callEachTime' }))).toEqual([]);
	});
});

describe('a call by an agent', () => {
	test('starts after its delay, or after that of the rules', async () => {
		expect(await byAgent(serviceOf({}), { delay_seconds: 60 })).toMatchObject({ nextSlot: NOW + 60_000 });
		const late = ruled(serviceOf({}), { count: () => ({ startsAt: NOW + 1_800_000 }) });
		expect(await byAgent(late, { delay_seconds: 60 })).toMatchObject({ nextSlot: NOW + 1_800_000 });
		expect(await byAgent(serviceOf({}))).toMatchObject({ nextSlot: NOW });
	});

	test('has no time if it is not ready', async () => {
		expect(await byAgent(serviceOf({ agent: { direction: 'inbound' } }))).toMatchObject({ nextSlot: null });
	});

	test('is not ready while the agent talks with the number', async () => {
		const service = serviceWith({ 'agents/ada': has(AGENT), 'agents/ada/calls': has([{ to: '+1 202 555 0111' }]) });
		expect(codes(await byAgent(service))).toEqual(['CALL_IN_PROGRESS']);
		expect(codes(await byAgent(service, other('+12025550122')))).toEqual([]);
		await expect(byAgent(serviceWith({ 'agents/ada': has(AGENT) }))).rejects.toThrow();
	});

	test('is not ready without the agent, whose calls are then not read', async () => {
		const service = serviceWith({});
		expect(codes(await byAgent(service))).toEqual(['AGENT_NOT_FOUND']);
		expect(service.read()).toEqual(['agents/ada']);
	});

	test('does not repeat the number of another agent or campaign', async () => {
		const service = serviceWith({
			'agents/ada': has(AGENT),
			'agents/ada/calls': has([]),
			'campaigns/ada': has(CAMPAIGN),
			'agents/eve': has(AGENT),
			'agents/eve/calls': has([]),
			'campaigns/eve': has(CAMPAIGN),
		});
		for (const id of ['ada', 'eve']) {
			expect(codes(await byAgent(service, { agentId: id }, { repeatedNumber: 'callOnce' }))).toEqual([]);
			expect(codes(await byCampaign(service, { campaignId: id }, { repeatedNumber: 'callOnce' }))).toEqual([]);
		}
		expect(codes(await byAgent(service, {}, { repeatedNumber: 'callOnce' }))).toEqual(['REPEATED_NUMBER']);
	});
});

describe('a call in a campaign', () => {
	const opening = Date.parse('2026-03-02T09:00:00+01:00');

	test.each<[what: string, campaign: IDataObject, codes: string[], nextSlot: number | null]>([
		['ready while it is closed, and starts when it opens', { earliest_call_time: '09:00:00' }, [], opening],
		['ready without a time, where it is not clear when it calls', { timezone: 'Mars/Base' }, [], null],
		['not ready without calling time left', { end_date: '2026-02-01' }, ['NO_CALLING_TIME'], null],
		['not ready if it is over', { status: 'completed', end_date: '2026-02-01' }, ['CAMPAIGN_NOT_ACTIVE'], null],
		['not ready if it has one to the number', { calls: [{ status: 'queued', to: PHONE }] }, ['DUPLICATE_CALL'], NOW],
		['not ready if it has no agent', { agent_id: null }, ['VARIABLES_NOT_READ'], NOW],
	])('is %s', async (_what, campaign, found, nextSlot) => {
		const result = await byCampaign(serviceOf({ campaign }));
		expect([codes(result), result.nextSlot]).toEqual([found, nextSlot]);
	});

	test('is ready with one to the number if Queue Call would queue one more', async () => {
		const service = serviceOf({ campaign: { calls: [{ status: 'queued', to: PHONE }] } });
		expect(codes(await byCampaign(service, { ifAlreadyQueued: 'queueAgain' }))).toEqual([]);
	});

	test('is ready if the campaign has one to another number', async () => {
		const service = serviceOf({ campaign: { calls: [{ status: 'queued', to: PHONE }] } });
		expect(codes(await byCampaign(service, other('+12025550122')))).toEqual([]);
	});

	test('is no result without the calls of the campaign: one may be to the number', async () => {
		const service = serviceOf({ campaign: { calls: null } });
		await expect(byCampaign(service)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
	});

	test('is not ready if the campaign does not exist, and nothing else is read', async () => {
		const service = serviceWith({});
		expect(codes(await byCampaign(service))).toEqual(['CAMPAIGN_NOT_FOUND']);
		expect(service.read()).toEqual(['campaigns/spring']);
	});
});

test('the item of a check has the number as it was given, the time, and each reason with its advice', () => {
	const finding = { code: 'CODE', what: 'It is so', advice: 'Do this.' };
	const given = (to: string) => ({ to: { given: to } as ParsedNumber, context: { contact: 7 } });
	expect(
		readinessItem(given('0049'), true, {
			findings: [finding],
			normalizedTo: null,
			nextSlot: null,
			nextAllowedAt: null,
		}),
	).toEqual({
		result: 'notReady',
		to: '0049',
		context: { contact: 7 },
		message: 'It is so.',
		code: 'CODE',
		advice: 'Do this.',
		reasons: [{ code: 'CODE', message: 'It is so', advice: 'Do this.' }],
		normalizedTo: null,
		isTest: true,
		nextSlot: null,
		nextAllowedAt: null,
	});
	expect(readinessItem(given(PHONE), false, { findings: [], normalizedTo: PHONE, nextSlot: NOW })).toEqual({
		result: 'ready',
		to: PHONE,
		context: { contact: 7 },
		message: 'Ready.',
		code: '',
		advice: '',
		reasons: [],
		normalizedTo: PHONE,
		isTest: false,
		nextSlot: '2026-03-02T05:00:00.000Z',
	});
});
