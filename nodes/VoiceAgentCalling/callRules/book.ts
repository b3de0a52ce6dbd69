import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { sha256 } from '../../shared/lib/text';
import { utcDay } from '../../shared/lib/time';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import {
	type BookedCall,
	type CallGroup,
	inBase36,
	isSameGroup,
	isSameOwner,
	isUnknown,
	itemKey,
	type Known,
	lineOf,
	packed,
	runKey,
	type SentLine,
	unpacked,
	type WantedCall,
} from './bookEntries';

/** The property of n8n's context of the execution that holds the book. */
const KEY = 'voiceAgentCalls';

/** With fewer lines about refused calls, the text is not rewritten. */
const MIN_REFUSED = 100;

/** The numbers of calls: all calls, the calls of tools, and the real calls that start on each day. */
interface Counts {
	all: number;
	byTools: number;
	/** By the day on which they start, in UTC. */
	realByDay: Map<string, number>;
}

/**
 * Records which phones an execution has called, or may have called. The book is one text in n8n's context of the
 * execution: all nodes, tools, attempts and rounds share it, n8n stores it with the execution, and a Retry gets a copy.
 * It is a text because an object for each call would slow down every later node.
 *
 * The text is a list of lines; numbers are in base 36:
 *
 * | Line | Meaning |
 * |---|---|
 * | `#salt` | the salt of the hashes |
 * | `@id` | the following calls are of the execution with this ID |
 * | `=[...]` | a group, as JSON; the first one has the number 0 |
 * | `group.item.phone.seconds.run` | a call, before it is sent; the first one has the number 0. Without `.run` it is 0 |
 * | `+call.id` | the service has accepted the call |
 * | `~call.id` | the campaign had this call before |
 * | `-call` | the service has refused the call |
 * | `![...]` | a run of a tool, as JSON, that ended in an error |
 */
export class CallBook {
	private readonly flow: IDataObject;

	private text = '';

	private salt = '';

	private readonly groups: CallGroup[] = [];

	private readonly groupNumbers = new Map<string, number>();

	/** By the number of the call in the text; undefined for a refused call. */
	private readonly calls: Array<BookedCall | undefined> = [];

	private readonly callsByPhone = new Map<string, BookedCall[]>();

	private readonly callsByItem = new Map<string, BookedCall[]>();

	/** The numbers of calls that count, by credential. */
	private readonly counts = new Map<string, Counts>();

	private readonly failedRuns = new Set<string>();

	/** The requests that this process waits for, by phone. */
	private readonly flights = new Map<string, Promise<void>>();

	private refused = 0;

	private last: { to: string; phone: string } | undefined;

	/** The number of the group of the last call. */
	private lastGroup = -1;

	private constructor(flow: IDataObject, executionId: string) {
		this.flow = flow;
		const stored = flow[KEY];
		if (stored !== undefined && typeof stored !== 'string') {
			throw new Error('not a book');
		}
		this.text = stored ?? '';
		let execution: string | undefined;
		for (const line of this.text === '' ? [] : this.text.split('\n')) {
			execution = line.startsWith('@') ? line.slice(1) : execution;
			this.readLine(line, execution !== executionId);
		}
		if (this.salt === '') {
			this.salt = randomBytes(6).toString('base64url');
			this.append(`#${this.salt}`);
		}
		if (execution !== executionId) {
			this.append(`@${executionId}`);
		}
	}

	/**
	 * Returns the book of an execution.
	 *
	 * @param flow n8n's context of the execution
	 * @throws ServiceError if it cannot be read: then nobody may be called
	 */
	static of(flow: IDataObject, executionId: string): CallBook {
		const known = books.get(flow);
		if (known !== undefined && known.text === flow[KEY]) {
			return known;
		}
		try {
			const book = new CallBook(flow, executionId);
			books.set(flow, book);
			return book;
		} catch {
			const message = 'Nothing was sent: the record of the calls in this execution cannot be read';
			throw invalid(message, 'Start a new execution with the people whom this execution has not called.');
		}
	}

	/**
	 * Returns what the book knows about a call; undefined if the call may be sent. Wait for {@link CallBook.flightTo}
	 * first.
	 *
	 * - A node calls a phone once per run, whichever agent, campaign or credential calls. An item that has called gets its
	 *   call back, whatever its values are now.
	 * - A tool calls a phone once per execution, for whichever item.
	 * - An unknown call blocks its phone for everybody.
	 */
	find(call: WantedCall): Known | undefined {
		const phone = this.phoneOf(call.to);
		const own = call.isTool ? undefined : this.ownOf(call, phone);
		if (own !== undefined) {
			const valuesChanged = own.phone !== phone || !isSameOwner(own.group, call);
			return { is: 'own', entry: own, valuesChanged };
		}
		const entries = (this.callsByPhone.get(phone) ?? []).filter(({ isInFlight }) => !isInFlight);
		const same = entries.find((entry) => this.isSameCall(entry, call));
		if (same?.isRetried && !call.isTool) {
			same.givenTo ??= call.item;
		}
		// Another call of a tool to the same number is the same call.
		if (same !== undefined && (this.isOfItem(same, call) || (call.isTool && isUnknown(same)))) {
			return { is: 'own', entry: same, valuesChanged: false };
		}
		const unknown = entries.find(isUnknown);
		if (unknown !== undefined) {
			return { is: 'mayBeRinging', entry: unknown };
		}
		return same && { is: 'same', entry: same };
	}

	/** Returns the call that an earlier attempt of this execution has sent for an item of a node, if any. */
	ownOf(call: Pick<WantedCall, 'node' | 'run' | 'item'>, phone?: string): BookedCall | undefined {
		const sent = (this.callsByItem.get(itemKey(call)) ?? []).filter(({ isRetried }) => !isRetried);
		return sent.find((entry) => entry.phone === phone) ?? sent[0];
	}

	/**
	 * Whether this execution has sent a call for an item of a node, or the execution that a Retry repeats has sent one for
	 * it to the same phone.
	 *
	 * @param to the number that the item has now
	 */
	hasCalledFor(item: Pick<WantedCall, 'node' | 'run' | 'item'>, to: string | undefined): boolean {
		const phone = to === undefined ? undefined : this.phoneOf(to);
		const entries = this.callsByItem.get(itemKey(item)) ?? [];
		return entries.some((entry) => !entry.isRetried || entry.phone === phone);
	}

	private isSameCall(entry: BookedCall, call: WantedCall): boolean {
		const { group, phone, item, run, isRetried, givenTo = call.item } = entry;
		// A Retry places no test call to somebody whom the first execution really called.
		const isSameKind = group.isTest === call.isTest || (isRetried && !group.isTest);
		const isSamePhone = phone === this.phoneOf(call.to) && group.isTool === call.isTool && isSameKind;
		// An existing call is looked up anew, because the item or the model may want another treatment now.
		if (!isSamePhone || (entry.isExisting && (isRetried || call.isTool))) {
			return false;
		}
		if (call.isTool && !call.isEachTime) {
			return true;
		}
		// What a campaign had before says nothing about another campaign.
		const isSameCaller = !entry.isExisting || isSameOwner(group, call);
		// An AI Agent can give its second attempt another run index.
		const isSameRun = run === call.run || (call.isTool && this.failedRuns.has(runKey({ node: group.node, run })));
		// After n8n's Retry the items may differ, so each call is given back once.
		const isSameItem = isRetried && !call.isTool ? givenTo === call.item : item === call.item;
		return isSameCaller && group.node === call.node && isSameRun && (!call.isEachTime || isSameItem);
	}

	private isOfItem({ group, run, item, isRetried, givenTo }: BookedCall, call: WantedCall): boolean {
		return group.node === call.node && run === call.run && (isRetried ? givenTo : item) === call.item;
	}

	/** Returns a promise that settles when the request to the phone has ended; undefined without a request in flight. */
	flightTo(to: string): Promise<void> | undefined {
		return this.flights.get(this.phoneOf(to));
	}

	/** Keeps others from calling a phone until the returned function is called. */
	claim(to: string): () => void {
		const phone = this.phoneOf(to);
		let settle = () => {};
		this.flights.set(
			phone,
			new Promise((resolve) => {
				settle = resolve;
			}),
		);
		return () => {
			this.flights.delete(phone);
			settle();
		};
	}

	/** Records a call, right before it is sent. @param startsAt in milliseconds since 1970 */
	add(call: WantedCall, startsAt: number): BookedCall {
		const number = this.groupNumber(call);
		const { item, run, to } = call;
		const sent = { item, run, phone: this.phoneOf(to), seconds: Math.floor(startsAt / 1000) };
		const entry = this.keep(number, sent, false);
		entry.isInFlight = true;
		this.append(lineOf(number, sent));
		return entry;
	}

	/** Records that the service has accepted a call. @param id of the call */
	accept(entry: BookedCall, id: string): void {
		entry.id = id;
		entry.isInFlight = false;
		this.append(`+${inBase36(entry.index)}.${packed(id)}`);
	}

	/** Records that the campaign already had a call to the phone. @param id of that call */
	addExisting(call: WantedCall, id: string): void {
		const entry = this.add(call, Date.now());
		entry.id = id;
		entry.isInFlight = false;
		this.setExisting(entry);
		this.append(`~${inBase36(entry.index)}.${packed(id)}`);
	}

	/** Removes a call that the service has certainly not accepted. */
	refuse(entry: BookedCall): void {
		this.remove(entry);
		this.append(`-${inBase36(entry.index)}`);
	}

	/** Records that it is unknown whether the call was placed. */
	markUnknown(entry: BookedCall): void {
		entry.isInFlight = false;
		entry.id = undefined;
	}

	/** Records that a run of a tool has ended in an error: the AI agent may repeat it with another run index. */
	setFailed(failed: Pick<WantedCall, 'node' | 'run'>): void {
		const isOfTool = this.groups.some(({ isTool, node }) => isTool && node === failed.node);
		if (isOfTool && !this.failedRuns.has(runKey(failed))) {
			this.failedRuns.add(runKey(failed));
			this.append(`!${runKey(failed)}`);
		}
	}

	/** Whether the book is without any call. */
	get isEmpty(): boolean {
		return this.calls.length === 0;
	}

	/** Counts the calls that were, or may have been, sent with a credential. @param byTools counts only calls of tools */
	count(credential: string, byTools = false): number {
		const counts = this.counts.get(credential);
		return (byTools ? counts?.byTools : counts?.all) ?? 0;
	}

	/** Counts the real calls with a credential that start on a day. @param day in UTC, such as 2026-11-29 */
	realCallsOn(credential: string, day: string): number {
		return this.counts.get(credential)?.realByDay.get(day) ?? 0;
	}

	/**
	 * Returns the calls that were, or may have been, sent with a credential.
	 *
	 * @param to limits them to this number's phone
	 */
	callsWith(credential: string, to?: string): BookedCall[] {
		const calls = to === undefined ? this.calls : this.callsByPhone.get(this.phoneOf(to));
		return (calls ?? []).filter(
			(call): call is BookedCall => call !== undefined && !call.isExisting && call.group.credential === credential,
		);
	}

	/** Returns the salted hash that stands for a phone in this book. */
	phoneOf(to: string): string {
		// Called several times in a row for the same number.
		if (this.last?.to !== to) {
			this.last = { to, phone: sha256(`${this.salt}${phoneOf(to)}`).slice(0, 10) };
		}
		return this.last.phone;
	}

	/** Called when a run ends: rewrites the text if most of its lines are about refused calls. */
	tidy(): void {
		// A parallel run of a tool may still hold an entry whose number would change.
		const isTidy =
			this.refused < MIN_REFUSED ||
			this.refused <= this.calls.length / 2 ||
			this.calls.some((call) => call?.isInFlight);
		if (!isTidy) {
			this.rewrite();
		}
	}

	private rewrite(): void {
		const entries = this.calls.filter((call) => call !== undefined);
		const executions = this.text.split('\n').filter((line) => line.startsWith('@'));
		this.calls.length = 0;
		this.groups.length = 0;
		this.groupNumbers.clear();
		this.callsByPhone.clear();
		this.callsByItem.clear();
		this.counts.clear();
		this.refused = 0;
		this.text = '';
		this.append(`#${this.salt}`);
		for (const run of this.failedRuns) {
			this.append(`!${run}`);
		}
		const add = ({ item, run, phone, startsAt, id, isExisting, isRetried, group, givenTo }: BookedCall) => {
			const number = this.groupNumber(group);
			const sent = { item, run, phone, seconds: Math.floor(startsAt / 1000) };
			const kept = this.keep(number, sent, isRetried);
			Object.assign(kept, { id, givenTo });
			this.append(lineOf(number, sent));
			if (isExisting) {
				this.setExisting(kept);
			}
			if (id !== undefined) {
				this.append(`${isExisting ? '~' : '+'}${inBase36(kept.index)}.${packed(id)}`);
			}
		};
		// Calls before the first marker belong to another execution.
		entries.filter(({ isRetried }) => isRetried).forEach(add);
		this.append(executions.at(-1) ?? '@');
		entries.filter(({ isRetried }) => !isRetried).forEach(add);
	}

	private readLine(line: string, isRetried: boolean): void {
		const rest = line.slice(1);
		const [number, text = ''] = rest.split('.');
		const call = this.calls[Number.parseInt(number, 36)];
		switch (line[0]) {
			case '@':
				return;
			case '#':
				this.salt = rest;
				return;
			case '=':
				this.keepGroup(JSON.parse(rest));
				return;
			case '!':
				this.failedRuns.add(rest);
				return;
			case '-':
				this.remove(existing(call));
				return;
			case '+':
			case '~':
				existing(call).id = unpacked(text);
				if (line[0] === '~') {
					this.setExisting(existing(call));
				}
				return;
			default: {
				const [group, item, phone = '', seconds, run = '0'] = line.split('.');
				const [of, ...numbers] = [group, item, seconds, run].map((part) => Number.parseInt(part, 36));
				if (this.groups[of] === undefined || numbers.some(Number.isNaN)) {
					throw new Error('not a line of the book');
				}
				const [itemNumber, second, runNumber] = numbers;
				this.keep(of, { item: itemNumber, phone, seconds: second, run: runNumber }, isRetried);
			}
		}
	}

	private keep(number: number, { item, run, phone, seconds }: SentLine, isRetried: boolean): BookedCall {
		const group = this.groups[number];
		const startsAt = seconds * 1000;
		const index = this.calls.length;
		const entry: BookedCall = { group, run, phone, item, startsAt, isRetried, isInFlight: false, index };
		this.calls.push(entry);
		addTo(this.callsByPhone, phone, entry);
		addTo(this.callsByItem, itemKey({ node: group.node, run, item }), entry);
		this.changeCount(entry, 1);
		return entry;
	}

	private remove(entry: BookedCall): void {
		this.calls[entry.index] = undefined;
		removeFrom(this.callsByPhone, entry.phone, entry);
		removeFrom(this.callsByItem, itemKey({ ...entry, node: entry.group.node }), entry);
		this.changeCount(entry, -1);
		this.refused++;
	}

	private setExisting(entry: BookedCall): void {
		entry.isExisting = true;
		this.changeCount(entry, -1);
	}

	private changeCount({ group: { credential, isTool, isTest }, startsAt }: BookedCall, change: 1 | -1): void {
		const counts = this.counts.get(credential) ?? { all: 0, byTools: 0, realByDay: new Map() };
		this.counts.set(credential, counts);
		counts.all += change;
		counts.byTools += isTool ? change : 0;
		if (!isTest) {
			const day = utcDay(startsAt);
			counts.realByDay.set(day, (counts.realByDay.get(day) ?? 0) + change);
		}
	}

	private groupNumber(call: CallGroup): number {
		// Usually the group of the previous call.
		const last = this.groups[this.lastGroup];
		if (last !== undefined && isSameGroup(last, call)) {
			return this.lastGroup;
		}
		const parts = groupOf(call);
		const json = JSON.stringify(parts);
		const known = this.groupNumbers.get(json);
		if (known === undefined) {
			this.append(`=${json}`);
		}
		this.lastGroup = known ?? this.keepGroup(parts);
		return this.lastGroup;
	}

	private keepGroup(parts: ReturnType<typeof groupOf>): number {
		const [credential, node, isTool, ownerField, owner, isTest] = parts;
		this.groupNumbers.set(JSON.stringify(parts), this.groups.length);
		return (
			this.groups.push({
				credential,
				node,
				isTool: isTool === 1,
				ownerField: ownerField ?? undefined,
				owner,
				isTest: isTest === 1,
			}) - 1
		);
	}

	private append(line: string): void {
		this.text = this.text === '' ? line : `${this.text}\n${line}`;
		this.flow[KEY] = this.text;
	}
}

/** The books that this process has read, by n8n's context of their execution. */
const books = new WeakMap<IDataObject, CallBook>();

function groupOf({ credential, node, isTool, ownerField, owner, isTest }: CallGroup) {
	return [credential, node, isTool ? 1 : 0, ownerField ?? null, owner, isTest ? 1 : 0] as const;
}

/** @throws Error for a line about a call that is not in the book */
function existing(call: BookedCall | undefined): BookedCall {
	if (call === undefined) {
		throw new Error('not a line of the book');
	}
	return call;
}

function addTo(map: Map<string, BookedCall[]>, key: string, entry: BookedCall): void {
	const entries = map.get(key);
	if (entries === undefined) {
		map.set(key, [entry]);
	} else {
		entries.push(entry);
	}
}

function removeFrom(map: Map<string, BookedCall[]>, key: string, entry: BookedCall): void {
	const entries = map.get(key) ?? [];
	entries.splice(entries.indexOf(entry), 1);
}
