import type { IDataObject } from 'n8n-workflow';

import { agentEvents, campaignEvents } from '../../../../nodes/shared/events/eventTypes.ts';
import {
	waitByAgentEvent,
	waitByCampaignEnd,
	waitByCampaignEvent,
	waitForAgentCall,
	waitForCampaignCall,
} from '../../../../nodes/VoiceAgentCalling/fields/waiting.ts';
import { requiredEventTypes } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
import { resumeWaiting, resumeWebhooks } from '../../../../nodes/VoiceAgentCalling/waiting/resume.ts';
import { properties } from '../../../../nodes/VoiceAgentCallingTrigger/parameters/settings.ts';
import { type Answer, type Answers, cut, doubleOfN8n } from '../../n8n.mts';
import { useFakeClock } from '../../shared/client/modelService.mts';
import { listed, startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const ended = { event: 'event_phone_call_ended', status: 'completed' };
const timeUp = { timeUp: true };
const lastTime = { ...timeUp, isLastTime: true };

/** An execution that waits for two calls of an agent, in one process, which has received everything by default. */
const waiting = async (given: Parameters<typeof startN8n>[0] = {}) =>
	await startN8n({ callerIdField: 'agentId', calls: [{}, {}], processes: 1, complete: true, ...given });
const elsewhere = { complete: false };

describe('An execution that waits for two calls', () => {
	test('goes on when both have ended, with each outcome at its call, and keeps nothing in memory', async () => {
		const { send, memory, requests } = await waiting();
		const first = await send({ item: 1, event: { ...ended, duration: 9 } });
		expect(first).toMatchObject({ output: undefined, status: 200, body: 'OK', isProven: true });
		const event = { event: 'event_phone_call_error', status: 'failed', call_id: 'call-0' };
		const { items, response } = await send({ item: 0, event });
		expect(items).toMatchObject([
			{ json: { id: 'call-0', outcome: 'failed', status: 'failed' }, pairedItem: 0 },
			{ json: { id: 'call-1', outcome: 'completed', duration: 9 }, pairedItem: 0 },
		]);
		expect([requests, memory().calls.outcomes.size]).toEqual([[], 2]);
		response.end(499);
		expect([memory().calls.outcomes.size, memory().resumed]).toEqual([0, true]);
	});

	test('gives the outcome of a call to its own item only, not to that of another person with the same phone', async () => {
		const error = { result: 'failed' };
		const placed = { id: 'call-0', result: 'placed', outcome: 'timedOut' };
		const { send } = await waiting({
			calls: [{}],
			stored: [
				// The service may have a field with the name of the node's.
				{ ...placed, sameNumberAsItem: 'x' },
				{ error },
				{ ...placed, result: 'sameNumber', sameNumberAsItem: 0, outcome: 'notCalled' },
				{ id: 'call-9', result: 'alreadyQueued' },
			],
		});
		const { output } = await send({ item: 0, event: { ...ended, status: 'busy' } });
		expect(output).toMatchObject([{ outcome: 'busy' }, { error }, { outcome: 'notCalled' }, { id: 'call-9' }]);
		expect(output?.map((item) => 'outcome' in item)).toEqual([true, false, true, false]);
	});

	test('leaves the event of a call that it does not await to the trigger, as after an unknown outcome', async () => {
		const { send, requests } = await waiting();
		const answer = await send({ item: 7, event: { ...ended, call_id: 'call-7' } });
		expect([answer.status, answer.output, answer.isProven, requests]).toEqual([409, undefined, true, []]);
	});

	test('goes on once, and again only if n8n could not: the sender repeats the message then', async () => {
		const { send } = await waiting();
		await send({ item: 0, event: ended });
		const last = await send({ item: 1, event: ended });
		const repeated = async () => await send({ item: 1, event: ended });
		expect(await repeated()).toMatchObject({ output: undefined, status: 200, body: 'OK', isProven: true });
		last.response.end(500);
		const again = await repeated();
		expect(again.output).toHaveLength(2);
		again.response.end(200);
		expect((await repeated()).output).toBeUndefined();
	});
});

describe('A message is refused', () => {
	test.each([
		['of another credential', { token: 'OTHER' }],
		['that is older than five minutes', { at: Date.UTC(2026, 10, 21, 5) }],
	])('%s: with 401, and without a proof', async (_what, sent) => {
		const { status, body, output, response } = await (await waiting()).send({ item: 0, event: ended }, sent);
		expect([status, body, output, response.headers]).toEqual([401, 'Unauthorized', undefined, {}]);
	});

	test.each([{ execution: '78' }, { node: 'other' }, { run: 1 }])('for another wait: %j', async (other) => {
		const { send, memory } = await waiting();
		const { status, output, isProven } = await send({ item: 0, event: ended, ...other });
		expect([status, output, isProven, memory().calls.outcomes.size]).toEqual([409, undefined, true, 0]);
	});

	test.each([{}, { waiting: 'no' }])('when nothing waits: %j', async (context) => {
		const n8n = doubleOfN8n();
		Object.assign(n8n.context, context);
		await resumeWaiting(n8n.caller);
		expect(n8n.response.statusCode).toBe(409);
	});

	test('with 503 if something unexpected happens, which only the log says', async () => {
		const { caller, logs, response } = doubleOfN8n();
		caller.getCredentials = async () => await Promise.reject(new Error('no database'));
		expect(await resumeWaiting(caller)).toEqual({ noWebhookResponse: true });
		expect([response.statusCode, response.body]).toEqual([503, 'Try again']);
		expect(logs).toEqual([{ level: 'warn', text: expect.stringMatching(/"Calls".*no database/) }]);
	});
});

describe('After a restart, or with several processes, the service is asked', () => {
	test.each<[string, Answer, string[] | undefined, number]>([
		[
			'the execution goes on if the other call is over',
			listed({ id: 'call-1', status: 'busy' }),
			['completed', 'busy'],
			200,
		],
		['it waits on if that is not over', listed({ id: 'call-1', status: 'ringing' }), undefined, 200],
		['the event has to come again if the service has trouble: it may be the last', { status: 503 }, undefined, 503],
	])('%s', async (_what, answer, outcomes, status) => {
		const { send, requests, memory } = await waiting({ ...elsewhere, service: [answer] });
		const result = await send({ item: 0, event: ended });
		// This process ends the wait if no other does.
		expect(memory().watched).toBe(true);
		expect([result.output?.map(({ outcome }) => outcome), result.status]).toEqual([outcomes, status]);
		const url = 'https://service.example/api/v1/agents/owner-1/calls';
		expect(requests[0]).toMatchObject({ method: 'GET', url, timeout: 15_000 });
		expect(result.logs.map(({ level, text }) => [level, text.includes('could not handle an event')])).toEqual(
			status === 503 ? [['warn', true]] : [],
		);
	});

	test('once for two messages at the same time, and the execution goes on once; a later message asks again', async () => {
		const service: Answers = async () => {
			await new Promise((resolve) => setImmediate(resolve));
			return listed({ id: 'call-2', status: 'busy' });
		};
		const { send, requests } = await waiting({ ...elsewhere, service, calls: [{}, {}, {}] });
		const both = await Promise.all([0, 1].map(async (item) => await send({ item, event: ended })));
		expect([both.filter(({ output }) => output).length, requests.length]).toEqual([1, 1]);
		const later = await waiting(elsewhere);
		await later.send({ item: 0, event: ended });
		await later.send({ item: 0, event: ended });
		expect(later.requests).toHaveLength(2);
	});

	test.each([
		['a completed call does not count', 'completed', undefined],
		['a call that failed has none', 'failed', 2],
	])('while a report is awaited, %s', async (_what, status, items) => {
		// Of a call without a webhook, there is no log.
		const calls = [{}, { artifacts: ['recording' as const], webhook: undefined }];
		const { send, requests } = await waiting({ ...elsewhere, service: [listed({ id: 'call-1', status })], calls });
		expect((await send({ item: 0, event: ended })).output?.length).toBe(items);
		expect(requests).toHaveLength(1);
	});
});

describe('When the time is up', () => {
	test('the execution goes on with the outcomes that have arrived, and what the service knows', async () => {
		const { send } = await waiting({ service: [listed({ id: 'call-1', status: 'busy' })] });
		const { output } = await send(timeUp);
		const message = expect.any(String);
		const [first, second] = [
			{ outcome: 'timedOut', status: 'queued' },
			{ outcome: 'busy', status: 'busy' },
		];
		expect(output).toEqual([
			{ id: 'call-0', message, ...first },
			{ id: 'call-1', message, ...second },
		]);
	});

	test.each([true, false])(
		'it goes on even if the service does not answer (all messages came here: %j)',
		async (complete) => {
			const { send, requests } = await waiting({ service: [cut], complete });
			const timedOut = { status: 'queued', outcome: 'timedOut', message: expect.any(String) };
			// It is asked again before.
			expect(await send(timeUp)).toMatchObject({ output: undefined, status: 503, isProven: true });
			const before = requests.length;
			expect((await send(lastTime)).output).toEqual([0, 1].map((n) => ({ id: `call-${n}`, ...timedOut })));
			expect(requests.length).toBeGreaterThan(before);
		},
	);

	test.each<[string, Answer]>([
		['refuses', { status: 403, body: { success: false } }],
		['gives something else', { body: { data: 'none' } }],
	])('it goes on at once if the service %s', async (_what, answer) => {
		const { send, requests } = await waiting({ service: [answer] });
		expect((await send(timeUp)).output).toHaveLength(2);
		expect(requests).toHaveLength(1);
	});

	test('no request takes longer than n8n waits, unless n8n has missed that, too', async () => {
		const late = async (ms: number) => {
			const { send, requests, state } = await waiting({ service: [cut] });
			jest.setSystemTime(state.until + ms);
			expect((await send(lastTime)).output).toHaveLength(2);
			return requests;
		};
		const inTime = await late(105_000);
		expect(inTime[0]?.timeout).toBeLessThanOrEqual(2500);
		// What is known is output while n8n still waits.
		expect(await late(110_000)).toEqual([]);
		expect(await late(119_999)).toEqual([]);
		const missed = await late(120_000);
		expect(missed[0]?.timeout).toBe(15_000);
		expect(missed.length).toBeGreaterThanOrEqual(inTime.length);
	});

	test('a message with timeUp as a text does not end the wait', async () => {
		expect((await (await waiting()).send({ timeUp: 'true' })).output).toBeUndefined();
	});
});

describe('The event of another call, to whose context the resume token was copied,', () => {
	/** Hands the end of a call over to an execution that waits for one call, of which the service lists these. */
	async function handOver(
		callerIdField: 'agentId' | 'campaignId',
		more: IDataObject,
		listedBy: Record<string, string[] | number> = {},
	) {
		const isAgent = callerIdField === 'agentId';
		const service: Answers = ({ url }) => {
			const listing = listedBy[/(?:agents|campaigns)\/([^/?]+)/.exec(url)?.[1] ?? ''] ?? [];
			const calls = Array.isArray(listing) ? listing.map((id) => ({ id, status: 'ringing' })) : [];
			const body = { success: listing !== 404, data: isAgent ? calls : { calls } };
			return typeof listing === 'number' ? { status: listing, body } : { body };
		};
		const { send, requests } = await waiting({ callerIdField, service, calls: [{}] });
		const event = { ...ended, ...(!isAgent && { event: 'campaign_call.completed' }), ...more };
		const { output, status } = await send({ item: 0, event });
		return [output ? 'goes on' : status, requests.length];
	}

	test('is not taken for that of this item, and the service is not asked if another item awaits it', async () => {
		const { send, requests } = await waiting();
		const { status, output } = await send({ item: 0, event: { ...ended, call_id: 'call-1' } });
		expect([status, output, requests]).toEqual([409, undefined, []]);
	});

	test('is known by its ID; without one it counts: the service does not publish what its events have', async () => {
		expect(await handOver('agentId', { call_id: 'call-0' })).toEqual(['goes on', 0]);
		expect(await handOver('agentId', {})).toEqual(['goes on', 0]);
	});

	test.each([
		['agentId', 'agent_id'],
		['campaignId', 'campaign_id'],
	] as const)(
		'resumes nothing if the service lists the call, also for another agent or campaign (%s)',
		async (by, field) => {
			const [own, other] = [{ 'owner-1': ['call-0'] }, { call_id: 'call-x', [field]: 'other' }];
			expect(await handOver(by, { call_id: 'call-x' }, { 'owner-1': ['call-0', 'call-x'] })).toEqual([409, 1]);
			expect(await handOver(by, other, { ...own, other: ['call-x'] })).toEqual([409, 2]);
			// An ID that the service lists nowhere is that of something else.
			expect(await handOver(by, { call_id: 'line-7' }, own)).toEqual(['goes on', 1]);
			expect(await handOver(by, other, { ...own, other: 404 })).toEqual(['goes on', 2]);
			// While the service cannot be asked, the event has to come again.
			expect((await handOver(by, other, { ...own, other: 500 }))[0]).toBe(503);
			expect((await handOver(by, { call_id: 'call-x' }, { 'owner-1': 500 }))[0]).toBe(503);
		},
	);
});

test('the webhook of a waiting execution takes a POST for one node, and its response says nothing about the workflow', () => {
	const address = { name: 'default', httpMethod: 'POST', path: '={{ $nodeId }}', restartWebhook: true };
	expect(resumeWebhooks).toEqual([{ ...address, responseMode: 'onReceived', responseData: 'noData' }]);
});

test('Wait By and Wait For name the events that a trigger needs besides its default ones, as its panel does', () => {
	const nameOf = (kind: string) => [...campaignEvents, ...agentEvents].find(({ value }) => value === kind)?.name;
	const cases = [
		[
			'agent',
			[waitByAgentEvent, waitForAgentCall],
			[...requiredEventTypes('agentId', ['recording']), 'event_voicemail_detected'],
		],
		[
			'campaign',
			[waitByCampaignEvent, waitForCampaignCall],
			requiredEventTypes('campaignId', ['report', 'transcript', 'recording']),
		],
	] as const;
	for (const [source, fields, kinds] of cases) {
		const texts = JSON.stringify(fields.map(({ properties: shown }) => shown));
		const byDefault = properties.find(
			({ name, displayOptions }) => name === 'events' && displayOptions?.show?.source?.[0] === source,
		)?.default as string[];
		const named = kinds.filter((kind) => texts.includes(String(nameOf(kind))));
		expect(named).toEqual(kinds.filter((kind) => !byDefault.includes(kind)));
	}
});

test('only who chooses Event reads that it needs a trigger; all who wait read what stopping the execution does not end', () => {
	for (const { properties: shown } of [waitByAgentEvent, waitByCampaignEvent]) {
		const notices = shown.filter(({ type }) => type === 'notice');
		expect(notices.map(({ displayOptions }) => displayOptions)).toEqual([{ show: { waitBy: ['event'] } }]);
		expect(shown[0]?.hint).toBe(
			'Stopping the execution does not end its calls, and executing it again calls everybody again',
		);
	}
	expect(waitByCampaignEnd.properties.map(({ hint }) => hint)).toEqual([
		'Stopping the execution does not stop the campaign',
	]);
});
