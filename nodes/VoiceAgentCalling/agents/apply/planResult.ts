import type { IDataObject } from 'n8n-workflow';

import { replaceParts } from '../document/actionReferences';
import { withoutSecrets } from '../document/hiddenSecrets';
import { type ApplyPlan, inWords, type PlannedRequest, type SentPlan } from './plan';
import { withRealIds } from './sendPlan';

/** The agent that a document is applied to. */
export interface AppliedAgent {
	/** Null for an agent that does not exist yet. */
	agentId: string | null;
	name: string;
	/** Whether the plan creates the agent. */
	creates: boolean;
}

/** The output for a plan. @param sent what was sent of it; undefined for a dry run */
export function resultOfPlan(target: AppliedAgent, plan: ApplyPlan, sent?: SentPlan): IDataObject {
	const { requests, differences, problems, replacedActionIds, notCompared, notes } = plan;
	const item = {
		dryRun: sent === undefined,
		...target,
		...(sent ? { agentId: sent.agentId ?? null, changed: sent.results.includes('done') } : {}),
		changes: requests.length,
		differences,
		problems,
		requests: requestItems(requests, sent),
		replacedActionIds,
		notCompared,
		notes: [...notes, ...(sent?.notes ?? [])],
	};
	return shownIds(item, sent) as unknown as IDataObject;
}

/** A value for the output: with the IDs of what was created, and words for those that do not exist. */
function shownIds<Value>(value: Value, sent: SentPlan | undefined): Value {
	const real = withRealIds(value, sent?.ids ?? new Map());
	return replaceParts(real, (part) => (typeof part === 'string' ? inWords(part) : undefined)) as Value;
}

/** Requests for the output, without secrets. @param sent what was sent of them */
export function requestItems(requests: readonly PlannedRequest[], sent?: SentPlan): IDataObject[] {
	return requests.map(({ what, method, path, body, why, makesDraft, leaveOutIfRejected = [] }, index) => ({
		step: index + 1,
		what,
		why,
		method,
		path: ['/api/v1', ...shownIds(path, sent)].join('/'),
		body: body === undefined ? null : withoutSecrets(body),
		makesDraft,
		...(leaveOutIfRejected.length > 0 && { leftOutIfRejected: [...leaveOutIfRejected] }),
		...(sent && { result: sent.results[index] }),
	}));
}
