import type { IDataObject } from 'n8n-workflow';

import { replaceParts } from '../agentDocument/actionReferences';
import { withoutSecrets } from '../agentDocument/hiddenSecrets';
import { type ApplyPlan, inWords, type PlannedRequest, type RequestResult, type SentPlan } from './plan';
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
		requests: requests.map((request, index) => requestItem(request, index, sent?.results[index])),
		replacedActionIds,
		notCompared,
		notes: [...notes, ...(sent?.notes ?? [])],
	};
	const real = replaceParts(withRealIds(item, sent?.ids ?? new Map()), (part) =>
		typeof part === 'string' ? inWords(part) : undefined,
	) as typeof item;
	return {
		...real,
		requests: real.requests.map(({ path, ...request }) => ({ ...request, path: path.join('/') })),
	} as unknown as IDataObject;
}

/** A request for the output, without secrets. */
export function requestItem(
	{ what, method, path, body, why, makesDraft, leaveOutIfRejected = [] }: PlannedRequest,
	index: number,
	result: RequestResult | undefined,
) {
	return {
		step: index + 1,
		what,
		why,
		method,
		path: ['/api/v1', ...path],
		body: body === undefined ? null : withoutSecrets(body),
		makesDraft,
		...(leaveOutIfRejected.length > 0 && { leftOutIfRejected: [...leaveOutIfRejected] }),
		...(result && { result }),
	};
}
