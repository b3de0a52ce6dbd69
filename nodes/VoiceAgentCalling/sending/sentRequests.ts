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

/** What is stored of one run of the node. */
interface StoredRun {
	/** By the identity of a request. */
	entries: Record<string, Entry>;
	/** The run ended in an error, so n8n may retry it. */
	failed?: boolean;
}

/**
 * The requests that a run of the node has sent and must not send again.
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
 * | any of these, and the outcome is unknown | any | the same request of any item; of a call, one to the same phone, whoever calls |
 */
export class SentRequests {
	private readonly runs: Record<string, StoredRun>;

	private readonly runIndex: number;

	private readonly run: StoredRun;

	/** The requests without a known outcome, by {@link subjectOf}, then by the run and item that sent them. */
	private readonly unknown: Record<string, Record<string, Pick<Sent, 'isTest'>>>;

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
	 */
	constructor(context: IDataObject, runIndex: number, executionId?: string) {
		if (!isRecord(context.sentRequests)) {
			context.sentRequests = {};
		}
		this.runs = context.sentRequests as unknown as Record<string, StoredRun>;
		this.runIndex = runIndex;
		this.unknown = (context.unknownRequests ??= {}) as unknown as SentRequests['unknown'];
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
			const unknown = entry.retried ? undefined : this.unknown[entry.bodyHash]?.[this.senderOf(identity)];
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

	/** The same text for all calls of a phone by an agent or a campaign. */
	static identityOf({ callerIdField, callerId, to }: SentCall): string {
		return digest([callerIdField, callerId, phoneOf(to)]);
	}

	/** The key of a call of an item: its identity and the hash of its phone. */
	static keyOfCall(itemIndex: number, call: SentCall): string {
		return `${itemIndex}:${SentRequests.identityOf(call)}:${PHONE}${digest([phoneOf(call.to)])}`;
	}

	/**
	 * The key of another request of an item: its identity and the hash of its body. The identity of a request to a number
	 * includes that; others may have one of their own.
	 */
	static key(itemIndex: number, { method, path, query, body, identity: own }: ServiceRequest): string {
		const to = body?.to;
		const identity = digest([method, path, query, to ?? own]);
		return `${itemIndex}:${identity}:${to === undefined ? digest([body]) : ''}`;
	}

	/**
	 * The outcome of a request that was sent before; undefined if it was not sent.
	 *
	 * Within a run the body is ignored: an expression in it, such as the current time, must not make it a different
	 * request in the next try. Across runs the body counts.
	 */
	recall(key: string): Sent | undefined {
		const [identity, bodyHash] = parts(key);
		const others = this.failedRuns.map(({ entries }) => entries[identity]);
		return (
			this.run.entries[identity] ??
			others.find((entry) => entry?.bodyHash === bodyHash) ??
			this.unknownInAnotherRun(key) ??
			this.unknownEarlier.get(bodyHash)
		);
	}

	private unknownInAnotherRun(key: string): Sent | undefined {
		const senders = Object.entries(this.unknown[subjectOf(key)] ?? {});
		return senders.find(([sender]) => !sender.startsWith(`${this.runIndex}:`))?.[1];
	}

	/** To be called before the request is sent: its outcome is unknown until it is set. */
	sending(key: string, { once, isTest }: Pick<Sent, 'once' | 'isTest'> = {}): void {
		this.store(key, { ...(once && { once }), ...(isTest !== undefined && { isTest }) });
		if (once) {
			this.setUnknown(key);
		}
	}

	/** The outcome of the request stays unknown, even if there was an answer: nobody can tell what it says. */
	setUnknown(key: string): void {
		const [identity] = parts(key);
		const { isTest } = this.run.entries[identity] ?? {};
		(this.unknown[subjectOf(key)] ??= {})[this.senderOf(key)] = { isTest };
	}

	private setKnown(key: string): void {
		const senders = this.unknown[subjectOf(key)] ?? {};
		delete senders[this.senderOf(key)];
		if (Object.keys(senders).length === 0) {
			delete this.unknown[subjectOf(key)];
		}
	}

	/** The run and the item that send a request. */
	private senderOf(key: string): string {
		return `${this.runIndex}:${itemIn(key)}`;
	}

	/** The service accepted the request. Stores only the IDs: n8n stores executions, and responses are long. */
	accepted(key: string, body: IDataObject): void {
		this.store(key, { answer: idsOf(body) });
		this.setKnown(key);
	}

	/** The service did not accept the request, so it may be sent again. */
	refused(key: string): void {
		const [identity] = parts(key);
		delete this.run.entries[identity];
		this.setKnown(key);
	}

	/** The service refused the request, and the refusal is the result of the item. */
	refusedFinally(key: string, httpStatus: number, body: Record<string, unknown>): void {
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

	private static markOf(itemIndex: number, fact: string): string {
		return `${itemIndex}:${digest(['mark', fact])}:`;
	}

	private store(key: string, sent: Sent): void {
		const [identity, bodyHash] = parts(key);
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

/** Splits a key into the identity of a request and the hash of its body. */
function parts(key: string): [identity: string, bodyHash: string] {
	const end = key.lastIndexOf(':');
	return [key.slice(0, end), key.slice(end + 1)];
}

/** The request of a key, whichever item it is for. */
function requestIn(key: string): string {
	return key.slice(key.indexOf(':') + 1);
}

/** What is not requested again while its outcome is unknown: the phone of a call, otherwise the request of a key. */
function subjectOf(key: string): string {
	const [, bodyHash] = parts(key);
	return bodyHash.startsWith(PHONE) ? bodyHash : requestIn(key);
}

/** The item of a key. */
function itemIn(key: string): number {
	return Number(key.slice(0, key.indexOf(':')));
}

function digest(parts: unknown[]): string {
	const text = JSON.stringify(parts);
	// `hash` is three times as fast. Node.js before 20.12 does not have it.
	return hash ? hash('sha256', text, 'base64url') : createHash('sha256').update(text).digest('base64url');
}

/** A copy with only the IDs and `success`, which is all that some responses have. */
function idsOf(value: Record<string, unknown>): IDataObject {
	const ids: IDataObject = {};
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) {
			ids[key] = idsOf(inner);
		} else if (key === 'id' || key === 'success' || key.endsWith('_id')) {
			ids[key] = inner as string | boolean;
		}
	}
	return ids;
}
