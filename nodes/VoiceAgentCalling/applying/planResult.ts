import type { IDataObject } from 'n8n-workflow';

import { replaceParts } from '../agentDocument/actionReferences';
import { HIDDEN, hideSecret, isSecretField } from '../agentDocument/hiddenSecrets';
import { holdsSecret } from '../agentDocument/secretUrl';
import { type ApplyPlan, inWords, type PlannedRequest, type RequestResult, type SentPlan } from './plan';
import { withRealIds } from './sendPlan';

/** The agent that a document is applied to. */
export interface Target {
	/** Null for an agent that does not exist yet. */
	agentId: string | null;
	name: string;
	/** Whether the plan creates the agent. */
	creates: boolean;
}

/** The output for a plan. @param sent what was sent of it; undefined for a dry run */
export function resultOfPlan(target: Target, plan: ApplyPlan, sent?: SentPlan): IDataObject {
	const { requests, problems, replacedActionIds, notCompared, notes } = plan;
	const item = {
		dryRun: sent === undefined,
		...target,
		...(sent ? { agentId: sent.agentId ?? null, changed: sent.results.includes('done') } : {}),
		changes: requests.length,
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
function requestItem(
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
		body: body === undefined ? null : withoutSecretValues(body),
		makesDraft,
		...(leaveOutIfRejected.length > 0 && { leftOutIfRejected: [...leaveOutIfRejected] }),
		...(result && { result }),
	};
}

/** The body of a request without a signing secret, the values of headers, and URLs that hold a secret. */
function withoutSecretValues(body: IDataObject): IDataObject {
	const shown = (field: string, value: unknown): unknown => {
		if (isSecretField(field)) {
			return hideSecret(value);
		}
		return /url$/.test(field) && holdsSecret(value) ? HIDDEN : value;
	};
	return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, shown(field, value)])) as IDataObject;
}
