import type { NodeSpec } from '../../harness.mts';
import { byId, type Service, useService } from '../../service.mts';

const service = useService();

const NOBODY = '00000000-0000-4000-8000-000000000000';
const START = '2031-07-07T09:00:00Z';
const END = '2031-07-07T10:00:00Z';
const SECRET = ['signing', 'secret'].join('-');
const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nYWJjZGVm\n-----END OPENSSH', 'PRIVATE KEY-----\n'].join(' ');

type Seed = Service['seed'];

/** By operation with fields, and the method and the path of its request: its parameters; the body, or for GET the query. */
type Rows = Record<string, [parameters: object, sent: object]>;

const paged = { page: '1', per_page: '50' };

const agentRows = ({ agents: { published, draft }, phoneNumber }: Seed): Rows => {
	const agent = byId(published);
	const at = `agents/${published}`;
	const any = { nodeId: 'book', name: 'book', description: 'Books', publishAfterwards: 'never' };
	const said = { authorizationScheme: 'none', speakOnSend: 'Wait.', speakOnReceive: 'Done.', integration: byId('crm') };
	const action = {
		node_id: 'book',
		name: 'book',
		description: 'Books',
		inputs: [],
		authorization_scheme: 'none',
		speak_on_send: 'Wait.',
		speak_on_receive: 'Done.',
		integration: { id: 'crm' },
	};
	// Each type has values for the others, too.
	const authorizationUrl = 'https://example.com/token';
	const every = { ...said, executionMode: 'post_call', holdDuration: 20, authorizationUrl };
	const upsert = (type: string) => ({
		...any,
		agent,
		type,
		url: 'https://example.com/book',
		transferTo: '+49 (0)30 1234567',
		options: every,
	});
	const inputs = [
		{ name: 'day', type: 'string', required: true, description: 'YYYY-MM-DD', value: '' },
		{ name: 'room', type: 'number', required: false, description: '', value: 7 },
	];
	return {
		'agent/create POST agents': [
			{
				name: 'Ada',
				language: 'pt-BR',
				phoneNumbers: [phoneNumber],
				options: {
					label: 'Books',
					direction: 'inbound',
					whoSpeaksFirst: 'user',
					conversationSpeed: '1.5',
					temperature: 0,
					interruptSensitivity: 'high',
					endpointingSensitivity: 'medium',
					ivrNavigation: 'standard',
					firstMessageDelay: 0,
					askIfHumanPresent: false,
					idleTime: 300,
					recordCalls: true,
					initialIdleTime: 60,
					initialMaxIdleChecks: 0,
					maxCallDuration: 3600,
					maxIdleChecks: 10,
					sayGoodbye: false,
					userInactivityTimeout: 120,
				},
			},
			{
				name: 'Ada',
				label: 'Books',
				language: 'pt-BR',
				direction: 'inbound',
				who_speaks_first: 'user',
				conversation_speed: 1.5,
				llm_temperature: 0,
				interrupt_sensitivity: 'high',
				initial_message_delay: 0,
				endpointing_sensitivity: 'medium',
				ivr_navigation_mode: 'standard',
				ask_if_human_present_on_idle: false,
				idle_time_seconds: 300,
				enable_recording: true,
				initial_idle_time_seconds: 60,
				initial_max_idle_check_count: 0,
				max_call_duration_seconds: 3600,
				max_idle_check_count: 10,
				phone_number_ids: [phoneNumber],
				say_goodbye_on_max_duration: false,
				user_inactivity_timeout_seconds: 120,
			},
		],
		[`agent/update PUT ${at}/knowledge`]: [
			{
				agent,
				updateFields: {
					prompt: 'You book.',
					firstMessage: '',
					interruptSensitivity: 'low',
					askIfHumanPresent: 'false',
					temperature: '0',
					firstMessageDelay: 0,
				},
				publishAfterwards: 'never',
			},
			{
				description: 'You book.',
				initial_message: null,
				interrupt_sensitivity: 'low',
				llm_temperature: 0,
				ask_if_human_present_on_idle: false,
				initial_message_delay: 0,
			},
		],
		[`agent/update PUT ${at}/voice`]: [
			{
				agent,
				updateFields: {
					voice: byId(NOBODY),
					ambientBackground: 'cafe',
					ambientVolume: 0,
					language: 'other',
					languageCode: 'fr-FR',
					similarity: 0.5,
					stability: 1,
					conversationSpeed: 1,
					whoSpeaksFirst: 'agent',
				},
			},
			{
				voice_id: NOBODY,
				ambient_background: 'cafe',
				ambient_volume: 0,
				language: 'fr-FR',
				similarity: 0.5,
				stability: 1,
				conversation_speed: 1,
				who_speaks_first: 'agent',
			},
		],
		[`agent/update PUT agents/${draft}/calling`]: [
			{ agent: byId(draft), updateFields: { phoneNumbers: [phoneNumber], direction: 'inbound' } },
			{ direction: 'inbound', phone_number_ids: [phoneNumber] },
		],
		'agent/getAll GET agents': [
			{ filters: { direction: 'outbound', status: 'draft', search: '' } },
			{ direction: 'outbound', status: 'draft', ...paged },
		],
		[`agentAction/upsert POST ${at}/actions`]: [
			{
				...any,
				agent,
				type: 'webhook',
				url: 'https://example.com/book',
				inputs: { values: inputs },
				options: {
					...said,
					authorizationScheme: 'bearer',
					authorizationUrl,
					extraHeaders: { values: [{ name: 'X-Key', value: SECRET }] },
					status: 'inactive',
				},
			},
			{
				...action,
				type: 'webhook',
				url: 'https://example.com/book',
				authorization_scheme: 'bearer',
				authorization_url: 'https://example.com/token',
				custom_headers: [{ key: 'X-Key', value: SECRET }],
				current_status: 'inactive',
				inputs: [{ ...inputs[0], value: undefined }, inputs[1]],
			},
		],
		[`agentAction/upsert POST ${at}/actions (transfer)`]: [
			upsert('transfer'),
			{ ...action, type: 'transfer', transfer_to: '+49301234567' },
		],
		[`agentAction/upsert POST ${at}/actions (hold)`]: [upsert('hold'), { ...action, type: 'hold', hold_duration: 20 }],
		[`agentAction/upsert POST ${at}/actions (external)`]: [
			upsert('external'),
			{ ...action, type: 'external', execution_mode: 'post_call' },
		],
		[`agentTraining/upsert POST ${at}/trainings`]: [
			{ agent, subject: 'Refunds', instructions: 'None.', options: { nodeId: 'refunds', status: 'inactive' } },
			{ subject: 'Refunds', instructions: 'None.', node_id: 'refunds', current_status: 'inactive' },
		],
		[`agentFlow/update PUT ${at}/flow`]: [
			{ agent, conversationMode: 'llm_driven' },
			{ conversation_mode: 'llm_driven' },
		],
	};
};

const calendarRows = ({ calendar: id, calendarEvent, availabilityRule, user, agents }: Seed): Rows => {
	const calendar = byId(id);
	const at = `calendars/${id}`;
	const event = { calendar, calendarEvent: byId(calendarEvent) };
	const attendees = [
		{ name: 'Ada', email: 'ada@example.com' },
		{ name: '={{ 7 }}', email: ' bo@example.com ' },
	];
	const moved = { title: 'Moved', description: 'Later', status: 'cancelled' };
	const recurring = { ruleType: 'recurring', daysOfWeek: ['saturday', 7], startTime: '9:00', endTime: '17:30:00' };
	const hours = { days_of_week: [6, 7], start_time: '09:00', end_time: '17:30' };
	const exception = { ruleType: 'exception', date: '2031-12-25T00:00:00', available: 'false' };
	return {
		'calendar/create POST calendars': [
			{
				name: 42,
				owner: byId(` ${user} `),
				options: { timezone: 'Europe/Berlin', metadataFields: { values: [{ name: 'crm', value: '7' }] } },
			},
			{ name: '42', owner_id: user, timezone: 'Europe/Berlin', metadata: { crm: '7' } },
		],
		[`calendar/update PUT ${at}`]: [
			{ calendar, updateFields: { name: 'New', metadataJson: '{"a": 1}', timezone: 'Asia/Kolkata' } },
			{ name: 'New', metadata: { a: 1 }, timezone: 'Asia/Kolkata' },
		],
		[`calendarEvent/create POST ${at}/events`]: [
			{
				calendar,
				title: 'Visit',
				start: START,
				end: END,
				options: {
					attendees: { values: attendees },
					createdBy: user,
					description: 'In the\nnew office',
					eventType: 'appointment',
					ownerId: agents.draft,
					ownerType: 'agent',
					status: 'tentative',
				},
			},
			{
				title: 'Visit',
				start_at: START,
				end_at: END,
				created_by: user,
				description: 'In the\nnew office',
				type: 'appointment',
				owner_id: agents.draft,
				owner_type: 'agent',
				status: 'tentative',
				attendees: [attendees[0], { name: '7', email: 'bo@example.com' }],
			},
		],
		[`calendarEvent/update PUT ${at}/events/${calendarEvent}`]: [
			{ ...event, updateFields: { start: START, end: END, attendees: {}, ...moved } },
			{ start_at: START, end_at: END, attendees: [], ...moved },
		],
		[`calendarEvent/getAll GET ${at}/events`]: [
			{ calendar, filters: { from: START, to: END, status: 'tentative' } },
			{ from: START, to: END, status: 'tentative' },
		],
		'calendarEvent/getAll GET calendars/events': [
			{ eventsOf: 'several', calendars: `${id}, ${NOBODY}`, filters: { to: END } },
			{ to: END, 'calendar_ids[]': [id, NOBODY] },
		],
		[`calendarEvent/addAttendee POST ${at}/events/${calendarEvent}/attendees`]: [
			{ ...event, attendeeName: 'Ada', attendeeEmail: 'ada@example.com' },
			attendees[0],
		],
		[`calendarMember/add POST ${at}/members`]: [
			{ calendar, userId: NOBODY, role: 'viewer' },
			{ user_id: NOBODY, role: 'viewer' },
		],
		[`calendarMember/update PUT ${at}/members/${NOBODY}`]: [
			{ calendar, calendarMember: byId(NOBODY), role: 'owner' },
			{ role: 'owner' },
		],
		[`availability/getSlots GET ${at}/availability`]: [
			{ calendar, from: START, to: END, duration: 60 },
			{ from: START, to: END, duration_minutes: '60' },
		],
		[`availability/createRule POST ${at}/availability-rules`]: [
			{ calendar, ...recurring, options: { timezone: 'Asia/Kolkata' } },
			{ type: 'recurring', ...hours, timezone: 'Asia/Kolkata' },
		],
		[`availability/createRule POST ${at}/availability-rules (exception)`]: [
			{ calendar, ...recurring, ...exception },
			{ type: 'exception', date: '2031-12-25', available: false },
		],
		[`availability/updateRule PUT ${at}/availability-rules/${availabilityRule}`]: [
			{
				calendar,
				availabilityRule: byId(availabilityRule),
				ruleType: 'recurring',
				updateFields: { endTime: '16:00', date: '2031-12-31', available: true },
			},
			{ end_time: '16:00' },
		],
		[`availability/updateRule PUT ${at}/availability-rules/${NOBODY}`]: [
			{
				calendar,
				availabilityRule: byId(NOBODY),
				ruleType: 'exception',
				updateFields: { endTime: '16:00', date: '2031-12-31', available: true },
			},
			{ date: '2031-12-31', available: true },
		],
	};
};

const campaignRows = ({ campaigns: { active, draft, paused }, agents: { published } }: Seed): Rows => {
	const campaign = byId(active);
	const at = `campaigns/${active}`;
	const schedule = {
		name: 'Spring',
		campaignType: 'reminder',
		agent: byId(published),
		startDate: '2030-04-01T00:00:00.000+02:00',
		daysOfWeek: [1, 3, 5],
		timezone: 'Europe/Berlin',
		callTimeRanges: { values: [{ start: '9:00', end: '12:30' }] },
	};
	const rules = {
		description: 'To be called',
		endDate: '2030-06-30',
		firstCallDelay: 60,
		maxRetries: 10,
		autoComplete: true,
		retryOnNoConversion: true,
		retryCooldown: 1,
		busyCooldown: 2,
		failedCooldown: 3,
		noAnswerCooldown: 4,
		successCooldown: 5,
		voicemailCooldown: 6,
		restAfterCompletion: false,
		restAfterCompletionHours: 168,
		doNotCall: true,
		doNotCallList: 'custom',
		doNotCallNumbers: '+1 (202) 555-0111, 0012025550122\n+12025550133',
		addToDoNotCall: true,
		addAfterStatuses: ['completed', 'voicemail'],
		addAfterErrors: ['invalid_number'],
	};
	const sent = {
		name: 'Spring',
		campaign_type: 'reminder',
		agent_id: published,
		start_date: '2030-04-01',
		days_of_week: [1, 3, 5],
		call_time_ranges: [{ start: '09:00', end: '12:30' }],
		timezone: 'Europe/Berlin',
		description: 'To be called',
		end_date: '2030-06-30',
		initial_call_delay: 60,
		max_retries: 10,
		auto_complete: true,
		retry_on_no_conversion: true,
		retry_cooldown_hours: 1,
		busy_cooldown_hours: 2,
		failed_cooldown_hours: 3,
		no_answer_cooldown_hours: 4,
		success_cooldown_hours: 5,
		voicemail_cooldown_hours: 6,
		enable_post_completion_cooldown: false,
		post_completion_cooldown_hours: 168,
		do_not_call_enabled: true,
		do_not_call_list_source: 'custom',
		do_not_call_custom_list: ['+12025550111', '+12025550122', '+12025550133'],
		auto_add_to_dnc_enabled: true,
		auto_dnc_trigger_statuses: ['completed', 'voicemail'],
		auto_dnc_trigger_errors: ['invalid_number'],
	};
	const login = { host: 'sftp.example.com', username: 'ada' };
	const withKey = { authType: 'private_key', privateKey: KEY };
	const key = { auth_type: 'private_key', private_key: KEY, private_key_passphrase: 'open' };
	return {
		'campaign/create POST campaigns': [{ ...schedule, options: rules }, sent],
		[`campaign/update PUT campaigns/${draft}`]: [
			{ campaign: byId(draft), updateFields: { ...schedule, ...rules } },
			sent,
		],
		[`campaign/update PUT campaigns/${paused}`]: [
			{ campaign: byId(paused), updateFields: { name: 'New', endDate: '' } },
			{ name: 'New', end_date: null },
		],
		'campaign/getAll GET campaigns': [
			{
				filters: {
					status: 'draft',
					campaignType: 'sales',
					search: 'Berlin',
					agent: byId(published),
					dateFrom: '2020-01-01',
					dateTo: '2199-12-31',
				},
			},
			{
				status: 'draft',
				campaign_type: 'sales',
				search: 'Berlin',
				agent_id: published,
				date_from: '2020-01-01',
				date_to: '2199-12-31',
				...paged,
			},
		],
		[`campaign/setStatus PATCH ${at}/status`]: [{ campaign, status: 'paused' }, { status: 'paused' }],
		[`campaignSftp/create POST ${at}/sftp`]: [
			{
				...login,
				campaign,
				authType: 'password',
				password: SECRET,
				options: {
					port: 2222,
					importPath: '/in',
					exportPath: '/out',
					importSchedule: 'hourly',
					privateKeyPassphrase: 'not for a password',
				},
			},
			{
				...login,
				auth_type: 'password',
				password: SECRET,
				port: 2222,
				import_path: '/in',
				export_path: '/out',
				import_schedule: 'hourly',
			},
		],
		[`campaignSftp/create POST campaigns/${draft}/sftp`]: [
			{ ...login, ...withKey, campaign: byId(draft), options: { privateKeyPassphrase: 'open' } },
			{ ...login, ...key },
		],
		[`campaignSftp/update PUT ${at}/sftp`]: [
			{
				campaign,
				updateFields: {
					...withKey,
					privateKey: KEY.trim().replaceAll('\n', ' '),
					password: SECRET,
					privateKeyPassphrase: 'open',
					enabled: false,
				},
			},
			{ ...key, is_enabled: false },
		],
		[`campaignSftp/triggerExport POST ${at}/sftp/trigger-export`]: [
			{ campaign, campaignFiles: [NOBODY] },
			{ file_data_ids: [NOBODY] },
		],
		[`campaignSftp/getLogs GET ${at}/sftp/logs`]: [
			{ campaign, limit: 7 },
			{ page: '1', per_page: '7' },
		],
	};
};

const otherRows = ({ agents: { published }, sipTrunk: trunk }: Seed): Rows => {
	const agent = byId(published);
	const sipTrunk = byId(trunk);
	const at = `sip-trunks/${trunk}`;
	const carrier = { name: 'One', domain: 'sip.example.com', username: 'ada', password: SECRET };
	return {
		[`call/getAll GET agents/${published}/calls`]: [
			{
				filters: {
					agent,
					dateFrom: '2026-01-31',
					dateTo: '2026-03-02T00:00:00.000+01:00',
					direction: 'outbound',
					search: '+1202',
					status: 'no-answer',
				},
			},
			{
				date_from: '2026-01-31',
				date_to: '2026-03-02',
				direction: 'outbound',
				search: '+1202',
				status: 'no-answer',
				...paged,
			},
		],
		[`call/end POST agents/${published}/end-call`]: [{ agent, call: byId(NOBODY) }, { call_sid: NOBODY }],
		'phoneNumber/getAll GET phone-numbers': [
			{
				returnAll: true,
				filters: { type: 'voice', hasVoice: 'true', hasWhatsapp: false, direction: 'outbound', search: '+1' },
			},
			{ type: 'voice', has_voice: 'true', has_whatsapp: 'false', direction: 'outbound', search: '+1' },
		],
		'sipTrunk/create POST sip-trunks': [
			{
				...carrier,
				providerName: 'example',
				options: {
					port: '5080',
					transport: 'udp',
					outboundProxy: 'proxy.example.com',
					authRealm: 'example',
					active: false,
				},
			},
			{
				...carrier,
				provider_name: 'example',
				port: 5080,
				transport: 'udp',
				outbound_proxy: 'proxy.example.com',
				auth_realm: 'example',
				is_active: false,
			},
		],
		[`sipTrunk/update PUT ${at}`]: [
			{
				sipTrunk,
				updateFields: { name: 'New', active: 'true', domain: 'other.example.com', password: SECRET, port: 5060 },
			},
			{ name: 'New', is_active: true, domain: 'other.example.com', password: SECRET, port: 5060 },
		],
		[`sipTrunk/addNumber POST ${at}/dids`]: [
			{ sipTrunk, carrierNumber: '+49 (0)30 1234567', countryCode: 'de' },
			{ number: '+49301234567', country_code: 'DE' },
		],
		'voiceTemplate/getAll GET voice-templates': [
			{ filters: { gender: 'female', qualityTier: 'pro', language: 'other', languageCode: 'en-GB' } },
			{ gender: 'female', quality_tier: 'pro', language: 'en-GB' },
		],
	};
};

const webhookRows =
	(source: 'agent' | 'campaign') =>
	({ agents, campaigns }: Seed): Rows => {
		const id = source === 'agent' ? agents.published : campaigns.active;
		const [event, other] =
			source === 'agent' ? ['event_recording', 'event_action'] : ['campaign.paused', 'campaign.started'];
		const of = { source, [source]: byId(id) };
		const one = { ...of, webhook: byId(NOBODY) };
		const at = `${source}s/${id}/webhooks`;
		const withCallEvents = source === 'campaign';
		const set = {
			additionalEvents: other,
			enabled: false,
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			authorizationScheme: 'bearer',
			signingSecret: SECRET,
			payloadTemplates: '{}',
			...(withCallEvents && { includeCallEvents: true }),
		};
		const hook = { name: 'Hook', events: [event] };
		const extraHeaders = { values: [{ name: 'X-One', value: '1' }] };
		const sent = {
			name: 'Hook',
			events: [event, other],
			enabled: false,
			http_method: 'PUT',
			timeout: 5,
			max_retries: 10,
			authorization_scheme: 'bearer',
			webhook_secret: SECRET,
			payload_templates: {},
			...(withCallEvents && { include_call_events: true }),
		};
		return {
			[`webhook/create POST ${at}`]: [
				{ ...of, ...hook, webhookUrl: 'https://example.com/1', options: { ...set, extraHeaders } },
				{ ...sent, webhook_url: 'https://example.com/1', custom_headers: [{ key: 'X-One', value: '1' }] },
			],
			[`webhook/update PUT ${at}/${NOBODY}`]: [{ ...one, updateFields: { ...hook, ...set } }, sent],
			[`webhook/update PUT ${at}/${NOBODY} (name)`]: [{ ...one, updateFields: { name: 'New' } }, { name: 'New' }],
			[`webhook/getDeliveries GET ${at}/${NOBODY}/logs`]: [
				{ ...one, limit: 2 },
				{ page: '1', per_page: '2' },
			],
		};
	};

test.each([
	['agents', agentRows],
	['calendars', calendarRows],
	['campaigns', campaignRows],
	['calls, numbers, trunks and voices', otherRows],
	['the webhooks of a campaign', webhookRows('campaign')],
	['the webhooks of an agent', webhookRows('agent')],
])('each operation with %s sends what its fields say, and nothing else', async (_what, rowsOf) => {
	for (const [what, [parameters, sent]] of Object.entries(rowsOf(service.seed))) {
		await service.reset();
		const [, resource, operation, method, path] = /(\w+)\/(\w+) (\w+) (\S+)/.exec(what) as unknown as string[];
		await service.run({ ...(parameters as NodeSpec['parameters']), resource, operation });
		// The first one with the method: some operations read first, and some publish afterwards.
		const [request] = (await service.requests(method)).filter((one) => method !== 'GET' || one.path.endsWith(path));
		const { body, query } = request ?? {};
		const content = method === 'GET' ? query : body;
		expect({ what, path: request?.path, content }).toEqual({ what, path: `/api/v1/${path}`, content: sent });
	}
});

describe('Get Many', () => {
	const list = { resource: 'agentAction', operation: 'getAll', agent: byId('ada') };
	const webhooks = { resource: 'webhook', operation: 'getAll', campaign: byId('spring') };

	test.each([
		['actions', list],
		['webhooks', webhooks],
	])('reads all pages of %s, up to the last one or up to the limit', async (_what, parameters) => {
		for (const more of [{ returnAll: true }, { limit: 101 }]) {
			await service.reset();
			for (const [current_page, length] of [
				[1, 100],
				[2, 20],
			] as const) {
				const data = Array.from({ length }, (_, index) => ({ id: `${current_page}-${index}` }));
				const body = { success: true, data, meta: { current_page, per_page: 100, total: 120, last_page: 2 } };
				await service.answer('GET', 200, body);
			}
			const { outputs } = await service.run({ ...parameters, ...more });
			expect(new Set(outputs[0]?.map(({ json }) => json.id)).size).toBe('limit' in more ? 101 : 120);
			expect(await service.requests('GET')).toHaveLength(2);
		}
	});

	test.each([0, -5, 'many', 2.5])('fails without a request for a limit of %s', async (limit) => {
		expect((await service.run({ ...list, limit })).run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});
});
