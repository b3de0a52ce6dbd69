import { useStories, webhook } from '../story.mts';

describe('a reset', () => {
	useStories({ rateLimit: 8, credits: 1 }).stories({
		'brings the initial state back, with its limits and without faults and retries': [
			webhook('hook', 'campaigns/{campaign}'),
			['receiver 500'],
			['POST /campaigns/{campaign}/call 201', { to: '+12025550001' }],
			['wait 5'],
			['events campaign_call.queued campaign_call.started'],
			['POST /_sandbox/faults 200', { kind: 'status', status: 500 }],
			['POST /_sandbox/reset 200'],
			['GET /_sandbox/requests 200', []],
			['GET /_sandbox/deliveries 200', []],
			['GET /campaigns/{campaign}/webhooks/{hook} 404'],
			['GET /_sandbox/status 200', { rate_limit: { used: 1 }, credits: 1 }],
			['wait 10000'],
			['events'],
			['GET /campaigns/{campaign} 200', { data: { calls: [] } }],
		],
	});
});

describe('the clock', () => {
	for (const speed of [10_000, 0]) {
		const { service, play } = useStories({ speed, minimumStatusMs: 100 });
		it(`runs, but a call stays at least 100 ms of real time in each status: at speed ${speed}`, async () => {
			const started = Date.now();
			const { call } = await play([['POST /agents/{agent}/call 200 > call', { to: '+12025550001' }]]);
			const read = async () => await service.control(`calls/${String(call)}`);
			while (String((await read()).status) !== 'completed') {
				await (speed > 0 ? new Promise((resolve) => setTimeout(resolve, 5)) : service.advance(60));
			}
			expect(Date.now() - started).toBeGreaterThanOrEqual(290);
			const statuses = ['initiated', 'ringing', 'answered', 'completed'].map((status) => ({ status }));
			expect(await read()).toMatchObject({ statuses });
		});
	}
});
