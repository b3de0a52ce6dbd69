import { CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asText, type SandboxClient, startClient } from '../../client.mts';
import * as rule from '../../fieldRules.mts';
import {
	dayRule,
	type FieldRule,
	flagRule,
	oneOf,
	orNull,
	required,
	testFields,
	textOf,
	weekdaysRule,
	wholeOf,
} from '../../fieldRules.mts';
import { validCampaign, webhookOn } from '../../objects.mts';

let service: SandboxClient;
let active: string;
beforeAll(async () => {
	service = await startClient();
	active = service.seed.campaigns.active;
});
afterAll(() => service.close());

async function newCampaign(): Promise<string> {
	return asText((await service.api('POST', '/campaigns', validCampaign(service))).data.data.id);
}

const hours = wholeOf(1, 168);
const texts = (...known: string[]): FieldRule => ({ takes: [[], known], refuses: [[1], known[0], null] });
const timeOfDay = { takes: ['09:00', '09:30:15'], refuses: ['9:00', '24:00', '09:60', '09:00:60', '', 900, null] };

describe.each(['POST', 'PUT'])('the fields of a campaign, %s', (method) => {
	const target = () => ({
		service,
		body: () => (method === 'POST' ? validCampaign(service) : {}),
		send: async (body: object) =>
			service.api(method, method === 'POST' ? '/campaigns' : `/campaigns/${await newCampaign()}`, body),
		partial: method === 'PUT',
	});
	testFields(target, {
		name: required(textOf(1, 255)),
		description: orNull(textOf(0)),
		campaign_type: required(oneOf('sales', 'follow_up', 'reminder', 'custom')),
		agent_id: required({
			takes: [({ agents }: SandboxClient['seed']) => agents.draft],
			refuses: [...rule.uuidRule.takes, ...rule.uuidRule.refuses],
		}),
		start_date: required(dayRule),
		end_date: orNull({
			takes: ['2020-01-02', '2099-12-31'],
			refuses: ['2020-01-01', '2019-12-31', ...dayRule.refuses],
		}),
		days_of_week: required(weekdaysRule),
		call_time_ranges: required({
			takes: [
				[{ start: '00:00', end: '24:00' }],
				[
					{ start: '09:00', end: '12:00' },
					{ start: '13:00', end: '13:01' },
				],
			],
			refuses: [
				...[[], {}, 'x', null, [{ start: '09:00' }], [{ end: '09:00' }]],
				...[
					[{ start: '9:00', end: '10:00' }],
					[{ start: '09:00', end: '24:01' }],
					[{ start: '09:00:00', end: '10:00' }],
				],
				...[[{ start: '10:00', end: '10:00' }], [{ start: '10:00', end: '09:00' }], [{ start: '24:00', end: '24:00' }]],
			],
		}),
		timezone: required({ ...rule.timezoneRule, refuses: [...rule.timezoneRule.refuses, 'x'.repeat(51)] }),
		earliest_call_time: timeOfDay,
		latest_call_time: timeOfDay,
		initial_call_delay: wholeOf(0),
		max_retries: wholeOf(0, 10),
		retry_cooldown_hours: hours,
		auto_complete: flagRule,
		retry_on_no_conversion: flagRule,
		enable_post_completion_cooldown: flagRule,
		post_completion_cooldown_hours: hours,
		success_cooldown_hours: orNull(hours),
		voicemail_cooldown_hours: orNull(hours),
		no_answer_cooldown_hours: orNull(hours),
		busy_cooldown_hours: orNull(hours),
		failed_cooldown_hours: orNull(hours),
		do_not_call_enabled: flagRule,
		do_not_call_list_source: oneOf('environment', 'campaign', 'global', 'custom'),
		do_not_call_custom_list: {
			takes: [[], ['+12025550100', '+12025550101']],
			refuses: [...rule.phoneNumberRule.refuses.map((number) => [number]), '+12025550100', null],
		},
		auto_add_to_dnc_enabled: flagRule,
		auto_dnc_trigger_statuses: texts('completed', 'voicemail'),
		auto_dnc_trigger_errors: texts('invalid_number', 'disconnected'),
	});
});

describe('the fields of a campaign call', () => {
	let last = 0;
	const target = () => ({
		service,
		body: () => ({ to: `+1202555${String((last += 1)).padStart(4, '0')}` }),
		send: (body: object) => service.api('POST', `/campaigns/${active}/call`, body),
	});
	testFields(target, {
		to: required({ ...rule.phoneNumberRule, refuses: [...rule.phoneNumberRule.refuses, null] }),
		payload: rule.objectRule,
		context: rule.objectRule,
		is_testing: flagRule,
		allow_duplicates: flagRule,
	});
});

describe('the fields of a status update', () => {
	const target = () => ({
		service,
		body: () => ({ status: 'active' }),
		send: async (body: object) => service.api('PATCH', `/campaigns/${await newCampaign()}/status`, body),
	});
	testFields(target, {
		status: required({ ...oneOf('active', 'cancelled'), refuses: ['running', 'Active', '', 1, null] }),
	});
});

describe.each(['POST', 'PUT'])("the fields of a campaign's webhook, %s", (method) => {
	let one: string;
	beforeAll(async () => {
		one = await webhookOn(service, active, 'http://127.0.0.1:1/', { enabled: false });
	});
	const target = () => ({
		service,
		body: (): Record<string, unknown> =>
			method === 'POST' ? { name: 'Hook', webhook_url: 'http://127.0.0.1:1/', events: ['campaign.paused'] } : {},
		send: (body: object) =>
			service.api(method, `/campaigns/${active}/webhooks${method === 'POST' ? '' : `/${one}`}`, body),
		partial: method === 'PUT',
	});
	testFields(target, {
		...rule.webhookRules(CAMPAIGN_EVENTS, 'event_phone_call_ended'),
		include_call_events: flagRule,
	});
});

describe.each(['POST', 'PUT'])('the fields of an SFTP configuration, %s', (method) => {
	const login = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret' };
	const target = () => ({
		service,
		body: (): Record<string, unknown> => (method === 'POST' ? login : {}),
		send: async (body: object) => {
			const path = `/campaigns/${await newCampaign()}/sftp`;
			if (method === 'PUT') {
				await service.api('POST', path, login);
			}
			return service.api(method, path, body);
		},
		partial: method === 'PUT',
	});
	const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----';
	testFields(target, {
		host: required(rule.hostRule),
		port: wholeOf(1, 65_535),
		username: required(textOf(1)),
		auth_type: required({ takes: ['password'], refuses: ['key', '', 1, null] }),
		password: required(textOf(1)),
		private_key: orNull({ takes: [key], refuses: ['AAAA', '', 1] }),
		private_key_passphrase: orNull(textOf(0)),
		import_path: orNull(textOf(1)),
		export_path: orNull(textOf(1)),
		import_schedule: oneOf('manual', 'hourly', 'daily'),
		...(method === 'PUT' ? { is_enabled: { takes: [false], refuses: ['true', 1, null] } } : {}),
	});
});

it.each([
	[{ days_of_week: [] }, 'days_of_week', 'The days_of_week field must have at least 1 item.'],
	[{ name: 'x'.repeat(256) }, 'name', 'The name field must be at most 255 characters.'],
])('the message for %j counts in words that people use', async (fields, name, message) => {
	const { status, data } = await service.api('POST', '/campaigns', { ...validCampaign(service), ...fields });
	expect([status, data.errors[name]]).toEqual([422, [message]]);
});
