import { asList, type SandboxClient, startClient } from '../client.mts';
import { agentWebhookOn } from '../objects.mts';
import { startWebhookReceiver } from '../webhookReceiver.mts';

/** Arrays in arrays, so many levels deep. */
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('odd requests', () => {
	let service: SandboxClient;
	let agent: string;
	beforeEach(async () => {
		service = await startClient();
		agent = service.seed.agents.published;
	});
	afterEach(() => service.close());

	const status = async (method: string, path: string, body?: unknown) => (await service.api(method, path, body)).status;

	it('may be nested 512 levels deep, the body itself counted', async () => {
		const body = `{"to":"+12025550001","context":{"deep":${nested(510)}}}`;
		expect(await status('POST', `/agents/${agent}/call`, body)).toBe(200);
		expect(asList(await service.control('requests')).at(-1)).toMatchObject({ body: { to: '+12025550001' } });
		expect(asList(await service.control('calls')).length).toBe(31);
	});

	it.each([511, 100_000])('are rejected as invalid JSON with %d levels, within a second', async (levels) => {
		const call = await service.api('POST', `/agents/${agent}/call`, `{"context":{"deep":${nested(levels)}}}`);
		expect([call.status, call.data.error]).toEqual([400, { code: 'INVALID_JSON', message: expect.any(String) }]);
		const flow = `{"conversation_mode":"flow_driven","flow_config":{"deep":${nested(levels)}}}`;
		expect(await status('PUT', `/agents/${agent}/flow`, flow)).toBe(400);
		expect(asList(await service.control('requests')).length).toBe(2);
	});

	it('may have any number of items', async () => {
		const branches = Array.from({ length: 200_000 }, () => ({ next: 'a' }));
		const flow = (next: string) => ({
			flow_config: { initial_node_id: 'a', nodes: [{ id: 'a', type: 'ask', content: 'Well?', next, branches }] },
		});
		const path = `/agents/${agent}/flow/validate`;
		expect((await service.api('POST', path, flow('a'))).data).toMatchObject({ success: true });
		branches.fill({ next: 'b' });
		const { status, data } = await service.api('POST', path, flow('a'));
		expect([status, asList(data.errors).length]).toEqual([200, 200_000]);
	});

	it.each(['a%2Fb', '%2F', '..%2F..', '%00', '%3F', '__proto__', 'constructor', '%F0%9F%98%80', '%20'])(
		'find no object named %s',
		async (id) => {
			for (const [path, name] of [
				['agents', 'Agent'],
				['campaigns', 'Campaign'],
				['sip-trunks', 'SIP trunk'],
				['calendars', 'Calendar'],
			]) {
				const { status, data } = await service.api('GET', `/${path}/${id}`);
				expect([status, data]).toEqual([404, { success: false, message: `${name} not found.` }]);
			}
		},
	);

	it('are refused with 405 for the method OPTIONS, which no path has', async () => {
		expect(await status('OPTIONS', `/agents/${agent}`)).toBe(405);
		expect(await status('OPTIONS', '/nothing-here')).toBe(404);
	});

	it('may name no page that a number cannot hold exactly', async () => {
		for (const path of ['/agents', '/calls', '/campaigns']) {
			expect(await status('GET', `${path}?page=999999999999999`)).toBe(200);
			expect(await status('GET', `${path}?page=9999999999999999`)).toBe(422);
		}
	});

	it('deliver events with the names of what every object has', async () => {
		const receiver = await startWebhookReceiver();
		const id = await agentWebhookOn(service, agent, receiver.url);
		for (const event of ['constructor', '__proto__', 'toString']) {
			expect(await service.control('deliver', { webhookId: id, event })).toMatchObject({ attempts: [{ status: 200 }] });
		}
		expect(receiver.received.map(({ body }) => [body.event, body.status])).toEqual(
			['constructor', '__proto__', 'toString'].map((event) => [event, 'completed']),
		);
		expect(await status('GET', `/agents/${agent}/webhooks/${id}/logs`)).toBe(200);
		receiver.close();
	});

	it('do not move the clock beyond the year 9999', async () => {
		for (const seconds of [1e308, 1e12, 252e9]) {
			expect(await service.control('advance', { seconds })).toMatchObject({ errors: { seconds: expect.anything() } });
		}
		expect((await service.api('GET', '/calls')).data.data[0]).toMatchObject({
			updated_at: expect.stringMatching(/^20/),
		});
		expect(await service.control('advance', { seconds: 250e9 })).toMatchObject({ success: true });
		expect(await service.control('advance', { seconds: 250e9 })).toMatchObject({ success: false });
		expect(await status('POST', `/agents/${agent}/call`, { to: '+12025550001' })).toBe(200);
	});

	it('are all answered under load and during resets', async () => {
		const { active, draft } = service.seed.campaigns;
		const one = async (index: number) => {
			if (index % 40 === 0) {
				return service.control('reset', {});
			}
			if (index % 15 === 0) {
				return service.control('advance', { seconds: 60 });
			}
			const to = `+1202555${String(index).padStart(4, '0')}`;
			const requests: Array<[string, string, unknown?]> = [
				['POST', `/campaigns/${active}/call`, { to }],
				['POST', `/agents/${agent}/call`, { to }],
				['GET', `/campaigns/${active}`],
				['PATCH', `/campaigns/${draft}/status`, { status: 'active' }],
				['PUT', `/agents/${agent}/calling`, { direction: 'outbound' }],
				['POST', `/agents/${agent}/publish`],
				['DELETE', `/campaigns/${draft}`],
			];
			const [method, path, body] = requests[index % requests.length]!;
			const answer = await service.api(method, path, body);
			expect(answer.status).toBeLessThan(500);
			expect(typeof answer.data).toBe('object');
			return answer;
		};
		await Promise.all(Array.from({ length: 400 }, (_, index) => one(index)));
		expect(await status('GET', '/agents')).toBe(200);
	});
});
