import { harness } from '../../harness.mts';
import { hintsOf, startService, useService } from '../../service.mts';
import { failed } from './items.mts';

const service = useService();

const stop = { resource: 'call', operation: 'stopAllCalls' };
const three = [{ n: 1 }, { n: 2 }, { n: 3 }];

type Entry = { id: string; name: string; agent: { name: string } };
const listed = async (path: string) => (await service.api('GET', path)).body.data as Entry[];
const campaigns = async (status: string) => await listed(`campaigns?status=${status}&per_page=100`);
const inProgress = async () =>
	(await service.calls()).filter(({ status }) => ['initiated', 'ringing', 'answered'].includes(status));

/** The numbers of {@link threeCalls}. */
const NUMBERS = ['+12025550161', '+12025550162', '+12025550163'];

/** Three calls in progress: one of an agent, one of a campaign, and one that came in. */
async function threeCalls(): Promise<void> {
	await service.control('mode', { calls: 'manual' });
	await service.api('POST', `agents/${service.seed.agents.published}/call`, { to: NUMBERS[0] });
	await service.api('POST', `campaigns/${service.seed.campaigns.active}/call`, { to: NUMBERS[1] });
	await service.control('inbound', { to: '+12025550145', from: NUMBERS[2] });
	await service.advance(1);
	expect(await inProgress()).toHaveLength(3);
}

/** Runs the operation while its pauses pass quickly. @returns the JSON of its output items, and what n8n stores */
async function stopAll(options = {}, at = service) {
	const timer = setInterval(() => harness.passTime(1000), 50);
	try {
		const { outputs, run } = await at.run(stop, three, options);
		const links = new Set(outputs[0]?.map(({ pairedItem }) => JSON.stringify(pairedItem)));
		return { items: (outputs[0] ?? []).map(({ json }) => json), links, run, stored: JSON.stringify(run.stored) };
	} finally {
		clearInterval(timer);
		harness.restoreTime();
	}
}

/** Lets the service answer requests with a method and a path in this way, by default from now on. */
const answer = async (method: string, path: string, status: number, body: object, times = 1000) =>
	await service.fault({ match: { method, path: `/api/v1/${path}` }, kind: 'status', status, body, times });

/** What became of the calls. */
const callsIn = (items: Array<Record<string, unknown>>) =>
	items.flatMap(({ kind, result, code }) => (kind === 'call' ? [`${result} ${code}`.trimEnd()] : []));

describe('Stop All Calls', () => {
	test('pauses every active campaign and ends every call, once for all input items, and says whom it cut off', async () => {
		await threeCalls();
		const [active, paused] = [await campaigns('active'), await campaigns('paused')];
		expect(active.length).toBeGreaterThan(2);
		const { items, links, run } = await stopAll();
		const cutOff = NUMBERS.map((number, index) => {
			const [direction, agent] = index === 2 ? ['inbound', 'Iris'] : ['outbound', expect.any(String)];
			return expect.objectContaining({ result: 'ended', kind: 'call', number, direction, agent });
		});
		const stopped = active.map(({ id, name, agent }) =>
			expect.objectContaining({ result: 'paused', kind: 'campaign', id, name, agent: agent.name, code: '' }),
		);
		expect(items).toEqualInAnyOrder([...stopped, ...cutOff]);
		expect(links).toEqual(new Set(['{"item":0}']));
		expect(hintsOf({ run })).toEqual([
			expect.stringContaining(
				`${active.length} campaigns paused, 3 calls ended. Ended calls are over for good and count as completed.`,
			),
		]);
		expect(await service.requests('PATCH')).toHaveLength(active.length);
		expect(await service.requests('POST', 'end-call')).toHaveLength(3);
		expect([await inProgress(), await campaigns('active')]).toEqual([[], []]);
		expect(await campaigns('paused')).toHaveLength(paused.length + active.length);
		const again = await stopAll();
		expect(again.items).toEqual([]);
		expect(again.stored).toContain('no campaign is active, and no call in progress');
	});

	test('counts a call as ended whose end was lost on its way back, and looks again until a round finds nothing', async () => {
		await threeCalls();
		// The first round reads no call.
		await service.answer('GET calls', 500, undefined, 3);
		await service.fault({ match: { method: 'POST', path: '/api/v1/agents*' }, kind: 'drop-after', times: 1 });
		expect(callsIn((await stopAll()).items)).toEqual(['ended', 'ended', 'ended']);
		expect(await inProgress()).toEqual([]);
	});

	test('says of a call that ended by itself that it was over already', async () => {
		await threeCalls();
		const { body } = await service.api('GET', 'calls');
		const [call] = body.data as Array<{ id: string; agent: { id: string } }>;
		expect((await service.api('POST', `agents/${call?.agent.id}/end-call`, { call_sid: call?.id })).status).toBe(200);
		await service.answer('GET calls', 200, { ...body, data: [call] });
		expect(callsIn((await stopAll()).items).toSorted()).toEqual(['alreadyOver CALL_NOT_ACTIVE', 'ended', 'ended']);
	});

	test('looks again for a call that is listed a moment later, and counts a campaign as paused if the answer got lost', async () => {
		const { active } = service.seed.campaigns;
		const match = { method: 'PATCH', path: `/api/v1/campaigns/${active}/status` };
		await service.fault({ match, kind: 'drop-after', times: 4 });
		const { items } = await stopAll();
		expect(items.find(({ id }) => id === active)).toMatchObject({ result: 'paused', code: '' });
		await service.control('mode', { calls: 'manual' });
		await service.api('POST', `agents/${service.seed.agents.published}/call`, { to: NUMBERS[0] });
		const pagination = { current_page: 1, last_page: 1, per_page: 100, total: 0 };
		await answer('GET', 'calls', 200, { success: true, data: [], pagination }, 3);
		expect(callsIn((await stopAll()).items)).toEqual(['ended']);
	});

	test.each(['call-first-status-queued', 'answer-ids-numbers'])(
		'ends a call of a service with another status or other IDs: %s',
		async (variant) => {
			const other = await startService({ variants: [variant] });
			await other.control('mode', { calls: 'manual' });
			await other.api('POST', `agents/${other.seed.agents.published}/call`, { to: NUMBERS[0], delay_seconds: 600 });
			const { items } = await stopAll({}, other);
			expect(callsIn(items)).toEqual(['ended']);
		},
	);

	test('stops the others if the service refuses some, and puts what it still lists first, whatever it has answered', async () => {
		await threeCalls();
		const [refused, unchanged, ...others] = (await campaigns('active')).map(({ id }) => id);
		const kept = (await inProgress()).find(({ to }) => to === '+12025550145')?.id;
		const iris = (await listed('agents?search=Iris'))[0]?.id;
		await answer('PATCH', `campaigns/${refused}/status`, 403, { success: false, message: 'Not yours.' });
		const paused = { success: true, data: { id: unchanged, status: 'paused' } };
		await answer('PATCH', `campaigns/${unchanged}/status`, 200, paused);
		// The service says that the call is over, and still lists it.
		await answer('POST', `agents/${iris}/end-call`, 409, { success: false, code: 'CALL_NOT_ACTIVE' });
		const { items, stored } = await stopAll();
		expect(items.slice(0, 3)).toMatchObject([
			failed('FORBIDDEN', { kind: 'campaign', id: refused, message: expect.stringContaining('Not yours') }),
			failed('STILL_ACTIVE', { id: unchanged }),
			failed('CALL_NOT_ACTIVE', { kind: 'call', id: kept }),
		]);
		expect(await service.requests('PATCH', String(refused))).toHaveLength(1);
		expect(items.slice(3).map(({ result }) => result)).toEqual([...others.map(() => 'paused'), 'ended', 'ended']);
		expect((await inProgress()).map(({ id }) => id)).toEqual([kept]);
		expect((await campaigns('active')).map(({ id }) => id)).toEqual([refused, unchanged]);
		expect(stored).toContain(`Not everything is stopped: 3 of ${items.length} failed`);
	});

	test('fails if nothing can be read, as one item with On Error set to continue', async () => {
		const credentials = { credentials: service.credentials({ environmentToken: 'WRONG' }) };
		expect((await stopAll(credentials)).run.status).toBe('error');
		const { items } = await stopAll({ ...credentials, node: { onError: 'continueRegularOutput' } });
		expect(items).toMatchObject([{ result: 'failed', httpStatus: 401 }]);
	});
});
