import type { WorkflowExecuteMode } from 'n8n-workflow';

import { harness } from '../../harness.mts';
import { actionNode, jsonOf, saidBy, useService } from '../../service.mts';

const service = useService();

const numbers = ['+12025550111', '+12025550122', '+12025550133'];
const items = numbers.map((to, index) => ({ to, name: `Contact ${index}`, id: index + 1 }));
const place = (more: object = {}) =>
	service.place(
		{ delay: '={{ $json.id * 10 }}', metadataJson: '={{ { contact: $json.id } }}' },
		{ agentVariables: { mappingMode: 'defineBelow', value: { name: '={{ $json.name }}' } }, ...more },
	);
const bodies = async () => (await service.requests('POST')).map(({ path, body }) => ({ path, body }));

describe('Call: Place', () => {
	test('places one call for each item, with that item’s values', async () => {
		const { published } = service.seed.agents;
		const { outputs } = await service.run(place(), items);
		expect(await bodies()).toEqual(
			items.map(({ to, name, id }) => ({
				path: `/api/v1/agents/${published}/call`,
				body: { to, payload: { name }, context: { contact: id }, is_testing: false, delay_seconds: id * 10 },
			})),
		);
		const calls = await service.calls();
		expect(outputs[0]).toEqual(
			items.map(({ to, name, id }, item) => ({
				pairedItem: { item },
				json: {
					id: calls.find((call) => call.to === to)?.id,
					agent_id: published,
					to,
					status: 'initiated',
					context: { contact: id },
					payload: { name },
					created_at: expect.any(String),
					result: 'placed',
					code: '',
					message: 'Call placed.',
					advice: '',
					isTest: false,
				},
			})),
		);
	});

	describe('Test Call', () => {
		type Mode = { mode: WorkflowExecuteMode; rootMode?: WorkflowExecuteMode };
		const run = async (testCall: string, mode: Mode) => {
			await service.reset();
			const ran = await service.run(place({ testCall }), items, mode);
			return { said: saidBy(ran), sent: (await bodies()).map(({ body }) => Object(body).is_testing as boolean) };
		};
		const all = (isTest: boolean) => [isTest, isTest, isTest];

		test.each<[string, Mode, boolean]>([
			['a manual execution', { mode: 'manual' }, true],
			['an evaluation', { mode: 'evaluation' }, true],
			['a sub-workflow of a manual execution', { mode: 'integrated', rootMode: 'manual' }, true],
			['a sub-workflow of an evaluation', { mode: 'integrated', rootMode: 'evaluation' }, true],
			['a trigger', { mode: 'trigger' }, false],
			['a webhook', { mode: 'webhook' }, false],
			['the command line', { mode: 'cli' }, false],
			['a sub-workflow of a production execution', { mode: 'integrated', rootMode: 'webhook' }, false],
		])('Automatic in %s decides by how the run began', async (_what, mode, isTest) => {
			expect((await run('automatic', mode)).sent).toEqual(all(isTest));
		});

		test.each<[string, Mode]>([
			['a chat', { mode: 'chat' }],
			['an agent', { mode: 'agent' }],
			["n8n's own use", { mode: 'internal' }],
			['a sub-workflow of a chat', { mode: 'integrated', rootMode: 'chat' }],
			['a sub-workflow of what cannot be read', { mode: 'integrated' }],
			['an error workflow of what cannot be read', { mode: 'error' }],
			['a sub-workflow of a repeated execution', { mode: 'integrated', rootMode: 'retry' }],
			['a mode that n8n adds', { mode: 'rehearsal' as WorkflowExecuteMode }],
		])('Automatic in %s sends nothing, and says what to choose', async (_what, mode) => {
			const said = expect.stringContaining("'Test Call' is Automatic, but n8n does not report");
			expect(await run('automatic', mode)).toEqual({ said, sent: [] });
			expect((await run('always', mode)).sent).toEqual(all(true));
		});

		test.each<[string, unknown[]]>([
			['evaluation', [true, true, true]],
			// Such as the Retry of a manual execution.
			['manual', [true, true, true]],
			['webhook', [false, false, false]],
			// A sub-workflow: n8n does not tell to which execution it belongs.
			['integrated', []],
		])('Automatic in an error workflow decides by how the execution that failed began: %s', async (source, sent) => {
			const parameters = place({ testCall: 'automatic' });
			const nodes = [harness.sourceOf(items), { name: 'Call', type: actionNode, parameters }];
			const spec = { nodes, credentials: service.credentials() };
			await service.fault({ match: { method: 'POST' }, kind: 'status', status: 401, times: 9 });
			const { data } = structuredClone((await harness.runWorkflow(spec, { mode: 'error' })).stored);
			await service.reset();
			data.resultData.runData.Call?.pop();
			delete data.resultData.error;
			data.parentExecution = {
				executionId: '1',
				workflowId: '1',
				executionContext: { version: 1, establishedAt: 0, source: source as WorkflowExecuteMode },
			};
			await (await harness.startWorkflow(spec, { mode: 'error' }, data)).result;
			expect((await bodies()).map(({ body }) => Object(body).is_testing as boolean)).toEqual(sent);
		});

		test('Always and Never decide whatever the mode', async () => {
			expect((await run('never', { mode: 'manual' })).sent).toEqual(all(false));
			expect((await run('always', { mode: 'trigger' })).sent).toEqual(all(true));
		});
	});

	test('a wait by event in an evaluation, which does not wait, dials nobody', async () => {
		const waits = { ...place({ operation: 'placeAndWait', waitBy: 'event' }), options: {} };
		const ran = await service.run(waits, items, { mode: 'evaluation' });
		expect(saidBy(ran)).toContain("'Wait By' cannot be Event in an evaluation");
		expect(await service.requests('POST')).toEqual([]);
	});

	test.each([-1, 3601, 1.5, 'soon'])('a delay of %j calls nobody, and the message names it', async (delay) => {
		const { run } = await service.run(place({ options: { delay } }), items);
		expect(run.error?.message).toContain("'Delay (Seconds)'");
		expect(await service.requests('POST')).toEqual([]);
	});
});

describe('Campaign: Queue Call', () => {
	const metadataFields = { values: [{ name: 'contact', value: '={{ $json.id }}' }] };
	const queue = (options: object) =>
		service.queue({ variablesJson: '={{ { name: $json.name } }}', metadataFields, ...options });

	test('queues one call for each item, with that item’s values', async () => {
		const { active } = service.seed.campaigns;
		const { outputs } = await service.run(queue({ ifAlreadyQueued: 'queueAgain' }), items);
		expect(await bodies()).toEqual(
			items.map(({ to, name, id }) => ({
				path: `/api/v1/campaigns/${active}/call`,
				body: { to, payload: { name }, context: { contact: id }, is_testing: false, allow_duplicates: true },
			})),
		);
		expect(outputs[0]).toMatchObject(
			numbers.map((to, item) => ({ json: { to, campaign_id: active, id: expect.any(String) }, pairedItem: { item } })),
		);
	});

	test('a number that is already queued is returned, skipped or refused, as the user chose', async () => {
		const [first] = jsonOf(await service.run(queue({}), items));
		const again = async (ifAlreadyQueued: string) => {
			const node = { onError: 'continueErrorOutput' } as const;
			return (await service.run(queue({ ifAlreadyQueued }), items.slice(0, 1), { node })).outputs;
		};
		expect(await again('returnExisting')).toMatchObject([
			[{ json: { id: first?.id, result: 'alreadyQueued', isTest: null }, pairedItem: { item: 0 } }],
			[],
		]);
		expect(await again('skip')).toEqual([[], []]);
		const duplicate = { code: 'DUPLICATE_CALL', existing_call: { id: first?.id, to: numbers[0] } };
		expect(await again('fail')).toMatchObject([[], [{ json: duplicate, pairedItem: { item: 0 } }]]);
		expect((await service.requests('POST')).map(({ status }) => status)).toEqual([201, 201, 201, 409, 409, 409]);
	});
});
