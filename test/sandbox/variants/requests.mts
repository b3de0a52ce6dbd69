import type { Answer, Given, Guide } from '../../../sandbox/openApi/play.mts';

/** A request that may be refused. */
export interface Broken extends Given {
	/** Null for none. */
	token?: string | null;
}

/** Sends requests that may also be refused, and changes the sandbox. */
export interface OtherGuide extends Guide {
	send(route: string, given?: Broken): Promise<Answer>;
	control(path: string, body: unknown): Promise<void>;
}

const SECRET = 'a-long-random-text';
const OTHER_USER = '99999999-2222-4333-8444-555555555555';

const newAgent = {
	name: 'night',
	label: 'Night shift',
	language: 'pt-BR',
	interrupt_sensitivity: 'low',
	conversation_speed: 1.2,
	endpointing_sensitivity: 'auto',
	ivr_navigation_mode: 'off',
	initial_message_delay: 2,
	llm_temperature: 0.5,
	ask_if_human_present_on_idle: true,
	idle_time_seconds: 100,
	enable_recording: true,
	direction: 'outbound',
	who_speaks_first: 'user',
};

async function lists({ send }: OtherGuide): Promise<void> {
	for (const query of [{}, { page: 2, per_page: 5 }, { page: 99, per_page: 5 }, { per_page: 3 }, { status: 'draft' }]) {
		await send('GET /agents', { query });
		await send('GET /campaigns', { query });
	}
	await send('GET /phone-numbers', { query: { per_page: 5 } });
	await send('GET /phone-numbers', { query: { direction: 'outbound' } });
	for (const language of ['en', 'xx']) {
		await send('GET /voice-templates', { query: { language } });
	}
}

async function errors({ seed, send }: OtherGuide): Promise<void> {
	const agent = { agent_id: seed.agents.draft };
	const campaign = { campaign_id: seed.campaigns.completed };
	await send('GET /agents', { token: 'wrong' });
	await send('POST /agents/:agent_id/unpublish', { params: agent, token: 'TOKEN-readonly' });
	await send('GET /agents/:agent_id', { params: { agent_id: 'unknown' } });
	await send('PATCH /campaigns/:campaign_id/status', { params: campaign, body: { status: 'active' } });
	await send('PATCH /campaigns/:campaign_id/status', { params: campaign, body: { status: 'none' } });
	await send('POST /agents/:agent_id/call', { params: agent, body: { to: '+12025550111' } });
	await send('POST /agents/:agent_id/call', { params: agent, body: { to: '555' } });
	await send('POST /agents/:agent_id/call', { params: agent, body: { to: '+12025550111', delay_seconds: -1 } });
	await send('DELETE /agents/:agent_id', { params: { agent_id: seed.agents.published } });
}

async function agents({ seed, receiver, send }: OtherGuide): Promise<void> {
	const { data } = await send('POST /agents', { body: newAgent });
	await send('POST /agents/:agent_id/publish', { params: { agent_id: data.id } });
	const params = { agent_id: seed.agents.published };
	const draft = { agent_id: seed.agents.draft };
	await send('PUT /agents/:agent_id/calling', { params: draft, body: { direction: 'outbound' } });
	const inputs = [{ name: 'day', type: 'string' }];
	const action = { node_id: 'mine', description: 'Does something', type: 'webhook', inputs };
	for (const name of ['one', 'two', 'three', 'two']) {
		const url = name === 'three' ? undefined : `${receiver}/act`;
		await send('POST /agents/:agent_id/actions', { params, body: { ...action, name, url } });
	}
	await send('GET /agents/:agent_id/actions', { params });
	const nodes = [{ id: 'end', type: 'end', next: 'nowhere' }];
	const flow = { conversation_mode: 'flow_driven', flow_config: { initial_node_id: 'end', nodes } };
	await send('PUT /agents/:agent_id/flow', { params: draft, body: flow });
	await send('POST /agents/:agent_id/publish', { params });
}

async function webhooks({ seed, receiver, send, advance }: OtherGuide): Promise<void> {
	const params = { campaign_id: seed.campaigns.active };
	const settings = { name: 'Hook', webhook_secret: SECRET, timeout: 10, max_retries: 1 };
	const settled = { ...settings, webhook_url: `${receiver}/hook?b=2&a=%20`, events: ['campaign_call.completed'] };
	const own = { params: { agent_id: seed.agents.published } };
	await send('POST /agents/:agent_id/webhooks', { ...own, body: { ...settings, webhook_url: 'none', events: [] } });
	const far = { ...settings, webhook_url: 'http://example.com/', events: ['event_recording'], enabled: false };
	await send('POST /agents/:agent_id/webhooks', { ...own, body: far });
	await send('POST /agents/:agent_id/webhooks', { ...own, body: { ...far, authorization_scheme: 'bearer' } });
	const broken = { ...settings, webhook_url: `${receiver}/broken`, events: ['event_recording'] };
	const { data } = await send('POST /agents/:agent_id/webhooks', { ...own, body: broken });
	const failing = { ...own.params, webhook_id: data.id };
	await send('POST /agents/:agent_id/webhooks/:webhook_id/test', { params: failing });
	await send('GET /agents/:agent_id/webhooks/:webhook_id', { params: failing });
	await send('GET /agents/:agent_id/webhooks/:webhook_id/logs', { params: failing });
	const hook = await send('POST /campaigns/:campaign_id/webhooks', { params, body: settled });
	const one = { ...params, webhook_id: hook.data.id };
	await send('PUT /campaigns/:campaign_id/webhooks/:webhook_id', { params: one, body: { webhook_secret: null } });
	await send('GET /campaigns/:campaign_id/webhooks/:webhook_id', { params: one });
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/test', { params: one });
	await advance(5);
	const logs = await send('GET /campaigns/:campaign_id/webhooks/:webhook_id/logs', { params: one });
	const entry = { ...one, log_id: logs.data[0].id };
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/logs/:log_id/retry', { params: entry });
	await send('DELETE /campaigns/:campaign_id/webhooks/:webhook_id', { params: one });
}

/** Every kind of event, delivered and, below `/broken`, tried again. */
async function calls({ seed, receiver, send, advance, control }: OtherGuide): Promise<void> {
	const params = { agent_id: seed.agents.published };
	const { data } = await send('GET /agents/:agent_id/webhooks', { params });
	for (const path of ['hook?campaign=1', 'broken']) {
		const events = Object.keys(data.available_events as unknown as object);
		const body = { name: path, webhook_url: `${receiver}/${path}`, events, webhook_secret: SECRET, max_retries: 1 };
		await send('POST /agents/:agent_id/webhooks', { params, body });
	}
	const active = (phone: string) => send('GET /agents/:agent_id/active-call/:phone', { params: { ...params, phone } });
	await active('+12025550001');
	const steps = [
		{ after: 3, do: 'answer' },
		{ after: 1, do: 'useAction', action: 'two', arguments: { day: 'Monday' } },
		{ after: 1, do: 'hangUp' },
	];
	await control('script', { to: '+12025550009', steps });
	for (const last of [9, 1, 2, 3, 4, 5]) {
		const to = `+1202555000${last}`;
		const body = { to, context: { contact: 'contact-1' } };
		const placed = await send('POST /agents/:agent_id/call', { params, body });
		await advance(2);
		await active(to);
		await advance(3600);
		await send('POST /agents/:agent_id/end-call', { params, body: { call_sid: placed.data.id } });
	}
	await send('GET /calls', { query: { per_page: 7 } });
}

async function campaigns({ seed, receiver, send, advance }: OtherGuide): Promise<void> {
	const params = { campaign_id: seed.campaigns.active };
	const { data } = await send('GET /campaigns/:campaign_id/webhooks', { params });
	for (const path of ['hook?campaign=1', 'broken']) {
		const events = data.available_events;
		const body = { name: path, webhook_url: `${receiver}/${path}`, events, webhook_secret: SECRET, max_retries: 1 };
		await send('POST /campaigns/:campaign_id/webhooks', { params, body });
	}
	for (const number of ['0001', '0001', '0002', '0003', '0004', '0005', '0198']) {
		const body = { to: `+1202555${number}`, context: { contact: 'contact-1' } };
		await send('POST /campaigns/:campaign_id/call', { params, body });
	}
	await send('PUT /campaigns/:campaign_id', { params, body: { timezone: 'Europe/Berlin' } });
	await advance(90);
	await send('GET /campaigns/:campaign_id', { params });
	await advance(100_000);
	await send('GET /campaigns/:campaign_id', { params });
}

async function files({ seed, send }: OtherGuide): Promise<void> {
	const params = { campaign_id: seed.campaigns.draft };
	await send('GET /campaigns/:campaign_id/sftp', { params });
	const body = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: SECRET };
	await send('POST /campaigns/:campaign_id/sftp', { params, body: { ...body, is_enabled: false } });
	await send('POST /campaigns/:campaign_id/sftp', { params, body });
	await send('GET /campaigns/:campaign_id/sftp', { params });
	await send('POST /campaigns/:campaign_id/sftp/trigger-import', { params });
}

async function trunks({ send }: OtherGuide): Promise<void> {
	const body = { name: 'Away', provider_name: 'example', domain: 'pbx.invalid', username: 'ada', password: SECRET };
	const params = { trunk_id: (await send('POST /sip-trunks', { body })).data.id };
	await send('GET /sip-trunks/:trunk_id/health', { params });
	await send('PUT /sip-trunks/:trunk_id', { params, body: { is_active: true } });
	const number = { country_code: 'US', number: '+12025550178' };
	await send('POST /sip-trunks/:trunk_id/dids', { params, body: number });
	await send('POST /sip-trunks/:trunk_id/dids', { params, body: number });
	await send('DELETE /sip-trunks/:trunk_id', { params });
}

async function calendars({ seed, send }: OtherGuide): Promise<void> {
	await send('POST /calendars', { body: { name: 'Room', owner_id: seed.user } });
	const params = { calendar_id: seed.calendar };
	await send('PUT /calendars/:calendar_id', { params, body: { metadata: { floor: 2 } } });
	await send('GET /calendars/:calendar_id', { params });
	const member = { user_id: OTHER_USER, role: 'viewer' };
	const { data } = await send('POST /calendars/:calendar_id/members', { params, body: member });
	await send('POST /calendars/:calendar_id/members', { params, body: member });
	const one = { ...params, member_id: data.id };
	await send('PUT /calendars/:calendar_id/members/:member_id', { params: one, body: { role: 'owner' } });
	await send('DELETE /calendars/:calendar_id/members/:member_id', { params: one });
	const rule = { type: 'recurring', days_of_week: [1, 2], start_time: '20:00', end_time: '23:59' };
	await send('POST /calendars/:calendar_id/availability-rules', { params, body: rule });
	await send('GET /calendars/:calendar_id/availability-rules', { params });
	for (const time of ['', 'T00:00:00Z']) {
		const query = { from: `2030-01-15${time}`, to: `2030-01-18${time}` };
		await send('GET /calendars/:calendar_id/availability', { params, query });
	}
}

/**
 * What the tour of the OpenAPI document does not ask for: errors, filters, pages, retries, and calls with every outcome.
 * Each chapter begins with a fresh sandbox.
 */
export const CHAPTERS = {
	lists,
	errors,
	webhooks,
	files,
	trunks,
	calendars,
	campaigns,
	async calls(guide: OtherGuide) {
		await agents(guide);
		await calls(guide);
	},
};
