import type { WorkflowExecuteMode } from 'n8n-workflow';

import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const numbers = ['+12025550111', '+12025550122', '+12025550133'];
const items = numbers.map((to, index) => ({ to, name: `Contact ${index}`, id: index + 1 }));
const links = (indexes: number[]) => indexes.map((item) => ({ item }));

describe('Call: Place', () => {
	const place = () => ({
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '={{ $json.to }}',
		agentVariables: { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } },
		options: { delay: '={{ $json.id * 10 }}', metadataJson: '={{ { contact: $json.id } }}' },
	});

	test('places one call for each item, with that item’s values', async () => {
		const { outputs } = await service.run(place(), items);
		const requests = await service.requests('POST');
		expect(requests.map(({ path }) => path)).toEqual(
			Array(3).fill(`/api/v1/agents/${service.seed.agents.published}/call`),
		);
		expect(requests.map(({ body }) => body)).toEqual(
			items.map(({ to, name, id }) => ({
				to,
				payload: { name },
				context: { contact: id },
				is_testing: false,
				delay_seconds: id * 10,
			})),
		);
		const calls = await service.calls();
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(links([0, 1, 2]));
		expect(outputs[0]?.map(({ json }) => json)).toEqual(
			numbers.map((to, index) => ({
				context: { contact: items[index]?.id },
				id: calls.find((call) => call.to === to)?.id,
				agent_id: service.seed.agents.published,
				to,
				status: 'initiated',
				created_at: expect.any(String),
				result: 'placed',
				code: null,
				message: null,
				isTest: false,
			})),
		);
	});

	describe('Test Call', () => {
		type Mode = { mode: WorkflowExecuteMode; rootMode?: WorkflowExecuteMode };
		const run = async (testCall: string, mode: Mode) => {
			const { run } = await service.run({ ...place(), testCall }, items, mode);
			const sent = await service.requests('POST');
			return { message: run.error?.message, sent: sent.map(({ body }) => Object(body).is_testing as boolean) };
		};

		test.each<[string, Mode, boolean]>([
			['a manual execution', { mode: 'manual' }, true],
			['an evaluation', { mode: 'evaluation' }, true],
			['a sub-workflow of a manual execution', { mode: 'integrated', rootMode: 'manual' }, true],
			['a sub-workflow of an evaluation', { mode: 'integrated', rootMode: 'evaluation' }, true],
			['a trigger', { mode: 'trigger' }, false],
			['a webhook', { mode: 'webhook' }, false],
			['an error workflow', { mode: 'error' }, false],
			['the command line', { mode: 'cli' }, false],
			['a sub-workflow of a production execution', { mode: 'integrated', rootMode: 'webhook' }, false],
		])('Automatic in %s decides by how the run began', async (_what, mode, isTest) => {
			expect(await run('automatic', mode)).toEqual({ message: undefined, sent: [isTest, isTest, isTest] });
		});

		test.each<[string, Mode]>([
			['a chat', { mode: 'chat' }],
			['an agent', { mode: 'agent' }],
			["n8n's own use", { mode: 'internal' }],
			['a sub-workflow of a chat', { mode: 'integrated', rootMode: 'chat' }],
			['a sub-workflow of what cannot be read', { mode: 'integrated' }],
			['a sub-workflow of a repeated execution', { mode: 'integrated', rootMode: 'retry' }],
			['a mode that n8n adds', { mode: 'rehearsal' as WorkflowExecuteMode }],
		])('Automatic in %s sends nothing, and says what to choose', async (_what, mode) => {
			expect(await run('automatic', mode)).toEqual({
				message: expect.stringContaining("'Test Call' is Automatic, but n8n does not tell"),
				sent: [],
			});
			expect((await run('always', mode)).sent).toEqual([true, true, true]);
		});

		test('Always and Never decide whatever the mode', async () => {
			expect((await run('never', { mode: 'manual' })).sent).toEqual([false, false, false]);
			await service.reset();
			expect((await run('always', { mode: 'trigger' })).sent).toEqual([true, true, true]);
		});
	});

	test('a wait by event in an evaluation, which does not wait, dials nobody', async () => {
		const waits = { ...place(), operation: 'placeAndWait', waitBy: 'event', options: {} };
		const { run } = await service.run(waits, items, { mode: 'evaluation' });
		expect(run.error?.message).toContain("'Wait By' cannot be Event in an evaluation");
		expect(await service.requests('POST')).toEqual([]);
	});

	test('a number is converted to E.164 before it is sent', async () => {
		const written = ['+1 (202) 555-0111', '0012025550122', '\u202d+1-202-555-0133\u202c'];
		const { outputs } = await service.run(
			place(),
			written.map((to, id) => ({ to, id, name: 'N' })),
		);
		expect(outputs[0]?.map(({ json }) => json.to)).toEqual(numbers);
	});

	test.each(['12025550122', '+0123456789', '+1202', '+1234567890123456', 'call me', ''])(
		'the number "%s" costs no request, and the message names item and value',
		async (to) => {
			const { run } = await service.run(place(), [items[0], { ...items[1], to }, items[2]] as typeof items);
			expect(run.status).toBe('error');
			expect(run.error?.message).toContain(to);
			expect(run.error?.message).toContain('[item 1]');
			expect(await service.requests()).toEqual([]);
		},
	);

	test.each([-1, 3601, 1.5, 'soon'])('a delay of %s costs no request', async (delay) => {
		const { run } = await service.run({ ...place(), options: { delay } }, items);
		expect(run.error?.message).toContain("'Delay (Seconds)'");
		expect(await service.requests()).toEqual([]);
	});

	test('an agent that is not published is given as the reason', async () => {
		const { run } = await service.run({ ...place(), agent: byId(service.seed.agents.draft) }, items);
		expect(run.error).toMatchObject({ description: expect.stringContaining('Use Agent → Publish') });
	});

	test('an ID stays one segment of the path, whatever it contains', async () => {
		for (const missingVariables of ['ignore', 'fail']) {
			const agent = byId('../campaigns/x?y#z');
			const { run } = await service.run({ ...place(), agent, options: { missingVariables } }, items);
			expect(run.status).toBe('error');
		}
		const path = '/api/v1/agents/..%2Fcampaigns%2Fx%3Fy%23z';
		const paths = (await service.requests()).map((request) => request.path);
		expect(new Set(paths)).toEqual(new Set([`${path}/call`, path]));
	});

	test('On Error continue: every item has an output, and the others are called', async () => {
		const mixed = [items[0], { ...items[1], to: 'nobody' }, items[2]] as typeof items;
		const { outputs, run } = await service.run(place(), mixed, { node: { onError: 'continueRegularOutput' } });
		expect(run.status).toBe('success');
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(links([0, 1, 2]));
		expect(outputs[0]?.[1]?.json).toMatchObject({
			result: 'failed',
			code: 'INVALID_PHONE_NUMBER',
			message: expect.stringContaining('nobody'),
			httpStatus: null,
		});
		const dialled = (await service.requests('POST')).map(({ body }) => (body as { to: string }).to);
		expect(dialled.sort()).toEqual([numbers[0], numbers[2]]);
	});

	test('On Error continue with error output: it gets the failed items, linked to their input', async () => {
		const mixed = [items[0], { ...items[1], to: 'nobody' }, items[2]] as typeof items;
		const { outputs } = await service.run(place(), mixed, { node: { onError: 'continueErrorOutput' } });
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(links([0, 2]));
		// n8n adds the fields of the input item.
		expect(outputs[1]).toMatchObject([
			{ json: { result: 'failed', message: expect.stringContaining('nobody'), id: 2 }, pairedItem: { item: 1 } },
		]);
	});

	test('On Error stop: nothing is sent when one item is invalid, and the message says so', async () => {
		const mixed = [items[0], { ...items[1], to: 'nobody' }, items[2]] as typeof items;
		const { run } = await service.run(place(), mixed);
		expect(run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});
});

describe('Campaign: Queue Call', () => {
	const queue = (changes = {}, options = {}) => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '={{ $json.to }}',
		...changes,
		options: {
			variablesJson: '={{ { name: $json.name } }}',
			metadataFields: { values: [{ name: 'contact', value: '={{ $json.id }}' }] },
			...options,
		},
	});

	test('queues one call for each item, with that item’s values', async () => {
		const { outputs } = await service.run(queue({}, { ifAlreadyQueued: 'queueAgain' }), items);
		const requests = await service.requests('POST');
		expect(requests.map(({ path }) => path)).toEqual(
			Array(3).fill(`/api/v1/campaigns/${service.seed.campaigns.active}/call`),
		);
		expect(requests.map(({ body }) => body)).toEqual(
			items.map(({ to, name, id }) => ({
				to,
				payload: { name },
				context: { contact: id },
				is_testing: false,
				allow_duplicates: true,
			})),
		);
		expect(outputs[0]?.map(({ json, pairedItem }) => [json.to, json.campaign_id, typeof json.id, pairedItem])).toEqual(
			numbers.map((to, item) => [to, service.seed.campaigns.active, 'string', { item }]),
		);
	});

	test('a number that is already queued is returned, skipped or refused, as the user chose', async () => {
		const [first] = (await service.run(queue(), items)).outputs[0] ?? [];
		const again = async (ifAlreadyQueued: string) =>
			await service.run(queue({}, { ifAlreadyQueued }), [items[0]] as typeof items, {
				node: { onError: 'continueErrorOutput' },
			});
		expect((await again('returnExisting')).outputs[0]).toMatchObject([
			{ json: { id: first?.json.id, result: 'alreadyQueued', isTest: null }, pairedItem: { item: 0 } },
		]);
		expect((await again('skip')).outputs).toEqual([[], []]);
		expect((await again('fail')).outputs).toMatchObject([[], [{ pairedItem: { item: 0 } }]]);
		expect((await service.requests('POST')).map(({ status }) => status)).toEqual([201, 201, 201, 409, 409, 409]);
	});

	test.each(['draft', 'paused', 'completed', 'cancelled'] as const)(
		'a %s campaign takes no calls, and the message says why',
		async (status) => {
			const { run } = await service.run(queue({ campaign: byId(service.seed.campaigns[status]) }), items);
			expect(run.error).toMatchObject({ description: expect.stringContaining('only while the campaign is active') });
		},
	);

	test('invalid JSON is reported with the field and costs no request', async () => {
		const { run } = await service.run(queue({}, { variablesJson: '{"name": ' }), items);
		expect(run.error?.message).toContain("'Variables (JSON)'");
		expect(await service.requests()).toEqual([]);
	});
});
