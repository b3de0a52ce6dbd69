import type { Api } from '../../shared/client/api';
import { objectIn } from '../../shared/client/refusals';
import { isDraft, isPublished } from '../../shared/client/statuses';
import { byRefusal, textsOf } from '../../shared/errors/catalog';
import { hasServiceStatus, isGone, serviceError, toResult, unreadable, unwrap } from '../../shared/errors/serviceError';
import { isBlank, isRecord } from '../../shared/lib/json';
import { asHtml } from '../../shared/lib/text';
import { toE164 } from '../../shared/phoneNumbers/e164';
import { type Finding, finding } from './findings';
import { noteOn } from './notations';
import { type PromptText, placeholdersIn, promptTexts } from './placeholders';

/** The statuses of a call in progress. */
export const IN_PROGRESS = ['initiated', 'ringing', 'answered'];

/** What applies to every call of an agent. */
export interface AgentState {
	exists: boolean;
	findings: Finding[];
	/** The names of the placeholders in its prompt texts. */
	placeholders: string[];
	/** Whether the token may read the agent's flow. If not, {@link placeholders} lacks the placeholders of the flow. */
	readsFlow: boolean;
	/** Names texts that may be variables in another notation, in whole sentences. */
	note?: string;
}

/**
 * Reads the object at a path.
 *
 * @returns undefined if the service reports that the object does not exist (404)
 * @throws ServiceError if it cannot be read for another reason
 */
export type ReadObject = (path: string[]) => Promise<Record<string, unknown> | undefined>;

/** Reads an agent and the placeholders in its prompt texts. @returns undefined if the agent does not exist */
export async function readAgent(read: ReadObject, agentId: string) {
	const path = ['agents', agentId];
	const agent = await read(path);
	if (agent === undefined) {
		return undefined;
	}
	const { value: flow, error } = await toResult(read([...path, 'flow']));
	// Some tokens lack the permission to read the flow.
	const readsFlow = error === undefined || !hasServiceStatus(error, 403);
	if (error && readsFlow) {
		throw error;
	}
	if (flow !== undefined && !isFlowResponse(flow)) {
		throw unreadable("without the agent's flow");
	}
	const texts = promptTexts(agent);
	const inFlow = isRecord(flow?.flow_config) ? flow.flow_config : {};
	return {
		agent,
		placeholders: placeholdersIn([...texts.map(({ text }) => text), JSON.stringify(inFlow)]),
		readsFlow,
		note: noteOn(nameOf(agent, agentId), [...texts, ...flowTexts(inFlow)]),
	};
}

/** Returns the name of an agent, or its ID without a name. */
export function nameOf({ name }: Record<string, unknown>, id: string): string {
	return typeof name === 'string' && !isBlank(name) ? name : id;
}

/** Returns the texts that the agent speaks in its flow. Other fields may contain code. */
function flowTexts({ nodes }: Record<string, unknown>): PromptText[] {
	return (Array.isArray(nodes) ? nodes.filter(isRecord) : []).map(({ content }) => ({ field: 'flow', text: content }));
}

/** Whether a response contains the flow of an agent, or reports that an agent led by its language model lacks one. */
function isFlowResponse({ conversation_mode: mode, flow_config: flow }: Record<string, unknown>): boolean {
	return isRecord(flow) || mode === 'llm_driven' || (flow === null && mode !== 'flow_driven');
}

/**
 * Reads whether an agent can place calls, and the placeholders in its prompt texts. The result is cached for the run.
 *
 * @throws ServiceError if a request fails other than with 404
 */
export function agentState(api: Api, agentId: string): Promise<AgentState> {
	return api.remember(`agent ${agentId}`, async () => {
		const read = await readAgent((path) => readObject(api, path), agentId);
		if (read === undefined) {
			const advice = `${byRefusal.AGENT_NOT_FOUND} To change the agent of a campaign, use Campaign → Update.`;
			return {
				exists: false,
				findings: [finding('AGENT_NOT_FOUND', 'The agent does not exist', advice)],
				placeholders: [],
				readsFlow: true,
			};
		}
		const { agent, ...variables } = read;
		return { exists: true, findings: findingsOf(agent, nameOf(agent, agentId)), ...variables };
	});
}

/** Reads the numbers (E.164) with which an agent has a call in progress. Cached for the run. @throws ServiceError */
export function activeNumbers(api: Api, agentId: string): Promise<Set<unknown>> {
	return api.remember(`active calls of agent ${agentId}`, async () => {
		const numbers = new Set<unknown>();
		for (const status of IN_PROGRESS) {
			const calls = await api.whole(
				{ method: 'GET', path: ['agents', agentId, 'calls'], query: { status } },
				({ data }) => data,
			);
			for (const { to } of calls) {
				numbers.add(toE164(to));
			}
		}
		return numbers;
	});
}

/** {@link ReadObject} with the requests of a run. */
export async function readObject(api: Api, path: string[]): Promise<Record<string, unknown> | undefined> {
	const read = await toResult(api.request({ method: 'GET', path }));
	const { error } = read;
	if (error !== undefined && isGone(error)) {
		return undefined;
	}
	// Only a top-level object has an ID to compare with.
	const id = path.length === 2 ? path[1] : undefined;
	return objectIn(unwrap(read), `what was read (${path.join('/')})`, id);
}

/**
 * Asserts that the agent of a new or changed campaign is not inbound, which the service accepts without a word. A draft
 * gets a hint, because it can be published later. An agent that cannot be read is left to the service.
 *
 * @throws ServiceError `AGENT_NOT_OUTBOUND`
 */
export async function assertCanCall(api: Api, agentId: string): Promise<void> {
	const read = api.remember(`record of agent ${agentId}`, () => readObject(api, ['agents', agentId]));
	const { value: agent } = await toResult(read);
	if (agent === undefined) {
		return;
	}
	const name = nameOf(agent, agentId);
	if (agent.direction === 'inbound') {
		throw serviceError('AGENT_NOT_OUTBOUND', { name });
	}
	if (isDraft(agent.current_status)) {
		api.note(asHtml(`Agent "${name}" is a draft: publish it with Agent → Publish before the campaign can call.`));
	}
}

function findingsOf({ current_status, direction, phone_numbers }: Record<string, unknown>, name: string): Finding[] {
	const findings: Finding[] = [];
	if (!isPublished(current_status)) {
		findings.push(finding('AGENT_INACTIVE', 'The agent is not published'));
	}
	if (direction !== 'outbound') {
		findings.push(finding('AGENT_NOT_OUTBOUND', ...textsOf('AGENT_NOT_OUTBOUND', { name })));
	}
	const numbers = Array.isArray(phone_numbers) ? phone_numbers.filter(isRecord) : [];
	if (!numbers.some((number) => number.current_status === 'active')) {
		const advice =
			'Add one with Agent → Update, then publish the agent again. Phone Number → Get Many lists the available numbers.';
		findings.push(finding('NO_ACTIVE_NUMBER', 'The agent has no active phone number to call from', advice));
	}
	return findings;
}
