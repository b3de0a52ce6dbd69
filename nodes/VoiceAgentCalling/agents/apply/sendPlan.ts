import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { outcomeUnknown } from '../../../shared/client/itemErrors';
import { type Result, type ServiceError, toResult, unreadable } from '../../../shared/errors/serviceError';
import { createdObject } from '../../operation/responses';
import { replaceParts } from '../document/actionReferences';
import { withoutSecrets } from '../document/hiddenSecrets';
import {
	type ApplyPlan,
	inWords,
	listed,
	NEW_AGENT,
	newActionId,
	type PlannedRequest,
	type RequestResult,
	type SentPlan,
	type Upserted,
} from './plan';
import { createdByMistake, updatedByMistake } from './stoppedError';

/**
 * Sends the requests of a plan one after another, and stops at the first failure.
 *
 * @param agentId undefined if the plan creates the agent
 */
export async function sendPlan(api: Api, plan: ApplyPlan, agentId: string | undefined): Promise<SentPlan> {
	const sender = new PlanSender(api, plan);
	const { ids, notes, responses } = sender;
	const results: RequestResult[] = plan.requests.map(() => 'notTried');
	let error: ServiceError | undefined;
	for (const [index, request] of plan.requests.entries()) {
		const { value: result, error: failure } = await toResult(sender.send(request));
		error = failure;
		results[index] = result ?? (failure?.accepted === 'unknown' ? 'unknown' : 'failed');
		if (failure) {
			break;
		}
	}
	return { agentId: agentId ?? ids.get(NEW_AGENT), results, responses, ids, notes, error };
}

/** Replaces placeholders in a value by the IDs of created objects. */
function withRealIds<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
	return replaceParts(value, (part) => (typeof part === 'string' ? ids.get(part) : undefined)) as Value;
}

/** Sends the requests of one plan, and keeps the IDs that later requests need. */
class PlanSender {
	readonly ids = new Map<string, string>();

	readonly notes: string[] = [];

	readonly responses: IDataObject[] = [];

	/** The IDs of actions and trainings outside the document that an upsert turned into members of the document. */
	private readonly takenOver = new Set<string>();

	/** Each attempt of a run compares again, so its upserts must not count as repetitions of an earlier attempt. */
	private readonly attempt = randomUUID();

	private readonly api: Api;

	private readonly plan: ApplyPlan;

	constructor(api: Api, plan: ApplyPlan) {
		this.api = api;
		this.plan = plan;
	}

	/** Sends one request. @throws ServiceError if it failed, or if its outcome is unknown */
	async send(planned: PlannedRequest): Promise<RequestResult> {
		const { method, path, body, upserted } = planned;
		if (method === 'DELETE' && this.takenOver.has(path.at(-1) as string)) {
			return 'notNeeded';
		}
		const request = {
			...planned,
			path: withRealIds(path, this.ids),
			body: withRealIds(body, this.ids),
			...(upserted && { identity: `${this.attempt} ${planned.what}` }),
		};
		const { value: response, error } = await this.deliver(request);
		if (error) {
			throw error;
		}
		this.responses.push(response);
		if (method === 'POST' && path.length === 1) {
			this.ids.set(NEW_AGENT, idIn(response, 'agent'));
		}
		if (upserted) {
			await this.check(upserted, request.path, idIn(response, upserted.section === 'actions' ? 'action' : 'training'));
		}
		return 'done';
	}

	/** Sends a request. If the service rejects optional fields, sends it again without them. */
	private async deliver(request: PlannedRequest): Promise<Result<IDataObject>> {
		const result = await this.api.tryRequest(request);
		const { httpStatus, fieldNames = [] } = result.error ?? {};
		const optional = request.leaveOutIfRejected ?? [];
		if (httpStatus !== 422 || !optional.some((field) => fieldNames.includes(field))) {
			return result;
		}
		const necessary = Object.entries(request.body ?? {}).filter(([field]) => !optional.includes(field));
		const again = await this.api.tryRequest({ ...request, body: Object.fromEntries(necessary) });
		if (again.error === undefined) {
			this.notes.push(`The service does not accept ${listed(optional)} here, so this was left out.`);
		}
		return again;
	}

	/**
	 * Checks that an upsert updated or created the intended action or training. Deletes a wrongly created one at once.
	 *
	 * @param path of the list of actions or trainings
	 * @param id of the action or training in the response
	 * @throws ServiceError `WRONG_NODE_ID`
	 */
	private async check(upserted: Upserted, path: readonly string[], id: string): Promise<void> {
		const { section, key, expectedId } = upserted;
		const other = id === expectedId ? undefined : this.plan.known.get(id);
		if (other && (expectedId !== undefined || other.inDocument)) {
			throw updatedByMistake(upserted, id, other.name);
		}
		if (other === undefined && expectedId !== undefined && id !== expectedId) {
			const { error } = await toResult(this.api.request({ method: 'DELETE', path: [...path, id] }));
			throw createdByMistake(upserted, id, error);
		}
		if (section === 'actions') {
			this.ids.set(newActionId(key), id);
		}
		if (other) {
			this.takenOver.add(id);
			this.notes.push(`"${other.name}" had the node ID of "${key}": it was updated, and has its name now.`);
		}
	}
}

/** Returns the ID of the object in a response. @throws ServiceError `OUTCOME_UNKNOWN` if it is missing */
function idIn(response: IDataObject, what: string): string {
	const { id } = createdObject(response, what);
	if (typeof id !== 'string' && typeof id !== 'number') {
		throw outcomeUnknown(false, unreadable(`without the ID of the ${what}`));
	}
	return String(id);
}

/** The agent that a document is applied to. */
interface AppliedAgent {
	/** Null if the agent does not exist yet. */
	agentId: string | null;
	name: string;
	/** Whether the plan creates the agent. */
	creates: boolean;
}

/** Makes the output for a plan. @param sent undefined for a dry run */
export function resultOfPlan(target: AppliedAgent, plan: ApplyPlan, sent?: SentPlan): IDataObject {
	const { requests, differences, problems, replacedActionIds, notCompared, notes } = plan;
	const item = {
		dryRun: sent === undefined,
		...target,
		...(sent ? { agentId: sent.agentId ?? null, changed: sent.results.includes('done') } : {}),
		changes: requests.length,
		problems,
		differences,
		requests: requestItems(requests, sent),
		replacedActionIds,
		notCompared,
		notes: [...notes, ...(sent?.notes ?? [])],
	};
	return shownIds(item, sent) as unknown as IDataObject;
}

/** Replaces placeholders in a value for the output: by IDs, or by words if the object does not exist. */
function shownIds<Value>(value: Value, sent: SentPlan | undefined): Value {
	const real = withRealIds(value, sent?.ids ?? new Map());
	return replaceParts(real, (part) => (typeof part === 'string' ? inWords(part) : undefined)) as Value;
}

/** Makes the requests for the output, without secrets. @param sent undefined for a dry run */
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
