import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventTypes.mts';
import { asList, asText, type SandboxClient } from './client.mts';

/** Creates a webhook on a campaign. @returns its id */
export const webhookOn = (service: SandboxClient, campaign: string, url: string, changes: object = {}) =>
	createWebhook(service, `/campaigns/${campaign}/webhooks`, { webhook_url: url, events: CAMPAIGN_EVENTS, ...changes });

async function createWebhook(service: SandboxClient, path: string, settings: object): Promise<string> {
	const { status, data } = await service.api('POST', path, { name: 'Hook', ...settings });
	if (status !== 201) {
		throw new Error(JSON.stringify(data));
	}
	return asText(data.data!.id);
}

/**
 * Returns the path of an operation below /api/v1, with ids of existing objects.
 * @param path with `{variables}` or `:variables`
 */
export async function realPath(service: SandboxClient, path: string): Promise<string> {
	const { agents, campaigns, sipTrunk, calendar, calendarEvent, availabilityRule, voiceTemplate } = service.seed;
	if (path.includes('/sftp/')) {
		const login = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret' };
		await service.api('POST', `/campaigns/${campaigns.active}/sftp`, login);
		await service.api('POST', `/campaigns/${campaigns.active}/sftp/test-connection`);
		await service.api('PUT', `/campaigns/${campaigns.active}/sftp`, { is_enabled: true });
	}
	const ids: Record<string, () => unknown> = {
		agent_id: () => agents.published,
		campaign_id: () => campaigns.active,
		webhook_id: () => {
			const off = { webhook_url: 'http://127.0.0.1:1/', enabled: false };
			return path.includes('agent_id')
				? createWebhook(service, `/agents/${agents.published}/webhooks`, { events: AGENT_EVENTS, ...off })
				: createWebhook(service, `/campaigns/${campaigns.active}/webhooks`, { events: CAMPAIGN_EVENTS, ...off });
		},
		trunk_id: () => sipTrunk,
		calendar_id: () => calendar,
		event_id: () => calendarEvent,
		rule_id: () => availabilityRule,
		voice_template_id: () => voiceTemplate,
		member_id: async () => asList((await service.api('GET', `/calendars/${calendar}/members`)).data.data)[0]!.id,
	};
	let real = path.replace('/api/v1', '');
	for (const [variable, name = ''] of path.matchAll(/[:{](\w+)\}?/g)) {
		real = real.replace(variable, String((await ids[name]?.()) ?? 'unknown'));
	}
	return real;
}
