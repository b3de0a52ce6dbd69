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
	const response = await service.api('POST', '/campaigns', validCampaign(service, changes));
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	const id = asText(response.data.data.id);
	await service.api('PATCH', `/campaigns/${id}/status`, { status: 'active' });
	return id;
}

/** Queues a call. @returns its campaign_call */
export async function queue(service: SandboxClient, campaign: string, to: string, more: object = {}): Promise<Json> {
	const response = await service.api('POST', `/campaigns/${campaign}/call`, { to, ...more });
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	return response.data.campaign_call;
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
export function webhookOn(
	service: SandboxClient,
	campaign: string,
	url: string,
	changes: object = {},
): Promise<string> {
	return createWebhook(service, `/campaigns/${campaign}/webhooks`, url, {
		events: CAMPAIGN_EVENTS,
		...changes,
	});
}

/** Creates a webhook on an agent. @returns its id */
export function agentWebhookOn(
	service: SandboxClient,
	agent: string,
	url: string,
	changes: object = {},
): Promise<string> {
	return createWebhook(service, `/agents/${agent}/webhooks`, url, { events: AGENT_EVENTS, ...changes });
}

async function createWebhook(service: SandboxClient, path: string, url: string, settings: object): Promise<string> {
	const response = await service.api('POST', path, { name: 'Hook', webhook_url: url, ...settings });
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	return asText(response.data.data.id);
}

/** The names of all fields that the service shows of an agent. */
export const SHOWN_AGENT = [
	'actions',
	'ask_if_human_present_on_idle',
	'conversation_speed',
	'created_at',
	'current_status',
	'description',
	'direction',
	'id',
	'initial_message',
	'initial_message_delay',
	'interrupt_sensitivity',
	'is_ready_to_publish',
	'is_sandbox',
	'label',
	'language',
	'llm_temperature',
	'name',
	'phone_numbers',
	'trainings',
	'updated_at',
	'voice',
	'who_speaks_first',
];
