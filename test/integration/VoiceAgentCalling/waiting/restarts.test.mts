import { harness, type Instance, type LoadedPackage, type WorkflowRun } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const HOUR_MS = 3_600_000;
const RECORDING = 'https://files.example/1.mp3';
/** Less than a second, so that it does not end when the clock is moved. */
const LATENCY_MS = 900;
const ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

afterEach(() => harness.restoreTime());

/** Starts a sandbox in which a call goes on only when the test advances its clock. */
const startStillService = async () => await startService({ speed: 0.001, minimumStatusMs: 0 });

/**
 * Starts an n8n with a published trigger on the agent.
 *
 * @param loaded the package of the process that receives events; by default, the same process also places the calls
 */
async function startN8n(
	service: Service,
	events: string[],
	loaded?: LoadedPackage,
): Promise<{ n8n: Instance; webhookId: string }> {
	const n8n = await harness.startInstance({ credentials: service.credentials(), package: loaded });
	const nodes = [triggerNode(service, onAgent(service, events)), { name: 'Next', type: 'harness.noOp' }];
	expect((await n8n.deploy({ nodes }).publish()).error).toBeUndefined();
	const [webhook] = await service.webhooks(service.seed.agents.published, 'agents');
	return { n8n, webhookId: webhook?.id ?? '' };
}

/** Places a call and waits for it. @returns the ID of the execution, which waits */
async function placeAndWait(service: Service, n8n: Instance, options: object = {}): Promise<string> {
	const { run } = await service.run(
		{
			...{ resource: 'call', operation: 'placeAndWait', agent: byId(service.seed.agents.published) },
			...{ phoneNumber: '+12025550001', waitBy: 'event', options: { missingVariables: 'ignore', ...options } },
		},
		[{}],
		{ n8n },
	);
	expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
	return (run as unknown as WorkflowRun).id;
}

/** What the node has given out when the execution has gone on. */
async function outputOf(n8n: Instance, id: string): Promise<Record<string, unknown>> {
	await until(async () => n8n.waiting.rest(id) !== undefined);
	const run = await n8n.waiting.rest(id);
	expect(run?.status).toBe('success');
	return run?.nodes.Node?.[0]?.outputs[0]?.[0]?.json ?? {};
}

describe('n8n is restarted between two events of a call, and the time of the wait is up during the call', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startStillService();
	});
	beforeEach(async () => await service.reset());

	/**
	 * The recording comes before a restart of the process that receives the events, the news of a voicemail after it.
	 *
	 * @param isAsking whether the time is up while that process asks the service about the call
	 * @returns what the execution goes on with
	 */
	async function timeOut({ isAsking }: { isAsking: boolean }): Promise<Record<string, unknown>> {
		const events = [...ENDS, 'event_recording', 'event_voicemail_detected'];
		const { n8n, webhookId } = await startN8n(service, events, await harness.loadAgain());
		const id = await placeAndWait(service, n8n, { waitFor: ['recording'] });
		const call = (await service.calls()).at(-1);
		const [{ body } = { body: {} }] = await service.requests('POST', '/call');
		const { context } = body as { context: object };
		const deliver = async (event: string, more = {}) =>
			await service.deliver({ webhookId, event, data: { call_id: call?.id, to: call?.to, context, ...more } });
		const recording = await deliver('event_recording', { recording_url: RECORDING });
		expect(recording.attempts).toMatchObject([{ status: 200 }]);
		// It was for the execution that waits.
		expect(n8n.executions).toEqual([]);
		n8n.restart(await harness.loadAgain());
		harness.passTime(HOUR_MS - 5000);
		await service.fault({ match: { method: 'GET', path: '/api/v1/agents/*' }, kind: 'latency', ms: LATENCY_MS });
		const questions = async () => (await service.requests('GET', '/calls')).length;
		const before = await questions();
		const delivered = deliver('event_voicemail_detected');
		await (isAsking ? until(async () => (await questions()) > before) : delivered);
		harness.passTime(6000);
		await delivered;
		return await outputOf(n8n, id);
	}

	const withRecording = { outcome: 'timedOut', recording: RECORDING, missing: [] };

	test('the output has the recording, if nothing is asked at that moment', async () => {
		expect(await timeOut({ isAsking: false })).toMatchObject(withRecording);
	});

	test('the output has the recording, if n8n asks the service about the call at that moment', async () => {
		expect(await timeOut({ isAsking: true })).toMatchObject(withRecording);
	});
});

describe('An execution is deleted while it waits for a campaign', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startStillService();
	});
	beforeEach(async () => await service.reset());

	test.each([false, true])(
		'the log names its webhook when the time is up (its credential is deleted, too: %j)',
		async (isDeleted) => {
			const { active: campaign } = service.seed.campaigns;
			const credentials = service.credentials();
			const n8n = await harness.startInstance({ credentials });
			const { run } = await service.run(
				{ resource: 'campaign', operation: 'waitUntilCompleted', campaign: byId(campaign), waitBy: 'event' },
				[{}],
				{ n8n, credentials },
			);
			expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
			const webhooks = await service.webhooks(campaign);
			expect(webhooks).toHaveLength(1);
			n8n.waiting.deleteAll();
			n8n.keepsExecutions = false;
			if (isDeleted) {
				Reflect.deleteProperty(credentials, 'voiceAgentCallingApi');
			}
			const lines = harness.logLines.length;
			harness.passTime(366 * 24 * HOUR_MS);
			const named = () =>
				harness.logLines.slice(lines).filter(({ message }) => message.includes(webhooks[0]?.id ?? ''));
			await until(async () => named().length > 0);
			expect(named()).toMatchObject([{ level: 'info', message: expect.stringContaining(campaign) }]);
		},
	);

	test('the next wait for the campaign deletes its webhook', async () => {
		const { active: campaign } = service.seed.campaigns;
		const n8n = await harness.startInstance({ credentials: service.credentials() });
		const limit = (amount: number) => ({ options: { timeLimit: { values: { amount, unit: 'hours' } } } });
		const wait = async (amount: number) =>
			await service.run(
				{
					...{ resource: 'campaign', operation: 'waitUntilCompleted', campaign: byId(campaign), waitBy: 'event' },
					...limit(amount),
				},
				[{}],
				{ n8n },
			);
		await wait(1);
		const [first] = await service.webhooks(campaign);
		n8n.waiting.deleteAll();
		harness.skipTime(2 * HOUR_MS);
		await wait(1);
		const left = await service.webhooks(campaign);
		expect(left).toHaveLength(1);
		expect(left[0]?.id).not.toBe(first?.id);
	});
});

describe('A call is placed, awaited and completed', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startStillService();
	});

	/** @returns the outcome of the call, and the errors in n8n's log */
	async function complete(): Promise<{ outcome: unknown; errors: string[] }> {
		const lines = harness.logLines.length;
		const { n8n } = await startN8n(service, ENDS);
		const id = await placeAndWait(service, n8n);
		await service.advance(60);
		const { outcome } = await outputOf(n8n, id);
		const errors = harness.logLines.slice(lines).filter(({ level }) => level === 'error');
		return { outcome, errors: errors.map(({ message }) => message) };
	}

	test('the execution goes on with its outcome', async () => {
		expect((await complete()).outcome).toBe('completed');
	});

	test("n8n's log has no error", async () => {
		expect((await complete()).errors).toEqual([]);
	});
});
