import { startReceiver } from '../../receiver.mts';
import { type Service, startService } from '../../service.mts';
import { runMixed } from './mixedItems.mts';
import { kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

let service: Service;
let receiver: string;
beforeAll(async () => {
	service = await startService();
	receiver = await startReceiver();
});
beforeEach(async () => await service.reset());

interface Report {
	checked: number;
	failed: number;
	redelivered: number;
	notRetriable: number;
	alreadyRedelivered: number;
	outcomeUnknown: number;
	left: number;
	from: string;
	deliveries: Array<{ logId: string; event: string; result: string; newLogId?: string; message?: string }>;
}

describe.each(kinds)('Catch Up: $owner', (kind) => {
	const { events } = kind;
	const hooks = () => new Webhooks(service, kind);
	const catchUp = (more = {}) => hooks().parameters('catchUp', more);
	const retries = async () => (await service.requests('POST', '/retry')).length;

	/** Makes a webhook that missed `count` events, of these types in turn, and then responds with status `back`. */
	const missed = async (count: number, { back = 200, every = [events[0]] as string[] } = {}) => {
		const id = await hooks().make(`${receiver}/500`);
		for (let n = 0; n < count; n++) {
			await service.deliver({ webhookId: id, event: every[n % every.length] });
		}
		await hooks().update(id, { webhook_url: `${receiver}/${back}` });
		return id;
	};

	/** Runs Catch Up for one webhook. @param kept the static data that n8n stored in earlier runs */
	const run = async (
		id: string,
		{ kept = {}, ...more }: { kept?: object } & Record<string, unknown> = {},
	): Promise<Report> => {
		const { outputs, run: whole } = await service.run(catchUp(more), [{ id }], { staticData: kept as never });
		expect(whole.error).toBeUndefined();
		return outputs[0]?.[0]?.json as unknown as Report;
	};

	/** The events that the webhook has received. */
	const received = async (id: string) => (await hooks().log(id)).filter(({ status }) => status === 'success');

	test('redelivers what the webhook of each item missed, oldest first', async () => {
		const ids = [await missed(3, { every: events }), await missed(1)];
		const arrived = await hooks().make(`${receiver}/200`);
		await service.deliver({ webhookId: arrived, event: events[0] });
		const { good, requests } = await runMixed(service, catchUp(), {
			good: [...ids, arrived].map((id) => ({ id })),
			refused: { id: NOWHERE },
			wrong: { id: '' },
			code: 'NOT_FOUND',
		});
		expect(good).toMatchObject([
			[
				{
					webhookId: ids[0],
					checked: 3,
					failed: 3,
					redelivered: 3,
					notRetriable: 0,
					alreadyRedelivered: 0,
					outcomeUnknown: 0,
					left: 0,
				},
			],
			[{ webhookId: ids[1], checked: 1, failed: 1, redelivered: 1 }],
			[{ webhookId: arrived, checked: 1, failed: 0, redelivered: 0, deliveries: [] }],
		]);
		const [{ deliveries }] = good[0] as unknown as [Report];
		expect(deliveries.map(({ event, result }) => [event, result])).toEqual(
			[events[0], events[1], events[0]].map((event) => [event, 'redelivered']),
		);
		expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(4);
		expect(await received(String(ids[0]))).toHaveLength(3);
		const log = await hooks().log(String(ids[0]));
		for (const { logId, newLogId } of deliveries) {
			expect(log.find(({ id }) => id === logId)).toMatchObject({ status: 'failed' });
			expect(log.find(({ id }) => id === newLogId)).toMatchObject({ status: 'success' });
		}
	});

	test('redelivers no event twice', async () => {
		const id = await missed(3);
		const kept = {};
		expect(await run(id, { kept })).toMatchObject({ failed: 3, redelivered: 3 });
		expect(await run(id, { kept })).toMatchObject({
			checked: 6,
			failed: 3,
			redelivered: 0,
			alreadyRedelivered: 3,
			deliveries: [],
		});
		// Without static data, the log still shows that there was a later attempt.
		expect(await run(id)).toMatchObject({ checked: 6, failed: 0, redelivered: 0 });
		expect(await retries()).toBe(3);
	});

	test('redelivers an event once after all its attempts failed', async () => {
		const id = await hooks().make(`${receiver}/500`, { max_retries: 3 });
		if (kind.owner === 'campaign') {
			for (let n = 0; n < 2; n++) {
				await service.api('POST', hooks().path(id, 'test'));
			}
			await service.advance(500);
		} else {
			// The test event of an agent webhook has as many attempts as a real one, without delay.
			for (let n = 0; n < 2; n++) {
				await service.api('POST', hooks().path(id, 'test'));
			}
		}
		expect(await hooks().log(id)).toHaveLength(8);
		await hooks().update(id, { webhook_url: `${receiver}/200` });
		expect(await run(id)).toMatchObject({ checked: 8, failed: 2, redelivered: 2 });
		expect(await received(id)).toHaveLength(2);
		expect(await run(id)).toMatchObject({ failed: 0 });
	});

	test('does not redeliver what the service will retry', async () => {
		const id = await hooks().make(`${receiver}/500`, { max_retries: 3 });
		const call =
			kind.owner === 'campaign'
				? `campaigns/${service.seed.campaigns.active}/call`
				: `agents/${service.seed.agents.published}/call`;
		await hooks().update(id, {
			events: kind.owner === 'campaign' ? ['campaign_call.queued'] : ['event_phone_call_started'],
		});
		await service.api('POST', call, { to: '+12025550001' });
		await service.advance(1);
		expect((await hooks().log(id)).map(({ status }) => status)).toEqual(['retrying']);
		expect(await run(id)).toMatchObject({ checked: 1, failed: 0, redelivered: 0 });
		expect(await retries()).toBe(0);
	});

	test('a failed redelivery is redelivered by the next run, instead of the original attempt', async () => {
		const id = await missed(1, { back: 500 });
		const kept = {};
		const first = await run(id, { kept });
		const second = await run(id, { kept });
		expect(second).toMatchObject({ checked: 2, failed: 2, redelivered: 1, alreadyRedelivered: 1 });
		expect(second.deliveries[0]?.logId).toBe(first.deliveries[0]?.newLogId);
		await hooks().update(id, { webhook_url: `${receiver}/200` });
		expect(await run(id, { kept })).toMatchObject({ redelivered: 1 });
		expect(await run(id, { kept })).toMatchObject({ redelivered: 0, failed: 3, alreadyRedelivered: 3 });
	});

	test('redeliveries do not change the time of an event', async () => {
		const id = await missed(1, { back: 500 });
		const kept = {};
		const { from } = await run(id, { kept });
		expect(Date.parse(from)).toBeLessThan(Date.now() - 86_300_000);
		await service.advance(3600);
		await service.deliver({ webhookId: id, event: events[0] });
		const later = new Date(Date.now() + 1800_000).toISOString();
		expect(await run(id, { kept, filters: { since: later } })).toMatchObject({ checked: 1, failed: 1, redelivered: 1 });
		expect(await run(id, { kept, filters: { since: later } })).toMatchObject({
			checked: 2,
			redelivered: 1,
			alreadyRedelivered: 1,
		});
	});

	test('looks back as far as Since, by default 24 hours', async () => {
		const id = await missed(2);
		const soon = new Date(Date.now() + 60_000).toISOString();
		expect(await run(id, { filters: { since: soon } })).toMatchObject({ checked: 0, failed: 0, from: soon });
		expect(await run(id, { filters: { since: '={{ $now.minus(1, "hour") }}' } })).toMatchObject({
			checked: 2,
			redelivered: 2,
		});
	});

	test.each(['soon', '2026-02-30', '03/04/2026'])('an invalid time (%s) fails without a request', async (since) => {
		const { run: whole } = await service.run(catchUp({ filters: { since } }), [{ id: NOWHERE }]);
		expect(whole.error?.message).toContain("'Since' cannot be");
		expect(await service.requests()).toEqual([]);
	});

	test('applies the event filter and the maximum of redeliveries; the next run continues', async () => {
		const id = await missed(5, { every: events });
		const kept = {};
		const only = { filters: { events: [events[0]] }, options: { maxRedeliveries: 2 } };
		const first = await run(id, { kept, ...only });
		expect(first).toMatchObject({ checked: 3, failed: 3, redelivered: 2, left: 1 });
		expect(first.deliveries.map(({ event, result }) => [event, result])).toEqual(
			['redelivered', 'redelivered', 'left'].map((result) => [events[0], result]),
		);
		expect(await run(id, { kept, ...only })).toMatchObject({
			failed: 3,
			redelivered: 1,
			left: 0,
			alreadyRedelivered: 2,
		});
		expect(await run(id, { kept })).toMatchObject({ failed: 5, redelivered: 2, alreadyRedelivered: 3 });
		expect((await received(id)).map(({ event }) => event).sort()).toEqual(
			[events[0], events[0], events[0], events[1], events[1]].sort(),
		);
	});

	test('a dry run reports what it would redeliver', async () => {
		const id = await missed(2);
		const kept = {};
		const { deliveries, ...report } = await run(id, { kept, options: { dryRun: true } });
		expect(report).toMatchObject({ checked: 2, failed: 2, redelivered: 0 });
		expect(deliveries.map(({ result }) => result)).toEqual(['wouldBeRedelivered', 'wouldBeRedelivered']);
		expect(await retries()).toBe(0);
		expect(await run(id, { kept })).toMatchObject({ redelivered: 2 });
	});

	test('reads a log of several pages in any order', async () => {
		const id = await missed(130);
		expect(await run(id)).toMatchObject({ checked: 130, failed: 130, redelivered: 130 });
		expect(await run(id)).toMatchObject({ checked: 260, failed: 0 });
	});

	test('reads the whole log, whose order the service does not document', async () => {
		const id = await missed(320);
		await service.advance(3600);
		await service.deliver({ webhookId: id, event: events[0] });
		await hooks().update(id, { webhook_url: `${receiver}/500` });
		await service.deliver({ webhookId: id, event: events[0] });
		const since = new Date(Date.now() + 1800_000).toISOString();
		const { length } = await service.requests('GET', '/logs');
		expect(await run(id, { filters: { since }, options: { dryRun: true } })).toMatchObject({ checked: 2, failed: 1 });
		expect((await service.requests('GET', '/logs')).length - length).toBe(4);
	});

	test('redelivers what it can see, then fails, if the service shows only a part of the log', async () => {
		const id = await missed(2);
		await hooks().showFirstPageAgain(id);
		const { outputs } = await service.run(catchUp(), [{ id }], {
			node: { onError: 'continueRegularOutput' },
			staticData: {},
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			result: 'failed',
			code: 'UNREADABLE_ANSWER',
			message: expect.stringContaining('only a part of the log'),
			checked: 2,
			redelivered: 2,
		});
		expect(await received(id)).toHaveLength(2);
	});

	test('counts what the service does not redeliver, and sends no redelivery for a disabled webhook', async () => {
		const id = await missed(2);
		await service.fault({
			match: { method: 'POST' },
			kind: 'status',
			status: 422,
			body: { success: false, message: 'Too old.', code: 'LOG_NOT_RETRIABLE' },
		});
		const kept = {};
		const report = await run(id, { kept });
		expect(report).toMatchObject({ failed: 2, redelivered: 1, notRetriable: 1 });
		expect(report.deliveries[0]).toMatchObject({
			result: 'notRetriable',
			message: expect.stringContaining('Too old.'),
		});
		await hooks().update(id, { enabled: false });
		const before = await retries();
		expect(await run(id, { kept })).toMatchObject({
			failed: 2,
			redelivered: 0,
			notRetriable: 1,
			alreadyRedelivered: 1,
		});
		expect(await retries()).toBe(before);
		// Once the webhook is enabled, the event is redelivered.
		await hooks().update(id, { enabled: true });
		expect(await run(id, { kept })).toMatchObject({ redelivered: 1 });
	});

	test.each([
		['drop-before', 1],
		['drop-after', 0],
	] as const)(
		'after an unclear outcome (%s), the next run sees in the log whether the event arrived',
		async (fault, again) => {
			const id = await missed(2);
			await service.fault({ match: { method: 'POST' }, kind: fault });
			const kept = {};
			const report = await run(id, { kept });
			expect(report).toMatchObject({ failed: 2, redelivered: 1, outcomeUnknown: 1 });
			expect(await run(id, { kept })).toMatchObject({ redelivered: again });
			expect(await received(id)).toHaveLength(2);
		},
	);

	test('items with the same webhook redeliver each event only once', async () => {
		const id = await missed(6);
		const { outputs } = await service.run(catchUp(), [{ id }, { id }, { id }], { staticData: {} });
		const reports = (outputs[0] ?? []).map(({ json }) => json as unknown as Report);
		expect(reports.map(({ redelivered }) => redelivered).reduce((sum, one) => sum + one, 0)).toBe(6);
		expect(await received(id)).toHaveLength(6);
	});

	test('the next run continues where an interrupted run stopped', async () => {
		const id = await missed(4);
		const kept = {};
		await service.fault({
			match: {
				method: 'POST',
				path: `/api/v1/${hooks().path(id, 'logs', (await hooks().log(id))[1]?.id ?? '', 'retry')}`,
			},
			kind: 'status',
			status: 401,
			body: { message: 'Unauthenticated.' },
		});
		const { run: stopped } = await service.run(catchUp(), [{ id }], { staticData: kept });
		expect(stopped.error?.message).toContain('token');
		expect(await received(id)).toHaveLength(2);
		expect(await run(id, { kept })).toMatchObject({ failed: 4, redelivered: 2, alreadyRedelivered: 2 });
		expect(await received(id)).toHaveLength(4);
	});

	test('a retry of the same run sends nothing twice', async () => {
		const id = await missed(3);
		await service.fault({
			match: {
				method: 'POST',
				path: `/api/v1/${hooks().path(id, 'logs', (await hooks().log(id))[0]?.id ?? '', 'retry')}`,
			},
			kind: 'status',
			status: 403,
		});
		const { run: whole } = await service.run(catchUp(), [{ id }], {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			staticData: {},
		});
		expect(whole.status).toBe('success');
		expect(await received(id)).toHaveLength(3);
	});
});
