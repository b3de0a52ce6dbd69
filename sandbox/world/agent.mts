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
	/** Settings that can be written but are in no response, by their names. */
	unshown: Record<string, unknown>;
	conversation_mode: 'llm_driven' | 'flow_driven';
	flow_config: Record<string, unknown> | null;
	/** One for each update of the flow, oldest first. */
	flowVersions: FlowVersion[];
	/** Of a callback agent: the agents whose missed calls it takes, by ID. Null for other agents. */
	callbackSources: string[] | null;
	created: number;
	updated: number;
}

/** Something that an agent can do during or after a call. */
export interface Action {
	id: string;
	node_id: string;
	name: string;
	description: string;
	type: 'webhook' | 'transfer' | 'hold' | 'external';
	input_schema: ActionInput[];
	/** A path is one of this sandbox, whose address is known only when it listens. */
	url: string | null;
	authorization_url: string | null;
	current_status: 'active' | 'inactive';
	/** The write-only fields, by their names. */
	unshown: Record<string, unknown>;
	created: number;
	updated: number;
}

/** The address of an action. @param origin of the sandbox */
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
