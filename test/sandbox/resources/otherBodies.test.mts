import { asText, type SandboxClient, startClient } from '../client.mts';
import * as rule from '../fieldRules.mts';
import {
	dayRule,
	flagRule,
	hostRule,
	oneOf,
	orNull,
	required,
	testFields,
	textOf,
	uuidRule,
	weekdaysRule,
	wholeOf,
} from '../fieldRules.mts';

let service: SandboxClient;
let calendar: string;
beforeAll(async () => {
	service = await startClient();
	calendar = `/calendars/${service.seed.calendar}`;
});
afterAll(() => service.close());

let counted = 0;
const anyUuid = () => `0191f2a0-5c5e-7b1a-9d3e-${String((counted += 1)).padStart(12, '0')}`;

const trunk = { name: 'Main', provider_name: 'acme', domain: 'sip.example.com', username: 'ada', password: 'secret' };
const event = { title: 'Talk', start_at: '2030-01-01T10:00:00Z', end_at: '2030-01-01T11:00:00Z' };
const moments = ['2030-01-01T10:30:00Z', '2030-01-01T12:00:00+02:00', '2030-01-01T10:30:00.123Z'];
const noMoments = ['tomorrow', '2030-02-30T10:00:00Z', '2030-01-01T25:00:00Z', '', 1_900_000_000, null];
const time = { takes: ['00:00', '08:59'], refuses: ['8:00', '24:00', '08:60', '08:00:00', '', 8, null] };
const endTime = { takes: ['09:01', '23:59', '24:00'], refuses: ['24:01', '18:60', '18:00:00', '09:00', '', 18, null] };

/** A target for both methods; `make` creates what PUT updates and returns its path. */
function written(method: string, list: () => string, body: () => Record<string, unknown>, make: () => Promise<string>) {
	return () => ({
		service,
		body: () => (method === 'POST' ? body() : {}),
		send: async (sent: object) => service.api(method, method === 'POST' ? list() : await make(), sent),
		partial: method === 'PUT',
	});
}

/** The path of a new object. */
async function made(list: string, body: object): Promise<string> {
	return `${list}/${asText((await service.api('POST', list, body)).data.data.id)}`;
}

describe.each(['POST', 'PUT'])('the fields of a SIP trunk, %s', (method) => {
	testFields(
		written(
			method,
			() => '/sip-trunks',
			() => trunk,
			() => made('/sip-trunks', trunk),
		),
		{
			name: required(textOf(1, 255)),
			provider_name: required(textOf(1)),
			domain: required(hostRule),
			username: required(textOf(1)),
			password: required(textOf(1)),
			port: orNull(wholeOf(1, 65_535)),
			transport: oneOf('udp', 'tcp', 'tls'),
			outbound_proxy: orNull(hostRule),
			auth_realm: orNull(textOf(1)),
			is_active: { takes: [false], refuses: [true, 'false', 0, null] },
		},
	);
});

describe('the fields of a DID', () => {
	let last = 0;
	const target = () => ({
		service,
		body: () => ({ country_code: 'US', number: `+1303555${String((last += 1)).padStart(4, '0')}` }),
		send: (body: object) => service.api('POST', `/sip-trunks/${service.seed.sipTrunk}/dids`, body),
	});
	testFields(target, {
		country_code: required({ takes: ['US', 'BR', 'ZW'], refuses: ['us', 'USA', 'XX', '', 1, null] }),
		number: required({ ...rule.phoneNumberRule, refuses: [...rule.phoneNumberRule.refuses, null] }),
	});
});

describe.each(['POST', 'PUT'])('the fields of a calendar, %s', (method) => {
	const body = () => ({ name: 'Sales', owner_id: anyUuid() });
	testFields(
		written(
			method,
			() => '/calendars',
			body,
			() => made('/calendars', body()),
		),
		{
			name: required(textOf(1, 255)),
			timezone: rule.timezoneRule,
			metadata: rule.objectRule,
			...(method === 'POST' ? { owner_id: required(uuidRule) } : {}),
		},
	);
});

describe('the fields of a calendar member', () => {
	const target = () => ({
		service,
		body: () => ({ user_id: anyUuid(), role: 'viewer' }),
		send: (body: object) => service.api('POST', `${calendar}/members`, body),
	});
	testFields(target, { user_id: required(uuidRule), role: required(oneOf('owner', 'editor', 'viewer')) });
});

describe.each(['POST', 'PUT'])('the fields of a calendar event, %s', (method) => {
	const list = () => `${calendar}/events`;
	testFields(
		written(
			method,
			list,
			() => event,
			() => made(list(), event),
		),
		{
			title: required(textOf(1, 255)),
			start_at: required({ takes: moments, refuses: noMoments }),
			end_at: required({ takes: [...moments.slice(0, 1), '2030-01-02'], refuses: [...noMoments, event.start_at] }),
			description: orNull(textOf(0)),
			status: oneOf('confirmed', 'tentative', 'cancelled'),
			type: orNull(textOf(1, 255)),
			created_by: orNull(uuidRule),
			owner_type: { takes: [null], refuses: ['team', '', 1] },
			owner_id: { takes: [null], refuses: ['x', '', 1] },
			attendees: {
				takes: [[], [{ name: 'Ada', email: 'ada@example.com' }]],
				refuses: [
					[{ name: 'Ada' }],
					[{ email: 'ada@example.com' }],
					[{ name: 'Ada', email: 'ada' }],
					['Ada'],
					'Ada',
					null,
				],
			},
		},
	);
	it('owner_id and owner_type together', async () => {
		for (const owner_type of ['user', 'agent']) {
			const sent = { ...event, owner_type, owner_id: anyUuid() };
			expect(
				(await service.api(method, method === 'POST' ? list() : await made(list(), event), sent)).status,
			).toBeLessThan(300);
		}
	});
});

describe('the fields of an attendee', () => {
	const long = (length: number) => `${'a'.repeat(length - 12)}@example.com`;
	const target = () => ({
		service,
		body: () => ({ name: 'Ada', email: 'ada@example.com' }),
		send: (body: object) => service.api('POST', `${calendar}/events/${service.seed.calendarEvent}/attendees`, body),
	});
	testFields(target, {
		name: required(textOf(1, 255)),
		email: required({
			takes: ['ada+calls@example.co.uk', long(255)],
			refuses: [long(256), 'ada', 'ada@', '@example.com', '', 1, null],
		}),
	});
});

describe.each(['POST', 'PUT'])('the fields of a recurring rule, %s', (method) => {
	const body = { type: 'recurring', days_of_week: [1], start_time: '09:00', end_time: '17:00' };
	const list = () => `${calendar}/availability-rules`;
	testFields(
		written(
			method,
			list,
			() => body,
			() => made(list(), body),
		),
		{
			type: required({ takes: ['recurring'], refuses: ['once', '', 1, null] }),
			days_of_week: required(weekdaysRule),
			start_time: required(time),
			end_time: required(endTime),
			timezone: rule.timezoneRule,
		},
	);
});

describe.each(['POST', 'PUT'])('the fields of an exception, %s', (method) => {
	const body = { type: 'exception', date: '2030-01-01', available: false };
	const list = () => `${calendar}/availability-rules`;
	testFields(
		written(
			method,
			list,
			() => body,
			() => made(list(), body),
		),
		{
			type: required({ takes: ['exception'], refuses: ['once', '', 1, null] }),
			date: required(dayRule),
			available: required(flagRule),
		},
	);
});
