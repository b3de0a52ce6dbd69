import { createHash, hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import type { ServiceRequest } from '../../shared/service/request';

/** How many rounds of a loop, or simultaneous runs of a tool, are kept apart. */
const MOST_RUNS = 10;

/** The outcome of a request; with neither answer nor refusal it is unknown. */
export interface Sent {
	answer?: IDataObject;
	/** A refusal that counts as a result, such as that a call is queued already. */
	refusal?: { httpStatus: number; body: IDataObject };
}

/** What one run of the node has sent. */
interface Run {
	/** By the identity of a request: the digest of its body, and its outcome. */
	entries: Record<string, Sent & { said: string }>;
	/** The run ended in an error, so n8n may be about to try it again. */
	failed?: boolean;
}

/**
 * What a run of the node has sent and must not send again.
 *
 * Retry On Fail runs the whole node again with all items. Without this memory it would call everybody a second time.
 * It is kept in n8n's context of the node, which survives the tries. The context survives the rounds of a loop too, so
 * what was sent counts for one run index. Only a tool that is tried again gets another run index, which is why a failed
 * run counts for the next ones as well.
 */
export class SentRequests {
	private readonly runs: Record<string, Run>;

	private readonly run: Run;

	/** Earlier runs that ended in an error. */
	private readonly failed: Run[];

	/** Whether an earlier try sent something that counts for this one. */
	readonly hasEarlier: boolean;

	/**
	 * @param context n8n's context of the node
	 * @param runIndex which run of the node in this execution, for a loop which round
	 */
	constructor(context: IDataObject, runIndex: number) {
		if (!isRecord(context.sentRequests)) {
			context.sentRequests = {};
		}
		this.runs = context.sentRequests as unknown as Record<string, Run>;
		for (const index of Object.keys(this.runs)) {
			if (Number(index) <= runIndex - MOST_RUNS) {
				delete this.runs[index];
			}
		}
		this.run = this.runs[runIndex] ??= { entries: {} };
		delete this.run.failed;
		this.failed = Object.values(this.runs).filter(({ failed }) => failed);
		this.hasEarlier = [this.run, ...this.failed].some(({ entries }) => Object.keys(entries).length > 0);
	}

	/**
	 * The key of a request of an item: its identity, then the digest of its body. The identity of a call is its number.
	 */
	static key(itemIndex: number, { method, path, query, body }: ServiceRequest): string {
		const to = body?.to;
		const what = digest([method, path, query, to]);
		return `${itemIndex}:${what}:${to === undefined ? digest([body]) : ''}`;
	}

	/**
	 * The outcome of a request that was sent before; undefined: not sent.
	 *
	 * Within a run the body does not count: an expression in it, such as the time, must not make it another request at
	 * the next try. In another run it does.
	 */
	recall(key: string): Sent | undefined {
		const [what, said] = parts(key);
		const others = this.failed.map(({ entries }) => entries[what]);
		return this.run.entries[what] ?? others.find((entry) => entry?.said === said);
	}

	/** To be called before the request is sent: without an answer its outcome stays unknown. */
	sending(key: string): void {
		this.keep(key, {});
	}

	/** The service accepted the request. Only IDs are kept: executions are stored, and answers are long. */
	accepted(key: string, body: IDataObject): void {
		this.keep(key, { answer: idsOf(body) });
	}

	/** The service certainly did not accept the request, so it may be sent again. */
	refused(key: string): void {
		const [what] = parts(key);
		delete this.run.entries[what];
	}

	/** The service refused the request, and the refusal is the item's result. */
	refusedFinally(key: string, httpStatus: number, body: Record<string, unknown>): void {
		this.keep(key, { refusal: { httpStatus, body: idsOf(body) } });
	}

	private keep(key: string, sent: Sent): void {
		const [what, said] = parts(key);
		this.run.entries[what] = { said, ...sent };
	}

	/** To be called when the node throws: what it sent then counts for the next runs too. */
	keepForNextTry(): void {
		this.run.failed = true;
	}

	/** To be called when n8n has no reason to run the node again: keeps the stored execution small. */
	forget(): void {
		this.run.entries = {};
	}
}

/** The identity of a request, and the digest of its body. */
function parts(key: string): [what: string, said: string] {
	const end = key.lastIndexOf(':');
	return [key.slice(0, end), key.slice(end + 1)];
}

function digest(parts: unknown[]): string {
	const text = JSON.stringify(parts);
	// `hash` takes a third of the time. Node.js before 20.12 does not have it.
	return hash ? hash('sha256', text, 'base64url') : createHash('sha256').update(text).digest('base64url');
}

/** The same shape with nothing but IDs, and `success`: some answers have nothing else. */
function idsOf(value: Record<string, unknown>): IDataObject {
	const kept: IDataObject = {};
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) {
			kept[key] = idsOf(inner);
		} else if (key === 'id' || key === 'success' || key.endsWith('_id')) {
			kept[key] = inner as string | boolean;
		}
	}
	return kept;
}
