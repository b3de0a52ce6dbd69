import type { Api } from '../../../shared/client/api';
import { NOT_TRIED } from '../../../shared/client/itemErrors';
import type { ErrorCode } from '../../../shared/errors/catalog';
import { type Result, type ServiceError, toResult, unreadable, unwrap } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { sha256 } from '../../../shared/lib/text';
import { ACTION_FIELD } from './flow';
import type { FlowFinding } from './flowFindings';
import { lintFlow } from './lintFlow';
import { flowRules } from './rules/allRules';
import type { AgentActionRecord } from './rules/rule';
import { type Validity, validation, validityIn, validityInError } from './validation';

/** What a flow is checked with. */
export interface FlowCheck {
	/** The agent that the flow is for; without one, nothing is read or asked. */
	agentId?: string;
	/** Whether to read the actions of the agent: always, or only for a flow with a node of the type action. */
	readsActions: 'always' | 'forActionNodes';
	/** Values of variables, for the rule about placeholders. */
	payload?: Record<string, unknown>;
	/** Rules of which findings are left out. */
	ignored?: readonly string[];
}

/** What is known about a flow. */
export interface CheckedFlow {
	/** What the service says; without its answer, whether the rules found no error. */
	valid: boolean;
	/** The answer of the service, in its words; null without one. */
	service: Validity | null;
	/** What the rules found. With an answer of the service, those run that look for what it does not. */
	rules: FlowFinding[];
	/** What could not be checked, and why, in whole sentences. */
	notChecked: string[];
}

/**
 * Asks the service about a flow if there is an agent, and checks it with the rules. It changes nothing.
 *
 * @throws ServiceError if the service rejects the token, if there is no such agent, or if the run has ended
 */
export async function checkFlow(api: Api, flow: Record<string, unknown>, check: FlowCheck): Promise<CheckedFlow> {
	const { agentId, readsActions, payload, ignored = [] } = check;
	const notChecked: string[] = [];
	/** Returns a value, or notes why there is none. Some errors make a check senseless: these are thrown. */
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
		// A 404 may also mean that the service has no validation: what follows finds out whether there is the agent.
		service = orNote('The service could not be asked', await toResult(validityOf(api, agentId, flow)));
	}

	const rules = flowRules.filter(
		({ name, severity }) => !ignored.includes(name) && (service === undefined || severity !== 'error'),
	);
	const findings = lintFlow(flow, { actions, payload }, rules);
	const hasErrors = findings.some(({ severity }) => severity === 'error');
	return { valid: service?.valid ?? !hasErrors, service: service ?? null, rules: findings, notChecked };
}

/** Whether the service refuses the token, or the run has ended. */
function endsItem({ code, httpStatus }: ServiceError): boolean {
	return code === 'CANCELED' || code === NOT_TRIED || httpStatus === 401;
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

/** Asks the service about a flow, once per run. */
async function validityOf(api: Api, agentId: string, flow: Record<string, unknown>): Promise<Validity> {
	const digest = sha256(JSON.stringify(flow));
	return await api.remember(`validity of ${digest} for agent ${agentId}`, async () => {
		const { value: body, error } = await toResult(api.request(validation(agentId, flow)));
		const validity = error === undefined ? validityIn(body) : validityInError(error);
		return unwrap(
			validity ? { value: validity } : { error: error ?? unreadable('without the result of the validation') },
		);
	});
}
