import type { CallerIdField } from '../operation/call';

/** The common values of a node's calls with one agent or campaign. */
export interface CallGroup {
	/** ID of the credential. */
	credential: string;
	/** Name of the node. */
	node: string;
	isTool: boolean;
	/** Undefined if the request does not name the caller. */
	ownerField: CallerIdField | undefined;
	/** ID of the agent or campaign, in lower case; empty if the request does not name it. */
	owner: string;
	isTest: boolean;
}

/** A call that an item requests. */
export interface WantedCall extends CallGroup {
	/** Index of the run of the node in the execution, which is the round of a loop. */
	run: number;
	/** The number to call, in E.164 if it can be read. */
	to: string;
	/** Index of the item. */
	item: number;
	/** Whether each item gets its own call, even with the same number. */
	isEachTime: boolean;
}

/** A call that was sent, or may have been. */
export interface BookedCall {
	readonly group: CallGroup;
	/** Index of the run of the node. */
	readonly run: number;
	/** Salted hash of the phone. */
	readonly phone: string;
	readonly item: number;
	/** When the phone can ring at the earliest, in whole seconds, as milliseconds since 1970. */
	readonly startsAt: number;
	/** ID of the call at the service; undefined while it is in flight, and if its outcome is unknown. */
	id?: string;
	/** Whether the campaign already had the call, so that no other call was queued. */
	isExisting?: true;
	/** Whether the execution that this execution retries has sent it. */
	isRetried: boolean;
	/** Whether this process waits for the response. */
	isInFlight: boolean;
	/** The item of this run to which a call of a retried execution was given back. */
	givenTo?: number;
	/** The number of the call in the text. */
	readonly index: number;
}

/** What the book knows about a requested call. */
export type Known =
	/** The item itself has sent the call; its outcome may be unknown. */
	| { is: 'own'; entry: BookedCall; valuesChanged: boolean }
	/** Another item, or another run of a tool, has sent the same call. */
	| { is: 'same'; entry: BookedCall }
	/** It is unknown whether another item, node or run has called the phone. */
	| { is: 'mayBeRinging'; entry: BookedCall };

export function isSameGroup(one: CallGroup, other: CallGroup): boolean {
	const isSameNode = one.node === other.node && one.isTool === other.isTool && one.credential === other.credential;
	return isSameNode && one.isTest === other.isTest && isSameOwner(one, other);
}

export function isSameOwner(one: CallGroup, other: CallGroup): boolean {
	return one.ownerField === other.ownerField && one.owner === other.owner;
}

/** Whether it is unknown if the call was placed. */
export function isUnknown({ id, isInFlight }: BookedCall): boolean {
	return id === undefined && !isInFlight;
}

export function runKey({ node, run }: Pick<WantedCall, 'node' | 'run'>): string {
	return JSON.stringify([node, run]);
}

export function itemKey({ node, run, item }: Pick<WantedCall, 'node' | 'run' | 'item'>): string {
	return `${item} ${run} ${node}`;
}

/** The values in the line of a call, besides its group. */
export interface SentLine {
	item: number;
	run: number;
	/** Hash of the phone. */
	phone: string;
	/** When the phone can ring, in seconds since 1970. */
	seconds: number;
}

/** Returns the line of a call. @param group the number of its group */
export function lineOf(group: number, { item, run, phone, seconds }: SentLine): string {
	return [group, item, phone, seconds, ...(run === 0 ? [] : [run])].map(inBase36).join('.');
}

/** Converts a number for a line; a text is returned unchanged. */
export function inBase36(value: number | string): string {
	return typeof value === 'number' ? value.toString(36) : value;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Returns a shorter text for an ID, without dots and line breaks. */
export function packed(id: string): string {
	return UUID.test(id)
		? `u${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
		: `t${Buffer.from(id).toString('base64url')}`;
}

/** Returns the ID of a {@link packed} text. */
export function unpacked(text: string): string {
	const bytes = Buffer.from(text.slice(1), 'base64url');
	return text[0] === 'u'
		? bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
		: bytes.toString();
}
