import { createHash, hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { ServiceRequest } from '../../shared/service/request';

/** The number of runs, such as rounds of a loop or simultaneous runs of a tool, that are stored with all their requests. */
const MAX_RUNS = 10;

/** The outcome of a request; unknown if it has neither `answer` nor `refusal`. */
export interface Sent {
	answer?: IDataObject;
	/** A refusal that counts as a result, for example that the call is already queued. */
	refusal?: { httpStatus: number; body: IDataObject };
	/** Whether the request was for a test call; undefined if it was for none. */
	isTest?: boolean;
	/** Whether the request must not be sent a second time. */
	once?: boolean;
}

/** Who calls, and the number, in E.164 if it can be read. */
export interface SentCall {
	callerIdField: string | undefined;
	callerId: string | undefined;
	to: string;
}

/** A request as it is stored: the hash of its body, or of the phone of a call, and its outcome. */
interface Entry extends Sent {
	bodyHash: string;
	/** Whether the execution that this one retries has sent it. */
	retried?: boolean;
}

/** What a hash of a phone begins with. No hash of a body begins with it. */
const PHONE = '+';

/** Identifies a stored request of an item. */
export interface RequestKey {
	itemIndex: number;
	/** The item and the identity of the request. */
	identity: string;
	/** See {@link Entry}. */
	bodyHash: string;
	/** What is not requested again, by any item, while its outcome is unknown: the phone of a call, or the request. */
	subject: string;
}

/** What is stored of one run of the node. */
interface StoredRun {
	/** By the identity of a request. */
	entries: Record<string, Entry>;
	/** The run ended in an error, so n8n may retry it. */
	failed?: boolean;
}

/**
 * The requests that a run of the node has sent and must not send again. Those without a known outcome count for all nodes
 * of the execution, such as another tool of the same AI agent.
 *
 * Retry On Fail runs the whole node again with all items, and would dial every number a second time. The requests are
 * stored in n8n's context of the node, which n8n keeps as long as the execution. What has been sent counts as follows:
 *
 * | The node runs again as | Run index | An item is not sent again if an earlier run has sent |
 * |---|---|---|
 * | a try of Retry On Fail | the same | a request of this item, whatever its values are now |
 * | n8n's Retry: a new execution with a copy of the context | the same | the same request or call of this item |
 * | a tool whose run failed | the next | the same request, with the same body |
 * | a round of a loop, or another call of a tool | the next | nothing |
 * | any of these or another node, and the outcome is unknown | any | the same request of any item; of a call, one to the same phone, whoever calls |
 */
export class SentRequests {
	private readonly runs: Record<string, StoredRun>;

	private readonly run: StoredRun;

	/** The requests without a known outcome, by their subject, then by the node, run and item that sent them. */
	private readonly unknown: Record<string, Record<string, Pick<Sent, 'isTest'>>>;

	/** The node and the run, as the senders in {@link SentRequests.unknown} begin. */
	private readonly sender: string;

	/** Earlier runs that ended in an error. */
	private readonly failedRuns: StoredRun[];

	/** The indexes of the items for which an earlier try sent requests. */
	readonly earlierItems: ReadonlySet<number>;

	/** The requests that earlier tries of this run sent, by the index of the item. */
	private readonly earlier = new Map<number, Array<Entry & { request: string }>>();

	/** The calls of earlier tries of this run without a known outcome, by the hash of the phone. */
	private readonly unknownEarlier = new Map<string, Pick<Sent, 'isTest'>>();

	/**
	 * @param context n8n's context of the node
	 * @param runIndex the index of this run of the node in the execution, which is the round of a loop
	 * @param executionId tells the tries of an execution from a retried one
	 * @param node the name of the node
	 * @param flow n8n's context of all nodes of the execution
	 */
	constructor(context: IDataObject, runIndex: number, executionId?: string, node = '', flow: IDataObject = context) {
		if (!isRecord(context.sentRequests)) {
			context.sentRequests = {};
		}
		this.runs = context.sentRequests as unknown as Record<string, StoredRun>;
		this.sender = `${node}:${runIndex}:`;
		this.unknown = (flow.unknownRequests ??= {}) as unknown as SentRequests['unknown'];
		if (context.sentBy !== executionId) {
			const copied = Object.values(this.runs).flatMap(({ entries }) => Object.values(entries));
			for (const entry of copied) {
				entry.retried = true;
			}
			context.sentBy = executionId;
		}
		for (const index of Object.keys(this.runs)) {
			if (Number(index) <= runIndex - MAX_RUNS) {
				delete this.runs[index];
			}
		}
		this.run = this.runs[runIndex] ??= { entries: {} };
		delete this.run.failed;
		this.failedRuns = Object.values(this.runs).filter(({ failed }) => failed);
		const keys = [this.run, ...this.failedRuns].flatMap(({ entries }) => Object.keys(entries));
		this.earlierItems = new Set(keys.map(itemIn));
		for (const [identity, entry] of Object.entries(this.run.entries)) {
			const item = itemIn(identity);
			this.earlier.set(item, [...(this.earlier.get(item) ?? []), { ...entry, request: requestIn(identity) }]);
			const unknown = entry.retried ? undefined : this.unknown[entry.bodyHash]?.[this.senderOf(item)];
			if (unknown) {
				this.unknownEarlier.set(entry.bodyHash, unknown);
			}
		}
	}

	/** Whether an earlier try sent requests that count for this one. */
	get hasEarlier(): boolean {
		return this.earlierItems.size > 0;
	}

	/**
	 * The request that an earlier try of this run sent for an item and that must not be sent twice, whatever the values of
	 * the item are now; undefined if there was none. Of several, one of this execution, a call, and one with an unknown
	 * outcome. A failed run does not count: a later run of a tool may be another call.
	 */
	sentEarlier(itemIndex: number): Sent | undefined {
		const once = (this.earlier.get(itemIndex) ?? []).filter((sent) => sent.once);
		const rank = ({ retried, isTest, answer, refusal }: Entry) =>
			[retried === true, isTest === undefined, answer !== undefined || refusal !== undefined].map(Number).join('');
		return once.sort((one, other) => rank(one).localeCompare(rank(other)))[0];
	}

	/**
	 * The call that an earlier try of this run sent for an item: its {@link SentRequests.identityOf}, and whether it is a
	 * test call.
	 *
	 * @param orRetried whether a call of the execution that this one retries counts, too
	 */
	callSentEarlier(itemIndex: number, orRetried: boolean): { identity: string; isTest: boolean } | undefined {
		const calls = (this.earlier.get(itemIndex) ?? []).filter(({ once, isTest }) => once && isTest !== undefined);
		const call = calls.find(({ retried }) => !retried) ?? (orRetried ? calls[0] : undefined);
		return call && { identity: call.request, isTest: call.isTest === true };
	}

	/** The same text for all calls of a phone by an agent or a campaign, in whatever letters its ID is written. */
	static identityOf({ callerIdField, callerId, to }: SentCall): string {
		return digest([callerIdField, callerId?.toLowerCase(), phoneOf(to)]);
	}

	/** The key of a call of an item: its identity and the hash of its phone. */
	static keyOfCall(itemIndex: number, call: SentCall): RequestKey {
		const phone = `${PHONE}${digest([phoneOf(call.to)])}`;
		return keyOf(itemIndex, SentRequests.identityOf(call), phone, phone);
	}

	/**
	 * The key of another request of an item: its identity and the hash of its body. The identity of a request to a number
	 * includes that; others may have one of their own.
	 */
	static key(itemIndex: number, { method, path, query, body, identity: own }: ServiceRequest): RequestKey {
		const to = body?.to;
		const request = digest([method, path, query, to ?? own]);
		return keyOf(itemIndex, request, to === undefined ? digest([body]) : '');
	}

	/**
	 * The outcome of a request that was sent before; undefined if it was not sent.
	 *
	 * Within a run the body is ignored: an expression in it, such as the current time, must not make it a different
	 * request in the next try. Across runs the body counts.
	 */
	recall({ identity, bodyHash, subject }: RequestKey): Sent | undefined {
		const inFailedRun = ({ entries }: StoredRun) => entries[identity]?.bodyHash === bodyHash;
		return (
			this.run.entries[identity] ??
			this.failedRuns.find(inFailedRun)?.entries[identity] ??
			this.unknownInAnotherRun(subject) ??
			this.unknownEarlier.get(bodyHash)
		);
	}

	private unknownInAnotherRun(subject: string): Sent | undefined {
		const senders = Object.entries(this.unknown[subject] ?? {});
		return senders.find(([sender]) => !sender.startsWith(this.sender))?.[1];
	}

	/** To be called before the request is sent: its outcome is unknown until it is set. */
	sending(key: RequestKey, { once, isTest }: Pick<Sent, 'once' | 'isTest'> = {}): void {
		this.store(key, { ...(once && { once }), ...(isTest !== undefined && { isTest }) });
		if (once) {
			this.setUnknown(key);
		}
	}

	/** The outcome of the request stays unknown, even if there was an answer: nobody can tell what it says. */
	setUnknown({ itemIndex, identity, subject }: RequestKey): void {
		const entry: Entry | undefined = this.run.entries[identity];
		delete entry?.answer;
		const isTest = entry?.isTest;
		(this.unknown[subject] ??= {})[this.senderOf(itemIndex)] = { isTest };
	}

	private setKnown({ itemIndex, subject }: RequestKey): void {
		const senders = this.unknown[subject] ?? {};
		delete senders[this.senderOf(itemIndex)];
		if (Object.keys(senders).length === 0) {
			delete this.unknown[subject];
		}
	}

	/** The node, the run and the item that send a request. */
	private senderOf(itemIndex: number): string {
		return `${this.sender}${itemIndex}`;
	}

	/** The service accepted the request. Stores only what {@link idsOf} keeps: n8n stores executions, and responses are long. */
	accepted(key: RequestKey, body: IDataObject): void {
		this.store(key, { answer: idsOf(body) });
		this.setKnown(key);
	}

	/** The service did not accept the request, so it may be sent again. */
	refused(key: RequestKey): void {
		delete this.run.entries[key.identity];
		this.setKnown(key);
	}

	/** The service refused the request, and the refusal is the result of the item. */
	refusedFinally(key: RequestKey, httpStatus: number, body: Record<string, unknown>): void {
		this.store(key, { refusal: { httpStatus, body: idsOf(body) } });
	}

	/** Stores a fact about an item for the next try, such as what was so before its first request. */
	mark(itemIndex: number, fact: string): void {
		this.store(SentRequests.markOf(itemIndex, fact), {});
	}

	/** Whether this try or an earlier one has stored a fact about an item. */
	isMarked(itemIndex: number, fact: string): boolean {
		return this.recall(SentRequests.markOf(itemIndex, fact)) !== undefined;
	}

	private static markOf(itemIndex: number, fact: string): RequestKey {
		return keyOf(itemIndex, digest(['mark', fact]), '');
	}

	private store({ identity, bodyHash }: RequestKey, sent: Sent): void {
		const { isTest, once } = this.run.entries[identity] ?? {};
		this.run.entries[identity] = {
			bodyHash,
			...(once && { once }),
			...(isTest !== undefined && { isTest }),
			...sent,
		};
	}

	/** Marks the run as failed, when the node throws: its requests then count for the next runs too. */
	markFailed(): void {
		this.run.failed = true;
	}

	/** To be called when n8n will not retry the node. Keeps the stored execution small, and what is unknown. */
	forget(): void {
		this.run.entries = {};
	}
}

/** @param subject that of the request, unless it is a phone */
function keyOf(itemIndex: number, request: string, bodyHash: string, subject = `${request}:${bodyHash}`): RequestKey {
	return { itemIndex, identity: `${itemIndex}:${request}`, bodyHash, subject };
}

/** The request of a stored identity, whichever item it is for. */
function requestIn(identity: string): string {
	return identity.slice(identity.indexOf(':') + 1);
}

/** The item of a stored identity. */
function itemIn(identity: string): number {
	return Number(identity.slice(0, identity.indexOf(':')));
}

function digest(parts: unknown[]): string {
	const text = JSON.stringify(parts);
	// `hash` is three times as fast. Node.js before 20.12 does not have it.
	return hash ? hash('sha256', text, 'base64url') : createHash('sha256').update(text).digest('base64url');
}

/** A copy with only IDs, `to`, by which a call is recognized, and `success`, which is all that some responses have. */
function idsOf(value: Record<string, unknown>): IDataObject {
	const ids: IDataObject = {};
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) {
			ids[key] = idsOf(inner);
		} else if (/^(to|success|(.*_)?(uu)?id)$/.test(key)) {
			ids[key] = inner as string | boolean;
		}
	}
	return ids;
}
