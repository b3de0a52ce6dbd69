import type { SandboxOptions } from '../../../sandbox/options.mts';
import type { Seed } from '../../../sandbox/seed/index.mts';
import type { Answer, Given } from './tour.mts';

/** How a request of the tour is broken. */
export interface Broken extends Given {
	/** Null for none. */
	token?: string | null;
	/** Text that is sent unchanged instead of a body. */
	text?: string;
	contentType?: string;
}

/** A fresh sandbox for errors. */
export interface ErrorGuide {
	seed: Seed;
	/** Sends a request that is refused or, as a preparation, accepted. @returns the body */
	send(route: string, given?: Broken): Promise<Answer>;
	/** Answers the next request with an internal error. */
	failNext(): Promise<void>;
}

/** Starts a fresh sandbox. */
export type StartGuide = (options?: Partial<SandboxOptions>) => Promise<ErrorGuide>;

/**
 * Provokes every error of every route: the responses are the examples of the OpenAPI document.
 * @param samples the names of routes that together have all errors which routes share
 */
export async function errorTour(
	start: StartGuide,
	routes: readonly string[],
	samples: readonly string[],
): Promise<void> {
	const limited = await start({ rateLimit: 0 });
	const guide = await start();
	for (const route of samples) {
		await commonErrors(guide, route);
		await limited.send(route, unknownIds(route));
	}
	const tooLarge = `"${'x'.repeat(10 * 1024 * 1024)}"`;
	await guide.send('POST /agents', { text: tooLarge });
	const calling = 'POST /agents/:agent_id/call';
	await guide.send(calling, { ...unknownIds(calling), text: tooLarge });
	await guide.send('GET /voice-demos/:file', unknownIds('GET /voice-demos/:file'));
	await agentErrors(await start());
	await callErrors(await start({ credits: 0 }));
	await campaignErrors(await start());
	await sftpErrors(await start());
	await calendarErrors(await start());
	await sipTrunkErrors(await start());
	await (await start({ maxCampaigns: 0 })).send('POST /campaigns', { body: campaignOf((await start()).seed) });
	const without = await start({ customSipTrunks: false });
	for (const route of routes.filter((name) => name.includes('/sip-trunks'))) {
		await without.send(route, unknownIds(route));
	}
}

/** A request to a route with ids that do not exist. */
function unknownIds(route: string): Broken {
	const names = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
	const params = Object.fromEntries(names.map((name) => [name, '00000000-0000-4000-8000-000000000000']));
	return { params, ...(route.startsWith('GET') ? {} : { body: {} }) };
}

/** The errors that routes share: of the token, of the body, of ids that do not exist, of values, and of the service. */
async function commonErrors({ send, failNext, seed }: ErrorGuide, route: string): Promise<void> {
	const asked = unknownIds(route);
	for (const token of [null, 'TOKEN-expired', 'wrong']) {
		await send(route, { ...asked, token });
	}
	await send(route, asked);
	if (route.startsWith('GET')) {
		await send(route, { ...asked, query: { page: 'first', per_page: 0, type: 'none', language: ['a', 'b'] } });
	} else {
		await send(route, { ...asked, token: 'TOKEN-readonly' });
		await send(route, { ...asked, text: '{"name": ' });
		await send(route, { ...asked, text: '{}', contentType: 'json' });
		// The object has to be there: a 404 comes before a 422.
		const params = { ...asked.params, ...seededIds(seed) };
		const deletes = route.startsWith('DELETE');
		await send(route, deletes ? asked : { params, body: { name: 7, to: '12', description: '', webhook_url: 'none' } });
	}
	await failNext();
	await send(route, asked);
}

function seededIds(seed: Seed): Record<string, string> {
	return {
		agent_id: seed.agents.draft,
		campaign_id: seed.campaigns.draft,
		calendar_id: seed.calendar,
		event_id: seed.calendarEvent,
		trunk_id: seed.sipTrunk,
	};
}

async function agentErrors({ seed, send }: ErrorGuide): Promise<void> {
	const params = { agent_id: seed.agents.draft };
	await send('POST /agents/:agent_id/publish', { params: { agent_id: await emptyAgent(send) } });
	await send('DELETE /agents/:agent_id', { params: { agent_id: seed.agents.published } });
	const flow_config = {
		initial_node_id: 'start',
		nodes: [{ id: 'start', type: 'say', content: 'Hello.', next: 'end' }],
	};
	await send('PUT /agents/:agent_id/flow', { params, body: { conversation_mode: 'flow_driven', flow_config } });
	await send('PUT /agents/:agent_id/flow', { params, body: { conversation_mode: 'none' } });
	const settings = { name: 'Hook', webhook_url: 'http://127.0.0.1:9/', events: ['event_recording'], enabled: false };
	const { data } = await send('POST /agents/:agent_id/webhooks', { params, body: settings });
	const ofHook = { ...params, webhook_id: data.id };
	await send('POST /agents/:agent_id/webhooks/:webhook_id/test', { params: ofHook });
	const logs = await send('GET /agents/:agent_id/webhooks/:webhook_id/logs', { params: ofHook });
	const log_id = logs.data[0].id;
	await send('POST /agents/:agent_id/webhooks/:webhook_id/logs/:log_id/retry', { params: { ...ofHook, log_id } });
}

async function emptyAgent(send: ErrorGuide['send']): Promise<string> {
	const { data } = await send('POST /agents', {
		body: {
			name: 'empty',
			label: 'Empty',
			language: 'en-US',
			interrupt_sensitivity: 'low',
			endpointing_sensitivity: 'auto',
			ivr_navigation_mode: 'off',
			conversation_speed: 1,
			initial_message_delay: 0,
			ask_if_human_present_on_idle: false,
			idle_time_seconds: 10,
			llm_temperature: 1,
			enable_recording: false,
			direction: 'outbound',
			who_speaks_first: 'agent',
		},
	});
	return data.id;
}

async function callErrors({ seed, send }: ErrorGuide): Promise<void> {
	const to = '+12025550111';
	for (const [route, params, ids] of [
		['POST /agents/:agent_id/call', true, seed.agents],
		['POST /calls', false, seed.agents],
	] as const) {
		const call = (agent_id: string, body: object) =>
			send(route, params ? { params: { agent_id }, body } : { body: { agent_id, ...body } });
		await call(ids.published, {});
		await call(ids.published, { to: '555' });
		await call(ids.draft, { to });
		await call(ids.published, { to });
		await call('00000000-0000-4000-8000-000000000000', { to });
		await call(ids.published, { to, delay_seconds: -1 });
	}
	const params = { agent_id: seed.agents.published };
	const { data } = await send('POST /agents/:agent_id/call', { params, body: { to, is_testing: true } });
	await send('POST /agents/:agent_id/end-call', { params, body: { call_sid: data.id } });
	await send('POST /agents/:agent_id/end-call', { params, body: { call_sid: data.id } });
}

const campaignOf = ({ agents }: Seed) => ({
	name: 'Spring offers',
	campaign_type: 'sales',
	agent_id: agents.published,
	start_date: '2020-01-01',
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	call_time_ranges: [{ start: '00:00', end: '24:00' }],
	timezone: 'UTC',
});

async function campaignErrors({ seed, send }: ErrorGuide): Promise<void> {
	const { active, draft, completed } = seed.campaigns;
	const call = (campaign_id: string) =>
		send('POST /campaigns/:campaign_id/call', { params: { campaign_id }, body: { to: '+12025550101' } });
	await call(draft);
	// A delay keeps the call queued.
	const created = await send('POST /campaigns', { body: { ...campaignOf(seed), initial_call_delay: 3600 } });
	const params = { campaign_id: created.data.id };
	const setStatus = (campaign_id: string, status: string) =>
		send('PATCH /campaigns/:campaign_id/status', { params: { campaign_id }, body: { status } });
	await setStatus(completed, 'active');
	await setStatus(params.campaign_id, 'active');
	await call(params.campaign_id);
	await call(params.campaign_id);
	await send('PUT /campaigns/:campaign_id', { params, body: { timezone: 'Europe/Berlin' } });
	await send('DELETE /campaigns/:campaign_id', { params });

	const busy = await send('POST /campaigns', { body: campaignOf(seed) });
	await setStatus(busy.data.id, 'active');
	await call(busy.data.id);
	// The call is placed, and rings.
	await send('POST /_sandbox/advance', { body: { seconds: 1 } });
	await setStatus(busy.data.id, 'cancelled');
	await send('DELETE /campaigns/:campaign_id', { params: { campaign_id: busy.data.id } });

	const settings = { name: 'Hook', webhook_url: 'http://127.0.0.1:9/', events: ['campaign.paused'], max_retries: 0 };
	const ofActive = { campaign_id: active };
	const { data } = await send('POST /campaigns/:campaign_id/webhooks', { params: ofActive, body: settings });
	const ofHook = { ...ofActive, webhook_id: data.id };
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/test', { params: ofHook });
	const logs = await send('GET /campaigns/:campaign_id/webhooks/:webhook_id/logs', { params: ofHook });
	await send('PATCH /campaigns/:campaign_id/webhooks/:webhook_id/toggle', { params: ofHook });
	const log_id = logs.data[0].id;
	await send('POST /campaigns/:campaign_id/webhooks/:webhook_id/logs/:log_id/retry', { params: { ...ofHook, log_id } });
}

async function sftpErrors({ seed, send }: ErrorGuide): Promise<void> {
	const params = { campaign_id: seed.campaigns.active };
	const body = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'a-long-random-text' };
	const jobs = ['trigger-import', 'trigger-export'].map((job) => `POST /campaigns/:campaign_id/sftp/${job}`);
	await send('POST /campaigns/:campaign_id/sftp', { params, body });
	await send('POST /campaigns/:campaign_id/sftp', { params, body });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { is_enabled: true } });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { port: 0 } });
	await send(jobs[0]!, { params });
	await send('POST /campaigns/:campaign_id/sftp/test-connection', { params });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { is_enabled: true } });
	await send(jobs[0]!, { params });
	await send(jobs[0]!, { params });
	await send('POST /_sandbox/advance', { body: { seconds: 60 } });
	const { data } = await send('GET /campaigns/:campaign_id', { params });
	const files = { file_data_ids: [data.files[0].id] };
	await send(jobs[1]!, { params, body: {} });
	await send(jobs[1]!, { params, body: files });
	await send(jobs[1]!, { params, body: files });
	await send('PUT /campaigns/:campaign_id/sftp', { params, body: { is_enabled: false } });
	await send('POST /_sandbox/advance', { body: { seconds: 60 } });
	await send(jobs[1]!, { params, body: files });
}

async function calendarErrors({ seed, send }: ErrorGuide): Promise<void> {
	const created = await send('POST /calendars', { body: { name: 'Consultations', owner_id: seed.user } });
	const params = { calendar_id: created.data.id };
	const owner = { user_id: seed.user, role: 'viewer' };
	await send('POST /calendars/:calendar_id/members', { params, body: owner });
	const { data } = await send('GET /calendars/:calendar_id/members', { params });
	const ofOwner = { ...params, member_id: data[0].id };
	await send('DELETE /calendars/:calendar_id/members/:member_id', { params: ofOwner });
	const day = { start_at: '2030-01-15T08:00:00Z', end_at: '2030-01-15T08:30:00Z' };
	const event = await send('POST /calendars/:calendar_id/events', { params, body: { title: 'Consultation', ...day } });
	const ofEvent = { ...params, event_id: event.data.id };
	await send('POST /calendars/:calendar_id/events/:event_id/meeting', { params: ofEvent });
	const several = { calendar_ids: ['00000000-0000-4000-8000-000000000000'] };
	await send('GET /calendars/events', { query: several });
}

async function sipTrunkErrors({ seed, send }: ErrorGuide): Promise<void> {
	const params = { trunk_id: seed.sipTrunk };
	const number = { country_code: 'US', number: '+12025550177' };
	const did = await send('POST /sip-trunks/:trunk_id/dids', { params, body: number });
	await send('POST /sip-trunks/:trunk_id/dids', { params, body: number });
	await send('DELETE /sip-trunks/:trunk_id', { params });
	const ofAgent = { agent_id: seed.agents.published };
	const calling = { direction: 'outbound', phone_number_ids: [seed.phoneNumber, did.data.id] };
	await send('PUT /agents/:agent_id/calling', { params: ofAgent, body: calling });
	await send('POST /agents/:agent_id/publish', { params: ofAgent });
	const ofDid = { ...params, phone_number_id: did.data.id };
	await send('DELETE /sip-trunks/:trunk_id/dids/:phone_number_id', { params: ofDid });
}
