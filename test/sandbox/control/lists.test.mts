import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { hasText, newestOf } from '../../../sandbox/control/pages.mts';
import { Journal } from '../../../sandbox/world/journal.mts';
import { timeInCopies } from '../../processorTime.mts';
import { asList, asText, changeState } from '../client.mts';
import { activeCampaign, queue } from '../objects.mts';
import { useService } from '../use.mts';
import { place } from './calls.mts';

const run = promisify(execFile);
const service = useService({ startTime: Date.UTC(2030, 0, 7, 9) });
const itemsOf = async (path: string) => asList((await service.control(path)).items);

describe('lists with pages', () => {
	/** All items of a list, page by page. */
	const walk = async (path: string, limit: number): Promise<{ ids: string[]; pages: number[] }> => {
		const [ids, pages]: [string[], number[]] = [[], []];
		for (let before = ''; ; ) {
			const page = await service.control(`${path}limit=${limit}${before && `&before=${before}`}`);
			const items = asList(page.items).map(({ id }) => asText(id));
			ids.push(...items);
			pages.push(items.length);
			if (page.next === null) {
				return { ids, pages };
			}
			before = asText(page.next);
		}
	};

	it('have each call once, newest first, also if new ones come between two pages', async () => {
		const all = asList(await service.control('calls')).map(({ id }) => asText(id));
		expect(await walk('calls?', 7)).toEqual({ ids: all.toReversed(), pages: [7, 7, 7, 7, 2] });
		expect((await walk('calls?', 30)).pages).toEqual([30]);
		const first = await service.control('calls?limit=10');
		await place(service, '+12025550001');
		const second = await itemsOf(`calls?limit=10&before=${asText(first.next)}`);
		expect(second.map(({ id }) => id)).toEqual(all.toReversed().slice(10, 20));
	});

	it('have the calls that are asked for', async () => {
		const campaign = await activeCampaign(service);
		const { id: queued } = await queue(service, campaign, '+12025550002', { payload: { name: 'Grace Hopper' } });
		const own = await place(service, '+12025550001', { context: { order: 'No. 77' } });
		await service.advance(5);
		const found = async (query: string) =>
			(await itemsOf(`calls?${query}`)).map(({ id, campaign_call_id }) => asText(campaign_call_id ?? id));
		for (const [query, ids] of [
			['active=true', [own]],
			['status=busy&limit=1', [queued]],
			[`campaignId=${campaign}`, [queued]],
			['direction=inbound', []],
			[`agentId=${service.seed.agents.draft}`, []],
			['q=grace%20h', [queued]],
			['q=no.%2077', [own]],
			[`q=${asText(queued).toUpperCase()}`, [queued]],
		] as Array<[string, unknown[]]>) {
			expect([query, await found(query)]).toEqual([query, ids]);
		}
		expect((await service.control('calls?q=busy&limit=2')).total).toBeNull();
	});

	it('have the requests that are asked for, with the rejected fields and without the token', async () => {
		const agent = service.seed.agents.published;
		await service.api('GET', '/agents?search=am');
		await service.api('POST', `/agents/${agent}/call`, { to: 'me' });
		await service.api('POST', `/agents/${agent}/call`, { to: '+12025550001', delay_seconds: -1 });
		await service.api('POST', '/campaigns', { name: '' });
		await service.api('GET', '/agents', undefined, null);
		await service.api('GET', '/nothing');
		const found = (query: string) => itemsOf(`requests?${query}`);
		expect((await found('status=4xx')).map(({ status, rejected }) => [status, Object.keys(rejected!.fields!)])).toEqual(
			[
				[404, []],
				[401, []],
				[422, expect.arrayContaining(['name', 'agent_id', 'days_of_week'])],
				[422, ['delay_seconds']],
				[400, ['to']],
			],
		);
		expect(asText((await found('status=400'))[0]!.rejected!.message)).toMatch(/^The phone number/);
		expect(await found('method=get')).toHaveLength(3);
		expect(JSON.stringify(await service.control('requests'))).not.toContain(service.token);
		expect(await found('path=/api/v1/agents')).toHaveLength(4);
		expect((await found('q=days_of_week')).map(({ path }) => path)).toEqual(['/api/v1/campaigns']);
		expect((await found('limit=10'))[0]).toMatchObject({
			method: 'GET',
			path: '/api/v1/nothing',
			url: '/api/v1/nothing',
			status: 404,
			content_type: null,
			has_token: true,
			fault: null,
			duration_ms: expect.any(Number),
		});
	});

	it('have a command that sends a request again, with a placeholder for the token', async () => {
		await service.control('mode', { calls: 'manual' });
		const context = { text: `it's "quoted" $HOME \`id\` !! \\n %s\nline two\r\n\tGrüße 😀 ${"'".repeat(3)}` };
		const query = `x=${encodeURIComponent("'")}&ids[]={1,2}&range=[1-3]`;
		const path = `/agents/${service.seed.agents.published}/call?${query}`;
		await service.api('POST', path, { to: '+12025550001', context });
		const [listed] = await itemsOf('requests?limit=1');
		const { curl, body } = await service.control(`requests/${asText(listed!.id)}`);
		expect([body, curl]).toEqual([{ to: '+12025550001', context }, expect.stringContaining('$TOKEN')]);
		await run('sh', ['-c', `${asText(curl)} -s -o /dev/null`], { env: { ...process.env, TOKEN: service.token } });
		const [again] = await itemsOf('requests?limit=1');
		const { id: _id, at: _at, duration_ms: _ms, ...same } = listed!;
		expect(again).toMatchObject(same);
		expect(again!.id).not.toBe(listed!.id);
		expect((await service.control(`requests/${asText(again!.id)}`)).body).toEqual(body);
	});

	it('remember the latest 50,000 requests or deliveries, as long as they take up no more than 128 MB', () => {
		const journal = new Journal<{ index: number }>();
		for (let index = 0; index <= 50_000; index += 1) {
			journal.add({ index }, 10);
		}
		const { entries, dropped } = journal;
		expect([entries.length, entries[0]!.index, entries.at(-1)!.index, dropped]).toEqual([50_000, 1, 50_000, 1]);
		const large = { index: 50_001 };
		journal.add(large, 64 * 1024 * 1024);
		journal.grow(large, 128 * 1024 * 1024);
		expect([journal.entries, journal.dropped]).toEqual([[large], 50_001]);
	});

	it('stay fast with 10,000 calls', async () => {
		await changeState(service, ({ calls }) => {
			const [one] = calls.values();
			for (let count = 0; count < 10_000; count += 1) {
				calls.set(`call-${count}`, { ...one!, id: `call-${count}` });
			}
		});
		const page = await service.control('calls?limit=50');
		expect([page.total, page.dropped, asList(page.items).length]).toEqual([10_030, 0, 50]);
		const like = Array.from({ length: 10_000 }, () => asList(page.items)[0]!);
		for (const path of ['calls?limit=50', 'calls?q=nothing-has-this', 'calls/call-5', 'status']) {
			expect(await timeInCopies(like, () => service.control(path))).toBeLessThan(10);
		}
	}, 120_000);

	it('search 50,000 deliveries in a moment', async () => {
		const body = JSON.stringify({ text: 'x'.repeat(1000) });
		const entries = Array.from({ length: 50_000 }, (_, index) => ({ id: String(index), body }));
		const has = ({ body }: { body: string }, text: string) => hasText(text, body);
		const find = (q?: string) => newestOf(entries, { limit: 50, q }, has, ({ id }) => id);
		const [all, none] = [find(), find('Y')];
		expect(await timeInCopies(entries, () => find('Y'))).toBeLessThan(10);
		expect([all.total, all.items[0], all.next, none.items]).toEqual([50_000, '49999', '49950', []]);
	});
});
