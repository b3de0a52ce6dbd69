import { type Deployment, harness, type Instance } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { triggerNode } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

/** What makes a webhook of the service start a workflow. */
const settingsOf = async (campaign: string) =>
	(await service.storedWebhooks())
		.filter(({ campaign_id }) => campaign_id === campaign)
		.map(({ id, webhook_url, webhook_secret, events, enabled }) => ({
			...{ id, webhook_url, webhook_secret, events, enabled },
		}));

/** Starts an n8n that has a workflow with a trigger. @param id of the workflow, if it is the copy of another one */
async function n8nWithTrigger(id?: string, parameters = {}): Promise<{ instance: Instance; workflow: Deployment }> {
	const instance = await harness.startInstance({ credentials: service.credentials() });
	const nodes = [triggerNode(service, parameters), { name: 'Next', type: 'harness.noOp' }];
	return { instance, workflow: instance.deploy({ nodes, ...(id !== undefined && { id }) }) };
}

/** How many executions the event of a campaign starts in an n8n. */
async function startedBy({ instance }: { instance: Instance }, campaign: string): Promise<number> {
	const before = instance.executions.length;
	for (const { id } of await service.webhooks(campaign)) {
		await service.deliver({ webhookId: id });
	}
	return instance.executions.length - before;
}

describe('A copy of the database starts in another n8n, which registers published triggers when it starts', () => {
	/** @param isCopied whether the copy has what the trigger had stored, too */
	async function startCopy(isCopied: boolean) {
		const campaign = service.seed.campaigns.active;
		const original = await n8nWithTrigger();
		await original.workflow.publish();
		const before = await settingsOf(campaign);
		const copy = await n8nWithTrigger(original.workflow.id);
		if (isCopied) {
			copy.workflow.restoreStaticData(original.workflow.storedStaticData());
		}
		expect((await copy.workflow.start()).error).toBeUndefined();
		return { campaign, original, copy, before };
	}

	test('without what the trigger has stored, the webhook of the original stays and starts its workflow', async () => {
		const { campaign, original, before } = await startCopy(false);
		expect(await settingsOf(campaign)).toEqual(expect.arrayContaining(before));
		expect(await startedBy(original, campaign)).toBe(1);
	});

	test('the webhook of the original stays as it is', async () => {
		const { campaign, before } = await startCopy(true);
		expect(await settingsOf(campaign)).toEqual(expect.arrayContaining(before));
	});

	test('the original goes on receiving its events', async () => {
		const { campaign, original } = await startCopy(true);
		expect(await startedBy(original, campaign)).toBe(1);
	});

	test("the copy's log names the address of the other one, and the original has only its own webhook to look after", async () => {
		const { length } = harness.logLines;
		const { original, campaign } = await startCopy(true);
		const said = harness.logLines.slice(length).map(({ message }) => message);
		expect(said).toContainEqual(expect.stringContaining(`delivers to ${original.workflow.webhookUrl()}, not to`));
		await original.workflow.unpublish();
		expect(await settingsOf(campaign)).toHaveLength(1);
	});

	test('the webhook of the original is still there when the copy is unpublished', async () => {
		const { campaign, copy, before } = await startCopy(true);
		await copy.workflow.unpublish();
		expect(await settingsOf(campaign)).toEqual(expect.arrayContaining(before));
	});
});

describe('Somebody has changed the webhook of a trigger at the service, and n8n starts again', () => {
	/** @returns how many executions an event starts afterwards */
	async function startAfter(change: object): Promise<number> {
		const campaign = service.seed.campaigns.active;
		const n8n = await n8nWithTrigger();
		await n8n.workflow.publish();
		const [webhook] = await service.webhooks(campaign);
		const { status } = await service.api('PUT', `campaigns/${campaign}/webhooks/${webhook?.id}`, change);
		expect(status).toBe(200);
		expect((await n8n.workflow.start()).error).toBeUndefined();
		const [now] = (await service.webhooks(campaign)).filter(({ enabled }) => enabled);
		expect(now?.events).toEqual(['campaign_call.completed']);
		return await startedBy(n8n, campaign);
	}

	test('other events and a disabled webhook are put right', async () => {
		expect(await startAfter({ events: ['campaign_call.failed'], enabled: false })).toBe(1);
	});

	test('another address is put right', async () => {
		expect(await startAfter({ webhook_url: `${service.url}/elsewhere` })).toBe(1);
	});
});

test('A trigger that is unpublished after n8n has moved names the webhook at the former address in the log', async () => {
	const { active } = service.seed.campaigns;
	const n8n = await n8nWithTrigger();
	await n8n.workflow.publish();
	const [webhook] = await service.webhooks(active);
	const former = String(webhook?.webhook_url).replace(n8n.instance.url, 'https://former.example');
	await service.api('PUT', `campaigns/${active}/webhooks/${webhook?.id}`, { webhook_url: former });
	const { length } = harness.logLines;
	await n8n.workflow.unpublish();
	const said = harness.logLines.slice(length).map(({ message }) => message);
	expect(said).toContainEqual(expect.stringContaining('delivers to https://former.example/'));
	expect(await service.webhooks(active)).toHaveLength(1);
});

describe('An older n8n starts', () => {
	/** A published workflow of two campaigns, and the service's webhooks before n8n starts again. */
	async function published() {
		const { active, paused } = service.seed.campaigns;
		const n8n = await n8nWithTrigger(undefined, { options: { additionalCampaigns: [paused] } });
		await n8n.workflow.publish();
		const before = [...(await settingsOf(active)), ...(await settingsOf(paused))];
		expect(before).toHaveLength(2);
		const after = async () => [...(await settingsOf(active)), ...(await settingsOf(paused))];
		return { n8n, before, after, paused };
	}

	test('and changes nothing if all webhooks are as they should be', async () => {
		const { n8n, before, after } = await published();
		const writes = async () => (await service.requests()).filter(({ method }) => method !== 'GET').length;
		const count = await writes();
		expect((await n8n.workflow.start()).error).toBeUndefined();
		expect([await after(), await writes()]).toEqual([before, count]);
	});

	test.each([429, 500, 404])(
		'and leaves all webhooks as they are if the service answers with %i for one',
		async (status) => {
			const { n8n, before, after, paused } = await published();
			const { length } = harness.logLines;
			const match = { path: `/api/v1/campaigns/${paused}/webhooks` };
			await service.fault({ match, kind: 'status', status, times: 50 });
			expect((await n8n.workflow.start()).error).toBeUndefined();
			await fetch(`${service.url}/_sandbox/faults`, { method: 'DELETE' });
			expect(await after()).toEqual(before);
			const said = harness.logLines.slice(length).map(({ message }) => message);
			expect(said).toContainEqual(
				expect.stringMatching(/could not be checked while n8n started.*'Check Registration'/),
			);
		},
	);
});

describe('The addresses that resume executions have another folder than those of triggers', () => {
	/** Queues a call and waits for it by event, in an n8n with a published trigger. @returns the requests that queued a call */
	async function queueAndWait(waitingPath?: string) {
		const events = ['campaign_call.completed', 'campaign_call.failed'];
		const instance = await harness.startInstance({ credentials: service.credentials(), waitingPath });
		const nodes = [triggerNode(service, { events }), { name: 'Next', type: 'harness.noOp' }];
		await instance.deploy({ nodes }).publish();
		const { run } = await service.run(
			{
				...{ resource: 'campaign', operation: 'queueCallAndWait', campaign: byId(service.seed.campaigns.active) },
				...{ phoneNumber: '+12025550111', waitBy: 'event' },
			},
			[{}],
			{ n8n: instance },
		);
		expect(run.error?.message).toBeUndefined();
		return await service.requests('POST', '/call');
	}

	test('in the folder of n8n, a call is placed, because the trigger is found', async () => {
		expect(await queueAndWait()).toHaveLength(1);
	});

	test('in another folder, a call is placed, because the trigger is found', async () => {
		expect(await queueAndWait('resume/webhook-waiting')).toHaveLength(1);
	});
});
