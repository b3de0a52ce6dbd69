import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'agentTraining',
	operation: name,
	agent: byId('={{ $json.agent }}'),
	publishAfterwards: 'never',
	...more,
});
const trainings = async (agent: string) =>
	(await service.api('GET', `agents/${agent}/trainings`)).body.data as Array<{ id: string; subject: string }>;
const status = async (agent: string) =>
	((await service.api('GET', `agents/${agent}`)).body.data as { current_status: string }).current_status;

describe('Agent Training', () => {
	test('Create or Update adds a training or changes the one with the Training Key, and makes a draft', async () => {
		const agent = service.seed.agents.published;
		const write = operation('upsert', {
			subject: '={{ $json.subject }}',
			instructions: '={{ $json.text }}',
			options: { nodeId: '={{ $json.key }}', status: 'inactive' },
		});
		const items = [
			{ agent, subject: 'Refunds', text: 'None.', key: 'refunds' },
			{ agent: nobody, subject: 'Refunds', text: 'None.', key: 'refunds' },
			{ agent, subject: 'x'.repeat(256), text: 'None.', key: 'x' },
			{ agent, subject: 'Refunds', text: '', key: 'refunds' },
			{ agent, subject: 'Weather', text: 'Do not talk of it.', key: 'weather' },
		];
		const sent = await expectItems(service, write, items, [
			{ id: expect.any(String), subject: 'Refunds', instructions: 'None.', current_status: 'inactive' },
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining('255 characters at most') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Instructions' is empty") }),
			{ subject: 'Weather' },
		]);
		const path = `agents/${agent}/trainings`;
		expect(sent).toEqualInAnyOrder([
			['POST', path, { subject: 'Refunds', instructions: 'None.', node_id: 'refunds', current_status: 'inactive' }],
			[
				'POST',
				`agents/${nobody}/trainings`,
				{ subject: 'Refunds', instructions: 'None.', node_id: 'refunds', current_status: 'inactive' },
			],
			[
				'POST',
				path,
				{ subject: 'Weather', instructions: 'Do not talk of it.', node_id: 'weather', current_status: 'inactive' },
			],
		]);
		expect(await status(agent)).toBe('draft');
		const before = await trainings(agent);
		const least = operation('upsert', {
			subject: 'Money back',
			instructions: 'Within a week.',
			options: { nodeId: 'refunds' },
			publishAfterwards: 'always',
		});
		const again = await expectItems(
			service,
			least,
			[{ agent }],
			// Its own status, not that of the agent.
			[{ id: before.find(({ subject }) => subject === 'Refunds')?.id, published: true, current_status: 'active' }],
		);
		expect(again).toEqual([
			['POST', path, { subject: 'Money back', instructions: 'Within a week.', node_id: 'refunds' }],
			['POST', `agents/${agent}/publish`],
		]);
		expect(await trainings(agent)).toHaveLength(before.length);
		expect(await status(agent)).toBe('published');
	});

	test.each([
		['is retried with a Training Key when the response is lost', { nodeId: 'refunds' }, 'success'],
		['is not retried without a Training Key, since that would add a second training', {}, 'error'],
	])('Create or Update %s', async (_what, options, ended) => {
		const agent = service.seed.agents.published;
		const { length } = await trainings(agent);
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const write = operation('upsert', { subject: 'Refunds', instructions: 'None.', options });
		const { run } = await service.run(write, [{ agent }], {
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(run.status).toBe(ended);
		expect(await trainings(agent)).toHaveLength(length + 1);
	});

	test('Get Many lists the trainings of an agent', async () => {
		const { published, draft } = service.seed.agents;
		const { outputs } = await service.run(operation('getAll', { returnAll: true }), [
			{ agent: published },
			{ agent: draft },
			{ agent: published },
		]);
		const all = await trainings(published);
		expect(all.length).toBeGreaterThan(1);
		expect(outputs[0]).toEqual([0, 2].flatMap((item) => all.map((json) => ({ json, pairedItem: { item } }))));
		expect((await service.run(operation('getAll', { limit: 1 }), [{ agent: published }])).outputs[0]).toHaveLength(1);
		await expectItems(
			service,
			operation('getAll'),
			[{ agent: nobody }, { agent: '' }],
			[failed('AGENT_NOT_FOUND'), failed('INVALID_INPUT')],
		);
	});

	test('Delete removes a training and makes the agent a draft', async () => {
		const agent = service.seed.agents.published;
		const [first, second] = await trainings(agent);
		const items = [first?.id, nobody, '', second?.id].map((training) => ({ agent, training }));
		const sent = await expectItems(
			service,
			operation('delete', { agentTraining: byId('={{ $json.training }}') }),
			items,
			[
				{ deleted: true },
				failed('TRAINING_NOT_FOUND', { httpStatus: 404 }),
				failed('INVALID_INPUT', { message: expect.stringContaining("'Training' is empty") }),
				{ deleted: true },
			],
		);
		expect(sent.map(([method, path]) => `${method} ${path}`).sort()).toEqual(
			[first?.id, nobody, second?.id].map((id) => `DELETE agents/${agent}/trainings/${id}`).sort(),
		);
		expect(await trainings(agent)).toEqual([]);
		expect(await status(agent)).toBe('draft');
	});

	test('Delete can publish the agent afterwards', async () => {
		const agent = service.seed.agents.published;
		const [first] = await trainings(agent);
		const remove = operation('delete', { agentTraining: byId(first?.id ?? ''), publishAfterwards: 'always' });
		await expectItems(service, remove, [{ agent }], [{ deleted: true, published: true }]);
		expect(await status(agent)).toBe('published');
	});
});
