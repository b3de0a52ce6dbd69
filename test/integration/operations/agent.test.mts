import { byId, startService } from '../service.mts';
import type { Service } from '../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

describe('Agent', () => {
	test('Get Many asks for what the filters say', async () => {
		const filters = { direction: 'outbound', status: '={{ $json.status }}', search: '' };
		const parameters = { resource: 'agent', operation: 'getAll', filters };
		const { outputs } = await service.run(parameters, [{ status: 'published' }, { status: 'draft' }, { status: 'published' }]);
		const ids = outputs[0]?.map(({ json, pairedItem }) => [json.id, pairedItem]);
		expect(ids).toContainEqual([service.seed.agents.published, { item: 0 }]);
		expect(ids).toContainEqual([service.seed.agents.draft, { item: 1 }]);
		expect((await service.requests('GET')).map(({ query }) => [query.status, query.direction])).toEqual([
			['published', 'outbound'],
			['draft', 'outbound'],
			['published', 'outbound'],
		]);
	});

	test('Get gives the ten fields that matter, or all of them', async () => {
		const parameters = { resource: 'agent', operation: 'get', agent: byId('={{ $json.id }}') };
		const ids = [service.seed.agents.published, service.seed.agents.draft, service.seed.agents.published];
		const { outputs } = await service.run(parameters, ids.map((id) => ({ id })));
		expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id }, pairedItem: { item } })));
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const whole = await service.run({ ...parameters, simplify: false }, [{ id: ids[0] }]);
		const { body } = await service.api('GET', `agents/${ids[0]}`);
		expect(whole.outputs[0]?.[0]?.json).toEqual(body.data);
	});

	describe('Update Calling Settings', () => {
		const parameters = (more = {}) => ({ resource: 'agent', operation: 'updateCallingSettings', agent: byId('={{ $json.id }}'), direction: 'outbound', ...more });
		const status = async (id: string) => ((await service.api('GET', `agents/${id}`)).body.data as { current_status: string }).current_status;

		test('sends what was set and leaves a draft', async () => {
			const { published, draft } = service.seed.agents;
			const ids = [published, draft, published];
			const options = { phoneNumbers: [service.seed.phoneNumber] };
			const { outputs } = await service.run(parameters({ options }), ids.map((id) => ({ id })));
			expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id, current_status: 'draft' }, pairedItem: { item } })));
			const body = { direction: 'outbound', phone_number_ids: [service.seed.phoneNumber] };
			expect((await service.requests('PUT')).map(({ body: sent }) => sent)).toEqual([body, body, body]);
			expect(await service.requests('POST')).toEqual([]);
		});

		test('publishes afterwards where that is asked for', async () => {
			const { published } = service.seed.agents;
			const { outputs } = await service.run(parameters({ options: { publishAfterwards: true } }), [{ id: published }]);
			expect(outputs[0]?.[0]?.json).toMatchObject({ id: published, published: true, current_status: 'published' });
			expect(await status(published)).toBe('published');
		});

		test('keeps the change and says so when the agent cannot be published', async () => {
			const { published } = service.seed.agents;
			const options = { publishAfterwards: true, phoneNumbers: [] };
			const { outputs, run } = await service.run(parameters({ options }), [{ id: published }]);
			expect(run.status).toBe('success');
			expect(outputs[0]?.[0]?.json).toMatchObject({ published: false, publishCode: 'VALIDATION_ERROR', publishMessage: expect.stringContaining('active phone number') });
			expect(await status(published)).toBe('draft');
		});

		test('refuses another direction before anything is sent', async () => {
			const { run } = await service.run(parameters({ direction: 'sideways' }), [{ id: service.seed.agents.published }]);
			expect(run.error?.message).toContain("'Direction' cannot be \"sideways\"");
			expect(await service.requests()).toEqual([]);
		});
	});
});
