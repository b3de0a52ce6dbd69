import { harness } from '../../harness.mts';
import {
	actionNode,
	byId,
	goesOn,
	hintsIn,
	hintsOf,
	inFastTime,
	jsonOf,
	resultsOf,
	retried,
	saidBy,
	useService,
} from '../../service.mts';
import { publishTrigger } from '../../triggers.mts';
import { startPlannedService } from '../sending/plannedService.mts';

const service = useService();
const publishedAgent = () => service.seed.agents.published;
const twice = { node: { ...retried, maxTries: 2 } };

/** Lets the first requests with a method pass, and refuses those that follow. */
async function refuseAfter(passing: number, method: string, status: number) {
	await service.fault({ match: { method }, kind: 'latency', ms: 0, times: passing });
	await service.fault({ match: { method }, kind: 'status', status, times: 9 });
}

const statusOf = async (agentId: string) =>
	((await service.api('GET', `agents/${agentId}`)).body.data as { current_status: string }).current_status;

describe('What the service has done, or may have done, for an item is never told as not done:', () => {
	const pause = () => ({
		resource: 'campaign',
		operation: 'setStatus',
		campaign: byId(service.seed.campaigns.active),
		status: 'paused',
	});

	test.each([401, 403, 404])('a change after which the object cannot be read (%i)', async (status) => {
		await service.answer('PATCH', 200, { success: true });
		await service.fault({ match: { method: 'GET' }, kind: 'status', status, times: 9 });
		const { outputs, ...ran } = await service.run(pause(), [{}], { node: goesOn });
		expect(jsonOf({ outputs })[0]!.advice).toMatch(/^The service may have done it\./);
		expect(hintsOf(ran).join()).not.toMatch(/Nothing was done/);
	});

	test('a change whose answer is lost, and which somebody has overtaken when it is sent again', async () => {
		await service.fault({ match: { method: 'PATCH' }, kind: 'drop-after' });
		await service.answer('PATCH', 400, { success: false, message: 'Invalid status transition' });
		await service.answer('GET', 200, { success: true, data: { id: 'c', status: 'cancelled' } }, 9);
		const { outputs, ...ran } = await inFastTime(async () => await service.run(pause(), [{}], { node: goesOn }));
		expect(jsonOf({ outputs })[0]).toMatchObject({
			message: 'The campaign is cancelled and cannot become paused.',
			advice: expect.stringMatching(/^The service may have done it\./),
		});
		expect(hintsOf(ran).join()).not.toMatch(/Nothing was done/);
	});

	test('a new webhook, if the list of webhooks cannot be read then', async () => {
		const { instance, deployment } = await publishTrigger(service);
		service.n8nUrl = instance.url;
		await refuseAfter(1, 'GET', 403);
		const campaign = byId(service.seed.campaigns.paused);
		const trigger = { __rl: true, mode: 'url', value: deployment.webhookUrl() };
		const connect = { resource: 'webhook', operation: 'connectToTrigger', campaign, trigger };
		const ran = await service.run(connect as never, [{}], { node: goesOn });
		expect(jsonOf(ran)[0]!.advice).toMatch(/^The service may have done it\. Check there/);
		expect(hintsOf(ran).join()).not.toMatch(/Nothing was done/);
	});

	test('what an earlier try has done, if the next try ends before it', async () => {
		const count = 40;
		const seen = new Map<string, number>();
		const credentials = await startPlannedService((_method, url) => {
			const times = (seen.get(url) ?? 0) + 1;
			seen.set(url, times);
			const item = Number(url.split('/').at(-1));
			if (item === count - 1) {
				return {};
			}
			return item === 0 && times > 1 ? { status: 401, body: {} } : { status: 200, body: { success: true } };
		});
		const remove = { resource: 'calendar', operation: 'delete', calendar: byId('={{ $json.id }}') };
		const items = Array.from({ length: count }, (_, id) => ({ id: String(id) }));
		const ran = await inFastTime(
			async () => await service.run(remove as never, items, { ...twice, credentials } as never),
		);
		expect(saidBy(ran)).toMatch(/Failed: .*\d+ not tried again, but perhaps done before/);
		expect(saidBy(ran)).not.toMatch(/\d not tried \(/);
	});

	test('an item that was not tried does not get what may have been done for another one', async () => {
		await service.fault({ match: { method: 'PATCH' }, kind: 'drop-after' });
		await service.fault({ match: { method: 'PATCH' }, kind: 'status', status: 401, times: 99 });
		const items = Array.from({ length: 40 }, () => ({}));
		const ran = await inFastTime(async () => await service.run(pause(), items, { node: goesOn }));
		const told = jsonOf(ran).filter(
			({ result, advice }) => result === 'notTried' && /may have done/.test(String(advice)),
		);
		expect([resultsOf(ran).includes('notTried'), told]).toEqual([true, []]);
	});

	test('a check changes nothing, so its lost answer leaves nothing open', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after', times: 4 });
		const [sipTrunk] = (await service.api('GET', 'sip-trunks')).body.data as Array<{ id: string }>;
		const verify = { resource: 'sipTrunk', operation: 'verify', sipTrunk: byId(sipTrunk!.id) };
		const ran = await inFastTime(async () => await service.run(verify, [{}], { node: goesOn }));
		expect(jsonOf(ran)[0]!.advice).not.toMatch(/may have done/);
	});
});

describe('An agent that an edit may have made a draft is never forgotten:', () => {
	const edited = { prompt: 'You are kind.', whoSpeaksFirst: 'user', direction: 'inbound' };
	const update = (updateFields: object, more: object = {}) =>
		({ resource: 'agent', operation: 'update', agent: byId(publishedAgent()), updateFields, ...more }) as never;

	test('the first of several requests was accepted', async () => {
		await refuseAfter(1, 'PUT', 422);
		const ran = await service.run(update(edited, { publishAfterwards: 'never' }), [{}], { node: goesOn });
		expect(jsonOf(ran)[0]!.advice).toMatch(/The agent was published and is a draft now/);
		expect(hintsOf(ran).join()).not.toMatch(/Nothing was done/);
	});

	test('also if the next try does nothing', async () => {
		await refuseAfter(1, 'PUT', 422);
		const ran = await service.run(update(edited, { publishAfterwards: 'never' }), [{}], twice);
		expect(saidBy(ran)).toMatch(/Stopped at request 1 of 2.*The agent was published and is a draft now/);
		expect(saidBy(ran)).not.toMatch(/Nothing was done/);
	});

	test.each([
		['of its only request', 'PUT'],
		['of an action that is deleted', 'DELETE'],
	])('the answers %s are lost', async (_what, method) => {
		const { data } = (await service.api('GET', `agents/${publishedAgent()}`)).body as {
			data: { actions: Array<{ id: string }> };
		};
		const remove = {
			resource: 'agentAction',
			operation: 'delete',
			agent: byId(publishedAgent()),
			agentAction: byId(data.actions[0]!.id),
		};
		await service.fault({ match: { method }, kind: 'drop-after', times: 4 });
		const ran = await inFastTime(
			async () =>
				await service.run(method === 'PUT' ? update({ prompt: 'You are kind.' }) : remove, [{}], { node: goesOn }),
		);
		expect([await statusOf(publishedAgent()), jsonOf(ran)[0]!.advice]).toEqual([
			'draft',
			expect.stringMatching(/draft.*'Publish Afterwards' (?:set )?to Always/),
		]);
	});

	test('but another agent, to which the node was changed before a Retry, is not published', async () => {
		const { draft } = service.seed.agents;
		const workflow = (id: string) => ({
			nodes: [
				harness.sourceOf([{}] as never),
				{
					name: 'Update',
					type: actionNode,
					parameters: { ...(update({ prompt: 'You are kind.' }) as object), agent: byId(id) } as never,
				},
			],
			credentials: service.credentials(),
		});
		await service.fault({ match: { method: 'PUT' }, kind: 'status', status: 422 });
		const first = await harness.runWorkflow(workflow(publishedAgent()));
		// n8n takes the nodes of the saved workflow.
		const stack = (
			first.stored.data as unknown as { executionData: { nodeExecutionStack: Array<{ node: { parameters: object } }> } }
		).executionData.nodeExecutionStack;
		for (const { node } of stack) {
			node.parameters = { ...node.parameters, agent: byId(draft) };
		}
		const again = await harness.retryWorkflow(workflow(draft), first);
		expect([await statusOf(draft), hintsIn(again, 'Update', 0).join()]).toEqual([
			'draft',
			expect.stringMatching(/is a draft/),
		]);
	});
});
