import { asList, asText, type SandboxClient, startClient } from '../../client.mts';

describe('a call through an agent', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient({ credits: 2 });
		path = `/agents/${service.seed.agents.published}/call`;
	});
	afterEach(() => service.close());

	const statusOf = async (id: string) =>
		asText(asList(await service.control('calls')).find((call) => asText(call.id) === id)?.status);

	it('answers with the new call', async () => {
		const { status, data } = await service.api('POST', path, {
			to: '+12025550001',
			payload: { name: 'Ada' },
			context: { a: 1 },
		});
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			data: {
				id: expect.any(String),
				agent_id: service.seed.agents.published,
				to: '+12025550001',
				status: 'initiated',
				created_at: expect.stringMatching(/Z$/),
			},
		});
	});

	it.each([
		['0001', ['ringing', 'answered', 'completed']],
		['0002', ['ringing', 'busy']],
		['0003', ['ringing', 'no-answer']],
		['0004', ['ringing', 'failed']],
		['0005', ['ringing', 'answered', 'completed']],
		['9876', ['ringing', 'answered', 'completed']],
	])('to a number ending in %s goes through %p', async (digits, course) => {
		const { data } = await service.api('POST', path, { to: `+1202555${digits}` });
		const id = asText(data.data.id);
		const seen = [await statusOf(id)];
		for (let second = 0; second < 60; second += 1) {
			await service.advance(1);
			const status = await statusOf(id);
			if (status !== seen.at(-1)) {
				seen.push(status);
			}
		}
		expect(seen).toEqual(['initiated', ...course]);
	});

	it('waits for delay_seconds before it rings', async () => {
		const { data } = await service.api('POST', path, { to: '+12025550001', delay_seconds: 3600 });
		await service.advance(3590);
		expect(await statusOf(asText(data.data.id))).toBe('initiated');
		await service.advance(12);
		expect(await statusOf(asText(data.data.id))).toBe('ringing');
	});

	it.each([
		[{}, 400, 'MISSING_PHONE_NUMBER'],
		[{ to: '' }, 400, 'MISSING_PHONE_NUMBER'],
		[{ to: '2025550001' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: '+1 202 555 0001' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: '+0202555000' }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: 12025550001 }, 400, 'INVALID_PHONE_NUMBER'],
		[{ to: '+12025550001', delay_seconds: 3601 }, 422, 'VALIDATION_ERROR'],
		[{ to: '+12025550001', delay_seconds: -1 }, 422, 'VALIDATION_ERROR'],
		[{ to: '+12025550001', payload: [] }, 422, 'VALIDATION_ERROR'],
		[{ to: '+12025550001', is_testing: 'yes' }, 422, 'VALIDATION_ERROR'],
	])('refuses %j with %i %s in the nested format', async (body, status, code) => {
		const response = await service.api('POST', path, body);
		expect([response.status, response.data]).toMatchObject([status, { error: { code, message: expect.any(String) } }]);
		expect(await service.control('calls')).toHaveLength(30);
	});

	it('names field and value of an invalid number', async () => {
		const { data } = await service.api('POST', path, { to: '12' });
		expect(data.error.details).toEqual({ field: 'to', value: '12' });
	});

	it('needs a known agent that is published and has a number to call from', async () => {
		const call = async (agent: string) => service.api('POST', `/agents/${agent}/call`, { to: '+12025550001' });
		const unknown = await call('nobody');
		expect([unknown.status, unknown.data]).toMatchObject([
			404,
			{ error: { code: 'AGENT_NOT_FOUND', details: { agent_id: 'nobody' } } },
		]);
		const draft = await call(service.seed.agents.draft);
		expect([draft.status, draft.data]).toMatchObject([400, { error: { code: 'AGENT_INACTIVE' } }]);
		const inbound = await service.api('GET', '/agents?status=published&direction=inbound');
		expect((await call(asText(inbound.data.data[0]!.id))).data).toMatchObject({ error: { code: 'AGENT_INACTIVE' } });
	});

	it('costs a credit unless it is a test, and answers 402 when none is left', async () => {
		const call = (is_testing: boolean) => service.api('POST', path, { to: '+12025550001', is_testing });
		for (let count = 0; count < 3; count += 1) {
			expect((await call(true)).status).toBe(200);
		}
		expect((await call(false)).status).toBe(200);
		expect((await call(false)).status).toBe(200);
		const refused = await call(false);
		expect([refused.status, refused.data]).toMatchObject([402, { error: { code: 'INSUFFICIENT_CREDITS' } }]);
		expect((await call(true)).status).toBe(200);
	});
});

describe('a call through the agent that the body names', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient({ credits: 1 });
	});
	afterEach(() => service.close());

	const call = (body: object, token?: string) => service.api('POST', '/calls', body, token);

	it('is placed like one through the agent', async () => {
		const agent_id = service.seed.agents.published;
		const { status, data } = await call({ agent_id, to: '+12025550001', context: { a: 1 } });
		expect([status, data]).toEqual([
			200,
			{
				success: true,
				data: {
					id: expect.any(String),
					agent_id,
					to: '+12025550001',
					status: 'initiated',
					created_at: expect.stringMatching(/Z$/),
				},
			},
		]);
		expect(asList(await service.control('calls')).at(-1)).toMatchObject({ id: data.data.id, context: { a: 1 } });
		expect((await call({ agent_id, to: '+12025550001' })).data.error.code).toBe('INSUFFICIENT_CREDITS');
	});

	it('is refused in the nested format for the same reasons, and without a known agent', async () => {
		const { published, draft } = service.seed.agents;
		const to = '+12025550001';
		const refusal = async (body: object, token?: string) => {
			const { status, data } = await call(body, token);
			return [status, data.error.code];
		};
		expect(await refusal({ to })).toEqual([422, 'VALIDATION_ERROR']);
		expect(await refusal({ to, agent_id: 7 })).toEqual([422, 'VALIDATION_ERROR']);
		expect(await refusal({ to, agent_id: 'nobody' })).toEqual([404, 'AGENT_NOT_FOUND']);
		expect(await refusal({ to, agent_id: draft })).toEqual([400, 'AGENT_INACTIVE']);
		expect(await refusal({ agent_id: published })).toEqual([400, 'MISSING_PHONE_NUMBER']);
		expect(await refusal({ agent_id: published, to: '12' })).toEqual([400, 'INVALID_PHONE_NUMBER']);
		expect(await refusal({ agent_id: published, to, delay_seconds: 3601 })).toEqual([422, 'VALIDATION_ERROR']);
		expect(await refusal({ agent_id: published, to }, 'wrong')).toEqual([401, 'INVALID_TOKEN']);
		expect(await refusal({ agent_id: published, to }, 'TOKEN-readonly')).toEqual([403, 'UNAUTHORIZED']);
		expect(await service.control('calls')).toHaveLength(30);
	});
});

describe('the call lists', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
		await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to: '+12025550001' });
		await service.advance(60);
	});
	afterAll(() => service.close());

	it('show the newest call first, with its agent, in pages', async () => {
		const { data } = await service.api('GET', '/calls?per_page=7');
		expect(data.pagination).toEqual({ current_page: 1, last_page: 5, per_page: 7, total: 31, from: 1, to: 7 });
		expect(data.data[0]).toEqual({
			id: expect.any(String),
			sid: expect.any(String),
			to: '+12025550001',
			to_formatted: '+1 202 555 0001',
			from: expect.stringMatching(/^\+\d+$/),
			from_formatted: expect.any(String),
			is_testing: false,
			direction: 'outbound',
			status: 'completed',
			duration: 30,
			agent: { id: service.seed.agents.published, name: 'Amelia', label: expect.any(String) },
			created_at: expect.any(String),
			updated_at: expect.any(String),
		});
		const beyond = (await service.api('GET', '/calls?page=99')).data;
		expect([beyond.data, beyond.pagination.from, beyond.pagination.to]).toEqual([[], null, null]);
	});

	it('filter by status, agent, day and number', async () => {
		const total = async (query: string) => (await service.api('GET', `/calls?${query}`)).data.pagination.total;
		expect(await total('status=busy')).toBe(6);
		expect(await total('direction=inbound')).toBe(0);
		expect(await total('search=0001')).toBe(1);
		expect(await total('date_to=2020-01-01')).toBe(0);
		expect(await total('date_from=2020-01-01')).toBe(31);
		expect((await service.api('GET', '/calls?date_from=2020-02-30')).status).toBe(422);
		expect((await service.api('GET', '/calls?status=in-progress')).status).toBe(422);
	});

	it('show the calls of one agent without repeating the agent', async () => {
		const { data } = await service.api('GET', `/agents/${service.seed.agents.published}/calls`);
		expect(data.pagination.total).toBe(11);
		expect(data.data[0]).not.toHaveProperty('agent');
		expect((await service.api('GET', '/agents/nobody/calls')).status).toBe(404);
	});
});
