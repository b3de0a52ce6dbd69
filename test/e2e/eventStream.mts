import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../scripts/lib/editor.mts';
import { until } from '../../scripts/lib/process.mts';
import { comes } from './eventually.mts';
import { storedEvent } from './executionData.mts';
import type { Instance } from './instance.mts';

/** The maximum of events in flight; more would only queue. */
export const MOST_UNDERWAY = 8;

/** How many executions are read at the same time: n8n has few connections to its database. */
const READERS = 4;

/** The deliveries of an event so far. */
export interface Fate {
	/** How often it is delivered, each time until it is acknowledged. */
	copies: number;
	acknowledged: number;
	/** How each attempt ended: the status of its answer, or why none came. */
	answers: string[];
}

/** How many attempts may have been taken although no answer came. */
export function unansweredOf({ answers }: Fate): number {
	return answers.filter((answer) => !/^\d+$/.test(answer) && answer !== 'ECONNREFUSED').length;
}

/** Events that the sandbox delivers to one webhook with retries. */
export class EventStream {
	private readonly n8n: Instance;
	private readonly webhookId: string;
	/** How often each event is delivered, by its id. */
	private readonly copies = new Map<string, number>();
	private stopped = false;

	constructor(n8n: Instance, webhookId: string) {
		this.n8n = n8n;
		this.webhookId = webhookId;
	}

	/** Sends one event, with the same bytes as often as asked for, all at once. */
	async sendOne(copies = 1): Promise<void> {
		const body = { webhookId: this.webhookId, event: 'campaign_call.completed', times: copies, retries: true };
		const { data } = await this.n8n.service.post<{ id: string }>('/_sandbox/deliver', body);
		this.copies.set(data.id, copies);
	}

	/** Sends one event after the other, until there are so many or it is stopped. */
	async send(count: number, copies: () => number = () => 1): Promise<void> {
		for (let sent = 0; sent < count && !this.stopped; await sleep(50)) {
			const open = (await this.open()).length;
			for (const last = Math.min(count, sent + MOST_UNDERWAY - open); sent < last; sent++) {
				await this.sendOne(copies());
			}
		}
	}

	stop(): void {
		this.stopped = true;
	}

	/** The deliveries of each event, by its ID. */
	async fates(): Promise<Map<string, Fate>> {
		const none = (copies: number): Fate => ({ copies, acknowledged: 0, answers: [] });
		const fates = new Map([...this.copies].map(([id, copies]) => [id, none(copies)]));
		for (const { webhook_id, delivery_id, status, error } of await this.n8n.sandbox.deliveries()) {
			const fate = webhook_id === this.webhookId ? fates.get(delivery_id) : undefined;
			if (!fate) {
				continue;
			}
			fate.answers.push(String(status ?? error ?? 'none'));
			if (status === 200) {
				fate.acknowledged++;
			}
		}
		return fates;
	}

	/** The IDs of the events in flight. */
	async open(): Promise<string[]> {
		return [...(await this.fates())].filter(([, { copies, acknowledged }]) => acknowledged < copies).map(([id]) => id);
	}

	/** Does something while events are in flight; returns the IDs of all that were in flight meanwhile. */
	async during(work: () => Promise<unknown>): Promise<Set<string>> {
		const some = async () => {
			const ids = await this.open();
			return ids.length > 0 ? ids : undefined;
		};
		const otherwise = () => new Error('No event is on its way');
		const open = new Set(await until(some, { seconds: 60, every: 10, otherwise }));
		const before = new Set(this.copies.keys());
		await work();
		return new Set([...this.copies.keys()].filter((id) => open.has(id) || !before.has(id)));
	}

	/** Waits until so many events have arrived. */
	async arrived(count: number, seconds: number): Promise<void> {
		await comes(async () => this.copies.size - (await this.open()).length >= count, `${count} events`, seconds);
	}

	/** Waits until the maximum of events is in flight: without acknowledgements, no event is sent from then on. */
	async full(seconds: number): Promise<void> {
		await comes(async () => (await this.open()).length >= MOST_UNDERWAY, 'as many events in flight as can be', seconds);
	}

	/** Delivers everything that waits for its next attempt; returns the deliveries once all events have arrived. */
	async settle(): Promise<Map<string, Fate>> {
		const isSettled = async () => {
			await this.n8n.advance(3000);
			return (await this.open()).length === 0;
		};
		await comes(isSettled, 'the arrival of all events', 60);
		return await this.fates();
	}
}

/** Executions by the ID of the event that started each; those without a stored event are under ''. */
export async function executionsByEvent(n8n: Instance, executions: Execution[]): Promise<Map<string, Execution[]>> {
	const byEvent = new Map<string, Execution[]>();
	await inParallel(executions, async (execution) => {
		const id = String((await storedEvent(n8n.editor, execution.id, 'Events'))?.id ?? '');
		byEvent.set(id, [...(byEvent.get(id) ?? []), execution]);
	});
	return byEvent;
}

/** Does something with each of many, a few at a time. */
export async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < all.length; index = next++) {
			results[index] = await work(all[index]!);
		}
	};
	await Promise.all(Array.from({ length: READERS }, worker));
	return results;
}

/** How often each value occurs. */
export function tally(values: ReadonlyArray<string | number>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) {
		counts[value] = (counts[value] ?? 0) + 1;
	}
	return counts;
}

/** Retries an execution as the button in the list does; returns the new execution once it is over. */
export async function retry(n8n: Instance, executionId: string): Promise<Execution> {
	const path = `/rest/executions/${executionId}/retry`;
	const retried = await n8n.editor.request<{ id?: string }>('POST', path, { loadWorkflow: false });
	return await comes(async () => {
		// An older n8n answers without the new execution, and notes it with the old one.
		const id = retried.id ?? (await n8n.editor.execution(executionId)).retrySuccessId;
		const execution = id ? await n8n.editor.execution(id) : undefined;
		return execution && !['new', 'running'].includes(execution.status) && execution;
	}, `the end of the retry of ${executionId}`);
}
