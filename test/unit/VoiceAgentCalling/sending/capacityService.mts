import type { AnsweringService } from './modelService.mts';

/** What a service does with a request that it begins to process. */
export interface Processing {
	/** How long it takes, in milliseconds. */
	ms: number;
	/** By default 200. */
	status?: number;
}

/** How a service copes with requests. */
export interface Capacity {
	/** How many requests it processes at the same time; the others wait in a queue. */
	workers: number;
	/**
	 * @param elapsed milliseconds since the service started
	 * @param inFlight how many requests it has, with this one and those in the queue
	 */
	process(elapsed: number, inFlight: number): Processing;
}

/** A service that has no rate limit but a capacity, on jest's fake clock. */
export class CapacityService implements AnsweringService {
	answered = 0;
	/** Requests with another status than 200. */
	rejected = 0;
	mostInFlight = 0;
	/** The number of requests in flight when each request came. */
	readonly inFlightAt: Array<{ elapsed: number; inFlight: number }> = [];
	private readonly capacity: Capacity;
	private readonly startedAt = Date.now();
	private inFlight = 0;
	private busy = 0;
	private readonly queue: Array<() => void> = [];

	constructor(capacity: Capacity) {
		this.capacity = capacity;
	}

	async answer({ url }: { url: string }): ReturnType<AnsweringService['answer']> {
		this.inFlight++;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		this.inFlightAt.push({ elapsed: Date.now() - this.startedAt, inFlight: this.inFlight });
		if (this.busy >= this.capacity.workers) {
			await new Promise<void>((resolve) => this.queue.push(resolve));
		}
		this.busy++;
		const { ms, status = 200 } = this.capacity.process(Date.now() - this.startedAt, this.inFlight);
		await new Promise((resolve) => setTimeout(resolve, ms));
		this.busy--;
		this.queue.shift()?.();
		this.inFlight--;
		if (status === 200) {
			this.answered++;
			return { statusCode: 200, headers: {}, body: { id: url.slice(url.lastIndexOf('/') + 1) } };
		}
		this.rejected++;
		return { statusCode: status, headers: {}, body: { message: 'Not now' } };
	}
}
