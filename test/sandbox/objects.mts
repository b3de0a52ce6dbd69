import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventKinds.mts';
import { asList, asText, type Json, type SandboxClient } from './client.mts';

/** A valid campaign body: always open, in UTC, since 2020. */
export function validCampaign(service: SandboxClient, changes: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		name: 'Test campaign',
		campaign_type: 'sales',
		agent_id: service.seed.agents.published,
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5, 6, 7],
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
		timezone: 'UTC',
		...changes,
	};
}

/** Creates and activates a campaign. @returns its id */
export async function activeCampaign(service: SandboxClient, changes: Record<string, unknown> = {}): Promise<string> {
	const id = asText((await created(service, '/campaigns', validCampaign(service, changes))).data.id);
	await service.api('PATCH', `/campaigns/${id}/status`, { status: 'active' });
	return id;
}

/** Queues a call. @returns its campaign_call */
export async function queue(service: SandboxClient, campaign: string, to: string, more: object = {}): Promise<Json> {
	return (await created(service, `/campaigns/${campaign}/call`, { to, ...more })).campaign_call!;
}

/** The campaign's calls as `GET /campaigns/{id}` lists them. */
export async function callsOf(service: SandboxClient, campaign: string): Promise<Json[]> {
	return asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.calls);
}

/** Adds an SFTP configuration to a campaign, tests and enables it. @returns the path of its routes */
export async function sftpOn(service: SandboxClient, campaign: string, settings: object = {}): Promise<string> {
	const path = `/campaigns/${campaign}/sftp`;
	const body = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret', ...settings };
	await service.api('POST', path, body);
	await service.api('POST', `${path}/test-connection`);
	const response = await service.api('PUT', path, { is_enabled: true });
	if (response.status !== 200) {
		throw new Error(JSON.stringify(response.data));
	}
	return path;
}

/** Creates a webhook on a campaign. @returns its id */
export const webhookOn = (service: SandboxClient, campaign: string, url: string, changes: object = {}) =>
	createWebhook(service, `/campaigns/${campaign}/webhooks`, url, { events: CAMPAIGN_EVENTS, ...changes });

/** Creates a webhook on an agent. @returns its id */
export const agentWebhookOn = (service: SandboxClient, agent: string, url: string, changes: object = {}) =>
	createWebhook(service, `/agents/${agent}/webhooks`, url, { events: AGENT_EVENTS, ...changes });

async function createWebhook(service: SandboxClient, path: string, url: string, settings: object): Promise<string> {
	const { data } = await created(service, path, { name: 'Hook', webhook_url: url, ...settings });
	return asText(data!.id);
}

/** @throws unless the service answers 201 */
async function created(service: SandboxClient, path: string, body: object): Promise<Record<string, Json>> {
	const { status, data } = await service.api('POST', path, body);
	if (status !== 201) {
		throw new Error(JSON.stringify(data));
	}
	return data;
}

/**
 * The path of an operation below /api/v1, with ids of objects that exist.
 * @param path with `{variables}` or `:variables`
 */
export async function realPath(service: SandboxClient, path: string): Promise<string> {
	const { agents, campaigns, sipTrunk, calendar, calendarEvent, availabilityRule, voiceTemplate } = service.seed;
	const { agent_id, campaign_id } = { agent_id: agents.published, campaign_id: campaigns.active };
	const off = { enabled: false };
	if (path.includes('/sftp/')) {
		await sftpOn(service, campaign_id);
	}
	const webhook_id = path.includes('webhook_id')
		? await (path.includes('agent_id')
				? agentWebhookOn(service, agent_id, 'http://127.0.0.1:1/', off)
				: webhookOn(service, campaign_id, 'http://127.0.0.1:1/', off))
		: '';
	const members = path.includes('member_id')
		? asList((await service.api('GET', `/calendars/${calendar}/members`)).data.data)
		: [];
	const ids: Record<string, string> = {
		agent_id,
		campaign_id,
		webhook_id,
		trunk_id: sipTrunk,
		calendar_id: calendar,
		event_id: calendarEvent,
		rule_id: availabilityRule,
		voice_template_id: voiceTemplate,
		member_id: String(members[0]?.id),
	};
	return path.replace('/api/v1', '').replace(/[:{](\w+)\}?/g, (_, name: string) => ids[name] ?? 'unknown');
}
