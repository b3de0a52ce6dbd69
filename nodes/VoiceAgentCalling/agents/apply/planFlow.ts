import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { sentences, toResult, unwrap } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { quantity, suggester } from '../../../shared/lib/text';
import { withIds, withReferences } from '../document/actionReferences';
import { differencesOf, pathOf } from '../document/differences';
import { lintFlow } from '../flows/lintFlow';
import { endsItem, validityOf } from '../flows/validation';
import type { Matches } from './matching';
import {
	differ,
	inWords,
	listed,
	newActionId,
	type PlannedRequest,
	type PlanPart,
	type PlanProblem,
	type PlanTarget,
} from './plan';

const FLOW = pathOf('conversation', 'flow_config');
const MODE = pathOf('conversation', 'conversation_mode');

/** Plans `PUT /agents/{agent_id}/flow`. @param actions the actions of the document, and the others of the agent */
export function planFlow(target: PlanTarget, actions: Matches): Partial<PlanPart> {
	const { document, current, options } = target;
	const { conversation_mode: wantedMode, flow_config: wantedFlow } = document.conversation;
	const { conversation_mode: currentMode, flow_config } = current.document.conversation;
	const mode = wantedMode ?? currentMode;
	const ofMode = mode === currentMode ? [] : [{ path: MODE, from: currentMode, to: mode }];
	if (mode === 'llm_driven') {
		return {
			differences: ofMode,
			requests: ofMode.length > 0 ? [put(current.agentId, { conversation_mode: mode }, ['conversation_mode'])] : [],
			notes: isRecord(wantedFlow)
				? ['The flow of the document is not sent: an agent in the conversation mode llm_driven does not have a flow.']
				: [],
		};
	}
	if (mode !== 'flow_driven') {
		return {};
	}
	const ids = new Map(actions.matches.map(({ key, existing }) => [key, existing?.id ?? newActionId(key)]));
	const { flow: currentFlow } = withIds(flow_config ?? null, current.ids.actions);
	const { flow, references } = withIds(wantedFlow === undefined ? currentFlow : wantedFlow, ids);
	if (!isRecord(flow)) {
		return { differences: ofMode, problems: [noFlow] };
	}
	const deleted = options.removeOthers ? actions.others.map(({ id }) => id) : [];
	const lost = deleted.filter((id) => holds(flow, id));
	const problems: PlanProblem[] = [
		...references.filter(({ key }) => !ids.has(key)).map(({ path, key }) => unknownAction(path, key, [...ids.keys()])),
		...(lost.length > 0 ? [lostActions(lost)] : []),
	];
	// For the comparison, both flows name the actions by their keys in this document.
	const keys = new Map([...ids].map(([key, id]) => [id, key]));
	const [from, to] = [currentFlow, flow].map((each) => withReferences(each, keys));
	const inFlow = differencesOf(FLOW, from, to);
	if (ofMode.length + inFlow.length === 0) {
		return { problems };
	}
	const changed = [...ofMode.map(() => 'conversation_mode'), ...(inFlow.length > 0 ? ['flow_config'] : [])];
	return {
		differences: [...ofMode, ...inFlow],
		requests: [put(current.agentId, { conversation_mode: mode, flow_config: flow as IDataObject }, changed)],
		problems,
		replacedActionIds: references.map(({ path, key }) => {
			return { path: pathOf(FLOW, path), key, actionId: ids.get(key) ?? '' };
		}),
		notes: warningsOf(target, flow, actions, ids),
	};
}

function put(agentId: string, body: IDataObject, changed: readonly string[]): PlannedRequest {
	return {
		what: 'Update flow',
		method: 'PUT',
		path: ['agents', agentId, 'flow'],
		body,
		why: differ(changed),
		makesDraft: false,
		codes: { 404: 'AGENT_NOT_FOUND', 422: 'FLOW_INVALID' },
	};
}

const noFlow: PlanProblem = {
	path: FLOW,
	message: 'The document lacks a flow, which the conversation mode flow_driven requires',
	whatToDo: 'Add the flow, or set conversation_mode to llm_driven.',
};

function unknownAction(path: string, key: string, known: readonly string[]): PlanProblem {
	const meant = suggester(known)(key);
	return {
		path: pathOf(FLOW, path),
		message: `The flow names the action "${key}", which the document does not contain`,
		whatToDo: meant === undefined ? 'Add the action to the document.' : `Did you mean "${meant}"?`,
	};
}

function lostActions(ids: readonly string[]): PlanProblem {
	return {
		path: FLOW,
		message: `The flow uses ${ids.length === 1 ? 'an action' : 'actions'} of the agent that Remove Others would delete: ${listed(ids)}`,
		whatToDo: 'Add what the flow uses to the actions of the document.',
	};
}

/** Returns a note if the rules find something in the flow. */
function warningsOf(
	{ document }: PlanTarget,
	flow: Record<string, unknown>,
	{ matches }: Matches,
	ids: ReadonlyMap<string, string>,
): string[] {
	const actions = matches.map(({ key }) => ({
		id: ids.get(key),
		current_status: document.actions[key].current_status,
	}));
	const { length } = lintFlow(flow, { actions });
	return length === 0
		? []
		: [
				`There ${length === 1 ? 'is' : 'are'} ${quantity(length, 'warning')} about the flow: Agent Flow → Validate lists them.`,
			];
}

/**
 * Validates the flow of a plan with the service before anything is sent. Otherwise the service would reject an invalid
 * flow after other requests, which may have made a published agent a draft. A flow that names new actions cannot be
 * validated, because their IDs do not exist yet.
 */
export async function validateFlow(api: Api, { requests }: PlanPart, agentId: string): Promise<Partial<PlanPart>> {
	const flow = requests.find(({ path }) => path.at(-1) === 'flow')?.body?.flow_config;
	const text = JSON.stringify(flow);
	if (!isRecord(flow) || inWords(text) !== text) {
		return {};
	}
	const result = await toResult(validityOf(api, agentId, flow));
	if (result.error && !endsItem(result.error)) {
		return { notes: [sentences('The service could not validate the flow first', result.error.message)] };
	}
	const { valid, errors } = unwrap(result);
	return valid ? {} : { problems: (errors.length > 0 ? errors : ['The service rejects the flow']).map(rejected) };
}

function rejected(message: string): PlanProblem {
	return { path: FLOW, message: message.replace(/\.$/, ''), whatToDo: 'Correct the flow.' };
}

/** Whether a value contains a text, at any depth. */
function holds(value: unknown, text: string): boolean {
	if (isRecord(value) || Array.isArray(value)) {
		return Object.values(value).some((member) => holds(member, text));
	}
	return value === text;
}
