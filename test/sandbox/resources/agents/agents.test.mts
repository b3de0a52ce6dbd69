import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { SHOWN_AGENT } from '../../objects.mts';

describe('agents', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient();
	});
	afterEach(() => service.close());

	const names = async (query: string) =>
		asList((await service.api('GET', `/agents?${query}`)).data.data).map(({ name }) => asText(name));

	it('are listed in pages with meta, 20 a page by default', async () => {
		const first = (await service.api('GET', '/agents')).data;
		expect(first.meta).toEqual({ current_page: 1, per_page: 20, total: 33, last_page: 2 });
		expect(first.data).toHaveLength(20);
		const all = [
			...(await names('per_page=13')),
			...(await names('per_page=13&page=2')),
			...(await names('per_page=13&page=3')),
		];
		expect(new Set(all).size).toBe(33);
		expect(await names('page=9')).toEqual([]);
	});

	it('are found by status, direction and a part of the name or label', async () => {
		const total = async (query: string) => (await service.api('GET', `/agents?${query}`)).data.meta.total;
		expect(await total('status=draft')).toBe(10);
		expect(await total('status=published&direction=inbound')).toBe(6);
		expect(await names('search=amel')).toEqual(['Amelia']);
		expect(await names('search=INVOICE')).toEqual(['Dmitri']);
		expect(await total('search=')).toBe(33);
	});

	it.each(['status=live', 'direction=up', 'per_page=0', 'per_page=101', 'page=0', 'page=two'])(
		'refuse the list query %s with 422 and the field',
		async (query) => {
			const { status, data } = await service.api('GET', `/agents?${query}`);
			expect(status).toBe(422);
			expect(data).toMatchObject({ success: false, errors: { [query.split('=')[0]!]: [expect.any(String)] } });
		},
	);

	it('show all documented fields, with their numbers and actions', async () => {
		const agent = (await service.api('GET', `/agents/${service.seed.agents.published}`)).data.data;
		expect(agent).toMatchObject({
			id: service.seed.agents.published,
			current_status: 'published',
			direction: 'outbound',
			is_ready_to_publish: true,
			trainings: [{ subject: 'Prices' }, { subject: 'Opening hours' }],
			voice: { template: { name: expect.any(String) } },
			phone_numbers: [
				{ id: service.seed.phoneNumber, current_status: 'active', number: expect.stringMatching(/^\+\d+$/) },
			],
			actions: [{ type: 'webhook', label: 'book_appointment', config: null, action_trigger: null }],
		});
		expect(Object.keys(agent).sort()).toEqual(SHOWN_AGENT);
		for (const part of [agent.actions[0], agent.trainings[0]]) {
			expect(part).not.toHaveProperty('node_id');
			expect(part).not.toHaveProperty('unshown');
		}
		expect(asText(agent.created_at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
	});

	it('cannot be published without an active number or a voice; the 422 names what is missing', async () => {
		const path = `/agents/${service.seed.agents.draft}`;
		await service.api('PUT', `${path}/calling`, { direction: 'outbound', phone_number_ids: [] });
		const refused = await service.api('POST', `${path}/publish`);
		expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, ['phone_number_ids']]);
		const { data } = await service.api('GET', '/agents?search=Cyril');
		const voiceless = await service.api('POST', `/agents/${asText(data.data[0]!.id)}/publish`);
		expect(Object.keys(voiceless.data.errors)).toEqual(['voice']);
	});

	it('need an active number to be published, and place calls from it', async () => {
		const numbers = asList((await service.api('GET', '/phone-numbers')).data.data);
		const inactive = numbers.find(({ current_status }) => asText(current_status) === 'inactive')!;
		const active = numbers.find(({ id }) => asText(id) === service.seed.phoneNumber)!;
		const path = `/agents/${service.seed.agents.draft}`;
		const use = (...ids: string[]) =>
			service.api('PUT', `${path}/calling`, { direction: 'outbound', phone_number_ids: ids });
		await use(asText(inactive.id));
		expect((await service.api('POST', `${path}/publish`)).data.errors).toHaveProperty('phone_number_ids');
		await use(asText(inactive.id), asText(active.id));
		await service.api('POST', `${path}/publish`);
		await service.api('POST', `${path}/call`, { to: '+12025550001' });
		expect(asList((await service.api('GET', '/calls?search=0001')).data.data)[0]!.from).toBe(active.number);
	});

	it('become drafts when unpublished', async () => {
		const path = `/agents/${service.seed.agents.published}`;
		const { data } = await service.api('POST', `${path}/unpublish`);
		expect(data.data).toMatchObject({ current_status: 'draft', is_ready_to_publish: true });
	});

	it('have phone numbers that can be listed and searched', async () => {
		const numbers = asList((await service.api('GET', '/phone-numbers')).data.data);
		expect(numbers.length).toBeGreaterThan(2);
		expect(numbers[0]).toMatchObject({ type: 'voice', has_voice: true, current_status: 'active', currency: 'USD' });
		expect((await service.api('GET', '/phone-numbers?search=0145')).data.data).toHaveLength(1);
		expect((await service.api('GET', '/phone-numbers?type=sms')).data.data).toHaveLength(0);
		expect((await service.api('GET', '/phone-numbers?type=pager')).status).toBe(422);
	});
});
