import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { Journal } from '../../../sandbox/world/journal.mts';
import { asList, asText } from '../client.mts';
import { campaign, queued, type Step, useStories } from '../story.mts';

const run = promisify(execFile);

describe('the lists of the control routes', () => {
	const { service, play, stories } = useStories({ startTime: Date.UTC(2030, 0, 7, 9) });
	const place = (more: object = {}): Step => ['POST /agents/{agent}/call 200 > call', { to: '+12025550001', ...more }];
	const idsOf = (items: unknown) => asList(items as never).map(({ id }) => asText(id));

	it('have each entry once, newest first, also if new ones come between two pages', async () => {
		const newest = idsOf(await service.control('calls')).reverse();
		const seen: string[] = [];
		for (let before = ''; ; ) {
			const { items, next } = await service.control(`calls?limit=7${before}`);
			seen.push(...idsOf(items));
			await play([place()]);
			if (next === null) {
				break;
			}
			before = `&before=${asText(next)}`;
		}
		expect(seen).toEqual(newest);
		expect((await service.control('calls?limit=30')).items).toHaveLength(30);
	});

	const calls = (query: string, ...items: object[]): Step => [`GET /_sandbox/calls?${query} 200`, { items }];
	const requests = (query: string, ...items: object[]): Step => [`GET /_sandbox/requests?${query} 200`, { items }];
	stories({
		'have the calls that are asked for, with the name in the metadata': [
			...campaign('c'),
			queued('c', '+12025550002', { payload: { name: 'Grace Hopper' } }),
			place({ context: { order: 'No. 77', name: 'Ada' } }),
			['wait 5'],
			calls('limit=9&active=true', { id: '{call}' }),
			calls('limit=9&q=no.%2077', { id: '{call}', name: 'Ada' }),
			...['status=busy&limit=1', 'campaignId={c}&limit=9', 'q=grace%20h&limit=9', 'q={queued}&limit=9'].map((query) =>
				calls(query, { campaign_call_id: '{queued}', name: null }),
			),
			calls('limit=9&direction=inbound'),
			calls('limit=9&agentId={draftAgent}'),
		],
		'have the requests that are asked for, with the rejected fields': [
			['GET /agents?search=am 200'],
			['POST /agents/{agent}/call 400', { to: 'me' }],
			['POST /agents/{agent}/call 422', { to: '+12025550001', delay_seconds: -1 }],
			['POST /campaigns 422', { name: '' }],
			['GET /nothing 404'],
			requests(
				'status=4xx',
				{ status: 404, method: 'GET', path: '/api/v1/nothing', content_type: null, has_token: true, fault: null },
				{ status: 422, rejected: { fields: { name: expect.anything(), days_of_week: expect.anything() } } },
				{ status: 422, rejected: { fields: { delay_seconds: expect.anything() } } },
				{
					status: 400,
					rejected: { fields: { to: expect.anything() }, message: expect.stringMatching(/^The phone n/) },
				},
			),
			requests('method=get', {}, {}),
			requests('path=/api/v1/agents', {}, {}, {}),
			requests('q=days_of_week', { path: '/api/v1/campaigns' }),
		],
	});

	it('have a command that sends a request again, with a placeholder for the token', async () => {
		const context = { text: `it's "quoted" $HOME \`id\` !! \\n %s\nline two\r\n\tGrüße 😀 ${"'".repeat(3)}` };
		const query = `x=${encodeURIComponent("'")}&ids[]={1,2}&range=[1-3]`;
		const { id } = await play([
			[`POST /agents/{agent}/call?${query} 200`, { to: '+12025550001', context }],
			['GET /_sandbox/requests?limit=1 200 > id=items.0.id'],
		]);
		const { curl, ...first } = await service.control(`requests/${String(id)}`);
		expect([
			asText(curl).includes('$TOKEN'),
			JSON.stringify([first, curl]).includes(`Bearer ${service.token}`),
		]).toEqual([true, false]);
		await run('sh', ['-c', `${asText(curl)} -s -o /dev/null`], { env: { ...process.env, TOKEN: service.token } });
		const [listed] = idsOf((await service.control('requests?limit=1')).items);
		expect(listed).not.toBe(id);
		const { method, url, body, status } = first;
		expect(await service.control(`requests/${listed}`)).toMatchObject({ method, url, body, status });
		expect(body).toEqual({ to: '+12025550001', context });
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
});
