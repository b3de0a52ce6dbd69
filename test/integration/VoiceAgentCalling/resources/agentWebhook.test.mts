import { startReceiver } from '../../receiver.mts';
import { byId, type Service, startService } from '../../service.mts';
import { runMixed, sent } from './mixedItems.mts';

let service: Service;
let receiver: string;
beforeAll(async () => {
	service = await startService();
	receiver = await startReceiver();
});
beforeEach(async () => await service.reset());

const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('Webhook of an agent', () => {
	const create = (more = {}) => ({
		resource: 'webhook',
		source: 'agent',
		operation: 'create',
		agent: byId('={{ $json.agent }}'),
		name: '={{ $json.name }}',
		webhookUrl: '={{ $json.url }}',
		...more,
	});

	test('Create registers a webhook for each item with all settings, and the agent stays published', async () => {
		const secret = ['s', 'ecret'].join('');
		const agent = service.seed.agents.published;
		const item = (name: string) => ({ agent, name, url: `https://example.com/${name}` });
		const parameters = create({
			events: ['event_voicemail_detected'],
			options: { additionalEvents: 'event_action', deliveryRetries: 0, signingSecret: secret },
		});
		const { good, requests } = await runMixed(service, parameters, {
			good: [item('one'), item('two')],
			refused: { ...item('three'), agent: NOWHERE },
			wrong: { ...item('four'), url: 'example.com' },
			code: 'AGENT_NOT_FOUND',
		});
		expect(sent(requests)).toEqualInAnyOrder(
			[
				[agent, 'one'],
				[NOWHERE, 'three'],
				[agent, 'two'],
			].map(([id, name]) => [
				'POST',
				`agents/${id}/webhooks`,
				{
					name,
					webhook_url: `https://example.com/${name}`,
					events: ['event_voicemail_detected', 'event_action'],
					max_retries: 0,
					webhook_secret: secret,
				},
			]),
		);
		expect(good).toMatchObject(
			['one', 'two'].map((name) => [{ name, agent_id: agent, enabled: true, status: 'active' }]),
		);
		expect(JSON.stringify(good)).not.toContain(secret);
		expect((await service.api('GET', `agents/${agent}`)).body.data).toMatchObject({ current_status: 'published' });
	});

	test('the service rejects an event type that it does not offer', async () => {
		const items = [{ agent: service.seed.agents.published, name: 'One', url: 'https://example.com' }];
		const { run } = await service.run(create({ options: { additionalEvents: 'campaign.paused' } }), items);
		expect(run.error?.message).toContain('events');
	});

	describe('Test', () => {
		const parameters = () => ({
			resource: 'webhook',
			source: 'agent',
			operation: 'test',
			agent: byId(service.seed.agents.published),
			webhook: byId('={{ $json.id }}'),
		});
		const make = async (status: number) => {
			const body = { name: 'Hook', webhook_url: `${receiver}/${status}`, events: ['event_recording'], max_retries: 0 };
			const { body: created } = await service.api('POST', `agents/${service.seed.agents.published}/webhooks`, body);
			return { id: (created.data as { id: string }).id };
		};

		test('returns status code and duration; a failed test is a result', async () => {
			const [works, fails] = [await make(204), await make(500)];
			const { good, requests } = await runMixed(service, parameters(), {
				good: [works, fails],
				refused: { id: NOWHERE },
				wrong: { id: '' },
				code: 'NOT_FOUND',
			});
			expect(good).toEqual([
				[{ success: true, message: expect.any(String), status_code: 204, response_time: expect.any(Number) }],
				[{ success: false, message: expect.stringContaining('500') }],
			]);
			expect(sent(requests).map((request) => (request as string[])[0])).toEqual(['POST', 'POST', 'POST']);
		});

		test.each([400, 422, 424, 502])('accepts a result with HTTP status %s', async (status) => {
			const item = await make(200);
			await service.fault({
				match: { method: 'POST' },
				kind: 'status',
				status,
				body: { success: false, message: 'The address did not answer.' },
			});
			const { outputs } = await service.run(parameters(), [item]);
			expect(outputs[0]?.[0]?.json).toEqual({ success: false, message: 'The address did not answer.' });
		});

		test.each([
			[401, { message: 'Unauthenticated.' }],
			[403, { success: false, message: 'No.' }],
			[422, { success: false, message: 'Invalid.', errors: { webhook: ['is odd'] } }],
			[500, { success: false, message: 'Server error.' }],
		])('fails for an error response with HTTP status %s', async (status, body) => {
			const item = await make(200);
			await service.fault({ match: { method: 'POST' }, kind: 'status', status, body });
			expect((await service.run(parameters(), [item])).run.status).toBe('error');
		});
	});
});
