import { asTool } from '../../errorTable/provoke.mts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { failed } from '../resources/items.mts';

/** The JSON of an item that a check stopped. */
const notReady = (more: object = {}) => failed('NOT_READY', { result: 'notReady', ...more });

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const goOn = { node: { onError: 'continueRegularOutput' as const } };
const retried = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };
const items = ['+12025550111', '+12025550122', '+12025550133'].map((to) => ({ to }));

const place = (options: object = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId(`={{ $json.agent ?? '${service.seed.agents.published}' }}`),
	phoneNumber: '={{ $json.to }}',
	options: { checkFirst: true, variablesJson: '={{ $json.payload ?? {} }}', ...options },
});
const queue = (more: object = {}, options: object = {}) => ({
	...place(options),
	resource: 'campaign',
	operation: 'queueCall',
	campaign: byId(`={{ $json.campaign ?? '${service.seed.campaigns.active}' }}`),
	...more,
});

/** The numbers that were sent, in any order, and the other fields of the bodies that are not always there. */
async function sent(): Promise<unknown[]> {
	const posts = await service.requests('POST', '/call');
	expect(posts.filter(({ body }) => 'checkFirst' in (body as object))).toEqual([]);
	return posts.map(({ body }) => (body as { to: string }).to).sort();
}

/** A call in the campaign that starts in an hour. */
async function queued(to: string): Promise<void> {
	const { active } = service.seed.campaigns;
	await service.api('PUT', `campaigns/${active}`, { initial_call_delay: 3600 });
	await service.api('POST', `campaigns/${active}/call`, { to, is_testing: true });
}

test('Place sends the items that are ready, and reports for the others why they are not', async () => {
	const { draft } = service.seed.agents;
	const given = [{ to: '+12025550111' }, { to: '+12025550122', agent: draft }, { to: '+12025550133' }];
	const { outputs } = await service.run(place(), given, goOn);
	expect(outputs[0]).toMatchObject([
		{ json: { to: '+12025550111', status: 'initiated' }, pairedItem: { item: 0 } },
		{ json: notReady({ httpStatus: null }), pairedItem: { item: 1 } },
		{ json: { to: '+12025550133' }, pairedItem: { item: 2 } },
	]);
	expect(outputs[0]?.[1]?.json.message).toMatch(/^Not ready: The agent is not published\. Use Agent → Publish/);
	expect(await sent()).toEqual(['+12025550111', '+12025550133']);
});

test('Queue Call sends the items that are ready, and reports for the others all reasons why they are not', async () => {
	await service.api('PUT', `agents/${service.seed.agents.published}/knowledge`, {
		description: 'Talk with {{name}}.',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 0,
		initial_message_delay: 0,
	});
	await service.api('POST', `agents/${service.seed.agents.published}/publish`);
	const payload = { name: 'Ada' };
	const given = [
		{ to: '+12025550111', payload },
		{ to: '+12025550122', campaign: service.seed.campaigns.paused },
		{ to: '+12025550133', payload },
	];
	const { outputs } = await service.run(queue(), given, goOn);
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
		{ to: '+12025550111' },
		notReady(),
		{ to: '+12025550133' },
	]);
	for (const part of [
		'The campaign is paused.',
		'Variables of the agent have no value: name.',
		'Campaign → Set Status',
		"'Agent Variables'",
	]) {
		expect(outputs[0]?.[1]?.json.message).toContain(part);
	}
	expect(await sent()).toEqual(['+12025550111', '+12025550133']);
});

test('a number that already has a call is treated as On Duplicate says', async () => {
	await queued('+12025550122');
	const run = async (onDuplicate: string, options = {}) => {
		const { outputs } = await service.run(queue({}, { onDuplicate, ...options }), [{ to: '+12025550122' }], goOn);
		return outputs[0]?.map(({ json }) => json);
	};
	expect(await run('returnExisting')).toMatchObject([{ to: '+12025550122', result: 'alreadyQueued' }]);
	expect(await run('skip')).toEqual([]);
	const { length } = await sent();
	expect(await run('fail')).toMatchObject([
		notReady({ message: expect.stringContaining('already has an active or queued call') }),
	]);
	expect(await sent()).toHaveLength(length);
	expect(await run('fail', { allowDuplicates: true })).toMatchObject([
		{ to: '+12025550122', status: expect.stringMatching(/queued|scheduled/) },
	]);
});

test('a number that comes twice in the input is treated as Repeated Number says', async () => {
	const twice = [items[0], items[0], items[1]] as typeof items;
	const once = await service.run(place(), twice);
	expect(once.outputs[0]?.map(({ json }) => json.sameNumberAsItem)).toEqual([undefined, 0, undefined]);
	expect(await sent()).toEqual(['+12025550111', '+12025550122']);
	await service.reset();
	await service.run(place({ repeatedNumber: 'callEachTime' }), twice);
	expect(await sent()).toEqual(['+12025550111', '+12025550111', '+12025550122']);
});

test('agent and campaign are read once, regardless of the number of items', async () => {
	const many = Array.from({ length: 200 }, (_none, index) => ({ to: `+1202555${1000 + index}` }));
	await service.run(queue(), many);
	expect(await sent()).toHaveLength(200);
	expect(await service.requests('GET')).toHaveLength(3);
});

test.each([
	['Place', place, 'agents', () => service.seed.agents.published],
	['Queue Call', () => queue({}, { onDuplicate: 'fail' }), 'campaigns', () => service.seed.campaigns.active],
])('%s: another try does not count the calls of the first try as obstacles', async (_name, parameters, kind, id) => {
	if (kind === 'campaigns') {
		await service.api('PUT', `campaigns/${id()}`, { initial_call_delay: 3600 });
	}
	// Any one of the three: the service refuses it, and the node fails.
	const path = `/api/v1/${kind}/${id()}/call`;
	await service.fault({
		match: { method: 'POST', path },
		kind: 'status',
		status: 422,
		body: { success: false, message: 'Not now.' },
	});
	const { run, outputs } = await service.run(parameters(), items, retried);
	expect(run.status).toBe('success');
	const again = outputs[0]?.map(({ json }) => json.alreadySent === true).sort();
	expect(again).toEqual([false, true, true]);
	// Only the one that was refused was sent twice.
	expect(await sent()).toHaveLength(4);
	expect(new Set(await sent()).size).toBe(3);
});

test('if it cannot check, it sends nothing', async () => {
	const credentials = service.credentials({ environmentToken: 'wrong' });
	const { outputs } = await service.run(queue(), items, { credentials, ...goOn });
	expect(outputs[0]?.map(({ json }) => json.result)).toEqual(['failed', 'failed', 'failed']);
	expect(outputs[0]?.[0]?.json).toMatchObject({ httpStatus: 401 });
	expect(await sent()).toEqual([]);
});

test('the limit of calls for a model counts calls only: no checks, and no items that a check stopped', async () => {
	const given = [
		{ to: '+12025550111', agent: service.seed.agents.draft },
		{ to: '+12025550122' },
		{ to: '+12025550133' },
	];
	const { outputs } = await service.run({ ...place(), maxCalls: 1 }, given, {
		node: { ...goOn.node, ...asTool },
		package: await harness.packageWithTool(),
	});
	expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
		notReady(),
		{ to: '+12025550122' },
		failed('CALL_LIMIT_REACHED'),
	]);
	expect(await sent()).toEqual(['+12025550122']);
});

test('if the agent cannot be read, no item counts as unknown, even where a number comes twice', async () => {
	const path = `/api/v1/agents/${service.seed.agents.published}`;
	await service.fault({ match: { method: 'GET', path }, kind: 'status', status: 500, times: 9 });
	const { outputs } = await service.run(place(), [...items.slice(0, 1), ...items.slice(0, 1)], goOn);
	expect(outputs[0]).toMatchObject([{ json: failed('SERVER_ERROR') }, { json: failed('SERVER_ERROR') }]);
	expect(await sent()).toEqual([]);
});

test('the reads respect Max Concurrent Requests', async () => {
	const { run } = await service.run({ ...place(), sending: { maxConcurrentRequests: 1 } }, items);
	expect(run.status).toBe('success');
	const load = (await (await fetch(`${service.url}/_sandbox/load`)).json()) as { highest: number };
	expect(load.highest).toBe(1);
});
