import { Journal } from '../../../sandbox/world/journal.mts';
import { asList, asText, startClient } from '../client.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../objects.mts';
import { skipRealTime } from '../realTime.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';
import { statusesOf, timelineOf } from './calls.mts';

describe('what the sandbox shows', () => {
	it('has every call with its payload, context and the campaign call that it is an attempt of', async () => {
		const service = await startClient();
		const wishes = { payload: { name: 'Ada' }, context: { order: 7 } };
		const queued = await queue(service, service.seed.campaigns.active, '+12025550001', wishes);
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550011' });
		await service.advance(1);
		const calls = asList(await service.control('calls')).slice(30);
		expect(calls.sort((one, other) => asText(one.to).localeCompare(asText(other.to)))).toMatchObject([
			{ to: '+12025550001', campaign_call_id: queued.id, ...wishes },
			{ to: '+12025550011', campaign_call_id: null, payload: {}, context: {} },
		]);
		await service.close();
	});

	it('answers an unknown control route with 404, and takes POST without a body', async () => {
		const service = await startClient();
		expect((await fetch(`${service.url}/_sandbox/nothing`)).status).toBe(404);
		expect((await fetch(`${service.url}/_sandbox/reset`, { method: 'POST' })).status).toBe(200);
		expect((await fetch(`${service.url}/_sandbox/advance`, { method: 'POST' })).status).toBe(422);
		await service.close();
	});

	it('has every request of the service in order, with body and status, and no token', async () => {
		const service = await startClient();
		await service.api('GET', '/agents?search=am');
		await service.api('POST', '/campaigns', '{"a":');
		await service.api('GET', '/agents', undefined, null);
		await service.control('seed');
		const requests = await service.control('requests');
		expect(requests).toMatchObject([
			{ method: 'GET', path: '/api/v1/agents', query: { search: 'am' }, status: 200 },
			{ method: 'POST', path: '/api/v1/campaigns', body: '{"a":', status: 400 },
			{ method: 'GET', path: '/api/v1/agents', status: 401 },
		]);
		expect(JSON.stringify(requests)).not.toContain('TOKEN');
		await service.close();
	});

	it('remembers the latest 50,000 requests or deliveries, as long as they take up no more than 128 MB', () => {
		const journal = new Journal<{ index: number }>();
		for (let index = 0; index <= 50_000; index += 1) {
			journal.add({ index }, 10);
		}
		expect([journal.entries.length, journal.entries[0]!.index, journal.entries.at(-1)!.index, journal.dropped]).toEqual(
			[50_000, 1, 50_000, 1],
		);
		const large = { index: 50_001 };
		journal.add(large, 64 * 1024 * 1024);
		journal.grow(large, 128 * 1024 * 1024);
		expect([journal.entries, journal.dropped]).toEqual([[large], 50_001]);
	});

	it('shows how many requests are in flight, and the maximum since the start or the last reset', async () => {
		const service = await startClient();
		await service.control('faults', { kind: 'latency', ms: 2000, times: 3 });
		const answers = Promise.all([1, 2, 3].map(() => service.api('GET', '/agents')));
		while (Number((await service.control('load')).inFlight) < 3) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await answers;
		await service.api('GET', '/agents');
		expect(await service.control('load')).toEqual({ inFlight: 0, highest: 3 });
		await service.control('reset', {});
		expect(await service.control('load')).toEqual({ inFlight: 0, highest: 0 });
		await service.close();
	});

	it('has seeded objects whose ids are the same at every start', async () => {
		const [one, other] = [await startClient(), await startClient()];
		expect(one.seed).toEqual(other.seed);
		expect(one.url).not.toBe(other.url);
		for (const [status, id] of Object.entries(one.seed.campaigns)) {
			expect((await one.api('GET', `/campaigns/${id}`)).data.data.status).toBe(status);
		}
		await one.api('DELETE', `/campaigns/${one.seed.campaigns.draft}`);
		expect((await other.api('GET', `/campaigns/${other.seed.campaigns.draft}`)).status).toBe(200);
		await one.close();
		await other.close();
	});

	it('is in its initial state after a reset', async () => {
		const service = await startClient({ rateLimit: 8, credits: 1 });
		const receiver = await startWebhookReceiver();
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550001');
		await service.advance(5);
		const before = receiver.received.length;
		await service.control('faults', { kind: 'status', status: 500 });
		expect(await service.control('reset', {})).toEqual({ success: true });
		expect(await service.control('requests')).toEqual([]);
		expect(await service.control('deliveries')).toEqual([]);
		const { status, headers } = await service.api('GET', `/campaigns/${id}/webhooks/${webhook}`);
		expect([status, headers['x-ratelimit-remaining']]).toEqual([404, '7']);
		await service.advance(10_000);
		expect(receiver.received).toHaveLength(before);
		expect(await callsOf(service, id)).toEqual([]);
		receiver.close();
		await service.close();
	});
});

describe('a reset while a call is under way', () => {
	it('ends the call: it emits no further event', async () => {
		const service = await startClient({ speed: 1000, minimumStatusMs: 3000 });
		const receiver = await startWebhookReceiver();
		const id = await activeCampaign(service);
		await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550002');
		const ringing = async () =>
			asList(await service.control('calls')).some(({ status }) => asText(status) === 'ringing');
		while (!(await ringing())) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await service.control('reset', {});
		await new Promise((resolve) => setTimeout(resolve, 3200));
		expect(receiver.events()).toEqual(['campaign_call.queued', 'campaign_call.started']);
		receiver.close();
		await service.close();
	});
});

describe('the clock', () => {
	it('is advanced by /_sandbox/advance, which answers after all due work is done', async () => {
		const service = await startClient();
		const receiver = await startWebhookReceiver();
		const id = await activeCampaign(service, { max_retries: 2, retry_cooldown_hours: 24 });
		await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550002');
		await service.advance(100 * 3600);
		const times = receiver.received.map(({ body }) => Date.parse(asText(body.timestamp)));
		expect(times).toEqual([...times].sort());
		const tries = times.filter((_, index) => receiver.events()[index] === 'campaign_call.started');
		expect(tries.map((time) => Math.round((time - tries[0]!) / 3_600_000))).toEqual([0, 24, 48]);
		expect(receiver.events().at(-1)).toBe('campaign_call.failed');
		receiver.close();
		await service.close();
	});

	it('answers with the time that it shows, and refuses to go back', async () => {
		const service = await startClient();
		const { now } = await service.control('advance', { seconds: 86_400 });
		expect(Math.abs(Date.parse(asText(now)) - Date.now() - 86_400_000)).toBeLessThan(5000);
		expect(await service.control('advance', { seconds: -1 })).toMatchObject({ success: false });
		await service.close();
	});

	it('runs as fast as speed says, but a call stays at least 200 ms of real time in each status', async () => {
		const service = await startClient({ speed: 10_000, minimumStatusMs: 200 });
		const path = `/agents/${service.seed.agents.published}/call`;
		const started = Date.now();
		const { data } = await service.api('POST', path, { to: '+12025550001' });
		const statuses = async () => statusesOf(await timelineOf(service, asText(data.data.id))).map(([status]) => status);
		while (!(await statuses()).includes('completed')) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		const took = Date.now() - started;
		expect(await statuses()).toEqual(['initiated', 'ringing', 'answered', 'completed']);
		expect(took).toBeGreaterThanOrEqual(600);
		// With a speed of 1 the call would take longer.
		expect(took).toBeLessThan(10_000);
		await service.close();
	});

	it('keeps to the 200 ms in an advance', async () => {
		const service = await startClient({ minimumStatusMs: 200 });
		const started = Date.now();
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
		await service.advance(60);
		expect(Date.now() - started).toBeGreaterThanOrEqual(590);
		expect(asList((await service.api('GET', '/calls?search=0001')).data.data)[0]!.status).toBe('completed');
		await service.close();
	});

	it('goes on although the clock of the machine was set back during a call', async () => {
		const service = await startClient({ speed: 0 });
		skipRealTime(60_000);
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
		jest.restoreAllMocks();
		await service.advance(60);
		expect(asList((await service.api('GET', '/calls?search=0001')).data.data)[0]!.status).toBe('completed');
		await service.close();
	});
});
