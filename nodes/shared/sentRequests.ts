import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { isRecord } from './errors';
import type { ServiceRequest } from './transport';

/**
 * What a run of the node has sent and must not send again.
 *
 * Retry On Fail runs the whole node once more with all items. Without this memory it would dial
 * everybody a second time. It lives in n8n's context of the node, which outlasts the tries; since it
 * outlasts the rounds of a loop too, it holds one round only, told by its run index.
 */
export class SentRequests {
	private readonly entries: Record<string, unknown>;

	/**
	 * @param context n8n's context of the node
	 * @param runIndex which run of the node in this execution, for a loop which round
	 */
	constructor(context: IDataObject, runIndex: number) {
		const kept = context.sentRequests;
		if (isRecord(kept) && kept.runIndex === runIndex && isRecord(kept.entries)) {
			this.entries = kept.entries;
			return;
		}
		this.entries = {};
		context.sentRequests = { runIndex, entries: this.entries } as IDataObject;
	}

	/** The name under which a request of an item is remembered. */
	static key(itemIndex: number, { method, path, query, body }: ServiceRequest): string {
		const digest = createHash('sha256')
			.update(JSON.stringify([method, path, query, body]))
			.digest('base64url');
		return `${itemIndex}:${digest}`;
	}

	/** The answer to a request that was sent before, or `unknown` when none came; undefined: not sent. */
	recall(key: string): IDataObject | 'unknown' | undefined {
		const entry = this.entries[key];
		return entry === 'unknown' || entry === undefined ? entry : (entry as IDataObject);
	}

	/** To be called before the request goes out: if nothing is heard of it again, it stays unknown. */
	sending(key: string): void {
		this.entries[key] = 'unknown';
	}

	/** The service took the request. Only ids are kept: executions are stored, and answers are long. */
	taken(key: string, body: IDataObject): void {
		this.entries[key] = idsOf(body);
	}

	/** The service certainly did not take the request, so that it may be sent again. */
	refused(key: string): void {
		delete this.entries[key];
	}
}

/** The same shape with nothing but ids. */
function idsOf(value: Record<string, unknown>): IDataObject {
	const kept: IDataObject = {};
	for (const [key, inner] of Object.entries(value)) {
		if (isRecord(inner)) kept[key] = idsOf(inner);
		else if (key === 'id' || key.endsWith('_id')) kept[key] = inner as string;
	}
	return kept;
}
