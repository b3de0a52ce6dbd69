import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { invalid, ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER, proofFor } from '../../../../nodes/shared/nodeLink/messages.ts';
import { TICKET_FIELD, unseal } from '../../../../nodes/shared/nodeLink/ticket.ts';
import type { Item, ItemInput, ItemResult } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { CallWait } from '../../../../nodes/VoiceAgentCalling/waiting/callWait.ts';
import { memoryOf } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { waitIdOf } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import { type Answer, type Answers, cut, doubleOfN8n, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../sending/modelService.mts';
import { runOf } from '../sending/run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const MINUTE = 60_000;
const trigger = 'https://n8n.example/webhook/00000000-0000-0000-0000-000000000001/webhook';
const final = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

/** The URL of the trigger's webhook for the agent or campaign whose webhooks are asked for. */
const urlFor = (asked: string) => {
	const [, source, ownerId] = /(agent|campaign)s\/([^/]+)\/webhooks$/.exec(asked) ?? [];
	return `${trigger}?${source}=${ownerId}&g=1764100000000`;
};

/** A service with a trigger's webhook, and these calls. */
const service =
	(calls: IDataObject[] = [], events: string[] = final) =>
	async ({ url }: Requested): Promise<Answer> =>
		url.endsWith('/webhooks')
			? { body: { data: { webhooks: [{ id: 'w-1', webhook_url: urlFor(url), events }] } } }
			: { body: { data: calls } };

/** Triggers that prove their replies, and an n8n that answers for waiting executions. */
const n8nItself = async ({ url, headers }: Requested): Promise<Answer> => {
	const { messages } = await loadKeys(doubleOfN8n().caller);
	return url.startsWith(trigger)
		? {
				headers: { [MESSAGE_HEADER]: proofFor(messages, headers?.[MESSAGE_HEADER] ?? '') },
				body: { chosen: [], registered: [], events: [] },
			}
		: { status: 500, body: { code: 0, message: 'The method PROPFIND is not supported.' } };
};

interface Given {
	/** The local values of each item; an error for an item that could not be read. */
	items?: Array<IDataObject | ServiceError>;
	service?: Answers;
	others?: (request: Requested) => Promise<Answer>;
	callerIdField?: Operation['callerIdField'];
	runIndex?: number;
	delaySeconds?: number;
	isCanceled?: () => boolean;
}

let count = 0;
/** A run of a waiting operation, in a node that no other test has. */
function waiting(given: Given = {}) {
	const { items = [{}], isCanceled = () => false, others = n8nItself } = given;
	const callerIdField = given.callerIdField ?? 'agentId';
	const made = runOf({
		service: given.service ?? service(),
		others,
		nodeId: `node-${(count += 1)}`,
		runIndex: given.runIndex,
	});
	const read = items.map((local, n): ItemInput | ServiceError =>
		local instanceof ServiceError
			? local
			: {
					values: {
						...{ agentId: 'agent-1', campaignId: 'campaign-1', to: `+1202555010${n}`, payload: { n } },
						delay_seconds: given.delaySeconds,
					},
					local: { waitBy: 'event', timeLimit: 60 * MINUTE, ...local },
					callLimits: undefined,
				},
	);
	const all = read.map(
		(input): Item => (input instanceof Error ? { refusal: input, outcome: { error: input } } : { input }),
	);
	const operation = { callerIdField } as Operation;
	const startedAt = Date.now();
	const wait = new CallWait({ run: made.run, operation, items: all, startedAt, isCanceled });
	/** What the calls look like after they were placed; by an earlier try, if they say so. */
	const place = (...calls: Array<IDataObject | ServiceError | undefined>) => {
		for (const [item, call] of calls.entries()) {
			const { result = callerIdField === 'agentId' ? 'placed' : 'queued', alreadySent } = (call ?? {}) as IDataObject;
			all[item].outcome =
				call instanceof Error
					? { error: call }
					: call && { items: [call], result: result as ItemResult, sentEarlier: alreadySent === true };
		}
	};
	const values = (item: number) => (read[item] as ItemInput).values;
	const outcomes = () => all.map(({ outcome }) => outcome);
	const output = () => outcomes().map((outcome) => (outcome && 'items' in outcome ? outcome.items[0] : outcome));
	return { ...made, wait, all, outcomes, place, values, output, startedAt };
}

const failure = invalid('The number is wrong', 'Correct it.');

describe('Before the calls are placed', () => {
	test('each call gets a ticket in its context, with which its end resumes this execution', async () => {
		const { wait, values, caller } = waiting({ items: [{}, failure, {}], runIndex: 3 });
		values(0).context = { contact: '7' };
		await wait.prepare();
		const { tickets } = await loadKeys(caller);
		const contexts = [0, 2].map((item) => values(item).context as IDataObject);
		expect(contexts[0]).toMatchObject({ contact: '7' });
		expect(contexts.map((context) => unseal(tickets, context[TICKET_FIELD]))).toEqual(
			[0, 2].map((item) => ({
				url: `https://n8n.example/webhook-waiting/77/node-${count}?signature=s`,
				execution: '77',
				node: `node-${count}`,
				run: 3,
				item,
				kinds: [...final, 'event_voicemail_detected', 'event_voicemail_message_left'],
			})),
		);
	});

	test('the trigger and the address of waiting executions are checked once for all items', async () => {
		const { wait, requests, messages } = waiting({ items: [{}, {}, {}] });
		await wait.prepare();
		expect(requests.map(({ url }) => url)).toEqual(['https://service.example/api/v1/agents/agent-1/webhooks']);
		expect(messages.map(({ url }) => new URL(url).pathname)).toEqual([
			new URL(trigger).pathname,
			`/webhook-waiting/77/node-${count}`,
		]);
	});

	test('the items fail whose end nothing would report, and only these', async () => {
		const events = ['campaign_call.completed', 'campaign_call.failed'];
		const { wait, all, outcomes, values } = waiting({
			items: [{ waitFor: [] }, { waitFor: ['report'] }],
			callerIdField: 'campaignId',
			service: service([], events),
		});
		await wait.prepare();
		expect(values(0).context).toHaveProperty([TICKET_FIELD]);
		expect(all[1].refusal).toMatchObject({ code: 'NO_TRIGGER', message: expect.stringContaining('Call Report Ready') });
		expect(outcomes()).toEqual([undefined, { error: all[1].refusal }]);
	});

	test('all items fail if n8n cannot be reached at the address of waiting executions', async () => {
		const others = async (request: Requested) => (request.url.startsWith(trigger) ? await n8nItself(request) : cut);
		const { wait, outcomes } = waiting({ items: [{}, {}], others });
		await wait.prepare();
		expect(outcomes()).toMatchObject([{ error: { code: 'NO_ANSWER' } }, { error: { code: 'NO_ANSWER' } }]);
	});

	test('an item that an earlier try has sent gets its ticket, even if nothing would report its end', async () => {
		const { wait, all, run, context, values } = waiting({ service: service([], []) });
		new SentRequests(context, 0).sending(SentRequests.key(0, { method: 'POST', path: ['call'] }));
		run.sent = new SentRequests(context, 0);
		await wait.prepare();
		expect(all[0].refusal).toBeUndefined();
		expect(values(0).context).toHaveProperty([TICKET_FIELD]);
	});

	test.each<[string, Given]>([
		['with polling', { items: [{ waitBy: 'polling' }] }],
		['without an item that could be read', { items: [failure] }],
	])('nothing is done %s', async (_what, given) => {
		const { wait, requests, messages, all } = waiting(given);
		const before = JSON.stringify(all);
		await wait.prepare();
		expect([requests, messages]).toEqual([[], []]);
		expect(JSON.stringify(all)).toBe(before);
	});
});

describe('After the calls were placed', () => {
	test('each has the payload and the context of its item, without the ticket', async () => {
		const { wait, values, place, output } = waiting({ items: [{}, {}, {}] });
		values(0).context = { contact: '7', [TICKET_FIELD]: 'sealed' };
		place({ id: 'call-0' }, { id: 'call-1', agent_id: 'a' }, failure);
		await wait.after();
		expect(output()).toEqual([
			{ id: 'call-0', payload: { n: 0 }, context: { contact: '7' }, waitedBy: 'event' },
			{ id: 'call-1', agent_id: 'a', payload: { n: 1 }, context: {}, waitedBy: 'event' },
			{ error: failure },
		]);
	});

	test('of an earlier try, the service is asked: their tickets may belong to an execution that has ended', async () => {
		const { wait, place, output, requests } = waiting({
			items: [{}, {}],
			service: service([
				{ id: 'call-0', status: 'busy' },
				{ id: 'call-1', status: 'busy' },
			]),
		});
		place({ id: 'call-0', alreadySent: true }, { id: 'call-1' });
		await wait.after();
		expect(output()).toMatchObject([{ id: 'call-0', outcome: 'busy' }, { id: 'call-1' }]);
		expect(output()[1]).not.toHaveProperty('outcome');
		// The calls may be a day older than this run, and the time zone of the service is not known.
		expect(requests.map(({ qs }) => qs?.date_from)).toEqual(['2026-11-19']);
	});

	test('of an earlier try by another agent, the calls of that agent are read', async () => {
		const { wait, place, requests } = waiting();
		place({ id: 'call-0', agent_id: 'agent-2', alreadySent: true });
		await wait.after();
		expect(requests.map(({ url }) => url)).toEqual(['https://service.example/api/v1/agents/agent-2/calls']);
	});

	test('of an earlier try, an error of the service is no error of the run', async () => {
		const { wait, place, output } = waiting({ service: async () => ({ status: 403, body: { message: 'No' } }) });
		place({ id: 'call-0', alreadySent: true });
		await wait.after();
		expect(output()[0]).not.toHaveProperty('outcome');
	});

	test('the service is not asked otherwise', async () => {
		const { wait, place, requests } = waiting();
		place({ id: 'call-0', alreadySent: false });
		await wait.after();
		expect(requests).toEqual([]);
	});
});

describe('The execution is put to wait', () => {
	const items = [{ json: { id: 'call-0' }, pairedItem: { item: 0 } }];

	test('until the longest time limit, with the calls in its context and as its input', async () => {
		const { wait, place, context, executeData, waits, caller, startedAt } = waiting({
			items: [{ timeLimit: 5 * MINUTE }],
			runIndex: 2,
		});
		place({ id: 'call-0' });
		await wait.after();
		await wait.finish(items);
		// n8n ends the wait later than the node itself, which first asks the service.
		expect(waits).toEqual([new Date(startedAt + 7 * MINUTE)]);
		expect(context.waiting).toEqual({
			run: 2,
			since: startedAt,
			until: startedAt + 5 * MINUTE,
			callerIdField: 'agentId',
			calls: [{ item: 0, id: 'call-0', owner: 'agent-1' }],
		});
		// What n8n outputs if the node could not end the wait.
		expect(executeData.data).toEqual({
			main: [[{ json: { id: 'call-0', outcome: 'timedOut' }, pairedItem: { item: 0 } }]],
		});
		expect(memoryOf(waitIdOf(caller, 2))).toMatchObject({ watched: true, receivesAll: true });
	});

	test('and the limit of a call with a delay counts from its end, when the phone can ring', async () => {
		const { wait, place, waits, startedAt } = waiting({ items: [{ timeLimit: 5 * MINUTE }], delaySeconds: 3600 });
		place({ id: 'call-0' });
		await wait.after();
		await wait.finish(items);
		expect(waits).toEqual([new Date(startedAt + 67 * MINUTE)]);
	});

	test('without all outcomes for a call of an earlier try, whose end may not be reported to this process', async () => {
		const { wait, place, waits, caller, startedAt } = waiting();
		place({ id: 'call-0', alreadySent: true });
		await wait.after();
		await wait.finish(items);
		expect(waits).toEqual([new Date(startedAt + 62 * MINUTE)]);
		expect(memoryOf(waitIdOf(caller, 0))).toMatchObject({ watched: true, receivesAll: false });
	});

	test('for what each item waits for, and with that missing if n8n ends the wait', async () => {
		const { wait, place, context, executeData } = waiting({
			items: [{}, failure, { waitFor: ['report', 'recording'] }, {}],
			callerIdField: 'campaignId',
		});
		place({ id: 'call-0' }, failure, { id: 'call-2' }, { id: 'call-3' });
		await wait.after();
		await wait.finish([0, 1, 2, 3].map((item) => ({ json: { id: `call-${item}` }, pairedItem: item })));
		expect(context.waiting).toMatchObject({
			calls: [
				{ item: 0, id: 'call-0', owner: 'campaign-1' },
				{ item: 2, id: 'call-2', owner: 'campaign-1', artifacts: ['report', 'recording'] },
				{ item: 3, id: 'call-3', owner: 'campaign-1' },
			],
		});
		const [stored] = (executeData.data as { main: INodeExecutionData[][] }).main;
		expect(stored.map(({ json }) => json)).toEqual([
			{ id: 'call-0', outcome: 'timedOut' },
			{ id: 'call-1' },
			{ id: 'call-2', outcome: 'timedOut', report: null, recording: null, missing: ['report', 'recording'] },
			{ id: 'call-3', outcome: 'timedOut' },
		]);
	});

	const voicemail = ['event_voicemail_detected'];

	test('with the webhook of its trigger, and a grace for voicemail if that receives its events', async () => {
		const events = [...final, ...voicemail];
		const { wait, place, context, run } = waiting({
			items: [{}, {}],
			service: service([], events),
		});
		await wait.prepare();
		place({ id: 'call-0' }, { id: 'call-1' });
		await wait.after();
		await wait.finish(items);
		const call = { owner: 'agent-1', webhook: 'w-1' };
		expect((context.waiting as { calls: unknown }).calls).toEqual([
			{ item: 0, id: 'call-0', ...call, voicemailWaitMs: 5000 },
			{ item: 1, id: 'call-1', ...call, voicemailWaitMs: 5000 },
		]);
		expect([...run.notes]).toEqual([]);
	});

	test('with a hint, and without a grace, if the trigger does not listen to it', async () => {
		const { wait, place, context, run } = waiting({ service: service([], final) });
		await wait.prepare();
		place({ id: 'call-0' });
		await wait.after();
		await wait.finish(items);
		expect((context.waiting as { calls: object[] }).calls[0]).not.toHaveProperty('voicemailWaitMs');
		expect([...run.notes]).toEqual([expect.stringMatching(/does not listen to Voicemail Detected.*completed/)]);
	});

	test('without that hint for the calls of a campaign, or if no call is awaited', async () => {
		const ofCampaign = waiting({
			callerIdField: 'campaignId',
			service: service([], ['campaign_call.completed', 'campaign_call.failed']),
		});
		const failing = waiting();
		for (const { wait, place } of [ofCampaign, failing]) {
			await wait.prepare();
			place(wait === failing.wait ? failure : { id: 'call-0' });
			await wait.after();
		}
		expect([[...ofCampaign.run.notes], [...failing.run.notes]]).toEqual([[], []]);
	});

	test.each([
		['was queued before, so its events belong to another execution', { id: 'call-1', result: 'alreadyQueued' }],
		['has no ID', { to: '+12025550101' }],
		['failed', failure],
		['was not tried', undefined],
	])('without a call that %s', async (_what, call) => {
		const { wait, place, context } = waiting({ items: [{}, {}] });
		place({ id: 'call-0' }, call);
		await wait.after();
		await wait.finish(items);
		expect((context.waiting as { calls: unknown }).calls).toEqual([{ item: 0, id: 'call-0', owner: 'agent-1' }]);
	});

	test('without an item that has the call of another one', async () => {
		const { wait, place, outcomes, context } = waiting({ items: [{}, {}] });
		place({ id: 'call-0' }, { id: 'call-0', result: 'sameNumber' });
		Object.assign(outcomes()[1] as object, { sameNumberAsItem: 0 });
		await wait.after();
		await wait.finish(items);
		expect((context.waiting as { calls: unknown[] }).calls).toHaveLength(1);
	});

	test('with the outcome timedOut for each awaited call, also in items that share it, and for no other item', async () => {
		const { wait, place, outcomes, executeData } = waiting({
			items: [{}, {}, {}, {}, {}],
			callerIdField: 'campaignId',
		});
		const shared = { result: 'sameNumber', sameNumberAsItem: 3 };
		const calls = [{ id: 'a', result: 'alreadyQueued' }, failure, { id: 'a', ...shared, sameNumberAsItem: 0 }];
		place(...calls, { id: 'b' }, { id: 'b', ...shared });
		Object.assign(outcomes()[2] as object, { sameNumberAsItem: 0 });
		Object.assign(outcomes()[4] as object, { sameNumberAsItem: 3 });
		await wait.after();
		await wait.finish(outcomes().map((_outcome, item) => ({ json: { item }, pairedItem: { item } })));
		const [stored] = (executeData.data as { main: INodeExecutionData[][] }).main;
		expect(stored.map(({ json }) => json)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
			{ item: 3, outcome: 'timedOut' },
			{ item: 4, outcome: 'timedOut' },
		]);
	});

	test.each<[string, Given, Array<IDataObject | ServiceError>]>([
		['with polling', { items: [{ waitBy: 'polling', timeLimit: 0 }] }, [{ id: 'call-0' }]],
		['without a call', {}, [failure]],
		[
			'if the service says that all calls are over',
			{ service: service([{ id: 'call-0', status: 'busy' }]) },
			[{ id: 'call-0', alreadySent: true }],
		],
	])('not at all %s', async (_what, given, calls) => {
		const { wait, place, waits, context } = waiting(given);
		place(...calls);
		await wait.after();
		await wait.finish(items);
		expect([waits, context.waiting]).toEqual([[], undefined]);
	});

	test('with the items of the error output in a form that n8n stores, sends there and leaves as it is', async () => {
		const { wait, place, executeData } = waiting({ items: [{}, {}] });
		place(failure, { id: 'call-1' });
		await wait.after();
		const json = { result: 'failed', code: 'INVALID_INPUT', message: 'The number is wrong. Correct it.', to: '12' };
		await wait.finish([
			{ json, pairedItem: 0, error: failure as never },
			{ json: { id: 'call-1' }, pairedItem: 1 },
		]);
		expect(executeData.data).toEqual({
			main: [
				[
					{ json: { error: json }, pairedItem: 0 },
					{ json: { id: 'call-1', outcome: 'timedOut' }, pairedItem: 1 },
				],
			],
		});
	});
});

describe('With polling', () => {
	const polling = (more: IDataObject = {}) => ({ waitBy: 'polling', timeLimit: MINUTE, ...more });

	test('the service is asked every 15 seconds, until the call is over', async () => {
		let asked = 0;
		const { wait, place, output, startedAt, requests } = waiting({
			items: [polling()],
			service: async () => ({ body: { data: [{ id: 'call-0', status: (asked += 1) < 3 ? 'ringing' : 'busy' }] } }),
		});
		place({ id: 'call-0', status: 'initiated' });
		await inFakeTime(wait.after());
		expect([asked, Date.now() - startedAt]).toEqual([3, 45_000]);
		expect(output()).toMatchObject([{ id: 'call-0', outcome: 'busy', status: 'busy' }]);
		expect(requests[0].qs).toMatchObject({ date_from: '2026-11-20' });
	});

	test('the interval is the one of the node', async () => {
		const { wait, place, requests } = waiting({ items: [polling({ pollInterval: 20 })] });
		place({ id: 'call-0' });
		await inFakeTime(wait.after());
		expect(requests).toHaveLength(3);
	});

	test('a call that is not over in time says so, with the status that it had', async () => {
		const { wait, place, output } = waiting({ items: [polling(), polling({ timeLimit: 2 * MINUTE })] });
		const start = Date.now();
		place({ id: 'call-0', status: 'initiated' }, { id: 'call-1' });
		await inFakeTime(wait.after());
		expect(Date.now() - start).toBe(2 * MINUTE);
		expect(output()).toMatchObject([
			{ outcome: 'timedOut', status: 'initiated' },
			{ outcome: 'timedOut', id: 'call-1' },
		]);
	});

	test('an error of the service is a hint for the user, and the next interval asks again', async () => {
		let asked = 0;
		const { wait, place, output, run } = waiting({
			items: [polling()],
			service: async () =>
				(asked += 1) === 1
					? { status: 403, body: { message: 'Not now' } }
					: { body: { data: [{ id: 'call-0', status: 'completed' }] } },
		});
		place({ id: 'call-0' });
		await inFakeTime(wait.after());
		expect(output()).toMatchObject([{ outcome: 'completed' }]);
		const [error, polled] = run.notes;
		expect([error, polled]).toEqual([
			expect.stringContaining('Not now'),
			'Polling cannot tell a voicemail from a person: both have the outcome completed.',
		]);
	});

	test('a canceled run stops at once', async () => {
		let canceled = false;
		const { wait, place, startedAt, requests } = waiting({ items: [polling()], isCanceled: () => canceled });
		place({ id: 'call-0' });
		setTimeout(() => (canceled = true), 17_000);
		await inFakeTime(wait.after());
		expect(Date.now() - startedAt).toBeLessThan(18_000);
		expect(requests).toHaveLength(1);
	});
});
