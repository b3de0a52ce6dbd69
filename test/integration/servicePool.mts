import type { SandboxOptions } from '../../sandbox/options.mts';
import { type Service, startService } from './service.mts';

/** Sandboxes for runs that mostly wait. Each run has one to itself; there are as many runs at a time as sandboxes. */
export class ServicePool {
	private readonly options: Partial<SandboxOptions>;
	private readonly free: Service[] = [];
	private readonly waiting: Array<(service: Service) => void> = [];
	private left: number;
	private starting: Promise<unknown> = Promise.resolve();

	constructor(size: number, options: Partial<SandboxOptions> = {}) {
		this.left = size;
		this.options = options;
	}

	/** Calls `work` with a fresh sandbox that no other run uses. */
	async use<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
		const service = await this.acquire();
		try {
			service.n8nUrl = undefined;
			await service.reset();
			return await work(service);
		} finally {
			const next = this.waiting.shift();
			if (next) {
				next(service);
			} else {
				this.free.push(service);
			}
		}
	}

	private async acquire(): Promise<Service> {
		const service = this.free.pop();
		if (service) {
			return service;
		}
		if (this.left > 0) {
			this.left--;
			// One start after the other: many at once would delay the requests of the runs before.
			const started = this.starting.then(async () => await startService(this.options));
			this.starting = started.catch(() => undefined);
			return await started;
		}
		return await new Promise((resolve) => this.waiting.push(resolve));
	}
}
