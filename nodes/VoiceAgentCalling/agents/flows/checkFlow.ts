import type { Api } from '../../../shared/client/api';
import type { ErrorCode } from '../../../shared/errors/catalog';
import { type Result, toResult, unreadable, unwrap } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { ACTION_FIELD } from './flow';
import { type FlowFinding, lintFlow } from './lintFlow';
import type { AgentActionRecord } from './rules/rule';
import { endsItem, type Validity, validityOf } from './validation';

/** The options of a check. */
export interface FlowCheck {
	/** The agent of the flow. Without an agent, no request is sent. */
	agentId?: string;
	/** Whether to read the actions of the agent always, or only for a flow with a node of the type action. */
	readsActions: 'always' | 'forActionNodes';
	/** Values of variables, for the rule about placeholders. */
	payload?: Record<string, unknown>;
	/** Names of rules that do not run. */
	ignored?: readonly string[];
}

/** The result of a check. */
export interface CheckedFlow {
	/** Whether the service accepts the flow; null if that is unknown. */
	valid: boolean | null;
	/** The result of the service's validation; null if that is unknown. */
	service: Validity | null;
	rules: FlowFinding[];
	/** Each part of the check that is missing, and the reason, in whole sentences. */
	notChecked: string[];
}

const WITHOUT_AGENT =
	'Only the rules have checked the flow: the service validates it for an agent, with the Flow Source JSON for an Agent.';

/**
 * Validates a flow with the service if the agent is known, and checks it with the rules. It changes nothing.
 *
 * @throws ServiceError if the service rejects the token, if the agent does not exist, or if the run has ended
 */
export async function checkFlow(api: Api, flow: Record<string, unknown>, check: FlowCheck): Promise<CheckedFlow> {
	const { agentId, readsActions, payload, ignored } = check;
	const notChecked = agentId === undefined ? [WITHOUT_AGENT] : [];
	/** Returns a value, or notes why it is missing. Throws errors that make a check pointless. */
	const orNote = <Value>(what: string, result: Result<Value>, fatalCode?: ErrorCode): Value | undefined => {
		const { error } = result;
		if (error === undefined || error.code === fatalCode || endsItem(error)) {
			return unwrap(result);
		}
		notChecked.push(`${what}: ${error.message.replace(/\.$/, '')}.`);
		return undefined;
	};

	let actions: AgentActionRecord[] | undefined;
	let service: Validity | undefined;
	if (agentId !== undefined && (readsActions === 'always' || hasActionNodes(flow))) {
		const read = await toResult(actionsOf(api, agentId));
		actions = orNote('The actions of the agent could not be read', read, 'AGENT_NOT_FOUND');
	}
	if (agentId !== undefined) {
		// A 404 may also mean that the service lacks this endpoint. The next request finds out whether the agent exists.
		service = orNote('The service could not validate the flow', await toResult(validityOf(api, agentId, flow)));
	}
	const rules = lintFlow(flow, { actions, payload }, ignored);
	return { valid: service?.valid ?? null, service: service ?? null, rules, notChecked };
}

function hasActionNodes({ nodes }: Record<string, unknown>): boolean {
	return (
		Array.isArray(nodes) && nodes.some((node) => isRecord(node) && (node.type === 'action' || ACTION_FIELD in node))
	);
}

/** Reads the actions of an agent, once per run. */
async function actionsOf(api: Api, agentId: string): Promise<AgentActionRecord[]> {
	return await api.remember(`actions of agent ${agentId}`, async () => {
		const { data } = await api.request({
			method: 'GET',
			path: ['agents', agentId, 'actions'],
			codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
		});
		return unwrap(
			Array.isArray(data) ? { value: data.filter(isRecord) } : { error: unreadable('without the list of actions') },
		);
	});
}
