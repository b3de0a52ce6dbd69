import { randomUUID } from 'node:crypto';
import { type IDataObject, sleep } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import type { ServiceRequest } from '../../../shared/client/request';
import type { ServiceError } from '../../../shared/errors/serviceError';
import { inTurn } from '../../../shared/lib/collections';
import type { Difference } from '../document/differences';
import type { AgentDocument } from '../document/document';
import type { AgentSnapshot } from '../document/readAgentDocument';

/** Distinguishes what stands for an ID from texts of a document. No output has it. */
const MARK = randomUUID();

/** What stands for the ID of an agent that a plan creates, until it exists. */
export const NEW_AGENT = `${MARK}(ID of the new agent)`;

/** What stands for the ID of an action that a plan creates, until it exists. @param key the action's key */
export function newActionId(key: string): string {
	return `${MARK}(ID of the new action ${key})`;
}

/** What a user reads instead of {@link NEW_AGENT} and {@link newActionId}, of an ID or of a text that contains them. */
export function inWords(text: string): string {
	return text.replaceAll(MARK, '');
}

/** When the agent is published after its changes. */
export type PublishAfterwards = 'always' | 'ifPublished' | 'never';

/** What the user wants besides the document. */
export interface ApplyOptions {
	/** Whether actions and trainings that the document does not contain are deleted. */
	removeOthers: boolean;
	/**
	 * How to treat fields that the service does not return. `leave`: an update that would change one is a problem.
	 * `reset`: those that the document lacks get their defaults. `send`: those of the document are always sent.
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
	/** What it does, such as `Update action "book"`. */
	what: string;
	/** Why it is needed, such as `description and url differ`. */
	why: string;
	/** Whether a published agent becomes a draft. */
	makesDraft: boolean;
	/** For a request that creates or updates something by its node ID. */
	upserted?: Upserted;
	/** Fields of the body to leave out if the service rejects them: only some voices have them. */
	leaveOutIfRejected?: readonly string[];
}

/** A reason why a document cannot be applied, and what to do. */
export interface PlanProblem {
	/** The place in the document. */
	path: string;
	message: string;
	whatToDo: string;
}

/** A reference to an action in the flow, and the ID that replaces it. */
export interface ReplacedActionId {
	/** The place in the document. */
	path: string;
	/** The key of the action in the document. */
	key: string;
	actionId: string;
}

/** An action or training that the agent has before a plan is carried out. */
export interface KnownMember {
	name: string;
	/** Whether the document contains it. */
	inDocument: boolean;
}

/** What makes one part of an agent match a document. */
export interface PlanPart {
	/** In the order in which they are sent. */
	requests: PlannedRequest[];
	/** What differs, in the order of the document. */
	differences: Difference[];
	/** If there are any, nothing is sent. */
	problems: PlanProblem[];
	/** Paths of values in the document that the service does not return, and that no request of the plan sends. */
	notCompared: string[];
	replacedActionIds: ReplacedActionId[];
	/** What else there is to know, in whole sentences. */
	notes: string[];
}

/** What makes an agent match a document. */
export interface ApplyPlan extends PlanPart {
	/** The actions and trainings of the agent, by their IDs. */
	known: ReadonlyMap<string, KnownMember>;
}

/** What the parts of a plan are made from, for an agent that exists or is created first. */
export interface PlanTarget {
	readonly document: AgentDocument;
	/** The agent as it is, or as its creation leaves it. */
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

/** The parts of a plan as one, in their order. */
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
 * What became of a request of a plan.
 *
 * - `unknown`: the service may have done it
 * - `notNeeded`: what it was to delete has become something that the document contains
 */
export type RequestResult = 'done' | 'failed' | 'unknown' | 'notTried' | 'notNeeded';

/** What was sent of a plan. */
export interface SentPlan {
	/** The agent; undefined if it was not created, or if that is unknown. */
	agentId: string | undefined;
	/** For each request of the plan. */
	results: RequestResult[];
	/** The bodies of the responses of the requests that are done. */
	responses: IDataObject[];
	/** The IDs of what was created, by what stands for them in the plan. */
	ids: ReadonlyMap<string, string>;
	/** What happened besides, in whole sentences. */
	notes: string[];
	/** Why a request was not successful; the later ones were not tried. */
	error: ServiceError | undefined;
}

/** A list in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** That some fields differ, such as `url and description differ`. */
export function differ(fields: readonly string[]): string {
	return `${listed(fields)} ${fields.length === 1 ? 'differs' : 'differ'}`;
}
