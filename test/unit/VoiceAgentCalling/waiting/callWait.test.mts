import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RunStop } from '../../../../nodes/shared/client/run.ts';
import { invalid, ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/triggerClient/messages.ts';
import { CONTEXT_FIELD, unseal } from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';
import { failedBy, type Item, type ItemInput, isFailed } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { CallWait } from '../../../../nodes/VoiceAgentCalling/waiting/callWait.ts';
import { memoryOf } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { longestTimeLimit } from '../../../../nodes/VoiceAgentCalling/waiting/startWait.ts';
import { waitIdOf } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import { type Answer, type Answers, cut, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { runOf } from '../../shared/client/run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const MINUTE = 60_000;
const trigger = 'https://n8n.example/webhook/00000000-0000-0000-0000-000000000001/webhook';
const final = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const ofCampaign = ['campaign_call.completed', 'campaign_call.failed'];

/** A service with a trigger's webhook, and these calls. */
const service =
	(calls: IDataObject[] = [], events: string[] = final) =>
	async ({ url }: Requested): Promise<Answer> => {
		const [, source, ownerId] = /(agent|campaign)s\/([^/]+)\/webhooks$/.exec(url) ?? [];
		const { fingerprint } = await loadKeys(doubleOfN8n().caller);
		const webhook_url = `${trigger}?${source}=${ownerId}&g=1764100000000&k=${fingerprint}`;
		const webhook = { id: 'w-1', webhook_url, events };
		return { body: { data: source === undefined ? calls : { webhooks: [webhook] } } };
	};

/** Triggers that prove their replies, and an n8n that answers for waiting executions. */
const n8nItself = async ({ url, headers }: Requested): Promise<Answer> => {
	const { messages } = await loadKeys(doubleOfN8n().caller);
	const proof = { [MESSAGE_HEADER]: proofFor(messages, headers?.[MESSAGE_HEADER] ?? '') };
	return url.startsWith(trigger)
		? { headers: proof, body: { chosen: [], registered: [], events: [] } }
		: { status: 500, body: { code: 0, message: 'The method PROPFIND is not supported.' } };
};

interface Given {
	/** The local values of each item; an error for an item that could not be read. */
	items?: Array<IDataObject | ServiceError>;
	service?: Answers;
	others?: (request: Requested) => Answer | Promise<Answer>;
	callerIdField?: Operation['callerIdField'];
	runIndex?: number;
	delaySeconds?: number;
	isCanceled?: () => boolean;
}

let count = 0;
/** A run of a waiting operation, in a node that no other test has. */
function waiting(given: Given = {}) {
	const { items = [{}], isCanceled = () => false, callerIdField = 'agentId', runIndex } = given;
	const nodeId = `node-${(count += 1)}`;
	const made = runOf({ service: given.service ?? service(), others: given.others ?? n8nItself, nodeId, runIndex });
	const ids = { agentId: 'agent-1', campaignId: 'campaign-1', delay_seconds: given.delaySeconds };
	const read = items.map((local, n): ItemInput | ServiceError =>
		local instanceof ServiceError
			? local
			: {
					values: { ...ids, to: `+1202555010${n}`, payload: { n } },
					local: { waitBy: 'event', timeLimit: 60 * MINUTE, ...local },
					call: undefined,
					toolLimits: undefined,
				},
	);
	const all = read.map(
		(input): Item => (input instanceof Error ? { state: failedBy(input) } : { input, state: { is: 'ready' } }),
	);
	const startedAt = Date.now();
	made.run.stop = new RunStop(isCanceled);
	const wait = new CallWait({
		run: made.run,
		operation: { callerIdField } as Operation,
		items: all,
		startedAt,
		rootMode: 'trigger',
		continueOnFail: true,
	});
	/** The errors of the items; undefined for one without. */
	const errors = () => all.map(({ state }) => (isFailed(state) ? state.error : undefined));
	return {
		...made,
		wait,
		all,
		errors,
		startedAt,
		/** What the calls look like after they were placed; by an earlier try, or for another item, if they say so. */
		place(...calls: Array<IDataObject | ServiceError | undefined>) {
			const byDefault = callerIdField === 'agentId' ? 'placed' : 'queued';
			for (const [item, call] of calls.entries()) {
				const {
					result = byDefault,
					alreadySent,
					sameNumberAsItem,
					startsAt = Date.now(),
				} = (call ?? {}) as IDataObject;
				const earlier = alreadySent === true && { sentEarlier: true, startsAt };
				const more = { result, sameNumberAsItem, ...earlier };
				if (call !== undefined) {
					all[item].state = (
						call instanceof Error ? failedBy(call) : { is: 'done', items: [call], ...more }
					) as Item['state'];
				}
			}
		},
		/** Waits, and puts the execution to wait if it has to. @returns the items that n8n stores */
		async end(output: INodeExecutionData[] = [{ json: { id: 'call-0' }, pairedItem: { item: 0 } }]) {
			await wait.after();
			await wait.finish(output, { hints: ['A hint'], hintsAtEnd: ['Another'] });
			const [stored] = (made.executeData.data as { main: INodeExecutionData[][] } | undefined)?.main ?? [];
			return stored;
		},
		awaited: () => (made.context.waiting as { calls: IDataObject[] } | undefined)?.calls,
		values: (item: number) => (read[item] as ItemInput).values,
		output: () => all.map(({ state }) => (state.is === 'done' ? state.items[0] : state)),
	};
}

const failure = invalid('The number is wrong', 'Correct it.');

describe('Before the calls are placed', () => {
	test('each call gets a resume token in its context, with which its end resumes this execution', async () => {
		const { wait, values, caller, requests, messages } = waiting({ items: [{}, failure, {}], runIndex: 3 });
		values(0).context = { contact: '7' };
		await wait.prepare();
		const { resumeTokens } = await loadKeys(caller);
		const contexts = [0, 2].map((item) => values(item).context as IDataObject);
		expect(contexts[0]).toMatchObject({ contact: '7' });
		const node = `node-${count}`;
		const url = `https://n8n.example/webhook-waiting/77/${node}?signature=s`;
		const kinds = [...final, 'event_voicemail_detected', 'event_voicemail_message_left'];
		expect(contexts.map((context) => unseal(resumeTokens, context[CONTEXT_FIELD]))).toEqual(
			[0, 2].map((item) => ({ url, execution: '77', node, run: 3, item, eventTypes: kinds })),
		);
		// The trigger and the address of waiting executions are checked once for all items.
		expect(requests.map(({ url }) => url)).toEqual(['https://service.example/api/v1/agents/agent-1/webhooks']);
		expect(messages.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([trigger, url.replace(/\?.*/, '')]);
	});

	test('the items fail whose end nothing would report, and only these', async () => {
		const items = [{ waitFor: [] }, { waitFor: ['report'] }];
		const { wait, errors, values } = waiting({
			items,
			callerIdField: 'campaignId',
			service: service([], ofCampaign),
		});
		await wait.prepare();
		expect(values(0).context).toHaveProperty([CONTEXT_FIELD]);
		const noTrigger = { code: 'NO_TRIGGER', message: expect.stringContaining('Call Report Ready') };
		expect(errors()).toEqual([undefined, expect.objectContaining(noTrigger)]);
	});

	test('all items fail if n8n cannot be reached at the address of waiting executions', async () => {
		const others = (request: Requested) => (request.url.startsWith(trigger) ? n8nItself(request) : cut);
		const { wait, errors } = waiting({ items: [{}, {}], others });
		await wait.prepare();
		expect(errors()).toMatchObject([{ code: 'NO_ANSWER' }, { code: 'NO_ANSWER' }]);
	});

	test('an item that an earlier try has sent needs no trigger', async () => {
		const { wait, errors, place, end, awaited } = waiting({ items: [{}, {}], service: service([], []) });
		place({ id: 'call-0', alreadySent: true });
		await wait.prepare();
		expect(errors().map((error) => error?.code)).toEqual([undefined, 'NO_TRIGGER']);
		await end();
		expect(awaited()).toMatchObject([{ item: 0, id: 'call-0' }]);
	});

	test('where the node chooses how to wait, it polls without a trigger, and no call gets a resume token', async () => {
		const { wait, values, errors, run, place, output } = waiting({
			items: [{ waitBy: 'automatic' }],
			service: service([{ id: 'call-0', status: 'completed' }], []),
		});
		await wait.prepare();
		expect([errors()[0], values(0).context]).toEqual([undefined, undefined]);
		expect([...run.hints]).toEqual([
			expect.stringMatching(/^The node polls\. .*trigger.*\. Polling cannot tell a voicemail from a person/),
		]);
		place({ id: 'call-0' });
		await inFakeTime(wait.after());
		expect(output()).toMatchObject([{ outcome: 'completed', waitedBy: 'polling' }]);
		// That polling cannot tell a voicemail was said before.
		expect([...run.hints]).toEqual(['Outcomes: 1 completed.', expect.stringContaining('polls')]);
	});

	test('it does not poll where a report is awaited, which polling does not find', async () => {
		const items = [{ waitBy: 'automatic', waitFor: ['report'] }];
		const { wait, errors, run } = waiting({ items, service: service([], []) });
		await wait.prepare();
		expect([errors()[0]?.code, [...run.hints]]).toEqual(['NO_TRIGGER', []]);
	});

	test.each<[string, Given]>([
		['with polling', { items: [{ waitBy: 'polling' }] }],
		['without an item that could be read', { items: [failure] }],
	])('nothing is done %s', async (_what, given) => {
		const { wait, requests, messages, all } = waiting(given);
		const before = JSON.stringify(all);
		await wait.prepare();
		expect([requests, messages, JSON.stringify(all)]).toEqual([[], [], before]);
	});
});

test('the longest time limit counts, of any number of items', () => {
	const limits = Array.from({ length: 300_000 }, (_, n) => ({ timeLimit: n % 60 }));
	expect(longestTimeLimit([undefined, ...limits], 'agentId')).toBe(59);
});

describe('After the calls were placed', () => {
	test('each says how the node waits for it', async () => {
		const { wait, place, output, requests } = waiting({ items: [{}, {}, {}] });
		place({ id: 'call-0' }, { id: 'call-1', agent_id: 'a', alreadySent: false }, failure);
		await wait.after();
		expect(output()).toEqual([
			{ id: 'call-0', waitedBy: 'event' },
			{ id: 'call-1', agent_id: 'a', alreadySent: false, waitedBy: 'event' },
			failedBy(failure),
		]);
		expect(requests).toEqual([]);
	});

	test('one that was already queued is not awaited; an ID may be a number', async () => {
		const { wait, place, output, awaited, end } = waiting({ items: [{}, {}], callerIdField: 'campaignId' });
		place({ id: 'call-0', result: 'alreadyQueued' }, { id: 7 });
		await wait.after();
		expect(output()).toEqual([
			{ id: 'call-0', result: 'alreadyQueued' },
			{ id: 7, waitedBy: 'event' },
		]);
		await end();
		expect(awaited()).toMatchObject([{ item: 1, id: '7' }]);
	});

	test.each([
		['two days before it could ring', ['2026-11-10T12:00:00Z'], '2026-11-08'],
		['two days before the first of them could ring', ['2026-11-10T12:00:00Z', '2026-10-05T00:00:00Z'], '2026-10-03'],
	])('of an earlier try, the list of calls is read from %s', async (_what, starts, date_from) => {
		const { wait, place, requests } = waiting({ items: starts.map(() => ({})) });
		place(...starts.map((at, n) => ({ id: `call-${n}`, alreadySent: true, startsAt: Date.parse(at) })));
		await wait.after();
		expect(requests).toMatchObject([{ qs: { date_from } }]);
	});

	test('of an earlier try, the service is asked: their resume tokens may belong to an execution that has ended', async () => {
		const calls = ['call-0', 'call-1'].map((id) => ({ id, status: 'busy' }));
		const { wait, place, output, requests } = waiting({ items: [{}, {}], service: service(calls) });
		place({ id: 'call-0', alreadySent: true, agent_id: 'agent-2' }, { id: 'call-1' });
		await wait.after();
		expect(output()).toMatchObject([{ id: 'call-0', outcome: 'busy' }, { id: 'call-1' }]);
		expect(output()[1]).not.toHaveProperty('outcome');
		// Neither the time zone nor the clock of the service is known.
		const url = 'https://service.example/api/v1/agents/agent-2/calls';
		expect(requests).toMatchObject([{ url, qs: { date_from: '2026-11-19' } }]);
	});

	test('of an earlier try, an error of the service is no error of the run', async () => {
		const { wait, place, output } = waiting({ service: [{ status: 403, body: { message: 'No' } }] });
		place({ id: 'call-0', alreadySent: true });
		await wait.after();
		expect(output()[0]).not.toHaveProperty('outcome');
	});
});

describe('The execution is put to wait', () => {
	const timedOut = { outcome: 'timedOut', message: expect.any(String) };

	test('until the longest time limit, with the calls in its context and as its input', async () => {
		const n8n = waiting({ items: [{ timeLimit: 5 * MINUTE }], runIndex: 2 });
		n8n.place({ id: 'call-0' });
		// What n8n outputs if the node could not end the wait.
		expect(await n8n.end()).toEqual([{ json: { id: 'call-0', ...timedOut }, pairedItem: { item: 0 } }]);
		// n8n ends the wait later than the node itself, which first asks the service.
		expect(n8n.waits).toEqual([new Date(n8n.startedAt + 7 * MINUTE)]);
		expect(n8n.context.waiting).toEqual({
			run: 2,
			since: n8n.startedAt,
			until: n8n.startedAt + 5 * MINUTE,
			hints: ['A hint'],
			hintsAtEnd: ['Another'],
			callerIdField: 'agentId',
			calls: [{ item: 0, id: 'call-0', owner: 'agent-1' }],
		});
		expect(memoryOf(waitIdOf(n8n.caller, 2))).toMatchObject({ watched: true, receivesAll: true });
	});

	test('and the limit of a call with a delay counts from its end, when the phone can ring', async () => {
		const { end, place, waits, startedAt } = waiting({ items: [{ timeLimit: 5 * MINUTE }], delaySeconds: 3600 });
		place({ id: 'call-0' });
		await end();
		expect(waits).toEqual([new Date(startedAt + 67 * MINUTE)]);
	});

	test('and the limit of a call of a campaign counts from its next calling hours', async () => {
		const hours = { timezone: 'UTC', start_date: '2026-01-01', days_of_week: [1, 2, 3, 4, 5, 6, 7] };
		const ranges = [{ start: '08:00', end: '18:00' }];
		const campaign = { id: 'CAMPAIGN-1', status: 'active', ...hours, call_time_ranges: ranges, calls: [] };
		const { end, place, waits, requests } = waiting({
			items: [{ timeLimit: 5 * MINUTE }, {}],
			callerIdField: 'campaignId',
			service: () => ({ body: { data: campaign } }),
		});
		// One campaign, however its ID is written.
		place({ id: 'call-0', campaign_id: 'CAMPAIGN-1' }, { id: 'call-1' });
		await end();
		expect(waits).toEqual([new Date(Date.UTC(2026, 10, 21, 8) + 62 * MINUTE)]);
		expect(requests).toHaveLength(1);
	});

	test('without all outcomes for a call of an earlier try, whose end may not be reported to this process', async () => {
		const { end, place, caller } = waiting();
		place({ id: 'call-0', alreadySent: true });
		await end();
		expect(memoryOf(waitIdOf(caller, 0))).toMatchObject({ watched: true, receivesAll: false });
	});

	test('for what each item waits for, and with that missing if n8n ends the wait', async () => {
		const items = [{}, failure, { waitFor: ['report', 'recording'] }, {}];
		const { end, place, awaited } = waiting({ items, callerIdField: 'campaignId' });
		place({ id: 'call-0' }, failure, { id: 'call-2' }, { id: 'call-3' });
		const stored = await end([0, 1, 2, 3].map((item) => ({ json: { id: `call-${item}` }, pairedItem: item })));
		expect(awaited()).toEqual([
			{ item: 0, id: 'call-0', owner: 'campaign-1' },
			{ item: 2, id: 'call-2', owner: 'campaign-1', artifacts: ['report', 'recording'] },
			{ item: 3, id: 'call-3', owner: 'campaign-1' },
		]);
		expect(stored.map(({ json }) => json)).toEqual([
			{ id: 'call-0', ...timedOut },
			{ id: 'call-1' },
			{ id: 'call-2', ...timedOut, report: null, recording: null, missing: ['report', 'recording'] },
			{ id: 'call-3', ...timedOut },
		]);
	});

	const hint = expect.stringMatching(/completed may be a voicemail.*does not listen to Voicemail Detected/);

	test.each<[string, Given, IDataObject | ServiceError, number | undefined, unknown[]]>([
		[
			'the webhook of its trigger, and a grace for voicemail if that receives its events',
			{ service: service([], [...final, 'event_voicemail_detected']) },
			{ id: 'call-0' },
			5000,
			[],
		] as never,
		['a hint, and without a grace, if the trigger does not listen to it', {}, { id: 'call-0' }, undefined, [hint]],
		[
			'no such hint for the calls of a campaign',
			{ callerIdField: 'campaignId', service: service([], ofCampaign) },
			{ id: 'call-0' },
			undefined,
			[],
		] as never,
		['no such hint if no call is awaited', {}, failure, undefined, []],
	])('with %s', async (_what, given, call, voicemailWaitMs, notes) => {
		const { wait, place, end, awaited, run } = waiting({ items: [{}, {}], ...given });
		await wait.prepare();
		place(call, call);
		await end();
		const owner = given.callerIdField === undefined ? 'agent-1' : 'campaign-1';
		const more = { owner, webhook: 'w-1', ...(voicemailWaitMs !== undefined && { voicemailWaitMs }) };
		const both = [0, 1].map((item) => ({ item, id: 'call-0', ...more }));
		expect([awaited(), [...run.hints]]).toEqual([call === failure ? undefined : both, notes]);
	});

	test.each([
		['was queued before, so its events belong to another execution', { id: 'call-1', result: 'alreadyQueued' }],
		['has no ID', { to: '+12025550101' }],
		['failed', failure],
		['was not tried', undefined],
		['is that of another item', { id: 'call-0', result: 'sameNumber', sameNumberAsItem: 0 }],
	])('without a call that %s', async (_what, call) => {
		const { end, place, awaited } = waiting({ items: [{}, {}] });
		place({ id: 'call-0' }, call);
		await end();
		expect(awaited()).toEqual([{ item: 0, id: 'call-0', owner: 'agent-1' }]);
	});

	test('with the outcome timedOut for each awaited call, and for no other item', async () => {
		const { end, place, all } = waiting({ items: [{}, {}, {}, {}, {}], callerIdField: 'campaignId' });
		const shared = (id: string, sameNumberAsItem: number) => ({ id, result: 'sameNumber', sameNumberAsItem });
		place({ id: 'a', result: 'alreadyQueued' }, failure, shared('a', 0), { id: 'b' }, shared('b', 3));
		const stored = await end(all.map((_item, item) => ({ json: { item }, pairedItem: { item } })));
		const timedOut = [undefined, undefined, undefined, 'timedOut', undefined];
		expect(stored.map(({ json }) => json.outcome)).toEqual(timedOut);
	});

	test('with the items of the error output in a form that n8n stores, sends there and leaves as it is', async () => {
		const { end, place } = waiting({ items: [{}, {}] });
		place(failure, { id: 'call-1' });
		const json = { result: 'failed', code: 'INVALID_INPUT', message: 'The number is wrong. Correct it.', to: '12' };
		const output = [
			{ json, pairedItem: 0, error: failure as never },
			{ json: { id: 'call-1' }, pairedItem: 1 },
		];
		expect(await end(output)).toEqual([
			{ json: { error: json }, pairedItem: 0 },
			{ json: { id: 'call-1', ...timedOut }, pairedItem: 1 },
		]);
	});
});

test.each<[string, Given, IDataObject | ServiceError]>([
	['with polling', { items: [{ waitBy: 'polling', timeLimit: 0 }] }, { id: 'call-0' }],
	['without a call', {}, failure],
	[
		'if the service says that all calls are over',
		{ service: service([{ id: 'call-0', status: 'busy' }]) },
		{ id: 'call-0', alreadySent: true },
	],
])('The execution does not sleep %s', async (_what, given, call) => {
	const { end, place, waits, context } = waiting(given);
	place(call);
	await end();
	expect([waits, context.waiting]).toEqual([[], undefined]);
});

describe('With polling', () => {
	const noVoicemail = 'Polling cannot tell a voicemail from a person: both have the outcome completed.';
	const polling = (more: IDataObject = {}) => ({ waitBy: 'polling', timeLimit: MINUTE, ...more });
	/** A service whose call has these statuses in turn; a number is the HTTP status of a refusal. */
	const statuses = (...all: Array<string | number>) =>
		all.map(
			(status): Answer =>
				typeof status === 'string'
					? { body: { data: [{ id: 'call-0', status }] } }
					: { status, body: { message: 'Not now' } },
		);

	test('the service is asked every 15 seconds, until the call is over', async () => {
		const { wait, place, output, startedAt, requests } = waiting({
			items: [polling()],
			service: statuses('ringing', 'ringing', 'busy'),
		});
		place({ id: 'call-0', status: 'initiated' });
		await inFakeTime(wait.after());
		expect([requests.length, Date.now() - startedAt]).toEqual([3, 45_000]);
		expect(output()).toMatchObject([{ id: 'call-0', outcome: 'busy', status: 'busy' }]);
		expect(requests[0].qs).toMatchObject({ date_from: '2026-11-20' });
	});

	test('it is asked at the interval of the node, and when the time is up: what is not over then has timed out', async () => {
		const interval = { pollInterval: 25 };
		const { wait, place, output, startedAt, requests } = waiting({
			items: [polling(interval), polling({ ...interval, timeLimit: 2 * MINUTE })],
		});
		place({ id: 'call-0', status: 'initiated' }, { id: 'call-1' });
		await inFakeTime(wait.after());
		expect([requests.length, Date.now() - startedAt]).toEqual([5, 2 * MINUTE]);
		expect(output()).toMatchObject([
			{ outcome: 'timedOut', status: 'initiated' },
			{ outcome: 'timedOut', id: 'call-1' },
		]);
	});

	test('an error of the service is a hint for the user, and the next interval asks again', async () => {
		const { wait, place, output, run } = waiting({ items: [polling()], service: statuses(403, 'completed') });
		place({ id: 'call-0' });
		await inFakeTime(wait.after());
		expect(output()).toMatchObject([{ outcome: 'completed' }]);
		expect([...run.hints]).toEqual(['Outcomes: 1 completed.', expect.stringContaining('Not now'), noVoicemail]);
	});

	test.each([
		[['busy', 'no-answer'], ['Outcomes: 1 busy, 1 noAnswer.']],
		[
			['busy', 'completed'],
			['Outcomes: 1 completed, 1 busy.', noVoicemail],
		],
	])('of calls that are %j, the hints count the outcomes, and say if one may be a voicemail', async (ends, hints) => {
		const calls = ends.map((status, item) => ({ id: `call-${item}`, status }));
		const { wait, place, run } = waiting({ items: [polling(), polling()], service: service(calls) });
		place({ id: 'call-0' }, { id: 'call-1' });
		await inFakeTime(wait.after());
		expect([...run.hints]).toEqual(hints);
	});

	test('a canceled run stops at once, and an error that comes then is none of the user', async () => {
		let canceled = false;
		const isCanceled = () => canceled;
		const service = () => ((canceled = true), statuses(403)[0]);
		for (const given of [{ isCanceled }, { isCanceled, service }]) {
			canceled = false;
			const { wait, place, requests, run, startedAt } = waiting({ items: [polling()], ...given });
			place({ id: 'call-0' });
			setTimeout(() => (canceled = true), 17_000);
			await inFakeTime(wait.after());
			expect(Date.now() - startedAt).toBeLessThan(18_000);
			expect([requests.length, [...run.hints].join(' ')]).toEqual([1, expect.not.stringContaining('Not now')]);
		}
	});
});
