import { setTimeout as sleep } from 'node:timers/promises';

import { harness, type Instance } from '../../harness.mts';
import { actionNode, to, until, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const HOUR_MS = 3_600_000;
/** How long the service takes to answer the look of a wait whose time is up. */
const SLOW_MS = 2500;

const service = useService({ speed: 0.001, minimumStatusMs: 0 });
afterEach(() => harness.restoreTime());

const slowDownLook = async () =>
	await service.fault({ match: { method: 'GET', path: '/api/v1/agents/*' }, kind: 'latency', ms: SLOW_MS, times: 1 });

type Stored = Map<string, { spec: unknown; run: { id: string; stored: { data: object } } }>;
const storedBy = ({ waiting }: Instance) => (waiting as unknown as { waiting: Stored }).waiting;

/** An execution that waits for two calls until a time limit, and then calls two other phones and waits for these. */
async function waitingBeforeMoreCalls() {
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
	const nodes = [triggerNode(service, onAgent(service, events)), { name: 'Next', type: 'harness.noOp' }];
	expect((await n8n.deploy({ nodes }).publish()).error).toBeUndefined();
	const wait = (name: string, phoneNumber: string) => ({
		name,
		type: actionNode,
		parameters: service.place(
			{ timeLimit: { values: { amount: 1, unit: 'hours' } } },
			{ operation: 'placeAndWait', waitBy: 'event', phoneNumber },
		),
	});
	const spec = {
		nodes: [
			harness.sourceOf(to('+12025550003', '+12025550001') as never),
			wait('First', '={{ $json.to }}'),
			wait('Second', '={{ $json.to.replace("5550", "5560") }}'),
		],
		credentials: service.credentials(),
	};
	const run = await harness.runWorkflow(spec as never, { n8n });
	expect(run.status).toBe('waiting');
	return { n8n, run };
}

test('A look that n8n has overtaken does not continue the execution from old data, which would call again', async () => {
	const { n8n, run } = await waitingBeforeMoreCalls();
	await slowDownLook();
	// The machine slept over the end of the wait, so that n8n ends it, too.
	harness.passTime(HOUR_MS + 200_000);
	await until(async () => (await service.load()).inFlight > 0);
	const stored = storedBy(n8n);
	const { spec, run: asleep } = stored.get(run.id)!;
	stored.delete(run.id);
	const woken = await harness.startWorkflow(spec as never, { n8n }, harness.n8n.deepCopy(asleep.stored.data) as never);
	const byN8n = await woken.result;
	stored.delete(byN8n.id);
	stored.set(run.id, { spec, run: { ...byN8n, id: run.id } as never });
	const dialed = await service.dialed();
	expect(dialed).toHaveLength(4);
	await service.settled();
	await until(async () => harness.logLines.some(({ message }) => message.includes('no longer waits')));
	await sleep(100);
	expect(await service.dialed()).toEqual(dialed);
	expect(stored.has(run.id)).toBe(true);
});

/** Makes n8n respond to one request for a waiting execution at a time, as while its database is overloaded. */
function overload({ waiting }: Instance): void {
	const serve = waiting.serve.bind(waiting);
	let isBusy = false;
	waiting.serve = async (...request) => {
		if (isBusy) {
			return { status: 503, body: { code: 503, message: 'Database is not ready!' } };
		}
		isBusy = true;
		return await serve(...request).finally(() => (isBusy = false));
	};
}

test.each([
	['', () => undefined],
	[', also if n8n is too busy to say so', overload],
])('A slow look continues an execution that still waits%s', async (_where, prepare) => {
	const { n8n, run } = await waitingBeforeMoreCalls();
	prepare(n8n);
	await slowDownLook();
	harness.passTime(HOUR_MS);
	await until(async () => (await service.load()).inFlight > 0);
	await until(async () => n8n.waiting.rest(run.id) !== undefined);
	await n8n.waiting.rest(run.id);
	expect(await service.dialed()).toHaveLength(4);
});
