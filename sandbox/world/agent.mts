import type { AgentVoice } from './voice.mts';

export interface Agent {
	id: string;
	name: string;
	label: string;
	description: string | null;
	language: string;
	voice: AgentVoice | null;
	initial_message: string | null;
	interrupt_sensitivity: 'low' | 'medium' | 'high';
	conversation_speed: number;
	initial_message_delay: number;
	ask_if_human_present_on_idle: boolean;
	llm_temperature: number;
	direction: 'inbound' | 'outbound';
	who_speaks_first: 'agent' | 'user';
	current_status: 'draft' | 'published';
	actions: Action[];
	trainings: Training[];
	phoneNumberIds: string[];
	/** Write-only settings, which no response contains, by name. */
	unshown: Record<string, unknown>;
	conversation_mode: 'llm_driven' | 'flow_driven';
	flow_config: Record<string, unknown> | null;
	/** A version for each update of the flow, oldest first. */
	flowVersions: FlowVersion[];
	/** The IDs of the agents whose missed calls a callback agent takes. Null for other agents. */
	callbackSources: string[] | null;
	created: number;
	updated: number;
}

/** An action that an agent can use during or after a call. */
export interface Action {
	id: string;
	node_id: string;
	name: string;
	description: string;
	type: 'webhook' | 'transfer' | 'hold' | 'external';
	input_schema: ActionInput[];
	/** A path refers to this sandbox, whose address is known only after its start. */
	url: string | null;
	authorization_url: string | null;
	current_status: 'active' | 'inactive';
	/** The write-only fields, by name. */
	unshown: Record<string, unknown>;
	created: number;
	updated: number;
}

/** Resolves the address of an action. @param origin of the sandbox */
export function absolute(url: string | null, origin: string): string | null {
	return url?.startsWith('/') ? origin + url : url;
}

export interface ActionInput {
	name: string;
	type: string;
	required: boolean;
	description: string;
	value?: unknown;
}

export interface Training {
	id: string;
	node_id: string | null;
	subject: string;
	instructions: string;
	current_status: 'active' | 'inactive';
	created: number;
	updated: number;
}

export interface FlowVersion {
	id: string;
	version: number;
	created: number;
}
