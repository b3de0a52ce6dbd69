import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { sha256 } from '../lib/text';
import type { ServiceRequest } from './request';

/** How many runs, such as rounds of a loop or simultaneous runs of a tool, are stored with all their requests. */
const MAX_RUNS = 10;

/** In place of the hash of a body: not a request, but a fact about an item. */
const FACT = '';

/** A stored request. Without `answer`, its outcome is unknown. */
interface LoggedRequest {
	bodyHash: string;
	/** The IDs in the response. Running executions store this name. */
	answer?: IDataObject;
	/** Whether the request must not be sent a second time. */
	once?: boolean;
	/** Whether the execution that this one retries sent the request. */
	retried?: boolean;
}

/** Identifies a stored request of an item. */
export interface RequestKey {
	itemIndex: number;
	/** The item and the identity of the request. */
	identity: string;
	/** See {@link LoggedRequest}. */
	bodyHash: string;
	/** Identifies the request across items: while its outcome is unknown, no item sends it again. */
	subject: string;
}

/** The stored data of one run of the node. */
interface StoredRun {
	/** The requests by their identity. */
	entries: Record<string, LoggedRequest>;
	/** The run ended in an error, so n8n may retry it. */
	failed?: boolean;
}

/**
 * Logs the requests other than calls that a run of the node has sent and must not send again, such as requests that
 * create an object. A request with an unknown outcome is not sent again by any node of the execution.
 *
 * The log is in n8n's context of the node, which n8n keeps as long as the execution. It prevents these requests:
 *
 * | The node runs again as | Run index | An item is not sent again if an earlier run sent |
 * |---|---|---|
 * | an attempt of Retry On Fail | the same | a request of this item, whatever its values are now |
 * | n8n's Retry: a new execution with a copy of the context | the same | the same request of this item |
 * | a tool whose run failed | the next | the same request, with the same body |
 * | a round of a loop, or another call of a tool | the next | nothing |
 * | any of these or another node, and the outcome is unknown | any | the same request of any item |
 */
export class RequestLog {
	private readonly context: IDataObject;

	private readonly flow: IDataObject;

	private readonly runIndex: number;

	private readonly executionId: string | undefined;

	/** This run until it stores something. */
	private readonly emptyRun: StoredRun = { entries: {} };

	/** The node and the run, with which the senders in {@link RequestLog.unknown} begin. */
	private readonly sender: string;

	/** Earlier runs that ended in an error. */
	private readonly failedRuns: StoredRun[];

	/** The requests that earlier attempts of this run sent, by the index of the item. */
	private readonly earlier = new Map<number, LoggedRequest[]>();

	/** The requests of this run that the service has not refused, by the index of the item, then by their identity. */
	private readonly notRefused = new Map<number, Map<string, LoggedRequest>>();

	/**
	 * @param context n8n's context of the node
	 * @param runIndex the index of this run of the node in the execution, which is the round of a loop
	 * @param executionId distinguishes attempts within an execution from n8n's Retry, which starts a new execution
	 * @param node the name of the node
	 * @param flow n8n's context of all nodes of the execution
	 */
	constructor(context: IDataObject, runIndex: number, executionId?: string, node = '', flow: IDataObject = context) {
		this.context = context;
		this.executionId = executionId;
		this.flow = flow;
		this.runIndex = runIndex;
		this.sender = `${node}:${runIndex}:`;
		const { runs } = this;
		if (context.sentBy !== executionId) {
			const copied = Object.values(runs).flatMap(({ entries }) => Object.values(entries));
			for (const entry of copied) {
				entry.retried = true;
			}
		}
		for (const index of Object.keys(runs)) {
			if (Number(index) <= runIndex - MAX_RUNS) {
				delete runs[index];
			}
		}
		delete this.run.failed;
		this.failedRuns = Object.values(runs).filter(({ failed }) => failed);
		for (const [identity, entry] of Object.entries(this.run.entries)) {
			const item = Number(identity.slice(0, identity.indexOf(':')));
			this.earlier.set(item, [...(this.earlier.get(item) ?? []), { ...entry }]);
			this.setNotRefused(item, identity, entry);
		}
	}

	/** The stored runs, by their index. Read each time, because a simultaneous run of a tool may have stored one. */
	private get runs(): Record<string, StoredRun> {
		return recordIn(this.context, 'sentRequests');
	}

	private get run(): StoredRun {
		return this.runs[this.runIndex] ?? this.emptyRun;
	}

	/** The requests with an unknown outcome, by their subject, then by the node, run and item that sent them. */
	private get unknown(): Record<string, Record<string, true>> {
		return recordIn(this.flow, 'unknownRequests');
	}

	/**
	 * Returns the request that an earlier attempt of this run sent for an item and that must not be sent twice, even if
	 * the values of the item have changed; undefined without such a request. Requests of this execution come first, then
	 * requests with an unknown outcome.
	 */
	sentEarlier(itemIndex: number): LoggedRequest | undefined {
		const once = (this.earlier.get(itemIndex) ?? []).filter((sent) => sent.once);
		const rank = ({ retried, answer }: LoggedRequest) => [retried === true, answer !== undefined].map(Number).join('');
		return once.sort((one, other) => rank(one).localeCompare(rank(other)))[0];
	}

	/**
	 * Whether the service has done something for an item, or may have, in this attempt of the run or an earlier one.
	 *
	 * @returns `once` if it must not be done again
	 */
	changeOf(itemIndex: number): 'once' | 'repeatable' | undefined {
		const sent = [...(this.notRefused.get(itemIndex)?.values() ?? [])];
		return sent.length === 0 ? undefined : sent.some(({ once }) => once) ? 'once' : 'repeatable';
	}

	/** Returns the key of a request of an item. `identity` of the request distinguishes requests with the same path. */
	static key(itemIndex: number, { method, path, query, body, identity: own }: ServiceRequest): RequestKey {
		return keyOf(itemIndex, digest([method, path, query, own]), digest([body]));
	}

	/**
	 * Returns the outcome of a request that was sent before; undefined if it was not sent.
	 *
	 * Within a run the body is ignored: an expression in it, such as the current time, must not make it a different
	 * request in the next attempt. Across runs the body counts.
	 */
	recall({ identity, bodyHash, subject }: RequestKey): Pick<LoggedRequest, 'answer'> | undefined {
		const inFailedRun = ({ entries }: StoredRun) => entries[identity]?.bodyHash === bodyHash;
		const isUnknown = Object.keys(this.unknown[subject] ?? {}).some((sender) => !sender.startsWith(this.sender));
		return (
			this.run.entries[identity] ?? this.failedRuns.find(inFailedRun)?.entries[identity] ?? (isUnknown ? {} : undefined)
		);
	}

	/** Records that the request is about to be sent. Its outcome is unknown until it is set. */
	sending(key: RequestKey, { once }: Pick<LoggedRequest, 'once'> = {}): void {
		this.store(key, once ? { once } : {});
		if (once) {
			this.markUnknown(key);
		}
	}

	/** Records that the outcome of the request remains unknown, even after a response that cannot be interpreted. */
	markUnknown({ itemIndex, identity, subject }: RequestKey): void {
		const entry: LoggedRequest | undefined = this.run.entries[identity];
		delete entry?.answer;
		const { unknown } = this;
		(unknown[subject] ??= {})[`${this.sender}${itemIndex}`] = true;
		this.flow.unknownRequests = unknown;
	}

	private setKnown({ itemIndex, subject }: RequestKey): void {
		const { unknown } = this;
		const senders = unknown[subject] ?? {};
		delete senders[`${this.sender}${itemIndex}`];
		if (Object.keys(senders).length === 0) {
			delete unknown[subject];
		}
	}

	/** Records that the service accepted the request. Only IDs are stored, because n8n stores executions. */
	accepted(key: RequestKey, body: IDataObject): void {
		this.store(key, { answer: idsOf(body) });
		this.setKnown(key);
	}

	/** Records that the service did not accept the request, so that it may be sent again. */
	refused(key: RequestKey): void {
		delete this.run.entries[key.identity];
		this.notRefused.get(key.itemIndex)?.delete(key.identity);
		this.setKnown(key);
	}

	/** Stores a fact about an item for the next attempt, such as a state before the first request. */
	mark(itemIndex: number, fact: string): void {
		this.store(keyOf(itemIndex, digest(['mark', fact]), FACT), {});
	}

	/** Whether this attempt or an earlier one has stored a fact about an item. */
	isMarked(itemIndex: number, fact: string): boolean {
		return this.recall(keyOf(itemIndex, digest(['mark', fact]), FACT)) !== undefined;
	}

	private setNotRefused(itemIndex: number, identity: string, entry: LoggedRequest): void {
		if (entry.bodyHash !== FACT) {
			this.notRefused.set(itemIndex, (this.notRefused.get(itemIndex) ?? new Map()).set(identity, entry));
		}
	}

	private store({ itemIndex, identity, bodyHash }: RequestKey, sent: Omit<LoggedRequest, 'bodyHash'>): void {
		const { runs, run } = this;
		const { once } = run.entries[identity] ?? {};
		const entry = { bodyHash, ...(once && { once }), ...sent };
		run.entries[identity] = entry;
		this.setNotRefused(itemIndex, identity, entry);
		// Most runs store nothing, and then leave nothing in the context.
		runs[this.runIndex] = run;
		Object.assign(this.context, { sentRequests: runs, sentBy: this.executionId });
	}

	/** Marks the run as failed, when the node throws. Its requests then count for the next runs, too. */
	keepForRetry(): void {
		this.run.failed = true;
	}

	/** Deletes the run when n8n will not retry the node, to keep the execution small. Unknown outcomes are kept. */
	clear(): void {
		const { runs } = this;
		this.run.entries = {};
		delete runs[this.runIndex];
		if (Object.keys(runs).length === 0) {
			delete this.context.sentRequests;
			delete this.context.sentBy;
		}
		if (Object.keys(this.unknown).length === 0) {
			delete this.flow.unknownRequests;
		}
	}
}

/** Returns the record with this name in a context, or a new one, which is not stored yet. */
function recordIn<Value>(context: IDataObject, name: string): Record<string, Value> {
	const record = context[name];
	return (isRecord(record) ? record : {}) as Record<string, Value>;
}

function keyOf(itemIndex: number, request: string, bodyHash: string): RequestKey {
	return { itemIndex, identity: `${itemIndex}:${request}`, bodyHash, subject: `${request}:${bodyHash}` };
}

function digest(parts: unknown[]): string {
	return sha256(JSON.stringify(parts));
}

/** Returns a copy with only the IDs, and with `success`, which is all that some responses contain. */
function idsOf(value: Record<string, unknown>): IDataObject {
	const ids: IDataObject = {};
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) {
			ids[key] = idsOf(inner);
		} else if (/^(success|(.*_)?(uu)?id)$/.test(key)) {
			ids[key] = inner as string | boolean;
		}
	}
	return ids;
}
