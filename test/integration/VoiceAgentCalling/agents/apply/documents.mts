import type { AgentDocument } from '../../../../../nodes/VoiceAgentCalling/agents/document/document.ts';
import { byId, type Service } from '../../../service.mts';

/** A request of the output of Apply. */
type Planned = Record<'what' | 'why' | 'method' | 'path', string> & {
	result?: string;
	body: Record<string, unknown> | null;
};

/** The output of Apply. */
export interface AppliedItem {
	agentId: string | null;
	creates: boolean;
	changes: number;
	differences: Array<{ path: string; from?: unknown; to?: unknown }>;
	problems: Array<{ path: string; message: string; whatToDo: string }>;
	requests: Planned[];
	replacedActionIds: Array<{ path: string; key: string; actionId: string }>;
	notCompared: string[];
	notes: string[];
}

/** What an output item of Apply has: its result, or what a failed item has. */
export type Outcome = AppliedItem & { result?: string; code?: string; message?: string; advice?: string };

/** The parameters of Apply for the document of the item. */
export const applying = (more: object = {}) => ({
	resource: 'agent',
	operation: 'apply',
	document: '={{ $json.document }}',
	applyTo: 'agentByName',
	dryRun: false,
	...more,
});

/** The parameters for an existing agent. */
export const toAgent = (id: string, more: object = {}) =>
	applying({ applyTo: 'existingAgent', agent: byId(id), ...more });

/** Applies a document, and returns the output item; that of a failed item, if it fails. */
export async function applyTo(service: Service, document: AgentDocument, parameters = applying()): Promise<Outcome> {
	const { outputs } = await service.run(parameters, [{ document }] as never, {
		node: { onError: 'continueRegularOutput' },
	});
	return outputs[0][0].json as unknown as Outcome;
}

/** Exports an agent. */
export async function exported(service: Service, agentId: string): Promise<AgentDocument> {
	const { outputs } = await service.run({ resource: 'agent', operation: 'export', agent: byId(agentId) });
	return outputs[0][0].json as unknown as AgentDocument;
}

/** The requests that the service has received since, apart from reads and validations: method, path, status, body. */
export async function writesSince(service: Service, before: number) {
	const all = (await service.requests()).slice(before);
	return all
		.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/flow/validate'))
		.map(({ method, path, status, body }) => ({ method, path, status, body }));
}

/** How many requests the service has received. */
export const countOf = async (service: Service) => (await service.requests()).length;

/** The secrets in {@link fullDocument}. */
export const SECRETS = ['signing-secret-of-the-hook', 'header-value-of-the-hook', 'header-value-of-the-action'];

/** A document of an agent that has something of everything, with all fields that the service does not return. */
export function fullDocument(name = 'Nora'): AgentDocument {
	const [webhook_secret, hookHeader, actionHeader] = SECRETS;
	return {
		schemaVersion: 1,
		settings: {
			name,
			label: 'Books visits',
			endpointing_sensitivity: 'medium',
			ivr_navigation_mode: 'standard',
			idle_time_seconds: 20,
			max_idle_check_count: 2,
			max_call_duration_seconds: 900,
			say_goodbye_on_max_duration: true,
			user_inactivity_timeout_seconds: 40,
			initial_idle_time_seconds: 12,
			initial_max_idle_check_count: 4,
			enable_recording: true,
		},
		knowledge: {
			description: 'You are Nora. You book visits.',
			initial_message: 'Hello, this is Nora.',
			interrupt_sensitivity: 'high',
			ask_if_human_present_on_idle: false,
			llm_temperature: 0.7,
			initial_message_delay: 2,
		},
		voice: {
			template: { name: 'Aurora', language: 'en-US', quality_tier: 'ultra' },
			language: 'en-US',
			conversation_speed: 1.2,
			who_speaks_first: 'user',
			ambient_background: 'office',
			ambient_volume: 0.5,
			similarity: 0.9,
			stability: 0.6,
		},
		calling: { direction: 'outbound', phone_numbers: ['+12025550123', '+442079460018'] },
		conversation: {
			conversation_mode: 'flow_driven',
			flow_config: {
				initial_node_id: 'hello',
				nodes: [
					{ id: 'hello', type: 'say', content: 'Hello!', next: 'book' },
					{ id: 'book', type: 'action', action_id: { $action: 'book' }, next: 'person' },
					{ id: 'person', type: 'action', action_id: { $action: 'person' }, next: 'bye' },
					{ id: 'bye', type: 'end' },
				],
			},
		},
		actions: {
			book: {
				name: 'book',
				description: 'Books a visit',
				type: 'webhook',
				inputs: [{ name: 'day', type: 'string', required: true, description: 'The day' }],
				url: 'https://example.com/book',
				authorization_url: 'https://example.com/authorize',
				current_status: 'active',
				integration: { id: 'calendar' },
				authorization_scheme: 'custom',
				custom_headers: [{ key: 'X-Key', value: actionHeader }],
				speak_on_send: 'One moment.',
				speak_on_receive: 'Done.',
			},
			notes: {
				name: 'notes',
				description: 'Writes notes',
				type: 'external',
				inputs: [],
				current_status: 'inactive',
				integration: { id: 'crm' },
				authorization_scheme: 'none',
				custom_headers: [],
				speak_on_send: null,
				speak_on_receive: null,
				execution_mode: 'post_call',
			},
			person: {
				name: 'person',
				description: 'Transfers the call',
				type: 'transfer',
				inputs: [],
				transfer_to: '+12025550199',
				current_status: 'active',
				integration: null,
				authorization_scheme: 'none',
				custom_headers: [],
				speak_on_send: 'I connect you.',
				speak_on_receive: null,
			},
		},
		trainings: {
			hours: { subject: 'Hours', instructions: 'From 9 to 17.', current_status: 'active' },
			prices: { subject: 'Prices', instructions: 'No discount.', current_status: 'inactive' },
		},
		webhooks: {
			crm: {
				name: 'CRM',
				webhook_url: 'https://example.com/events',
				events: ['event_phone_call_ended', 'event_phone_call_started'],
				timeout: 20,
				max_retries: 5,
				enabled: true,
				webhook_secret,
				http_method: 'PUT',
				authorization_scheme: 'custom',
				custom_headers: [{ key: 'X-Key', value: hookHeader }],
				payload_templates: { event_phone_call_ended: { call: '{{call.id}}' } },
			},
		},
	};
}
