import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { expectRefusals } from '../../refusals.mts';

const training = { node_id: 'returns', subject: 'Returns', instructions: 'Goods can be sent back within 30 days.' };

describe('trainings of an agent', () => {
	let service: SandboxClient;
	let agent: string;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		agent = `/agents/${service.seed.agents.published}`;
		path = `${agent}/trainings`;
	});
	afterEach(() => service.close());

	const put = (changes: object = {}) => service.api('POST', path, { ...training, ...changes });
	const all = async (): Promise<Json[]> => asList((await service.api('GET', path)).data.data);
	const status = async () => (await service.api('GET', agent)).data.data.current_status;

	it('are listed without pages, and are the same in the agent', async () => {
		const { data } = await service.api('GET', path);
		expect(data).toEqual({ success: true, data: [expect.anything(), expect.anything()] });
		expect(data.data).toEqual((await service.api('GET', agent)).data.data.trainings);
		expect(await status()).toBe('published');
		const none = await service.api('GET', `/agents/${service.seed.agents.draft}/trainings`);
		expect(none.data).toEqual({ success: true, data: [] });
	});

	it('are added without showing their node_id, and make the agent a draft', async () => {
		const { status: code, data } = await put();
		expect(code).toBe(200);
		expect(data).toEqual({
			success: true,
			message: expect.any(String),
			data: {
				id: expect.any(String),
				subject: training.subject,
				instructions: training.instructions,
				current_status: 'active',
				created_at: expect.stringMatching(/Z$/),
				updated_at: expect.stringMatching(/Z$/),
			},
		});
		expect((await all())[2]).toEqual(data.data);
		expect(await status()).toBe('draft');
	});

	it('are updated when their node_id is known', async () => {
		const first = await put();
		await service.advance(60);
		const second = await put({ subject: 'Refunds', current_status: 'inactive' });
		expect(second.data.data).toMatchObject({
			id: first.data.data.id,
			created_at: first.data.data.created_at,
			subject: 'Refunds',
			current_status: 'inactive',
		});
		expect(second.data.data.updated_at).not.toEqual(first.data.data.updated_at);
		expect(await all()).toHaveLength(3);
	});

	it('without node_id are always created', async () => {
		for (const node_id of [undefined, undefined, null, null]) {
			expect((await put({ node_id })).status).toBe(200);
		}
		expect(await all()).toHaveLength(6);
	});

	it.each([
		['node_id', 7],
		['node_id', ''],
		['subject', undefined],
		['subject', ''],
		['subject', 'x'.repeat(256)],
		['instructions', undefined],
		['instructions', ''],
		['current_status', 'paused'],
	])('are refused with %s %j', async (field, value) => {
		const { status: code, data } = await put({ [field]: value });
		expect([code, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [field]: [expect.any(String)] } },
		]);
		expect([await status(), (await all()).length]).toEqual(['published', 2]);
	});

	it('have a subject of 255 characters at most', async () => {
		expect((await put({ subject: 'x'.repeat(255) })).status).toBe(200);
	});

	it('are deleted, which makes the agent a draft', async () => {
		const one = `${path}/${asText((await all())[0]?.id)}`;
		const deleted = await service.api('DELETE', one);
		expect([deleted.status, deleted.data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect([(await all()).length, await status()]).toEqual([1, 'draft']);
		const again = await service.api('DELETE', one);
		expect([again.status, again.data]).toEqual([404, { success: false, message: 'Training not found.' }]);
	});

	it('of another agent cannot be deleted', async () => {
		const id = asText((await all())[0]?.id);
		const { status: code } = await service.api('DELETE', `/agents/${service.seed.agents.draft}/trainings/${id}`);
		expect([code, (await all()).length]).toEqual([404, 2]);
	});

	it('need a known agent and a token with permission', async () => {
		for (const [method, missing] of [
			['GET', '/agents/nobody/trainings'],
			['POST', '/agents/nobody/trainings'],
			['DELETE', '/agents/nobody/trainings/any'],
		] as const) {
			expect((await service.api(method, missing)).data).toEqual({ success: false, message: 'Agent not found.' });
		}
		await expectRefusals(service, 'GET', path);
		await expectRefusals(service, 'POST', path, training);
		await expectRefusals(service, 'DELETE', `${path}/${asText((await all())[0]?.id)}`);
		expect(await all()).toHaveLength(2);
	});
});
