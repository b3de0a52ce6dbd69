import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { actionNode, goesOn, resultsOf, to, until } from '../../service.mts';

afterEach(() => harness.restoreTime());

test.each([
	['with a limit of requests per minute', { maxRequestsPerMinute: 1200 }, false],
	['after the service has refused one for its rate limit', { maxConcurrentRequests: 1 }, true],
])(
	'if the clock of the machine is set back by an hour, the other calls follow at once, %s',
	async (_when, sending, isRefused) => {
		let arrived = 0;
		const service = await startChangedService(
			(body) => body,
			{},
			(method, url) => {
				if (method === 'POST' && url.pathname.endsWith('/call') && ++arrived === 2) {
					harness.setClockBack(3_600_000);
				}
				return undefined;
			},
		);
		if (isRefused) {
			await service.fault({
				match: { method: 'POST' },
				kind: 'status',
				status: 429,
				headers: { 'retry-after': '0.1' },
			});
		}
		const items = to('+12025550111', '+12025550112', '+12025550113', '+12025550114');
		const parameters = service.place({ missingVariables: 'ignore' }, { sending });
		const started = await harness.startWorkflow({
			nodes: [harness.sourceOf(items), { name: 'Call', type: actionNode, parameters, ...goesOn }],
			credentials: service.credentials(),
		});
		let isOver = false;
		const over = started.result.then(() => (isOver = true));
		await until(async () => isOver).catch(() => started.cancel());
		await over;
		const { status, nodes } = await started.result;
		expect([status, nodes.Call?.flatMap(resultsOf)]).toEqual(['success', Array(4).fill('placed')]);
	},
);
