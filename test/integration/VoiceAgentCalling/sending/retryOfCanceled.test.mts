import { startChangedService } from '../../changedService.mts';
import { harness, type NodeSpec } from '../../harness.mts';
import { byId, type Service } from '../../service.mts';

describe('n8n ends an execution in the middle of its calls', () => {
	let service: Service;
	/** Called with the number of each request that places a call. @returns whether the service refuses it */
	let onCall: (count: number) => boolean;
	let count: number;
	beforeAll(async () => {
		const refuse = (method: string, url: URL) =>
			method === 'POST' && url.pathname.endsWith('/call') && onCall(++count) ? { message: 'Refused' } : undefined;
		service = await startChangedService((body) => body, {}, refuse);
	});
	beforeEach(async () => {
		count = 0;
		await service.reset();
	});

	const numbers = ['+12025550111', '+12025550112', '+12025550113', '+12025550114', '+12025550115', '+12025550116'];

	/** The number of each call that was placed. */
	const called = async () => {
		const requests = await service.requests('POST', '/call');
		return requests.filter(({ status }) => Number(status) < 300).map(({ body }) => (body as { to: string }).to);
	};

	/** Places the calls, one after the other, and retries the execution that has ended. @returns who was called, and what Retry has brought */
	async function calledAfterRetry(end: (cancel: () => void) => boolean, onError?: NodeSpec['onError']) {
		const node: NodeSpec = {
			...{ name: 'Call', type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', onError },
			parameters: {
				...{ resource: 'call', operation: 'place', agent: byId(service.seed.agents.published) },
				...{ phoneNumber: '={{ $json.to }}', testCall: 'always', options: { missingVariables: 'ignore' } },
				sending: { maxConcurrentRequests: 1 },
			},
		};
		const nodes = [harness.sourceOf(numbers.map((to) => ({ to }))), node];
		const spec = { nodes, credentials: service.credentials() };
		let cancel = () => {};
		onCall = (current) => current === 3 && end(cancel);
		const started = await harness.startWorkflow(spec);
		cancel = started.cancel;
		const ended = await started.result;
		expect(ended.status).not.toBe('success');
		await service.settled();
		expect((await called()).length).toBeLessThan(numbers.length);
		const retried = await harness.retryWorkflow(spec, ended);
		return { called: (await called()).sort(), retried };
	}

	test('Retry calls the others and nobody twice, if the service has refused a call', async () => {
		expect((await calledAfterRetry(() => true)).called).toEqual(numbers);
	});

	const endsByTime = (cancel: () => void) => {
		cancel();
		return false;
	};

	test('Retry calls the others and nobody twice, if the time limit of the workflow has ended it', async () => {
		const { called, retried } = await calledAfterRetry(endsByTime, 'continueRegularOutput');
		expect(called).toEqual(numbers);
		// The third was called in the moment of the end.
		const results = retried.nodes.Call?.[0]?.outputs[0]?.map(({ json }) => json.result);
		expect(results).toEqual(['placed', 'placed', 'unknown', 'placed', 'placed', 'placed']);
	});

	test('with On Error set to stop, Retry says who was called, of whom that is not known, and who was not', async () => {
		const { called, retried } = await calledAfterRetry(endsByTime);
		expect(called).toEqual(numbers.slice(0, 3));
		expect(retried.error?.description).toMatch(/placed: items 0-1\..*unknown: item 2\..*Not tried: items 3-5\./);
	});
});
