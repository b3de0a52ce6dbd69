import fc from 'fast-check';

import { routes } from '../../../sandbox/resources/index.mts';
import { type SandboxClient, startClient } from '../client.mts';
import { webhookOn } from '../objects.mts';

/** Values that come close to what the service accepts, and values that do not. */
const value = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom(
		'+12025550001',
		'active',
		'draft',
		'flow_driven',
		'2026-02-29',
		'2026-03-01T10:00:00Z',
		'09:00',
		'recurring',
		'owner',
		'UTC',
		1,
		0,
		true,
		null,
	),
	fc.constantFrom(['campaign.started'], [1, 7], [{ start: '09:00', end: '10:00' }], [{ id: 'a', type: 'say' }, 3]),
);

const FIELDS = [
	'to',
	'status',
	'name',
	'description',
	'flow_config',
	'conversation_mode',
	'nodes',
	'initial_node_id',
	'direction',
	'phone_number_ids',
	'campaign_type',
	'agent_id',
	'start_date',
	'end_date',
	'days_of_week',
	'call_time_ranges',
	'earliest_call_time',
	'timezone',
	'webhook_url',
	'events',
	'custom_headers',
	'payload_templates',
	'search',
	'page',
	'per_page',
	'context',
	'domain',
	'port',
	'outbound_proxy',
	'number',
	'country_code',
	'metadata',
	'user_id',
	'role',
	'title',
	'start_at',
	'end_at',
	'attendees',
	'type',
	'end_time',
	'date',
	'from',
	'duration_minutes',
	'calendar_ids[]',
	'__proto__',
];
const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 }));

describe('for any input', () => {
	let service: SandboxClient;
	let webhook: string;
	beforeAll(async () => {
		service = await startClient();
	});
	beforeEach(async () => {
		await service.control('reset', {});
		webhook = await webhookOn(service, service.seed.campaigns.active, 'http://127.0.0.1:1/', { enabled: false });
	});
	afterAll(() => service.close());

	it.each(routes.map(({ method, path }) => [method, path] as const))(
		'%s %s answers with JSON and no internal error',
		async (method, path) => {
			const ids: Record<string, string> = {
				agent_id: service.seed.agents.published,
				campaign_id: service.seed.campaigns.active,
				webhook_id: webhook,
				trunk_id: service.seed.sipTrunk,
				phone_number_id: service.seed.phoneNumber,
				calendar_id: service.seed.calendar,
				event_id: service.seed.calendarEvent,
				rule_id: service.seed.availabilityRule,
			};
			const target = path.replace('/api/v1', '').replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown');
			await fc.assert(
				fc.asyncProperty(body, fc.dictionary(fc.constantFrom(...FIELDS), fc.string()), async (sent, query) => {
					const url = `${target}?${new URLSearchParams(query).toString()}`;
					const { status, data } = await service.api(method, url, method === 'GET' ? undefined : JSON.stringify(sent));
					return status !== 500 && typeof data === 'object';
				}),
				{ numRuns: 60, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
			);
		},
	);
});
