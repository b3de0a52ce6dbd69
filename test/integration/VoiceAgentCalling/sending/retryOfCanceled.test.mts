import { startChangedService } from '../../changedService.mts';
import { harness, type NodeSpec } from '../../harness.mts';
import { actionNode, goesOn, resultsOf, type Service, to } from '../../service.mts';

let service: Service;
/** Called with the third request that places a call. @returns whether the service refuses it */
let onThird: () => boolean;
let count = 0;
beforeAll(async () => {
	const refuse = (method: string, url: URL) =>
		method === 'POST' && url.pathname.endsWith('/call') && ++count === 3 && onThird() ? { message: 'No' } : undefined;
	service = await startChangedService((body) => body, {}, refuse);
});
beforeEach(async () => {
	count = 0;
	await service.reset();
});

const numbers = Array.from({ length: 6 }, (_, index) => `+1202555011${index}`);

/** Places the calls, one after the other, and retries the execution that has ended. @returns what Retry has brought */
async function retryAfter(end: (cancel: () => void) => boolean, onError?: NodeSpec['onError']) {
	const parameters = service.place({ missingVariables: 'ignore' }, { sending: { maxConcurrentRequests: 1 } });
	const nodes = [harness.sourceOf(to(...numbers)), { name: 'Call', type: actionNode, onError, parameters }];
	const spec = { nodes, credentials: service.credentials() };
	let cancel = () => {};
	onThird = () => end(cancel);
	const started = await harness.startWorkflow(spec);
	cancel = started.cancel;
	const ended = await started.result;
	expect(ended.status).not.toBe('success');
	await service.settled();
	expect((await service.dialed(true)).length).toBeLessThan(numbers.length);
	const again = await harness.retryWorkflow(spec, ended);
	return { ...again, dialed: (await service.dialed(true)).toSorted() };
}
const endsByTime = (cancel: () => void) => {
	cancel();
	return false;
};

describe('After n8n has ended an execution in the middle of its calls,', () => {
	test('Retry calls the others and nobody twice, if the service has refused a call', async () => {
		expect((await retryAfter(() => true)).dialed).toEqual(numbers);
	});

	test('Retry calls the others and nobody twice, if the time limit of the workflow has ended it', async () => {
		const { nodes, dialed } = await retryAfter(endsByTime, goesOn.onError);
		expect(dialed).toEqual(numbers);
		// The third was called in the moment of the end.
		const results = ['placed', 'placed', 'unknown', 'placed', 'placed', 'placed'];
		expect(nodes.Call?.map(resultsOf)).toEqual([results]);
	});

	test('with On Error set to stop, Retry says who was called, of whom that is not known, and who was not', async () => {
		const { error, dialed } = await retryAfter(endsByTime);
		expect(dialed).toEqual(numbers.slice(0, 3));
		expect(error?.description).toMatch(
			/placed: sheet rows 2-3\. 1 with an unknown outcome \(sheet row 4\).* 3 not tried \(sheet rows 5-7\)\./,
		);
	});
});
