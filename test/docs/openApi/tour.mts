import type { Seed } from '../../../sandbox/seed/index.mts';

/** A JSON value: a text, or something with access by name or index to others. The steps know which. */
export type Answer = string & { [key: string]: Answer; [index: number]: Answer };

/** What a step of the tour sends. */
export interface Given {
	params?: Record<string, string>;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** What the tour needs. */
export interface Guide {
	seed: Seed;
	/** Where events are received with 200; below `/broken` with 500. */
	receiver: string;
	/** Sends a request to a route below /api/v1, written as `GET /agents/:agent_id`. @returns the body of the success */
	send(route: string, given?: Given): Promise<Answer>;
	/** Lets time pass in the sandbox. */
	advance(seconds: number): Promise<void>;
}

/** Uses every operation of a fresh sandbox at least once, each with success: the requests are the examples of the OpenAPI document. */
export async function tour(guide: Guide): Promise<void> {
	await guide.send('GET /health');
	await numbersAndVoices(guide);
	await calls(guide);
	await agents(guide);
	await campaigns(guide);
	await sftp(guide);
	await sipTrunks(guide);
	await calendars(guide);
}

async function numbersAndVoices({ seed, send }: Guide): Promise<void> {
	await send('GET /action-integrations');
	await send('GET /phone-numbers', { query: { type: 'voice', search: seed.phoneNumber } });
	await send('GET /voice-templates', { query: { language: 'en-US', quality_tier: 'pro', gender: 'female' } });
	const params = { voice_template_id: seed.voiceTemplate };
	const { mp3_url } = await send('GET /voice-templates/:voice_template_id/demo', { params });
	const { pathname, searchParams } = new URL(mp3_url);
	const file = pathname.split('/').at(-1) as string;
	await send('GET /voice-demos/:file', { params: { file }, query: Object.fromEntries(searchParams) });
	await send('GET /recordings/:file', { params: { file } });
}

async function calls({ seed, send, advance }: Guide): Promise<void> {
	const params = { agent_id: seed.agents.published };
	const person = { payload: { first_name: 'Ada' }, context: { contact_id: 'contact-1' } };
	const placed = await send('POST /agents/:agent_id/call', {
		params,
		body: { to: '+12025550111', ...person, delay_seconds: 0, is_testing: true },
	});
	await advance(2);
	await send('GET /agents/:agent_id/active-call/:phone', { params: { ...params, phone: '+12025550111' } });
	await send('POST /agents/:agent_id/end-call', { params, body: { call_sid: placed.data.id } });
	await send('POST /calls', { body: { agent_id: seed.agents.published, to: '+12025550112', ...person } });
	await advance(3600);
	const search = '+1202555';
	await send('GET /calls', { query: { status: 'completed', search, per_page: 1 } });
	await send('GET /agents/:agent_id/calls', { params, query: { direction: 'outbound', search, per_page: 1 } });
}

const flow = {
	initial_node_id: 'greeting',
	nodes: [
		{ id: 'greeting', type: 'say', content: 'Hello {{first_name}}.', next: 'bye' },
		{ id: 'bye', type: 'end' },
	],
};

async function agents({ seed, receiver, send }: Guide): Promise<void> {
	await send('GET /agents', { query: { status: 'published', per_page: 1 } });
	const created = await send('POST /agents', {
		body: {
			name: 'reminders',
			label: 'Reminders',
			description: 'Reminds people of their appointments',
			language: 'en-US',
			initial_message: 'Hello, this is a reminder.',
			interrupt_sensitivity: 'medium',
			endpointing_sensitivity: 'auto',
			ivr_navigation_mode: 'off',
			conversation_speed: 1,
			initial_message_delay: 0,
			ask_if_human_present_on_idle: true,
			idle_time_seconds: 10,
			llm_temperature: 0.5,
			enable_recording: true,
			direction: 'outbound',
			who_speaks_first: 'agent',
			phone_number_ids: [seed.phoneNumber],
		},
	});
	const params = { agent_id: created.data.id };
	await send('PUT /agents/:agent_id/knowledge', {
		params,
		body: {
			description: 'Reminds people of their appointments',
			initial_message: 'Hello, this is a reminder.',
			interrupt_sensitivity: 'low',
			ask_if_human_present_on_idle: false,
			llm_temperature: 0.2,
			initial_message_delay: 1,
		},
	});
	await send('PUT /agents/:agent_id/voice', {
		params,
		body: {
			voice_id: seed.voiceTemplate,
			conversation_speed: 1.1,
			who_speaks_first: 'agent',
			ambient_background: 'office',
			ambient_volume: 0.5,
			language: 'en-US',
		},
	});
	const calling = { direction: 'outbound', phone_number_ids: [seed.phoneNumber] };
	await send('PUT /agents/:agent_id/calling', { params, body: calling });

	const action = await send('POST /agents/:agent_id/actions', {
		params,
		body: {
			node_id: 'look-up-order',
			name: 'look_up_order',
			description: 'Looks up an order',
			type: 'webhook',
			inputs: [{ name: 'order_id', type: 'string', required: true, description: 'The number of the order' }],
			url: 'https://example.com/orders',
			authorization_scheme: 'none',
			custom_headers: [{ key: 'X-Source', value: 'voice-agent' }],
			speak_on_send: 'One moment.',
			execution_mode: 'during_call',
			current_status: 'active',
		},
	});
	await send('GET /agents/:agent_id/actions', { params });
	await send('DELETE /agents/:agent_id/actions/:action_id', { params: { ...params, action_id: action.data.id } });
	const training = await send('POST /agents/:agent_id/trainings', {
		params,
		body: { node_id: 'prices', subject: 'Prices', instructions: 'Name prices with tax.', current_status: 'active' },
	});
	await send('GET /agents/:agent_id/trainings', { params });
	const training_id = training.data.id;
	await send('DELETE /agents/:agent_id/trainings/:training_id', { params: { ...params, training_id } });

	await send('POST /agents/:agent_id/flow/validate', { params, body: { flow_config: flow } });
	const broken = { ...flow, nodes: flow.nodes.slice(0, 1) };
	await send('POST /agents/:agent_id/flow/validate', { params, body: { flow_config: broken } });
	const conversation = { conversation_mode: 'flow_driven', flow_config: flow };
	await send('PUT /agents/:agent_id/flow', { params, body: conversation });
	await send('GET /agents/:agent_id/flow', { params });
	await send('GET /agents/:agent_id/flow/versions', { params });
	await send('GET /agents/:agent_id/pricing', { params });
	await send('GET /agents/:agent_id/pricing/summary', { params });

	const webhook = await send('POST /agents/:agent_id/webhooks', {
		params,
		body: {
			name: 'Call events',
			webhook_url: `${receiver}/events`,
			events: ['event_phone_call_ended', 'event_recording'],
			webhook_secret: 'a-long-random-text',
			timeout: 10,
			max_retries: 0,
			http_method: 'POST',
			custom_headers: [{ key: 'X-Source', value: 'voice-agent' }],
			payload_templates: { event_phone_call_ended: { call: '{{call.id}}' } },
		},
	});
	const one = { ...params, webhook_id: webhook.data.id };
	await send('GET /agents/:agent_id/webhooks', { params });
	await send('GET /agents/:agent_id/webhooks/:webhook_id', { params: one });
	await send('POST /agents/:agent_id/webhooks/:webhook_id/test', { params: one });
	const changes = { webhook_url: `${receiver}/broken`, enabled: true };
	await send('PUT /agents/:agent_id/webhooks/:webhook_id', { params: one, body: changes });
	await send('POST /agents/:agent_id/webhooks/:webhook_id/test', { params: one });
	const logs = await send('GET /agents/:agent_id/webhooks/:webhook_id/logs', { params: one, query: { per_page: 1 } });
	const entry = { ...one, log_id: logs.data[0].id };
	await send('POST /agents/:agent_id/webhooks/:webhook_id/logs/:log_id/retry', { params: entry });
	await send('PATCH /agents/:agent_id/webhooks/:webhook_id/toggle', { params: one });
	await send('DELETE /agents/:agent_id/webhooks/:webhook_id', { params: one });

	await send('POST /agents/:agent_id/publish', { params });
	await send('GET /agents/:agent_id', { params });
	await send('POST /agents/:agent_id/unpublish', { params });
	await send('DELETE /agents/:agent_id', { params });
}

async function campaigns({ seed, receiver, send, advance }: Guide): Promise<void> {
	await send('GET /campaigns', { query: { status: 'active', campaign_type: 'sales', per_page: 1 } });
	const created = await send('POST /campaigns', {
		body: {
			name: 'Spring offers',
			description: 'Calls about the offers of spring',
			campaign_type: 'sales',
			agent_id: seed.agents.published,
			start_date: '2020-01-01',
			end_date: '2040-12-31',
			days_of_week: [1, 2, 3, 4, 5, 6, 7],
			call_time_ranges: [{ start: '00:00', end: '24:00' }],
			timezone: 'Europe/Berlin',
			max_retries: 2,
			retry_cooldown_hours: 24,
			do_not_call_enabled: true,
			do_not_call_list_source: 'environment',
		},
	});
	const params = { campaign_id: created.data.id };
	await send('PUT /campaigns/:campaign_id', { params, body: { description: null, max_retries: 1 } });

	const webhook = await send('POST /campaigns/:campaign_id/webhooks', {
		params,
		body: {
			name: 'Campaign events',
			webhook_url: `${receiver}/broken`,
			events: ['campaign_call.completed', 'campaign.completed'],
			include_call_events: false,
			webhook_secret: 'a-long-random-text',
			timeout: 10,
			max_retries: 0,
			enabled: true,
			http_method: 'POST',
		},
	});
	const one = { ...params, webhook_id: webhook.data.id };
	await send('GET /campaigns/:campaign_id/webhooks', { params });
	await send('GET /campaigns/:campaign_id/webhooks/:webhook_id', { params: one });
	const events = ['campaign_call.completed', 'campaign_call.failed'];
	await send('PUT /campaigns/:campaign_id/webhooks/:webhook_id', { params: one, body: { events } });
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/test', { params: one });
	await advance(5);
	const path = 'GET /campaigns/:campaign_id/webhooks/:webhook_id/logs';
	const logs = await send(path, { params: one, query: { page: 1, per_page: 1 } });
	const entry = { ...one, log_id: logs.data[0].id };
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/logs/:log_id/retry', { params: entry });
	await send('PATCH /campaigns/:campaign_id/webhooks/:webhook_id/toggle', { params: one });
	await send('DELETE /campaigns/:campaign_id/webhooks/:webhook_id', { params: one });

	await send('PATCH /campaigns/:campaign_id/status', { params, body: { status: 'active' } });
	await send('POST /campaigns/:campaign_id/call', {
		params,
		body: { to: '+12025550101', payload: { first_name: 'Ada' }, context: { contact_id: 'contact-1' } },
	});
	await advance(3600);
	await send('GET /campaigns/:campaign_id', { params });
	await send('PATCH /campaigns/:campaign_id/status', { params, body: { status: 'completed' } });
	await send('DELETE /campaigns/:campaign_id', { params });
}

async function sftp({ seed, send, advance }: Guide): Promise<void> {
	const params = { campaign_id: seed.campaigns.active };
	await send('POST /campaigns/:campaign_id/sftp', {
		params,
		body: {
			host: 'sftp.example.com',
			port: 22,
			username: 'ada',
			auth_type: 'password',
			password: 'a-long-random-text',
			import_path: '/contacts',
			export_path: '/results',
			import_schedule: 'manual',
		},
	});
	await send('POST /campaigns/:campaign_id/sftp/test-connection', { params });
	await send('GET /campaigns/:campaign_id/sftp', { params });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { import_schedule: 'hourly', is_enabled: true } });
	await send('POST /campaigns/:campaign_id/sftp/trigger-import', { params });
	await advance(60);
	const { data } = await send('GET /campaigns/:campaign_id', { params });
	const body = { file_data_ids: [data.files[0].id] };
	await send('POST /campaigns/:campaign_id/sftp/trigger-export', { params, body });
	await advance(60);
	await send('GET /campaigns/:campaign_id/sftp/logs', { params, query: { per_page: 2 } });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { host: 'sftp.invalid' } });
	await send('POST /campaigns/:campaign_id/sftp/test-connection', { params });
}

async function sipTrunks({ seed, send }: Guide): Promise<void> {
	const seeded = { trunk_id: seed.sipTrunk };
	const created = await send('POST /sip-trunks', {
		body: {
			name: 'Main line',
			provider_name: 'example-carrier',
			domain: 'sip.example.com',
			username: 'ada',
			password: 'a-long-random-text',
			transport: 'tls',
			outbound_proxy: 'proxy.example.com',
		},
	});
	const params = { trunk_id: created.data.id };
	await send('POST /sip-trunks/:trunk_id/verify', { params });
	await send('GET /sip-trunks', {});
	await send('GET /sip-trunks/:trunk_id', { params });
	await send('PUT /sip-trunks/:trunk_id', { params, body: { name: 'Line of the office', is_active: true } });
	await send('GET /sip-trunks/:trunk_id/health', { params });
	const number = { country_code: 'US', number: '+12025550177' };
	const did = await send('POST /sip-trunks/:trunk_id/dids', { params, body: number });
	await send('GET /sip-trunks/:trunk_id/dids', { params });
	const phone_number_id = did.data.id;
	await send('DELETE /sip-trunks/:trunk_id/dids/:phone_number_id', { params: { ...params, phone_number_id } });
	await send('PUT /sip-trunks/:trunk_id', { params, body: { domain: 'sip.invalid' } });
	await send('POST /sip-trunks/:trunk_id/verify', { params });
	await send('DELETE /sip-trunks/:trunk_id', { params });
	await send('GET /sip-trunks/:trunk_id/health', { params: seeded });
}

async function calendars({ seed, send }: Guide): Promise<void> {
	await send('GET /calendars', { query: { per_page: 1 } });
	const created = await send('POST /calendars', {
		body: {
			name: 'Consultations',
			owner_id: seed.user,
			timezone: 'Europe/Berlin',
			metadata: { meeting_provider: 'example' },
		},
	});
	const params = { calendar_id: created.data.id };
	await send('GET /calendars/:calendar_id', { params });
	await send('PUT /calendars/:calendar_id', { params, body: { name: 'First consultations' } });

	const user = { user_id: '5f0f2f0e-0a4b-4c55-8a1c-2f1f3c9d7e01', role: 'viewer' };
	const member = await send('POST /calendars/:calendar_id/members', { params, body: user });
	const ofMember = { ...params, member_id: member.data.id };
	await send('GET /calendars/:calendar_id/members', { params });
	await send('PUT /calendars/:calendar_id/members/:member_id', { params: ofMember, body: { role: 'editor' } });
	await send('DELETE /calendars/:calendar_id/members/:member_id', { params: ofMember });

	const rule = await send('POST /calendars/:calendar_id/availability-rules', {
		params,
		body: { type: 'recurring', days_of_week: [1, 2, 3, 4, 5], start_time: '09:00', end_time: '11:00' },
	});
	const ofRule = { ...params, rule_id: rule.data.id };
	await send('GET /calendars/:calendar_id/availability-rules', { params });
	const hours = { end_time: '10:00' };
	await send('PUT /calendars/:calendar_id/availability-rules/:rule_id', { params: ofRule, body: hours });

	const event = await send('POST /calendars/:calendar_id/events', {
		params,
		body: {
			title: 'First consultation',
			start_at: '2030-01-15T08:00:00Z',
			end_at: '2030-01-15T08:30:00Z',
			description: 'About the offers of spring',
			status: 'confirmed',
			type: 'meeting',
			attendees: [{ name: 'Ada', email: 'ada@example.com' }],
		},
	});
	const ofEvent = { ...params, event_id: event.data.id };
	const day = { from: '2030-01-15T00:00:00Z', to: '2030-01-16T00:00:00Z' };
	await send('GET /calendars/:calendar_id/availability', { params, query: { ...day, duration_minutes: 30 } });
	await send('GET /calendars/:calendar_id/events', { params, query: { ...day, status: 'confirmed' } });
	await send('GET /calendars/events', { query: { calendar_ids: [params.calendar_id], ...day } });
	await send('POST /calendars/:calendar_id/events/:event_id/meeting', { params: ofEvent });
	const guest = { name: 'Grace', email: 'grace@example.com' };
	const attendee = await send('POST /calendars/:calendar_id/events/:event_id/attendees', {
		params: ofEvent,
		body: guest,
	});
	await send('GET /calendars/:calendar_id/events/:event_id', { params: ofEvent });
	const attendee_id = attendee.data.id;
	await send('DELETE /calendars/:calendar_id/events/:event_id/attendees/:attendee_id', {
		params: { ...ofEvent, attendee_id },
	});
	const later = { start_at: '2030-01-15T09:00:00Z', end_at: '2030-01-15T09:30:00Z' };
	await send('PUT /calendars/:calendar_id/events/:event_id', { params: ofEvent, body: later });
	await send('DELETE /calendars/:calendar_id/events/:event_id', { params: ofEvent });
	await send('DELETE /calendars/:calendar_id/availability-rules/:rule_id', { params: ofRule });
	await send('DELETE /calendars/:calendar_id', { params });
}
