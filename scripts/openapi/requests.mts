import type { Seed } from '../../sandbox/seed/index.mts';

/** Sends a request with the token and gives the body of the answer. @throws for a status that is no success */
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Reaches the routes under `/_sandbox`. */
export type Control = (path: string, body: unknown) => Promise<void>;

const API = '/api/v1';

/** The id of what an answer holds in `data`. */
const idOf = (body: unknown): string => String((body as { data: { id: unknown } }).data.id);

/** Asks every route at least once, with everything that shows in its answers. */
export async function askAll(ask: Ask, control: Control, seed: Seed): Promise<void> {
	await ask('GET', `${API}/health`);
	await askAgents(ask, seed);
	await askCalls(ask, seed);
	await askWebhooks(ask, control, `${API}/agents/${seed.agents.published}`, 'event_action');
	await askCampaigns(ask, control, seed);
	await askSipTrunks(ask);
	await askCalendars(ask, seed);
}

async function askAgents(ask: Ask, seed: Seed): Promise<void> {
	await ask('GET', `${API}/agents`);
	const settings = {
		description: 'You are Ada. Be brief.',
		interrupt_sensitivity: 'low',
		ask_if_human_present_on_idle: true,
		llm_temperature: 0.4,
		initial_message_delay: 1,
	};
	const made = await ask('POST', `${API}/agents`, {
		...settings,
		name: 'Ada',
		label: 'Ada, sales',
		language: 'en-US',
		endpointing_sensitivity: 'auto',
		ivr_navigation_mode: 'off',
		conversation_speed: 1,
		idle_time_seconds: 10,
		enable_recording: true,
		direction: 'outbound',
		who_speaks_first: 'agent',
	});
	const agent = `${API}/agents/${idOf(made)}`;
	await ask('PUT', `${agent}/knowledge`, settings);
	await ask('PUT', `${agent}/voice`, {
		voice_id: seed.voiceTemplate,
		conversation_speed: 1,
		who_speaks_first: 'agent',
	});
	await ask('PUT', `${agent}/calling`, { direction: 'outbound', phone_number_ids: [seed.phoneNumber] });
	const action = await ask('POST', `${agent}/actions`, {
		node_id: 'notify',
		name: 'notify',
		description: 'Tells the office',
		type: 'webhook',
		url: 'https://example.com/notify',
		inputs: [{ name: 'text', type: 'string', required: true, description: 'What to tell' }],
	});
	const training = await ask('POST', `${agent}/trainings`, {
		subject: 'Prices',
		instructions: 'All prices are in euros.',
	});
	for (const list of ['actions', 'trainings', 'pricing', 'pricing/summary', 'flow']) {
		await ask('GET', `${agent}/${list}`);
	}
	const flow_config = {
		initial_node_id: 'hello',
		nodes: [
			{ id: 'hello', type: 'say', content: 'Hello', next: 'bye' },
			{ id: 'bye', type: 'end' },
		],
	};
	await ask('POST', `${agent}/flow/validate`, { flow_config });
	await ask('PUT', `${agent}/flow`, { conversation_mode: 'flow_driven', flow_config });
	await ask('GET', `${agent}/flow`);
	await ask('GET', `${agent}/flow/versions`);
	await ask('GET', `${API}/action-integrations`);
	await ask('GET', agent);
	await ask('DELETE', `${agent}/actions/${idOf(action)}`);
	await ask('DELETE', `${agent}/trainings/${idOf(training)}`);
	await ask('POST', `${agent}/publish`);
	await ask('POST', `${agent}/unpublish`);
	await ask('DELETE', agent);
	await ask('GET', `${API}/phone-numbers`);
	await ask('GET', `${API}/voice-templates`);
	const demo = (await ask('GET', `${API}/voice-templates/${seed.voiceTemplate}/demo`)) as { mp3_url: string };
	const { pathname, search } = new URL(demo.mp3_url);
	await ask('GET', pathname + search);
}

async function askCalls(ask: Ask, seed: Seed): Promise<void> {
	const agent = `${API}/agents/${seed.agents.published}`;
	const to = '+12025550111';
	const call = await ask('POST', `${agent}/call`, { to, delay_seconds: 600 });
	await ask('POST', `${API}/calls`, { agent_id: seed.agents.published, to: '+12025550112' });
	await ask('GET', `${agent}/active-call/${encodeURIComponent(to)}`);
	await ask('POST', `${agent}/end-call`, { call_sid: idOf(call) });
	await ask('GET', `${agent}/calls`);
	await ask('GET', `${API}/calls`);
}

async function askCampaigns(ask: Ask, control: Control, seed: Seed): Promise<void> {
	await ask('GET', `${API}/campaigns`);
	const made = await ask('POST', `${API}/campaigns`, {
		name: 'Spring offer',
		campaign_type: 'sales',
		agent_id: seed.agents.published,
		start_date: '2026-03-01',
		days_of_week: [1, 2, 3, 4, 5],
		call_time_ranges: [{ start: '09:00', end: '17:00' }],
		timezone: 'Europe/Berlin',
	});
	const campaign = `${API}/campaigns/${idOf(made)}`;
	await ask('PUT', campaign, { description: 'For everybody' });
	await ask('PATCH', `${campaign}/status`, { status: 'active' });
	await ask('POST', `${campaign}/call`, { to: '+12025550111' });
	await ask('GET', campaign);
	await askWebhooks(ask, control, campaign, 'campaign.paused');
	await askSftp(ask, control, campaign);
	await ask('PATCH', `${campaign}/status`, { status: 'cancelled' });
	await ask('DELETE', campaign);
}

async function askWebhooks(ask: Ask, control: Control, owner: string, event: string): Promise<void> {
	const made = await ask('POST', `${owner}/webhooks`, {
		name: 'Hook',
		webhook_url: 'http://127.0.0.1:1/hook',
		events: [event],
	});
	const webhook = `${owner}/webhooks/${idOf(made)}`;
	await ask('GET', `${owner}/webhooks`);
	await ask('GET', webhook);
	await ask('PUT', webhook, { timeout: 10 });
	await ask('PATCH', `${webhook}/toggle`);
	await ask('PATCH', `${webhook}/toggle`);
	await ask('POST', `${webhook}/test`);
	// Nothing listens there: the test used up its attempts once this time is over.
	await control('advance', { seconds: 600 });
	const logs = (await ask('GET', `${webhook}/logs`)) as { data: Array<{ id: string; status: string }> };
	const failed = logs.data.find(({ status }) => status === 'failed');
	await ask('POST', `${webhook}/logs/${failed?.id}/retry`);
	await ask('DELETE', webhook);
}

async function askSipTrunks(ask: Ask): Promise<void> {
	const made = await ask('POST', `${API}/sip-trunks`, {
		name: 'Office',
		provider_name: 'example',
		domain: 'sip.example.com',
		username: 'office',
		password: 'not-a-real-one',
	});
	const trunk = `${API}/sip-trunks/${idOf(made)}`;
	await ask('GET', `${API}/sip-trunks`);
	await ask('POST', `${trunk}/verify`);
	await ask('GET', `${trunk}/health`);
	await ask('PUT', trunk, { name: 'Office 2' });
	await ask('GET', trunk);
	const number = await ask('POST', `${trunk}/dids`, { country_code: 'US', number: '+12025550155' });
	await ask('GET', `${trunk}/dids`);
	await ask('DELETE', `${trunk}/dids/${idOf(number)}`);
	await ask('DELETE', trunk);
}

async function askSftp(ask: Ask, control: Control, campaign: string): Promise<void> {
	const sftp = `${campaign}/sftp`;
	// A host that is not this machine is not contacted: what it would do is made up.
	await ask('POST', sftp, {
		host: 'sftp.example.com',
		username: 'ada',
		auth_type: 'password',
		password: 'not-a-real-one',
	});
	await ask('GET', sftp);
	await ask('POST', `${sftp}/test-connection`);
	await ask('PUT', sftp, { is_enabled: true });
	await ask('POST', `${sftp}/trigger-import`);
	await control('advance', { seconds: 600 });
	const { data } = (await ask('GET', campaign)) as { data: { files: Array<{ id: string }> } };
	await ask('POST', `${sftp}/trigger-export`, { file_data_ids: data.files.map(({ id }) => id) });
	await control('advance', { seconds: 600 });
	await ask('GET', `${sftp}/logs`);
}

async function askCalendars(ask: Ask, seed: Seed): Promise<void> {
	const made = await ask('POST', `${API}/calendars`, {
		name: 'Visits',
		owner_id: seed.user,
		timezone: 'Europe/Berlin',
		metadata: { meeting_provider: 'example' },
	});
	const calendar = `${API}/calendars/${idOf(made)}`;
	await ask('GET', `${API}/calendars`);
	await ask('PUT', calendar, { name: 'Visits 2' });
	await ask('GET', calendar);
	const member = await ask('POST', `${calendar}/members`, { user_id: crypto.randomUUID(), role: 'viewer' });
	await ask('GET', `${calendar}/members`);
	await ask('PUT', `${calendar}/members/${idOf(member)}`, { role: 'editor' });
	await ask('DELETE', `${calendar}/members/${idOf(member)}`);

	const noon = { start_at: '2026-03-02T12:00:00Z', end_at: '2026-03-02T13:00:00Z' };
	const event = await ask('POST', `${calendar}/events`, {
		title: 'Lunch',
		...noon,
		attendees: [{ name: 'Ada', email: 'ada@example.com' }],
	});
	const one = `${calendar}/events/${idOf(event)}`;
	await ask('GET', `${calendar}/events`);
	await ask('GET', `${API}/calendars/events?calendar_ids[]=${idOf(made)}`);
	await ask('PUT', one, { status: 'tentative' });
	await ask('POST', `${one}/meeting`);
	const attendee = await ask('POST', `${one}/attendees`, { name: 'Bob', email: 'bob@example.com' });
	await ask('GET', one);
	await ask('DELETE', `${one}/attendees/${idOf(attendee)}`);

	const recurring = { type: 'recurring', days_of_week: [1, 2, 3, 4, 5], start_time: '09:00', end_time: '17:00' };
	const rule = await ask('POST', `${calendar}/availability-rules`, recurring);
	await ask('POST', `${calendar}/availability-rules`, { type: 'exception', date: '2026-03-03', available: false });
	await ask('GET', `${calendar}/availability-rules`);
	await ask('GET', `${calendar}/availability?from=2026-03-02T00:00:00Z&to=2026-03-04T00:00:00Z&duration_minutes=60`);
	await ask('PUT', `${calendar}/availability-rules/${idOf(rule)}`, { end_time: '16:00' });
	await ask('DELETE', `${calendar}/availability-rules/${idOf(rule)}`);
	await ask('DELETE', one);
	await ask('DELETE', calendar);
}
