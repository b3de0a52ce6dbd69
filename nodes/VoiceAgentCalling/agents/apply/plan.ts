import { randomUUID } from 'node:crypto';
import { type IDataObject, sleep } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import type { ServiceRequest } from '../../../shared/client/request';
import type { ServiceError } from '../../../shared/errors/serviceError';
import { inTurn } from '../../../shared/lib/collections';
import type { Difference } from '../document/differences';
import type { AgentDocument } from '../document/document';
import type { AgentSnapshot } from '../document/readAgentDocument';

/** Distinguishes placeholders for IDs from texts of a document. It is removed from every output. */
const MARK = randomUUID();

/** The placeholder for the ID of an agent that a plan creates. */
export const NEW_AGENT = `${MARK}(ID of the new agent)`;

/** Makes the placeholder for the ID of an action that a plan creates. @param key the action's key */
export function newActionId(key: string): string {
	return `${MARK}(ID of the new action ${key})`;
}

/** Makes {@link NEW_AGENT} and {@link newActionId} in a text readable for people. */
export function inWords(text: string): string {
	return text.replaceAll(MARK, '');
}

/** When to publish the agent after its changes. */
type PublishAfterwards = 'always' | 'ifPublished' | 'never';

/** The options of the user. */
export interface ApplyOptions {
	/** Whether actions and trainings that the document does not contain are deleted. */
	removeOthers: boolean;
	/**
	 * How to treat fields that the service does not return.
	 *
	 * - `leave`: an update that would change such a field is a problem
	 * - `reset`: if the document lacks such a field, it gets its default
	 * - `send`: such fields of the document are always sent
	 */
	unreadableFields: 'leave' | 'reset' | 'send';
	publishAfterwards: PublishAfterwards;
}

/** An action or a training that a request creates or updates. */
export interface Upserted {
	section: 'actions' | 'trainings';
	key: string;
	/** The name of an action, the subject of a training. */
	name: string;
	nodeId: string;
	/** The ID of the one to update; undefined for a new one. */
	expectedId: string | undefined;
}

/** One request of a plan. Its path and its body may contain {@link NEW_AGENT} and {@link newActionId}. */
export interface PlannedRequest extends ServiceRequest {
	method: 'POST' | 'PUT' | 'DELETE';
	/** The purpose, such as `Update action "book"`. */
	what: string;
	/** The reason, such as `description and url differ`. */
	why: string;
	/** Whether a published agent becomes a draft. */
	makesDraft: boolean;
	/** For a request that creates or updates something by its node ID. */
	upserted?: Upserted;
	/** Fields of the body to omit if the service rejects them: only some voices support them. */
	leaveOutIfRejected?: readonly string[];
}

/** A reason why a document cannot be applied. */
export interface PlanProblem {
	/** The place in the document. */
	path: string;
	message: string;
	whatToDo: string;
}

/** The replacement of a reference to an action in the flow by an ID. */
interface ReplacedActionId {
	/** The place in the document. */
	path: string;
	/** The key of the action in the document. */
	key: string;
	actionId: string;
}

/** An action or training that the agent has before a plan is sent. */
export interface KnownMember {
	name: string;
	/** Whether the document contains it. */
	inDocument: boolean;
}

/** The plan for one part of an agent, such as its voice. */
export interface PlanPart {
	/** In the order of sending. */
	requests: PlannedRequest[];
	/** In the order of the document. */
	differences: Difference[];
	/** Nothing is sent if there is a problem. */
	problems: PlanProblem[];
	/** Paths of values that the service does not return, and that no request of the plan sends. */
	notCompared: string[];
	replacedActionIds: ReplacedActionId[];
	/** Further remarks, in whole sentences. */
	notes: string[];
}

/** The plan that makes an agent match a document. */
export interface ApplyPlan extends PlanPart {
	/** The actions and trainings of the agent, by their IDs. */
	known: ReadonlyMap<string, KnownMember>;
}

/** The input for the parts of a plan. */
export interface PlanTarget {
	readonly document: AgentDocument;
	/** The present agent, or the agent that the first request creates. */
	readonly current: AgentSnapshot;
	readonly options: ApplyOptions;
}

/**
 * Runs changes of the same agent by several items of a run one after another, so that each sees the earlier changes.
 *
 * @param agent what the changes have in common, such as the ID of the agent
 */
export async function changeInTurn<Value>(api: Api, agent: string, change: () => Promise<Value>): Promise<Value> {
	const lastByAgent = await api.remember('changes of agents', async () => new Map<string, Promise<unknown>>());
	// A change that fails can end the run: the pause lets the next change notice this before it begins.
	return await inTurn(lastByAgent, agent, change, (earlier) => earlier.then(() => sleep(0)));
}

/** Joins parts of a plan in their order. */
export function merged(parts: ReadonlyArray<Partial<PlanPart>>): PlanPart {
	const all = <Item>(listIn: (part: Partial<PlanPart>) => readonly Item[] | undefined) =>
		parts.flatMap((part) => listIn(part) ?? []);
	return {
		requests: all(({ requests }) => requests),
		differences: all(({ differences }) => differences),
		problems: all(({ problems }) => problems),
		notCompared: all(({ notCompared }) => notCompared),
		replacedActionIds: all(({ replacedActionIds }) => replacedActionIds),
		notes: all(({ notes }) => notes),
	};
}

/**
 * The result of a request of a plan.
 *
 * - `unknown`: the service may have executed it
 * - `notNeeded`: an earlier request turned the action or training to delete into one of the document
 */
export type RequestResult = 'done' | 'failed' | 'unknown' | 'notTried' | 'notNeeded';

/** The outcome of sending a plan. */
export interface SentPlan {
	/** The agent; undefined if its creation failed or its outcome is unknown. */
	agentId: string | undefined;
	/** For each request of the plan. */
	results: RequestResult[];
	/** The bodies of the responses to successful requests. */
	responses: IDataObject[];
	/** The IDs of created objects, by their placeholders in the plan. */
	ids: ReadonlyMap<string, string>;
	/** Remarks about what happened, in whole sentences. */
	notes: string[];
	/** The error of the request that was not successful. Later requests were not tried. */
	error: ServiceError | undefined;
}

/** Joins words for a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** States which fields differ, such as `url and description differ`. */
export function differ(fields: readonly string[]): string {
	return `${listed(fields)} ${fields.length === 1 ? 'differs' : 'differ'}`;
}
