import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { hasText, newestOf } from '../../../sandbox/control/pages.mts';
import { asList, asText, type Json, type SandboxClient, startClient } from '../client.mts';
import { activeCampaign, queue, webhookOn } from '../objects.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';
import { act, place } from './calls.mts';

const run = promisify(execFile);

describe('lists with pages', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient({ speed: 0 });
	});
	afterEach(() => service.close());

	/** All items of a list, page by page. */
	const walk = async (path: string, limit: number): Promise<{ ids: string[]; pages: number[]; totals: Json[] }> => {
		const [ids, pages, totals]: [string[], number[], Json[]] = [[], [], []];
		for (let before = ''; ; ) {
			const page = await service.control(`${path}limit=${limit}${before && `&before=${before}`}`);
			const items = asList(page.items).map(({ id }) => asText(id));
			ids.push(...items);
			pages.push(items.length);
			totals.push(page.total!);
			if (page.next === null) {
				return { ids, pages, totals };
			}
			before = asText(page.next);
		}
	};

	it('have each call once, newest first, also if new ones come between two pages', async () => {
		const all = asList(await service.control('calls')).map(({ id }) => asText(id));
		expect(await walk('calls?', 7)).toEqual({
			ids: all.toReversed(),
			pages: [7, 7, 7, 7, 2],
			totals: [30, 30, 30, 30, 30],
		});
		expect((await walk('calls?', 30)).pages).toEqual([30]);
		const first = await service.control('calls?limit=10');
		await place(service, '+12025550001');
		const second = await service.control(`calls?limit=10&before=${asText(first.next)}`);
		expect(asList(second.items).map(({ id }) => id)).toEqual(all.toReversed().slice(10, 20));
	});

	it('have the calls that are asked for', async () => {
		const campaign = await activeCampaign(service);
		const { id: queued } = await queue(service, campaign, '+12025550002', { payload: { name: 'Grace Hopper' } });
		const own = await place(service, '+12025550001', { context: { order: 'A-77' } });
		await service.advance(5);
		const found = async (query: string) => asList((await service.control(`calls?${query}`)).items);
		expect((await found('active=true')).map(({ id }) => id)).toEqual([own]);
		expect((await found('status=busy&limit=1')).map(({ campaign_call_id }) => campaign_call_id)).toEqual([queued]);
		expect((await found(`campaignId=${campaign}`)).map(({ campaign_id }) => campaign_id)).toEqual([campaign]);
		expect(await found('direction=inbound')).toEqual([]);
		expect(await found(`agentId=${service.seed.agents.draft}`)).toEqual([]);
		for (const [text, id] of [
			['grace h', queued],
			['a-77', own],
			[asText(queued).toUpperCase(), queued],
		] as Array<[string, Json]>) {
			const hits = await found(`q=${encodeURIComponent(text)}`);
			expect(hits.map((hit) => (hit.campaign_call_id === null ? hit.id : hit.campaign_call_id))).toEqual([id]);
		}
		expect((await found('q=busy')).every(({ status }) => asText(status) === 'busy')).toBe(true);
		expect((await service.control('calls?q=busy&limit=2')).total).toBeNull();
	});

	it('have the deliveries that are asked for', async () => {
		const receiver = await startWebhookReceiver();
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url);
		const call = await queue(service, service.seed.campaigns.active, '+12025550001', { context: { order: 'Ärger' } });
		await service.advance(100);
		const { ids, totals } = await walk('deliveries?', 2);
		expect([new Set(ids).size, totals[0]]).toEqual([6, 6]);
		const found = async (query: string) => asList((await service.control(`deliveries?${query}`)).items);
		expect(await found(`callId=${asText(call.id)}`)).toHaveLength(6);
		expect(await found(`webhookId=${webhook}&event=event_recording`)).toHaveLength(1);
		expect(await found('status=failed')).toEqual([]);
		expect(await found(`q=${encodeURIComponent('ärger')}`)).toHaveLength(6);
		expect(await found('webhookId=other')).toEqual([]);
		receiver.close();
	});

	it('have the requests that are asked for, with the rejected fields', async () => {
		const agent = service.seed.agents.published;
		await service.api('GET', '/agents?search=am');
		await service.api('POST', `/agents/${agent}/call`, { to: 'me' });
		await service.api('POST', `/agents/${agent}/call`, { to: '+12025550001', delay_seconds: -1 });
		await service.api('POST', '/campaigns', { name: '' });
		await service.api('GET', '/agents', undefined, null);
		await service.api('GET', '/nothing');
		const found = async (query: string) => asList((await service.control(`requests?${query}`)).items);
		expect((await found('status=4xx')).map(({ status, rejected }) => [status, Object.keys(rejected!.fields!)])).toEqual(
			[
				[404, []],
				[401, []],
				[422, expect.arrayContaining(['name', 'agent_id', 'days_of_week'])],
				[422, ['delay_seconds']],
				[400, ['to']],
			],
		);
		expect((await found('status=400')).map(({ rejected }) => rejected!.message)).toEqual([
			'The phone number must be in international format.',
		]);
		expect(await found('method=get')).toHaveLength(3);
		expect(await found('path=/api/v1/agents')).toHaveLength(4);
		expect((await found('q=days_of_week')).map(({ path }) => path)).toEqual(['/api/v1/campaigns']);
		expect((await found('limit=10'))[0]).toMatchObject({
			...{ method: 'GET', path: '/api/v1/nothing', url: '/api/v1/nothing', status: 404 },
			...{ content_type: null, has_token: true, fault: null, duration_ms: expect.any(Number) },
		});
		expect((await walk('requests?', 4)).pages).toEqual([4, 2]);
		expect((await service.controlResponse('GET', 'requests/none')).status).toBe(404);
	});

	it('are refused for a wrong query', async () => {
		for (const [path, field] of [
			['calls?limit=0', 'limit'],
			['calls?limit=501', 'limit'],
			['calls?status=lost', 'status'],
			['calls?other=1', 'other'],
			['deliveries?status=lost', 'status'],
			['requests?status=9', 'status'],
			['requests?limit=x', 'limit'],
		] as const) {
			const { status, data } = await service.controlResponse('GET', path);
			expect([path, status, Object.keys(data.errors ?? {})]).toEqual([path, 422, [field]]);
		}
	});

	it('have a command that sends a request again, with a placeholder for the token', async () => {
		await service.control('mode', { calls: 'manual' });
		const context = { text: `it's "quoted" $HOME \`id\` !! \\n %s\nline two\r\n\tGrüße 😀 ${"'".repeat(3)}` };
		const agent = service.seed.agents.published;
		const query = `x=${encodeURIComponent("'")}&ids[]={1,2}&range=[1-3]`;
		await service.api('POST', `/agents/${agent}/call?${query}`, { to: '+12025550001', context });
		const [listed] = asList((await service.control('requests?limit=1')).items);
		const { curl, body } = await service.control(`requests/${asText(listed!.id)}`);
		expect(body).toEqual({ to: '+12025550001', context });
		expect(asText(curl)).toContain('$TOKEN');
		await run('sh', ['-c', `${asText(curl)} -s -o /dev/null`], { env: { ...process.env, TOKEN: service.token } });
		const [again] = asList((await service.control('requests?limit=1')).items);
		expect(again).toMatchObject({
			...listed,
			id: expect.any(String),
			at: expect.any(String),
			duration_ms: expect.any(Number),
		});
		expect(again!.id).not.toBe(listed!.id);
		expect((await service.control(`requests/${asText(again!.id)}`)).body).toEqual(body);
	});

	it('stay fast with 10,000 calls', async () => {
		const campaign = await activeCampaign(service);
		for (let count = 0; count < 10_000; count += 100) {
			const numbers = Array.from({ length: 100 }, (_, index) => `+1202${String(count + index).padStart(7, '0')}`);
			await Promise.all(numbers.map((to) => queue(service, campaign, to)));
		}
		await service.advance(100);
		const started = performance.now();
		const page = await service.control('calls?limit=50');
		const { id } = asList(page.items)[0]!;
		await service.control('calls?q=nothing-has-this');
		await service.control('requests?q=nothing-has-this');
		await service.control(`calls/${asText(id)}`);
		await service.control('status');
		expect(performance.now() - started).toBeLessThan(10_000);
		expect(page).toMatchObject({ total: 10_030, dropped: 0 });
		expect(asList(page.items)).toHaveLength(50);
	}, 120_000);

	it('search 50,000 deliveries in a moment', () => {
		const body = JSON.stringify({ text: 'x'.repeat(1000) });
		const entries = Array.from({ length: 50_000 }, (_, index) => ({ id: String(index), body }));
		const started = performance.now();
		const all = newestOf(
			entries,
			{ limit: 50 },
			() => true,
			({ id }) => id,
		);
		const none = newestOf(
			entries,
			{ limit: 50, q: 'Y' },
			(entry, text) => hasText(text, entry.body),
			({ id }) => id,
		);
		expect(performance.now() - started).toBeLessThan(10_000);
		expect([all.total, all.items[0], all.next, none.items]).toEqual([50_000, '49999', '49950', []]);
	});
});

describe('the status', () => {
	it('has time, speed, rate limit, credits and what there is', async () => {
		const startTime = Date.UTC(2030, 0, 7, 9);
		const service = await startClient({ speed: 0, startTime, rateLimit: 7, credits: 2, seed: 5 });
		await service.control('mode', { calls: 'manual', ringSeconds: 90 });
		await place(service, '+12025550001');
		await service.advance(1);
		expect(await service.control('status')).toMatchObject({
			now: '2030-01-07T09:00:01.000Z',
			speed: 0,
			start_speed: 0,
			next_event_at: '2030-01-07T09:01:31.000Z',
			mode: { calls: 'manual', ringSeconds: 90 },
			ring_seconds: 90,
			rate_limit: { limit: 7, used: 1, window_seconds: 60 },
			credits: 1,
			counts: { agents: 33, calls: 31, active_calls: 1, requests: 1, deliveries: 0, faults: 0 },
			dropped: { calls: 0, deliveries: 0, requests: 0 },
			seed: 5,
			state_file: null,
		});
		await service.control('credits', { credits: null });
		expect((await service.control('status')).credits).toBeNull();
		await service.control('credits', { credits: 0 });
		const response = await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
		expect(response.status).toBe(402);
		expect((await service.controlResponse('POST', 'credits', { credits: -1 })).status).toBe(422);
		expect((await service.controlResponse('POST', 'credits', {})).status).toBe(422);
		await service.close();
	});
});

describe('the clock', () => {
	it('goes to the next event, and to the one after it', async () => {
		const service = await startClient({ speed: 0, startTime: Date.UTC(2030, 0, 7, 9) });
		expect(await service.control('advance', { to: 'nextEvent' })).toEqual({
			success: true,
			now: '2030-01-07T09:00:00.000Z',
			advanced: false,
		});
		const id = await place(service, '+12025550002');
		const seen = [];
		while (seen.length < 3) {
			const { now, advanced } = await service.control('advance', { to: 'nextEvent' });
			seen.push([asText(now).slice(17, 19), advanced, (await service.control(`calls/${id}`)).status]);
		}
		expect(seen).toEqual([
			['01', true, 'ringing'],
			['03', true, 'busy'],
			['03', false, 'busy'],
		]);
		for (const body of [{}, { to: 'tomorrow' }, { seconds: -1 }, { seconds: 1e15 }]) {
			expect((await service.controlResponse('POST', 'advance', body)).status).toBe(422);
		}
		await service.close();
	});

	it('runs faster, stands still, and runs again, without a jump', async () => {
		const service = await startClient({ speed: 0, startTime: Date.UTC(2030, 0, 7, 9) });
		const now = async () => Date.parse(asText((await service.control('status')).now));
		const id = await place(service, '+12025550001');
		const start = await now();
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(await now()).toBe(start);
		await service.control('clock', { speed: 1000 });
		while (asText((await service.control(`calls/${id}`)).status) !== 'completed') {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		const { now: stopped } = await service.control('clock', { speed: 0 });
		expect(Date.parse(asText(stopped)) - start).toBeGreaterThanOrEqual(35_000);
		expect(await now()).toBe(Date.parse(asText(stopped)));
		for (const speed of [-1, 1_000_001, 'fast', null]) {
			expect((await service.controlResponse('POST', 'clock', { speed })).status).toBe(422);
		}
		await service.close();
	});
});

describe('faults', () => {
	it('can be listed and removed, one or all', async () => {
		const service = await startClient();
		const ids = [];
		for (const status of [500, 502, 503]) {
			ids.push(asText((await service.control('faults', { kind: 'status', status, times: 2 })).id));
		}
		await service.api('GET', '/agents');
		expect(await service.control('faults')).toMatchObject([
			{ id: ids[0], status: 500, times: 1 },
			{ status: 502, times: 2 },
			{ status: 503 },
		]);
		expect((await service.controlResponse('DELETE', `faults/${ids[0]}`)).status).toBe(200);
		expect((await service.controlResponse('DELETE', `faults/${ids[0]}`)).status).toBe(404);
		expect((await service.api('GET', '/agents')).status).toBe(502);
		await service.controlResponse('DELETE', 'faults');
		expect([await service.control('faults'), (await service.api('GET', '/agents')).status]).toEqual([[], 200]);
		await service.close();
	});
});

describe('objects', () => {
	it('are shown with what the service hides, and found by their names', async () => {
		const service = await startClient({ speed: 0, startTime: Date.UTC(2030, 0, 7, 9) });
		const { agents, campaigns, calendar } = service.seed;
		const agent = await service.control(`agents/${agents.published}`);
		expect(agent).toMatchObject({ name: 'Amelia', flow_config: null, conversation_mode: 'llm_driven' });
		expect(asList(agent.actions)).toMatchObject([{ name: 'book_appointment', node_id: 'book-appointment' }]);
		expect(asList(agent.campaigns)).toHaveLength(45);
		expect(asList(await service.control('agents'))[0]).toMatchObject({
			id: agents.published,
			actions: 1,
			trainings: 2,
		});
		for (const to of ['+12025550001', '+12025550002', '+12025550011']) {
			await queue(service, campaigns.active, to);
		}
		await service.advance(5);
		expect((await service.control(`campaigns/${campaigns.active}`)).progress).toEqual({
			total: 3,
			over: 0,
			statuses: { answered: 2, scheduled: 1 },
		});
		const calls = await service.control(`campaigns/${campaigns.active}/calls?limit=2`);
		expect(asList(calls.items).map(({ to, status }) => [to, status])).toEqual([
			['+12025550011', 'answered'],
			['+12025550002', 'scheduled'],
		]);
		const week = await service.control(`calendars/${calendar}?from=2030-01-08&to=2030-01-09&minutes=60`);
		expect(asList(week.events).map(({ title }) => title)).toEqual(['Product tour', 'Contract talk']);
		expect(asList(week.free).map(({ start_at }) => asText(start_at).slice(11, 13))).toEqual([
			'09',
			'11',
			'12',
			'13',
			'15',
			'16',
		]);
		for (const path of ['agents/x', 'campaigns/x', 'campaigns/x/calls', 'calendars/x']) {
			expect((await service.controlResponse('GET', path)).status).toBe(404);
		}
		expect((await service.controlResponse('GET', `calendars/${calendar}?to=2029-01-01`)).status).toBe(422);
		const hits = asList(await service.control('search?q=amel'));
		expect(hits.map(({ type, label }) => [type, label])).toEqual([['agent', 'Amelia']]);
		expect(asList(await service.control('search?q=2025550011')).map(({ type }) => type)).toEqual(['call']);
		expect(asList(await service.control('search?q=2025550123')).map(({ type }) => type)).toContain('phone-number');
		expect((await service.controlResponse('GET', 'search')).status).toBe(422);
		await act(service, asText(asList(calls.items)[0]!.id), 'hangUp');
		await service.close();
	});
});
