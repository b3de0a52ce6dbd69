import { setTimeout as sleep } from 'node:timers/promises';

import { harness } from '../harness.mts';
import type { Service } from '../service.mts';

const DAY_MS = 86_400_000;
const TEN_O_CLOCK_MS = 10 * 3_600_000;

/** How far the clocks jump while something runs; for a wait farther and farther, up to the longest. */
const JUMP_S = 1;
const LONGEST_JUMP_S = 900;
const GROWTH = 1.1;

/** How far the clock of the service is ahead when time begins to pass. */
const FIRST_TURN_S = 10;

/** How far the clock of the service may be behind while something runs. */
const BEHIND_S = 20;

/**
 * How many milliseconds the engine's clock is ahead; that of the test file stays as it is. It is not set back after each
 * history: the processes of the next one have the memory of this one.
 */
let ahead = 0;

/** Sets all clocks to the real time again. The processes that ran in the time until then must run no more. */
export function restoreClock(): void {
	ahead = 0;
	harness.restoreTime();
}

/** The clock of a history, which the service, n8n and the nodes share. */
export class Clock {
	private readonly service: Service;

	private constructor(service: Service) {
		this.service = service;
	}

	/** Resets the service. Each history begins at the same time of a day, so that midnight comes at the same step. */
	static async start(service: Service): Promise<Clock> {
		const clock = new Clock(service);
		clock.skip(DAY_MS + TEN_O_CLOCK_MS - (clock.now() % DAY_MS));
		await service.reset();
		return clock;
	}

	/** In milliseconds since 1970. */
	now(): number {
		return Date.now() + ahead;
	}

	/** The day in UTC, such as 2026-11-29. */
	today(): string {
		return new Date(this.now()).toISOString().slice(0, 10);
	}

	private skip(ms: number): void {
		ahead += ms;
		harness.skipTime(ms);
	}

	/** Lets time pass, and what is due happen: by turns at the service and in n8n, with longer and longer turns. */
	async advance(seconds: number): Promise<void> {
		for (let left = seconds, turn = FIRST_TURN_S; left > 0; left -= turn, turn *= 2) {
			await this.jump(Math.min(left, turn));
		}
	}

	/** Lets time pass at once: what n8n does then is yet to be awaited. */
	async jump(seconds: number): Promise<void> {
		await this.service.advance(seconds);
		ahead += seconds * 1000;
		harness.passTime(seconds * 1000);
	}

	/** Awaits work while time passes quickly. @param isWait whether it waits for calls, which takes hours */
	async during<Result>(work: () => Promise<Result>, isWait = false): Promise<Result> {
		let isOver = false;
		const end = () => (isOver = true);
		const running = work();
		running.then(end, end);
		let behind = 0;
		for (let jump = JUMP_S; !isOver; jump = Math.min(LONGEST_JUMP_S, jump * (isWait ? GROWTH : 1))) {
			await sleep(5);
			this.skip(Math.round(jump) * 1000);
			behind += Math.round(jump);
			if (behind > BEHIND_S) {
				await this.service.advance(behind);
				behind = 0;
			}
		}
		await this.service.advance(behind);
		return await running;
	}
}
