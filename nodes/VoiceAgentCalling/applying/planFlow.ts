import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { quantity } from '../../shared/lib/quantity';
import { suggester } from '../../shared/lib/suggester';
import { withIds } from '../agentDocument/actionReferences';
import { isSame, pathOf } from '../agentDocument/differences';
import { countFindings } from '../flows/flowFindings';
import { lintFlow } from '../flows/lintFlow';
import { inWords, type Planning } from './plan';
import { differ, listed } from './wording';

const FLOW = pathOf('conversation', 'flow_config');

/**
 * Plans `PUT /agents/{agent_id}/flow`.
 *
 * @param ids the IDs of the actions of the document, by their keys
 * @param deleted the IDs of actions that are deleted
 */
export function planFlow(planning: Planning, ids: ReadonlyMap<string, string>, deleted: readonly string[]): void {
	const { document, current, requests, problems, notes, replacedActionIds, agentPath } = planning;
	const { conversation_mode: wantedMode, flow_config: wantedFlow } = document.conversation;
	const { conversation_mode: currentMode, flow_config } = current.document.conversation;
	const mode = wantedMode ?? currentMode;
	const put = { what: 'Update flow', method: 'PUT', path: [...agentPath, 'flow'], makesDraft: false } as const;
	const advice = { 422: 'Correct the flow in the document: Agent Flow → Lint finds such errors.' };
	if (mode !== 'flow_driven') {
		if (mode === 'llm_driven' && isRecord(wantedFlow)) {
			notes.push('The document has a flow, which is not sent: in the conversation mode llm_driven an agent has none.');
		}
		if (mode === 'llm_driven' && currentMode === 'flow_driven') {
			requests.push({ ...put, body: { conversation_mode: mode }, why: 'conversation_mode differs' });
		}
		return;
	}
	const { flow: currentFlow } = withIds(flow_config ?? null, current.actionIds);
	const { flow, references } = withIds(wantedFlow === undefined ? currentFlow : wantedFlow, ids);
	if (!isRecord(flow)) {
		problems.push({
			path: FLOW,
			message: 'The document has no flow, which the conversation mode flow_driven requires',
			whatToDo: 'Add the flow, or set conversation_mode to llm_driven.',
		});
		return;
	}
	for (const { path, key } of references.filter(({ key }) => !ids.has(key))) {
		const meant = suggester([...ids.keys()])(key);
		problems.push({
			path: pathOf(FLOW, path),
			message: `The flow names the action "${key}", which the document does not contain`,
			whatToDo: meant === undefined ? 'Add the action to the document.' : `Did you mean "${meant}"?`,
		});
	}
	const lost = deleted.filter((id) => holds(flow, id));
	if (lost.length > 0) {
		problems.push({
			path: FLOW,
			message: `The flow uses ${lost.length === 1 ? 'an action' : 'actions'} of the agent that Remove Others would delete: ${listed(lost)}`,
			whatToDo: 'Add what the flow uses to the actions of the document.',
		});
	}
	const changed = [
		...(mode === currentMode ? [] : ['conversation_mode']),
		...(isSame(flow, currentFlow) ? [] : ['flow_config']),
	];
	if (changed.length === 0) {
		return;
	}
	lint(planning, flow, ids);
	replacedActionIds.push(
		...references.map(({ path, key }) => ({ path: pathOf(FLOW, path), key, actionId: ids.get(key) ?? '' })),
	);
	requests.push({
		...put,
		body: { conversation_mode: mode, flow_config: flow as IDataObject },
		why: differ(changed),
		codes: { 404: 'AGENT_NOT_FOUND' },
		advice,
	});
}

/** Reports the errors in a flow: the service would reject it, when other requests are already done. */
function lint(
	{ document, known, problems, notes }: Planning,
	flow: Record<string, unknown>,
	ids: ReadonlyMap<string, string>,
) {
	const ofDocument = Object.entries(document.actions).map(([key, action]) => ({
		id: ids.get(key),
		name: action.name,
		current_status: action.current_status,
	}));
	const others = [...known].filter(([, { inDocument }]) => !inDocument).map(([id, { name }]) => ({ id, name }));
	const findings = lintFlow(flow, { actions: [...ofDocument, ...others] });
	for (const { path, message, fix } of findings.filter(({ severity }) => severity === 'error')) {
		problems.push({
			path: path === '' ? FLOW : `${FLOW}.${path}`,
			message: inWords(message),
			whatToDo: inWords(fix),
		});
	}
	const { warnings } = countFindings(findings);
	if (warnings > 0) {
		notes.push(`Lint has ${quantity(warnings, 'warning')} about the flow: Agent Flow → Lint lists them.`);
	}
}

/** Whether a text is somewhere in a value. */
function holds(value: unknown, text: string): boolean {
	if (isRecord(value) || Array.isArray(value)) {
		return Object.values(value).some((member) => holds(member, text));
	}
	return value === text;
}
