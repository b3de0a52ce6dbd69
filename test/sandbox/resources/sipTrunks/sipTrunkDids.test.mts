import { asList, asText, type SandboxClient, startClient } from '../../client.mts';

describe('the DIDs of a SIP trunk', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		path = `/sip-trunks/${service.seed.sipTrunk}`;
	});
	afterEach(() => service.close());

	const add = (number: unknown, country_code: unknown = 'US') =>
		service.api('POST', `${path}/dids`, { number, country_code });
	const phoneNumber = async (id: string) =>
		asList((await service.api('GET', '/phone-numbers')).data.data).find((number) => asText(number.id) === id);
	/** Assigns numbers to the draft agent and publishes it. */
	const publishWith = async (...ids: string[]) => {
		const agent = `/agents/${service.seed.agents.draft}`;
		await service.api('PUT', `${agent}/calling`, { direction: 'outbound', phone_number_ids: ids });
		return service.api('POST', `${agent}/publish`);
	};

	it('are listed, and are phone numbers of the environment', async () => {
		const { status, data } = await service.api('GET', `${path}/dids`);
		expect([status, data]).toEqual([
			200,
			{
				success: true,
				data: [
					{
						id: expect.any(String),
						number: '+13125550142',
						country_code: 'US',
						formatted_number: '+1 312 555 0142',
					},
					expect.objectContaining({ number: '+13125550143' }),
				],
			},
		]);
		const did = asList(data.data)[0]!;
		expect(await phoneNumber(asText(did.id))).toMatchObject({ ...did, type: 'voice', current_status: 'active' });
	});

	it('are created and can be called from', async () => {
		const { status, data } = await add('+442079460999', 'GB');
		expect([status, data]).toEqual([
			201,
			{
				success: true,
				data: {
					id: expect.any(String),
					number: '+442079460999',
					country_code: 'GB',
					formatted_number: '+442079460999',
					trunk_id: service.seed.sipTrunk,
				},
			},
		]);
		expect((await service.api('GET', `${path}/dids`)).data.data).toHaveLength(3);
		expect((await publishWith(asText(data.data.id))).status).toBe(200);
		await service.api('POST', `/agents/${service.seed.agents.draft}/call`, { to: '+12025550001' });
		expect(asList((await service.api('GET', '/calls')).data.data)[0]!.from).toBe('+442079460999');
	});

	it.each<[string, unknown]>([
		['number', undefined],
		['number', '3125550142'],
		['number', '+1 312 555 0142'],
		['number', '+0125550142'],
		['number', '+123456'],
		['number', '+1234567890123456'],
		['country_code', undefined],
		['country_code', 'USA'],
		['country_code', 'us'],
		['country_code', 'XX'],
		['country_code', 1],
	])('are refused with %s %j', async (field, value) => {
		const body = { number: '+13125550199', country_code: 'US', [field]: value };
		const { status, data } = await service.api('POST', `${path}/dids`, body);
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [field]: [expect.any(String)] } },
		]);
	});

	it.each(['+13125550142', '+12025550123'])(
		'are refused if the environment already has the number %s',
		async (number) => {
			const { status, data } = await add(number);
			expect([status, data]).toEqual([
				409,
				{ success: false, message: expect.any(String), code: 'DID_ALREADY_EXISTS' },
			]);
		},
	);

	it('cannot be deleted while a published agent has them; a draft agent loses them', async () => {
		const did = (await add('+13125550177')).data.data;
		await publishWith(asText(did.id), service.seed.phoneNumber);
		const one = `${path}/dids/${asText(did.id)}`;
		const { status, data } = await service.api('DELETE', one);
		expect([status, data]).toEqual([409, { success: false, message: expect.any(String), code: 'DID_IN_USE' }]);
		const agent = `/agents/${service.seed.agents.draft}`;
		await service.api('POST', `${agent}/unpublish`);
		const deleted = await service.api('DELETE', one);
		expect([deleted.status, deleted.data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect((await service.api('DELETE', one)).status).toBe(404);
		expect(await phoneNumber(asText(did.id))).toBeUndefined();
		expect((await service.api('GET', agent)).data.data.phone_numbers).toMatchObject([{ id: service.seed.phoneNumber }]);
		expect((await add('+13125550177')).status).toBe(201);
	});

	it('prevent the deletion of their trunk, as calls do', async () => {
		const [first, second] = asList((await service.api('GET', `${path}/dids`)).data.data);
		await publishWith(asText(first!.id));
		const agent = `/agents/${service.seed.agents.draft}`;
		await service.api('POST', `${agent}/call`, { to: '+12025550001' });
		await service.api('POST', `${agent}/unpublish`);
		const calling = await service.api('DELETE', path);
		expect([calling.status, calling.data]).toEqual([
			409,
			{ success: false, message: expect.stringContaining('active calls') },
		]);
		expect((await service.api('DELETE', `${path}/dids/${asText(first!.id)}`)).status).toBe(409);
		await service.advance(60);
		const { status, data } = await service.api('DELETE', path);
		expect([status, data]).toEqual([409, { success: false, message: expect.any(String), code: 'TRUNK_HAS_DIDS' }]);
		for (const did of [first!, second!]) {
			expect((await service.api('DELETE', `${path}/dids/${asText(did.id)}`)).status).toBe(200);
		}
		expect((await service.api('DELETE', path)).status).toBe(200);
	});

	it('are active while their trunk is', async () => {
		const id = asText((await add('+13125550177')).data.data.id);
		await publishWith(id);
		const call = async () =>
			(await service.api('POST', `/agents/${service.seed.agents.draft}/call`, { to: '+12025550001' })).status;
		expect(await call()).toBe(200);
		await service.api('PUT', path, { password: 'new' });
		expect(await phoneNumber(id)).toMatchObject({ current_status: 'inactive' });
		expect(await call()).toBe(400);
		await service.api('POST', `${path}/verify`);
		expect(await call()).toBe(400);
		await service.api('PUT', path, { is_active: true });
		expect(await call()).toBe(200);
	});
});

describe('phone numbers', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const ids = async (query: string) =>
		asList((await service.api('GET', `/phone-numbers?${query}`)).data.data).map(({ id }) => asText(id));

	it('are filtered by what they can do', async () => {
		const all = await ids('');
		expect(all.length).toBeGreaterThan(4);
		for (const query of ['type=voice', 'has_voice=true', 'has_voice=1', 'has_whatsapp=false', 'has_whatsapp=0']) {
			expect(await ids(query)).toEqual(all);
		}
		for (const query of ['type=fax', 'type=whatsapp', 'has_voice=false', 'has_voice=0', 'has_whatsapp=true']) {
			expect(await ids(query)).toEqual([]);
		}
		for (const direction of ['inbound', 'outbound']) {
			expect(await ids(`direction=${direction}`)).toEqual(all);
		}
	});

	it('are found by a part of the number or by the whole id', async () => {
		const { phoneNumber } = service.seed;
		expect(await ids('search=5550123')).toEqual([phoneNumber]);
		expect(await ids('search=%2B12025550123')).toEqual([phoneNumber]);
		expect(await ids(`search=${phoneNumber}`)).toEqual([phoneNumber]);
		expect(await ids('search=nothing')).toEqual([]);
	});

	it.each(['type=pager', 'has_voice=yes', 'has_whatsapp=2', 'direction=up'])('refuse the filter %s', async (query) => {
		const { status, data } = await service.api('GET', `/phone-numbers?${query}`);
		expect([status, Object.keys(data.errors)]).toEqual([422, [query.split('=')[0]]]);
	});
});
