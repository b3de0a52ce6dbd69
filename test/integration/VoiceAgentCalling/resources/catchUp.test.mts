import { startReceiver } from '../../receiver.mts';
import { goesOn, hintsOf, jsonOf, retried, useService } from '../../service.mts';
import { failed } from './items.mts';
import { kinds, NOWHERE, Webhooks } from './webhookKinds.mts';

const service = useService();
let receiver: string;
beforeAll(async () => void (receiver = await startReceiver()));

interface Report {
	redelivered: number;
	from: string;
	deliveries: Array<{ logId: string; event: string; result: string; newLogId?: string }>;
}

const hooks = new Webhooks(service, kinds[0]);
const { events } = kinds[0];
const catchUp = (more = {}) => hooks.parameters('catchUp', more);

/** Makes a webhook that missed `count` events, of these types in turn, and then responds. */
async function missed(count: number, every: string[] = events.slice(0, 1)): Promise<string> {
	const id = await hooks.make(`${receiver}/500`);
	for (let n = 0; n < count; n++) {
		await service.deliver({ webhookId: id, event: every[n % every.length] });
	}
	await hooks.update(id, { webhook_url: `${receiver}/200` });
	return id;
}

/** Runs Catch Up for one webhook. @param kept the static data that n8n stored in earlier runs */
async function run(id: string, { kept = {}, ...more }: { kept?: object } & Record<string, unknown> = {}) {
	const { outputs, run: whole } = await service.run(catchUp(more), [{ id }], { staticData: kept as never });
	expect(whole.error).toBeUndefined();
	return { ...(outputs[0]?.[0]?.json as unknown as Report), hints: hintsOf({ run: whole }) };
}

/** The events that the webhook has received. */
const received = async (id: string) => (await hooks.log(id)).filter(({ status }) => status === 'success');

describe('Catch Up', () => {
	test('redelivers what the webhook of each item missed, oldest first', async () => {
		const ids = [await missed(3, events), await missed(1)];
		const arrived = await hooks.make(`${receiver}/200`);
		await service.deliver({ webhookId: arrived, event: events[0] });
		const items = [...ids, arrived, NOWHERE, ''].map((id) => ({ id }));
		const results = jsonOf(await service.run(catchUp(), items, { node: goesOn }));
		const none = { notRetriable: 0, alreadyRedelivered: 0, outcomeUnknown: 0, left: 0 };
		expect(results).toMatchObject([
			{ webhookId: ids[0], checked: 3, failed: 3, redelivered: 3, ...none },
			{ webhookId: ids[1], checked: 1, failed: 1, redelivered: 1 },
			{ webhookId: arrived, checked: 1, failed: 0, redelivered: 0, deliveries: [] },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
		]);
		const [{ deliveries }] = results as unknown as [Report];
		expect(deliveries.map(({ event }) => event)).toEqual([events[0], events[1], events[0]]);
		expect(await service.requests('POST', '/retry')).toHaveLength(4);
		expect(await received(ids[0])).toHaveLength(3);
		const log = await hooks.log(ids[0]);
		const statusOf = (wanted?: string) => log.find(({ id }) => id === wanted)?.status;
		expect(deliveries.map(({ logId, newLogId }) => [statusOf(logId), statusOf(newLogId)])).toEqual(
			Array(3).fill(['failed', 'success']),
		);
	});

	test('does not redeliver what the service will retry', async () => {
		const id = await hooks.make(`${receiver}/500`, { max_retries: 3, events: ['campaign_call.queued'] });
		await service.api('POST', hooks.path().replace('webhooks', 'call'), { to: '+12025550001' });
		await service.advance(1);
		expect((await hooks.log(id)).map(({ status }) => status)).toEqual(['retrying']);
		const { outputs } = await service.run(catchUp(), [{ id }]);
		expect(outputs[0]).toMatchObject([{ json: { checked: 1, failed: 0, redelivered: 0 } }]);
		expect(await service.requests('POST', '/retry')).toEqual([]);
	});

	test('redelivers no event twice, also if several items have its webhook', async () => {
		const id = await missed(3);
		const kept = {};
		const { outputs } = await service.run(catchUp(), [{ id }, { id }, { id }], { staticData: kept });
		expect(outputs[0]?.reduce((sum, { json }) => sum + Number(json.redelivered), 0)).toBe(3);
		const again = { checked: 6, failed: 3, redelivered: 0, alreadyRedelivered: 3, deliveries: [] };
		expect(await run(id, { kept })).toMatchObject(again);
		// Without static data, the log still shows that there was a later attempt.
		expect(await run(id)).toMatchObject({ checked: 6, failed: 0, redelivered: 0 });
		expect(await received(id)).toHaveLength(3);
	});

	test('looks back as far as Since, by default 24 hours, applies the filter and the maximum, also as a dry run; the next run goes on', async () => {
		const id = await missed(5, events);
		const since = new Date(Date.now() + 60_000).toISOString();
		const dry = await run(id, { options: { dryRun: true } });
		expect(dry).toMatchObject({
			failed: 5,
			redelivered: 0,
			deliveries: Array(5).fill({ result: 'wouldBeRedelivered' }),
			hints: [expect.stringMatching(/Dry run, nothing was sent.*5 would be sent again/)],
		});
		expect(await service.requests('POST', '/retry')).toEqual([]);
		expect(await run(id, { filters: { since } })).toMatchObject({
			checked: 0,
			from: since,
			hints: [expect.stringContaining('no failed event')],
		});
		const kept = {};
		const only = { filters: { events: [events[0]] }, options: { maxRedeliveries: 2 } };
		const { from, deliveries, ...first } = await run(id, { kept, ...only });
		expect(Math.abs(Date.parse(from) + 86_400_000 - Date.now())).toBeLessThan(60_000);
		expect(first).toMatchObject({
			checked: 3,
			failed: 3,
			redelivered: 2,
			left: 1,
			hints: [expect.stringMatching(/2 sent again.*1 left for the next run/)],
		});
		expect(deliveries.map(({ result }) => result)).toEqual(['redelivered', 'redelivered', 'left']);
		expect(await run(id, { kept, ...only })).toMatchObject({ redelivered: 1, left: 0, alreadyRedelivered: 2 });
		expect(await run(id, { kept })).toMatchObject({ failed: 5, redelivered: 2, alreadyRedelivered: 3 });
		expect(await received(id)).toHaveLength(5);
	});

	test('reads the whole log, whose order the service does not document', async () => {
		const id = await missed(110);
		await service.advance(3600);
		await service.deliver({ webhookId: id, event: events[0] });
		await hooks.update(id, { webhook_url: `${receiver}/500` });
		await service.deliver({ webhookId: id, event: events[0] });
		const since = new Date(Date.now() + 1800_000).toISOString();
		const { length } = await service.requests('GET', '/logs');
		expect(await run(id, { filters: { since }, options: { dryRun: true } })).toMatchObject({ checked: 2, failed: 1 });
		expect((await service.requests('GET', '/logs')).length - length).toBe(2);
	});

	test('redelivers what it can see, then fails, if the service shows only a part of the log', async () => {
		const id = await missed(2);
		const body = { success: true, data: await hooks.log(id), pagination: { current_page: 1, last_page: 2 } };
		await service.answer(`GET ${hooks.path(id, 'logs')}`, 200, body, 2);
		const { outputs } = await service.run(catchUp(), [{ id }], { node: goesOn, staticData: {} });
		const json = { result: 'failed', code: 'UNREADABLE_ANSWER', checked: 2, redelivered: 2 };
		expect(outputs[0]).toMatchObject([{ json }]);
		expect(await received(id)).toHaveLength(2);
	});

	test('counts what the service does not redeliver, and sends no redelivery for a disabled webhook', async () => {
		const id = await missed(2);
		const body = { success: false, message: 'Too old.', code: 'LOG_NOT_RETRIABLE' };
		await service.answer('POST', 422, body);
		const kept = {};
		const report = await run(id, { kept });
		expect(report).toMatchObject({ failed: 2, redelivered: 1, notRetriable: 1 });
		expect(report.deliveries[0]?.result).toBe('notRetriable');
		await hooks.update(id, { enabled: false });
		const { length } = await service.requests('POST', '/retry');
		const disabled = { failed: 2, redelivered: 0, notRetriable: 1, alreadyRedelivered: 1 };
		expect(await run(id, { kept })).toMatchObject(disabled);
		expect(await service.requests('POST', '/retry')).toHaveLength(length);
		await hooks.update(id, { enabled: true });
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
			expect(await run(id, { kept })).toMatchObject({ failed: 2, redelivered: 1, outcomeUnknown: 1 });
			expect(await run(id, { kept })).toMatchObject({ redelivered: again });
			expect(await received(id)).toHaveLength(2);
		},
	);

	/** Lets the service refuse to redeliver the entry of the log at a place. */
	const refuse = async (id: string, place: number, status: number) => {
		const path = `/api/v1/${hooks.path(id, 'logs', (await hooks.log(id))[place]?.id ?? '', 'retry')}`;
		await service.fault({ match: { method: 'POST', path }, kind: 'status', status });
	};

	test('the next run continues where an interrupted run stopped, and Retry On Fail sends nothing twice', async () => {
		const id = await missed(4);
		const kept = {};
		await refuse(id, 1, 401);
		const stopped = await service.run(catchUp(), [{ id }], { staticData: kept });
		expect([stopped.run.status, (await received(id)).length]).toEqual(['error', 2]);
		expect(await run(id, { kept })).toMatchObject({ failed: 4, redelivered: 2, alreadyRedelivered: 2 });
		const other = await missed(3);
		await refuse(other, 0, 403);
		const again = await service.run(catchUp(), [{ id: other }], { node: retried, staticData: {} });
		const arrived = [(await received(id)).length, (await received(other)).length];
		expect([again.run.status, arrived]).toEqual(['success', [4, 3]]);
	});
});
