import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/json';
import { quantity, suggester } from '../../../shared/lib/text';
import { withIds, withReferences } from '../document/actionReferences';
import { differencesOf, pathOf } from '../document/differences';
import { countFindings } from '../flows/flowFindings';
import { lintFlow } from '../flows/lintFlow';
import type { Matches } from './matching';
import { inWords, newActionId, type PlannedRequest, type PlanPart, type PlanProblem, type PlanTarget } from './plan';
import { differ, listed } from './wording';

const FLOW = pathOf('conversation', 'flow_config');
const MODE = pathOf('conversation', 'conversation_mode');

/** Plans `PUT /agents/{agent_id}/flow`. @param actions those of the document and the others of the agent */
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
				? ['The document has a flow, which is not sent: in the conversation mode llm_driven an agent has none.']
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
	// Both sides name the actions by their keys in this document.
	const keys = new Map([...ids].map(([key, id]) => [id, key]));
	const [from, to] = [currentFlow, flow].map((each) => withReferences(each, keys));
	const inFlow = differencesOf(FLOW, from, to);
	if (ofMode.length + inFlow.length === 0) {
		return { problems };
	}
	const changed = [...ofMode.map(() => 'conversation_mode'), ...(inFlow.length > 0 ? ['flow_config'] : [])];
	const checked = check(target, flow, actions, ids);
	return {
		differences: [...ofMode, ...inFlow],
		requests: [put(current.agentId, { conversation_mode: mode, flow_config: flow as IDataObject }, changed)],
		problems: [...problems, ...checked.problems],
		replacedActionIds: references.map(({ path, key }) => {
			return { path: pathOf(FLOW, path), key, actionId: ids.get(key) ?? '' };
		}),
		notes: checked.notes,
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
	message: 'The document has no flow, which the conversation mode flow_driven requires',
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

/** Checks the flow before anything is sent: the service would reject one with errors when other requests are done. */
function check(
	{ document }: PlanTarget,
	flow: Record<string, unknown>,
	{ matches, others }: Matches,
	ids: ReadonlyMap<string, string>,
): Pick<PlanPart, 'problems' | 'notes'> {
	const ofDocument = matches.map(({ key, name }) => {
		return { id: ids.get(key), name, current_status: document.actions[key].current_status };
	});
	const findings = lintFlow(flow, { actions: [...ofDocument, ...others.map(({ id, name }) => ({ id, name }))] });
	const errors = findings.filter(({ severity }) => severity === 'error');
	const { warnings } = countFindings(findings);
	return {
		problems: errors.map(({ path, message, fix }) => ({
			path: path === '' ? FLOW : `${FLOW}.${path}`,
			message: inWords(message),
			whatToDo: inWords(fix),
		})),
		notes:
			warnings > 0
				? [
						`There ${warnings === 1 ? 'is' : 'are'} ${quantity(warnings, 'warning')} about the flow: Agent Flow → Validate lists them.`,
					]
				: [],
	};
}

/** Whether a text is somewhere in a value. */
function holds(value: unknown, text: string): boolean {
	if (isRecord(value) || Array.isArray(value)) {
		return Object.values(value).some((member) => holds(member, text));
	}
	return value === text;
}
