import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RunStop } from '../../../../nodes/shared/client/run.ts';
import { invalid, ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { failedBy, type Item, isFailed } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { CampaignWait } from '../../../../nodes/VoiceAgentCalling/waiting/campaignWait.ts';
import { type Answer, cut, type Requested } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { runOf } from '../../shared/client/run.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const HOUR = 3_600_000;
const failure = invalid('It is wrong', 'Correct it.');
const running: Answer = { status: 409, body: { message: 'The execution is running already.' } };

interface Given {
	/** The campaign of each item; an error for an item that could not be read. */
	items?: Array<string | ServiceError>;
	local?: IDataObject;
	/** The status that a campaign has each time it is read; the last one stays. */
	statuses?: Record<string, string[]>;
	answer?: (request: Requested) => Answer | undefined;
	others?: Answer[];
	/** The URL that resumes the execution. */
	resumeUrl?: string;
	continueOnFail?: boolean;
	isCanceled?: () => boolean;
}

let count = 0;
/** A run that waits for campaigns, in a node that no other test has. */
function waiting(given: Given = {}) {
	const { items = ['a', 'b', 'a'], local = {}, statuses = {}, isCanceled = () => false } = given;
	const service = (request: Requested): Answer => {
		const [id = '', part] = request.url.split('/campaigns/')[1]?.split('/') ?? [];
		const data =
			part !== undefined
				? { id: `hook-${id}`, webhooks: [] }
				: { id, name: id.toUpperCase(), status: next(id), stats: { total_calls: 1 } };
		return given.answer?.(request) ?? { body: { data } };
	};
	const next = (id: string) => {
		const [status = 'active', ...later] = statuses[id] ?? [];
		if (later.length > 0) {
			statuses[id] = later;
		}
		return status;
	};
	const made = runOf({
		service,
		others: given.others ?? [running],
		nodeId: `node-${(count += 1)}`,
		...(given.resumeUrl && { expressions: { '{{ $execution.resumeUrl }}': given.resumeUrl } }),
	});
	Object.assign(made.caller, { continueOnFail: () => given.continueOnFail ?? true });
	const all = items.map(
		(id): Item =>
			id instanceof ServiceError
				? { state: failedBy(id) }
				: {
						input: {
							values: { campaignId: id },
							local: { waitBy: 'event', ...local },
							call: undefined,
							toolLimits: undefined,
						},
						state: { is: 'ready' },
					},
	);
	const startedAt = Date.now();
	made.run.stop = new RunStop(isCanceled);
	const wait = new CampaignWait({
		run: made.run,
		operation: {} as Operation,
		items: all,
		startedAt,
		rootMode: 'trigger',
		continueOnFail: given.continueOnFail ?? true,
	});
	/** Prepares, and waits for campaigns that looked like this when they were read first. */
	const after = async (...read: string[]) => {
		await wait.prepare();
		for (const [item, status] of read.entries()) {
			const outcome = ['completed', 'cancelled'].includes(status) ? status : 'timedOut';
			if (all[item].state.is === 'ready') {
				const json = { id: items[item] as string, name: 'Name', status, outcome };
				all[item].state = { is: 'done', items: [json] };
			}
		}
		await inFakeTime(wait.after());
	};
	const states = () => all.map(({ state }) => state);
	const output = () => states().map((state) => (state.is === 'done' ? state.items[0] : state));
	const sent = (method = '') =>
		made.requests
			.map((one) => `${one.method} ${one.url.split('/campaigns/')[1]}`)
			.filter((one) => one.startsWith(method));
	return { ...made, wait, after, states, all, output, sent, startedAt };
}

const asItems = (output: unknown[]): INodeExecutionData[] =>
	output.map((json, item) => ({ json: json as IDataObject, pairedItem: { item } }));

describe('By event', () => {
	test('all items fail, and nothing is sent, if n8n does not answer at the address of waiting executions', async () => {
		const { wait, states, all, requests } = waiting({ others: [cut], items: ['a', failure, 'b'] });
		await wait.prepare();
		expect(states()).toMatchObject([
			{ error: { code: 'NO_ANSWER', advice: expect.stringContaining('Or set Wait By to Polling.') } },
			failedBy(failure),
			{ error: { code: 'NO_ANSWER' } },
		]);
		expect(all.every(({ state }) => isFailed(state))).toBe(true);
		expect(requests).toEqual([]);
	});

	test('all items fail if the service cannot deliver to the address of waiting executions', async () => {
		const { wait, states, messages } = waiting({
			resumeUrl: 'http://localhost:5678/webhook-waiting/77',
			items: ['a'],
		});
		await wait.prepare();
		const advice = expect.stringMatching(/WEBHOOK_URL.*Or set Wait By to Polling\.$/);
		expect([states(), messages]).toMatchObject([[{ error: { code: 'WEBHOOK_URL_NOT_PUBLIC', advice } }], []]);
	});

	test('without an item that could be read, nothing is sent', async () => {
		const { wait, after, requests, messages, waits } = waiting({ items: [failure] });
		await after();
		await wait.finish([], { hints: [], hintsAtEnd: [] });
		expect([requests, messages, waits]).toEqual([[], [], []]);
	});

	test('a campaign that was not read gets no webhook, and one that is paused a hint', async () => {
		const { after, states, sent, run } = waiting({ items: ['a', 'b'] });
		await after('paused');
		expect(sent('POST')).toEqual(['POST a/webhooks']);
		expect(states()[1]).toEqual({ is: 'ready' });
		expect([...run.hints]).toEqual([expect.stringContaining('Campaign "Name" is paused')]);
	});

	test('each campaign that has not ended gets one webhook, and the execution sleeps until its time is up', async () => {
		const { wait, after, output, sent, context, waits, executeData, startedAt, run } = waiting({
			items: ['a', 'b', 'a', 'c', failure],
			local: { timeLimit: 2 * HOUR },
		});
		await after('active', 'completed', 'active', 'draft');
		expect(sent()).toEqual([
			'GET a/webhooks',
			'POST a/webhooks',
			'GET a',
			'GET c/webhooks',
			'POST c/webhooks',
			'GET c',
		]);
		const items = asItems(output());
		items[4] = { json: { result: 'failed' }, pairedItem: { item: 4 } };
		Object.defineProperty(items[4], 'error', { value: failure, enumerable: false });
		await wait.finish(items, { hints: [], hintsAtEnd: [] });
		expect(context.waiting).toEqual({
			run: 0,
			until: startedAt + 2 * HOUR,
			hints: [],
			hintsAtEnd: [],
			campaigns: [
				{ id: 'a', webhookId: 'hook-a', items: [0, 2] },
				{ id: 'c', webhookId: 'hook-c', items: [3] },
			],
		});
		expect(waits).toEqual([new Date(startedAt + 2 * HOUR + 120_000)]);
		// What n8n outputs if it ends the wait itself.
		const [stored] = (executeData.data as { main: INodeExecutionData[][] }).main;
		expect(stored.map(({ json }) => json)).toMatchObject([
			{ id: 'a', outcome: 'timedOut', stats: { total_calls: 1 } },
			{ id: 'b', outcome: 'completed' },
			{ id: 'a', outcome: 'timedOut' },
			{ id: 'c', outcome: 'timedOut' },
			{ error: { result: 'failed' } },
		]);
		expect([...run.hints]).toEqual([expect.stringContaining('Campaign "Name" is a draft')]);
	});

	test('a campaign that ends before its webhook is there is not awaited, and the webhook goes', async () => {
		const { wait, after, output, sent, waits } = waiting({ items: ['a'], statuses: { a: ['completed'] } });
		await after('active');
		await wait.finish(asItems(output()), { hints: [], hintsAtEnd: [] });
		expect(output()).toMatchObject([{ id: 'a', status: 'completed', outcome: 'completed' }]);
		expect(sent().at(-1)).toBe('DELETE a/webhooks/hook-a');
		expect(waits).toEqual([]);
	});

	test.each([
		[true, 'the others are awaited', []],
		[false, 'no webhook stays', ['DELETE a/webhooks/hook-a', 'DELETE c/webhooks/hook-c']],
	])(
		'if one webhook cannot be created, its items fail; with On Error set to continue (%s) %s',
		async (goesOn, _what, gone) => {
			const { after, states, sent } = waiting({
				items: ['a', 'b', 'c', 'b'],
				continueOnFail: goesOn,
				answer: ({ method, url }) => (method === 'POST' && url.includes('/b/') ? { status: 422 } : undefined),
			});
			await after('active', 'active', 'active', 'active');
			expect(states().map(isFailed)).toEqual([false, true, false, true]);
			expect(sent('DELETE')).toEqual(gone);
		},
	);

	test('a run that is canceled before sends nothing', async () => {
		const { after, sent } = waiting({ isCanceled: () => true });
		await after('active', 'active', 'active');
		expect(sent()).toEqual([]);
	});

	test('a canceled run leaves no webhook', async () => {
		let canceled = false;
		const { after, sent } = waiting({
			isCanceled: () => canceled,
			answer: ({ method, url }) => {
				canceled ||= method === 'POST' && url.includes('/b/');
				return undefined;
			},
		});
		await after('active', 'active', 'active');
		expect(sent('DELETE')).toEqual(['DELETE a/webhooks/hook-a', 'DELETE b/webhooks/hook-b']);
	});
});

describe('If the node chooses how to wait,', () => {
	const automatic = { waitBy: 'automatic', timeLimit: HOUR };
	const why = (text: string) => [
		expect.stringMatching(
			new RegExp(`^The node polls\\. ${text}.* Polling finds the end of a campaign up to one Poll`),
		),
	];

	test('it polls where n8n does not answer at the address of waiting executions', async () => {
		const statuses = { a: ['active', 'completed'] };
		const { wait, after, output, sent, run, waits } = waiting({
			local: automatic,
			others: [cut],
			items: ['a'],
			statuses,
		});
		await after('active');
		await wait.finish(asItems(output()), { hints: [], hintsAtEnd: [] });
		expect([sent(), waits, [...run.hints]]).toEqual([['GET a', 'GET a'], [], why('No event would end the wait')]);
	});

	test('it polls where a webhook cannot be created, and leaves none', async () => {
		const { wait, after, output, sent, run, waits } = waiting({
			local: automatic,
			statuses: { a: ['active', 'completed'], b: ['completed'] },
			answer: ({ method, url }) => (method === 'POST' && url.includes('/b/') ? { status: 422 } : undefined),
		});
		await after('active', 'active', 'active');
		await wait.finish(asItems(output()), { hints: [], hintsAtEnd: [] });
		expect(output().map((one) => (one as IDataObject).outcome)).toEqual(['completed', 'completed', 'completed']);
		expect([sent('DELETE'), waits, [...run.hints]]).toEqual([['DELETE a/webhooks/hook-a'], [], why('The service')]);
	});

	test('it does not poll for a campaign that is gone', async () => {
		const gone: Answer = { status: 404, body: { success: false, message: 'Campaign not found' } };
		const { after, states, sent, run } = waiting({
			local: automatic,
			answer: ({ url }) => (url.includes('/b/') ? gone : undefined),
		});
		await after('active', 'active', 'active');
		expect(states()[1]).toMatchObject({ error: { code: 'CAMPAIGN_NOT_FOUND' } });
		expect([sent('DELETE'), sent('POST'), [...run.hints]]).toEqual([[], ['POST a/webhooks'], []]);
	});
});

describe('By polling', () => {
	test('each campaign is read at each interval until it has ended', async () => {
		const { wait, after, output, sent, waits, startedAt } = waiting({
			local: { waitBy: 'polling', pollInterval: 30 },
			statuses: { a: ['active', 'completed'], b: ['paused', 'active', 'cancelled'] },
		});
		await after('active', 'active', 'active');
		expect(sent()).toEqual(['GET a', 'GET b', 'GET a', 'GET b', 'GET b']);
		expect(Date.now() - startedAt).toBe(90_000);
		expect(output()).toMatchObject([
			{ id: 'a', outcome: 'completed' },
			{ id: 'b', outcome: 'cancelled' },
			{ id: 'a', outcome: 'completed' },
		]);
		await wait.finish(asItems(output()), { hints: [], hintsAtEnd: [] });
		expect(waits).toEqual([]);
	});

	test('an error of the service is a hint, unless the run is canceled; the next interval asks again', async () => {
		for (const isCanceled of [false, true]) {
			let reads = 0;
			const { after, output, run, startedAt } = waiting({
				items: ['a'],
				local: { waitBy: 'polling', timeLimit: HOUR, pollInterval: 30 },
				statuses: { a: ['completed'] },
				answer: () => (++reads === 1 ? { status: 403, body: { message: 'Not now' } } : undefined),
				isCanceled: () => isCanceled && reads > 0,
			});
			await after('active');
			const hint = expect.stringMatching(/could not be asked about the campaigns for a while: .*Not now/);
			expect([...run.hints]).toEqual(isCanceled ? [] : [hint]);
			expect(output()).toMatchObject([{ outcome: isCanceled ? 'timedOut' : 'completed' }]);
			expect(Date.now() - startedAt).toBe(isCanceled ? 30_000 : 60_000);
		}
	});

	test('without another interval it asks each minute; what goes on in the end has timed out, with its latest statistics', async () => {
		const local = { waitBy: 'polling', timeLimit: HOUR / 10 };
		const { after, output, startedAt, sent } = waiting({ items: ['a'], local });
		await after('active');
		expect(Date.now() - startedAt).toBe(HOUR / 10);
		expect(sent()).toHaveLength(6);
		expect(output()).toMatchObject([{ id: 'a', name: 'A', outcome: 'timedOut', stats: { total_calls: 1 } }]);
	});
});
