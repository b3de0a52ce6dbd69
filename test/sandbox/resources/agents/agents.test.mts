import { asList, asText } from '../../client.mts';
import { agentWebhookOn, webhookOn } from '../../objects.mts';
import { useService } from '../../use.mts';

/** The required fields of a creation. */
const required = {
	name: 'Zelda',
	label: 'Night shift',
	language: 'pt-BR',
	interrupt_sensitivity: 'low',
	endpointing_sensitivity: 'auto',
	ivr_navigation_mode: 'off',
	conversation_speed: 1.2,
	initial_message_delay: 2,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 30,
	llm_temperature: 0.5,
	enable_recording: true,
	direction: 'outbound',
	who_speaks_first: 'user',
};
const knowledge = {
	description: 'Answers questions about opening hours',
	interrupt_sensitivity: 'high',
	ask_if_human_present_on_idle: false,
	llm_temperature: 0.2,
	initial_message_delay: 3,
};

const service = useService();
let published: string;
let draft: string;
beforeEach(() => {
	published = `/agents/${service.seed.agents.published}`;
	draft = `/agents/${service.seed.agents.draft}`;
});

const create = (changes: object = {}) => service.api('POST', '/agents', { ...required, ...changes });
const call = (path: string) => service.api('POST', `${path}/call`, { to: '+12025550001' });
const publish = async (path: string) => (await service.api('POST', `${path}/publish`)).data;
const missing = async (path: string) => Object.keys((await publish(path)).errors).sort();
const shown = async (path: string) => (await service.api('GET', path)).data.data;

describe('agents', () => {
	it('are found by status, direction and a part of the name or label', async () => {
		const total = async (query: string) => (await service.api('GET', `/agents?${query}`)).data.meta.total;
		expect(await total('status=draft')).toBe(10);
		expect(await total('status=published&direction=inbound')).toBe(6);
		expect(await total('search=INVOICE')).toBe(1);
	});

	it('become drafts when unpublished', async () => {
		const path = `/agents/${service.seed.agents.published}`;
		const { data } = await service.api('POST', `${path}/unpublish`);
		expect(data.data).toMatchObject({ current_status: 'draft', is_ready_to_publish: true });
	});

	it.each([true, false])('can call once complete and published, with a recording if wanted: %s', async (enabled) => {
		const { data } = await create({
			description: 'Answers at night',
			phone_number_ids: [service.seed.phoneNumber],
			enable_recording: enabled,
		});
		const path = `/agents/${asText(data.data.id)}`;
		expect(await missing(path)).toEqual(['voice']);
		const voice = { voice_id: service.seed.voiceTemplate, conversation_speed: 1, who_speaks_first: 'agent' };
		await service.api('PUT', `${path}/voice`, voice);
		await publish(path);
		const placed = await call(path);
		await service.advance(60);
		const { recording_url, events } = await service.control(`calls/${asText(placed.data.data.id)}`);
		const kinds = asList(events).map(({ event }) => asText(event));
		expect([kinds.includes('event_recording'), recording_url !== null]).toEqual([enabled, enabled]);
	});

	it('need an active number to be published, and place calls from it', async () => {
		const numbers = asList(await shown('/phone-numbers'));
		const inactive = numbers.find(({ current_status }) => asText(current_status) === 'inactive')!;
		const active = numbers.find(({ id }) => asText(id) === service.seed.phoneNumber)!;
		const use = (...ids: unknown[]) =>
			service.api('PUT', `${draft}/calling`, { direction: 'outbound', phone_number_ids: ids });
		for (const ids of [[], [inactive.id]]) {
			await use(...ids);
			expect(await missing(draft)).toEqual(['phone_number_ids']);
		}
		await use(inactive.id, active.id);
		await publish(draft);
		await call(draft);
		expect(asList(await shown('/calls?search=0001'))[0]!.from).toBe(active.number);
	});

	it('become drafts when their knowledge or calling settings change, and place calls again once published', async () => {
		for (const [part, body] of [
			['knowledge', knowledge],
			['calling', { direction: 'outbound' }],
		] as const) {
			const { data } = await service.api('PUT', `${published}/${part}`, body);
			expect(data.data).toMatchObject({ ...body, current_status: 'draft' });
			expect((await call(published)).data).toMatchObject({ error: { code: 'AGENT_INACTIVE' } });
			expect((await publish(published)).data).toMatchObject({ current_status: 'published' });
			expect((await call(published)).status).toBe(200);
		}
		// Settings that are not sent stay.
		expect((await shown(published)).phone_numbers).toMatchObject([{ id: service.seed.phoneNumber }]);
	});
});

describe('deleting an agent', () => {
	const remove = async () => {
		const { status, data } = await service.api('DELETE', published);
		return [status, asText(data.message)];
	};

	it('deletes its calls and webhooks, and keeps its campaigns, whose calls fail from then on', async () => {
		const campaign = `/campaigns/${service.seed.campaigns.active}`;
		const own = await agentWebhookOn(service, service.seed.agents.published, 'http://127.0.0.1:1');
		const other = await webhookOn(service, service.seed.campaigns.active, 'http://127.0.0.1:1', { enabled: false });
		await service.api('POST', `${published}/unpublish`);
		expect((await remove())[0]).toBe(200);
		expect((await service.api('GET', published)).status).toBe(404);
		expect((await service.api('GET', '/calls')).data.pagination.total).toBe(20);
		const deliver = (webhookId: string) => service.control('deliver', { webhookId, event: 'event_recording' });
		expect((await deliver(own)).message).toBe('Webhook not found.');
		expect(await deliver(other)).toMatchObject({ attempts: [{ attempt: 1 }] });
		await service.api('POST', `${campaign}/call`, { to: '+12025550001' });
		await service.advance(24 * 3600);
		expect(await shown(campaign)).toMatchObject({ agent: null, calls: [{ status: 'failed' }] });
	});

	it('is refused while it is published, and while it has active calls', async () => {
		expect(await remove()).toEqual([409, expect.stringContaining('published')]);
		await call(published);
		await service.api('POST', `${published}/unpublish`);
		expect(await remove()).toEqual([409, expect.stringContaining('active calls')]);
		await service.advance(60);
		expect((await remove())[0]).toBe(200);
	});
});

describe('callback agents', () => {
	let inbound: string;
	beforeEach(async () => {
		inbound = asText(asList((await service.api('GET', '/agents?search=Iris')).data.data)[0]!.id);
	});

	const put = (source_agent_ids: unknown, method = 'PUT') =>
		service.api(method, `/agents/${inbound}/callback`, { source_agent_ids });
	const listed = async (path = '') => asList((await service.api('GET', `/callback-agents${path}`)).data.data);

	it('are inbound agents with the sources that were set last, which lose a deleted one', async () => {
		const query = 'status=published&direction=outbound&per_page=100';
		const outbound = asList((await service.api('GET', `/agents?${query}`)).data.data);
		const [first, second] = await listed('/source-agents');
		expect((await listed('/source-agents')).map(({ id }) => id)).toEqual(outbound.map(({ id }) => id));
		expect(await listed()).toEqual([]);
		expect((await put([first!.id])).status).toBe(404);
		const made = await put([first!.id], 'POST');
		expect([made.status, made.data.data.callback_config]).toEqual([200, { source_agent_ids: [first!.id] }]);
		await put([second!.id, second!.id]);
		expect(await listed()).toMatchObject([{ id: inbound, callback_config: { source_agent_ids: [second!.id] } }]);
		await put([first!.id, second!.id]);
		await service.api('POST', `/agents/${asText(second!.id)}/unpublish`);
		await service.api('DELETE', `/agents/${asText(second!.id)}`);
		expect((await listed())[0]).toMatchObject({ callback_config: { source_agent_ids: [first!.id] } });
	});
});
