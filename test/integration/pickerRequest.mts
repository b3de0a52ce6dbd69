import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { byId, type Service } from './service.mts';

/** An operation that has a picker or a menu. */
export function placeOf(method: string) {
	const operations = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({ resource, operation })),
	);
	const one = operations.find(({ operation: { fields, updates, options, filters } }) =>
		JSON.stringify([fields, updates, options, filters]).includes(`"${method}"`),
	);
	return { resource: one?.resource, operation: one?.operation.value };
}

/**
 * What the editor sends for a picker or a menu, with something of the seed in all that it depends on, and with a new
 * webhook.
 */
export async function pickerRequest(service: Service, method: string, webhook_url = 'https://example.com/hook') {
	const { agents, campaigns, calendar, calendarEvent, sipTrunk } = service.seed;
	const [source, owner, event] = method.includes('Agent')
		? ['agent', `agents/${agents.published}`, 'event_recording']
		: ['campaign', `campaigns/${campaigns.active}`, 'campaign.paused'];
	const { body } = await service.api('POST', `${owner}/webhooks`, { name: 'Mine', webhook_url, events: [event] });
	const webhook = (body.data as { id: string }).id;
	const chosen = { agent: agents.published, campaign: campaigns.active, calendar, calendarEvent, sipTrunk, webhook };
	const ids = Object.entries(chosen).map(([name, id]) => [name, byId(id)]);
	return {
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
		method,
		credentials: service.credentials(),
		parameters: { ...Object.fromEntries(ids), source, ...placeOf(method) },
	};
}
