import { messageKey, sendMessageTo } from '../message.mts';
import { inParallel } from './eventStream.mts';
import { QueueMode } from './queueMode.mts';

/** How many campaigns are connected at the same time. */
const CAMPAIGNS = 50;

let queueMode: QueueMode;
let key: Buffer;

// The time limit includes the installation of PostgreSQL and Redis.
beforeAll(async () => {
	queueMode = await QueueMode.start({ options: ['--rate-limit', '1000000'] });
	key = await messageKey(queueMode.n8n.sandbox.token);
}, 600_000);

afterAll(async () => await queueMode?.stop(), 60_000);

/** A campaign like those that a workflow creates at run time. */
async function newCampaign(name: string, agentId: string): Promise<string> {
	const { data } = await queueMode.n8n.service.post<{ data: { id: string } }>('/api/v1/campaigns', {
		name,
		campaign_type: 'custom',
		agent_id: agentId,
		start_date: '2020-01-01',
		days_of_week: [1],
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
		timezone: 'UTC',
	});
	return data.data.id;
}

test(`${CAMPAIGNS} campaigns that are connected at the same time over two webhook processes are all received, and none is lost in an edit`, async () => {
	const { n8n } = queueMode;
	const { data: seed } = await n8n.service.get<{ agents: { published: string } }>('/_sandbox/seed');
	const chosen = n8n.sandbox.campaignId;
	const trigger = n8n.trigger(chosen, { options: { acceptConnections: true } });
	const workflowId = await n8n.createWorkflow('Connected', [trigger]);
	await n8n.editor.publish(workflowId);
	const [own] = await n8n.webhooksWhen(chosen, ({ length }) => length === 1);
	await n8n.delivered(own.id);
	const url = own.webhook_url.replace(/\?.*/, '');
	const campaigns: string[] = [];
	for (let n = 0; n < CAMPAIGNS; n++) {
		campaigns.push(await newCampaign(`Campaign ${n}`, seed.agents.published));
	}

	// Each twice, so that both processes have the same one at the same time. A balancer hands them on in turn.
	const connectAll = async (owners: string[]) =>
		await Promise.all(
			owners.map(async (ownerId) => {
				const command = { command: 'connect', source: 'campaign', ownerId };
				const { status, body } = await sendMessageTo(url, key, command);
				return { ownerId, status, connected: body.connected, message: body.message };
			}),
		);
	const replies = await connectAll(campaigns.flatMap((id) => [id, id]));
	// On a busy machine, the trigger may not have its answer from the service in time. It then says that the outcome is
	// unknown, and to connect again changes nothing.
	const unclear = replies.filter(({ connected }) => connected === 'unknown');
	const clear = replies.filter((reply) => !unclear.includes(reply));
	expect(clear).toEqual(clear.map(({ ownerId }) => expect.objectContaining({ ownerId, status: 200, connected: true })));
	for (const { ownerId } of unclear) {
		expect(await connectAll([ownerId])).toMatchObject([{ status: 200, connected: true }]);
	}
	const hooks = await Promise.all(campaigns.map(async (id) => await n8n.webhooks(id)));
	expect(hooks.map((of) => of.map(({ webhook_url }) => webhook_url))).toEqual(
		campaigns.map((id) => [`${url}?campaign=${id}`]),
	);
	const deliverAll = async (): Promise<unknown[]> => {
		const all = await Promise.all(campaigns.map(async (id) => (await n8n.webhooks(id))[0]?.id));
		return await inParallel(all, async (id) => await n8n.deliver(String(id)));
	};
	expect(await deliverAll()).toEqual(campaigns.map(() => [200]));

	// Each process can be asked about each.
	const checks = await inParallel([...campaigns, ...campaigns], async (ownerId) => {
		const webhookId = hooks[campaigns.indexOf(ownerId)]?.[0]?.id;
		const { body } = await sendMessageTo(url, key, { command: 'check', source: 'campaign', ownerId, webhookId });
		return (body.registered as { ownerId: string }).ownerId === ownerId;
	});
	expect(checks).toEqual(checks.map(() => true));

	// An edit deletes and creates all of them, in the process with the editor.
	const edited = { ...trigger, parameters: { ...trigger.parameters, events: ['campaign.paused'] } };
	await n8n.saveAndPublish(workflowId, [edited]);
	for (const id of [chosen, ...campaigns]) {
		await n8n.webhooksWhen(id, ([first, ...more]) => first?.events[0] === 'campaign.paused' && more.length === 0);
	}
	await n8n.delivered((await n8n.webhooks(chosen))[0]?.id ?? '');
	expect(await deliverAll()).toEqual(campaigns.map(() => [200]));

	// Rotated by one of the two processes; the other one accepts the new secrets, too.
	const [{ id: webhookId = '' } = {}] = await n8n.webhooks(String(campaigns[0]));
	const owner = { source: 'campaign', ownerId: campaigns[0], webhookId };
	expect((await sendMessageTo(url, key, { command: 'rotateSecret', ...owner })).body).toMatchObject({ rotated: true });
	expect(await deliverAll()).toEqual(campaigns.map(() => [200]));

	await n8n.unpublish(workflowId);
	for (const id of [chosen, ...campaigns]) {
		await n8n.webhooksWhen(id, ({ length }) => length === 0);
	}
}, 300_000);
