import { harness, type WorkflowRun } from '../../harness.mts';
import { byId, jsonOf, startService, until, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const HOUR_MS = 3_600_000;
const ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];

afterEach(() => harness.restoreTime());

/** Of a sandbox in which a call goes on only when the test advances its clock. */
const STILL = { speed: 0.001, minimumStatusMs: 0 };

describe('An execution is deleted while it waits for a campaign', () => {
	const waitFor = (campaign: string) => ({
		resource: 'campaign',
		operation: 'waitUntilCompleted',
		campaign: byId(campaign),
		waitBy: 'event',
	});
	const service = useService(STILL);

	test.each([false, true])(
		'the log names its webhook when the time is up (its credential is deleted, too: %j)',
		async (isDeleted) => {
			const { active: campaign } = service.seed.campaigns;
			const credentials = service.credentials();
			const n8n = await harness.startInstance({ credentials });
			const { run } = await service.run(waitFor(campaign), [{}], { n8n, credentials });
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
		const timeLimit = { values: { amount: 1, unit: 'hours' } };
		const wait = async () => await service.run({ ...waitFor(campaign), options: { timeLimit } }, [{}], { n8n });
		await wait();
		const [first] = await service.webhooks(campaign);
		n8n.waiting.deleteAll();
		harness.skipTime(2 * HOUR_MS);
		await wait();
		const left = await service.webhooks(campaign);
		expect(left).toHaveLength(1);
		expect(left[0]?.id).not.toBe(first?.id);
	});
});

test("n8n's log has no error of a call that is placed, awaited and completed", async () => {
	const service = await startService(STILL);
	const lines = harness.logLines.length;
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const nodes = [triggerNode(service, onAgent(service, ENDS)), { name: 'Next', type: 'harness.noOp' }];
	expect((await n8n.deploy({ nodes }).publish()).error).toBeUndefined();
	const waiting = { operation: 'placeAndWait', phoneNumber: '+12025550001', waitBy: 'event' };
	const { run } = await service.run(service.place({ missingVariables: 'ignore' }, waiting), [{}], { n8n });
	expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
	const { id } = run as unknown as WorkflowRun;
	await service.advance(60);
	await until(async () => n8n.waiting.rest(id) !== undefined);
	expect((await n8n.waiting.rest(id))?.nodes.Node?.map(jsonOf)).toMatchObject([[{ outcome: 'completed' }]]);
	expect(harness.logLines.slice(lines).filter(({ level }) => level === 'error')).toEqual([]);
});
