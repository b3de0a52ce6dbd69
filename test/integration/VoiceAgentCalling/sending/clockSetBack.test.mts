import { startChangedService } from '../../changedService.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, until } from '../../service.mts';

const HOUR_MS = 3_600_000;

afterEach(() => harness.restoreTime());

describe('The clock of the machine is set back by an hour while calls are placed', () => {
	let service: Service;
	/** How many requests have arrived that place a call. */
	let arrived: number;
	/** Which of them the clock is set back with. */
	let setBackWith: number | undefined;
	beforeAll(async () => {
		service = await startChangedService(
			(body) => body,
			{},
			(method, url) => {
				if (method === 'POST' && url.pathname.endsWith('/call') && ++arrived === setBackWith) {
					harness.setClockBack(HOUR_MS);
				}
				return undefined;
			},
		);
	});
	beforeEach(async () => {
		arrived = 0;
		await service.reset();
	});

	const items = ['+12025550111', '+12025550112', '+12025550113', '+12025550114'].map((to) => ({ to }));

	/** Places a call for each item. @returns what the items say, or that nothing happens for seconds */
	async function place(sending: object) {
		const parameters = {
			...{ resource: 'call', operation: 'place', agent: byId(service.seed.agents.published) },
			...{ phoneNumber: '={{ $json.to }}', options: { missingVariables: 'ignore' }, sending },
		};
		const started = await harness.startWorkflow({
			nodes: [
				harness.sourceOf(items),
				{
					...{ name: 'Call', type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', parameters: parameters as never },
					onError: 'continueRegularOutput',
				},
			],
			credentials: service.credentials(),
		});
		let isOver = false;
		const over = started.result.then(() => (isOver = true));
		await until(async () => isOver).catch(() => started.cancel());
		await over;
		const { status, nodes } = await started.result;
		const results = nodes.Call?.[0]?.outputs[0]?.map(({ json }) => json.result);
		return status === 'success' ? results : `${arrived} of ${items.length} calls are sent, and nothing more happens`;
	}

	const all = items.map(() => 'placed');
	const evenly = { maxRequestsPerMinute: 1200 };
	const oneByOne = { maxConcurrentRequests: 1 };
	const refuseTheFirst = async () => await service.fault({ match: { method: 'POST' }, kind: 'status', status: 429 });

	test('otherwise, all calls are placed, evenly spaced or after a refusal', async () => {
		setBackWith = undefined;
		expect(await place(evenly)).toEqual(all);
		await service.reset();
		await refuseTheFirst();
		expect(await place(oneByOne)).toEqual(all);
	});

	test('the other calls follow at once, with a limit of requests per minute', async () => {
		setBackWith = 2;
		expect(await place(evenly)).toEqual(all);
	});

	test('the other calls follow at once, after the service has refused one for its rate limit', async () => {
		setBackWith = 2;
		await refuseTheFirst();
		expect(await place(oneByOne)).toEqual(all);
	});
});
