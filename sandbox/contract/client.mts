import { setTimeout as sleep } from 'node:timers/promises';

/** This many consecutive requests without a response end the run. */
const GIVE_UP_AFTER = 4;
/** How often a request is sent again after a 429. */
const MAX_RETRIES = 2;

/** Pauses in milliseconds. */
export interface Pace {
	/** From the start of a request to the start of the next one. */
	requestMs: number;
	/** After a 429. */
	limitedMs: number;
	/** Between two polls of something that changes by itself. */
	lookMs: number;
	/** The longest wait for a delivery or for the end of a call. */
	waitMs: number;
	/** The longest time for one request. */
	responseMs: number;
}

/** At most 97 requests a minute, which is below the lowest known rate limit: 100 a minute. */
export const FOREIGN: Pace = { requestMs: 620, limitedMs: 61_000, lookMs: 2000, waitMs: 180_000, responseMs: 20_000 };
/** Without pauses between requests: a service on this machine has one user only. */
export const LOOPBACK: Pace = { requestMs: 0, limitedMs: 1000, lookMs: 10, waitMs: 20_000, responseMs: 20_000 };

/** The parts of a request besides its method and path. */
export interface Sent {
	/** Without the question mark. */
	query?: string;
	/** Sent as JSON; a text is sent unchanged. */
	body?: unknown;
	/** Replaces the token; null omits it. */
	token?: string | null;
}

/** A request and its response. */
export interface Exchange {
	method: string;
	/** Below /api/v1, without the query. */
	path: string;
	sent: Sent;
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** The value of a JSON body; the text of any other body; undefined without a body. */
	body: unknown;
}

/** Why something could not be tested. The message states what is needed, or what went wrong. */
export class NotTested extends Error {}

/** Sends requests one after another. It never follows a redirect, so that the token is sent to one address only. */
export class Client {
	private readonly baseUrl: string;
	private readonly token: string;
	readonly pace: Pace;
	/** All exchanges, in order. */
	readonly exchanges: Exchange[] = [];
	/** Why the client was stopped; undefined while it is running. */
	stopped: string | undefined;
	private abort = new AbortController();
	private silent = 0;
	private next = 0;

	constructor(baseUrl: string, token: string, pace: Pace) {
		this.baseUrl = baseUrl;
		this.token = token;
		this.pace = pace;
	}

	/** Aborts the current request and refuses all further requests. */
	stop(reason: string): void {
		this.stopped ??= reason;
		this.abort.abort();
	}

	/** Permits requests again after `stop`, to clean up. */
	resume(): void {
		this.abort = new AbortController();
		this.stopped = undefined;
		this.silent = 0;
	}

	/** Waits, unless the client was stopped. @throws NotTested */
	async wait(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.abort.signal }).catch(() => undefined);
		this.refuseIfStopped();
	}

	/** Polls until `look` returns true. @returns false if the longest wait has passed */
	async until(look: () => boolean | Promise<boolean>): Promise<boolean> {
		const deadline = Date.now() + this.pace.waitMs;
		while (!(await look())) {
			if (Date.now() > deadline) {
				return false;
			}
			await this.wait(this.pace.lookMs);
		}
		return true;
	}

	/** @throws NotTested without a response */
	async send(method: string, path: string, sent: Sent = {}): Promise<Exchange> {
		for (let attempt = 0; ; attempt += 1) {
			await this.wait(Math.max(0, this.next - Date.now()));
			this.next = Date.now() + this.pace.requestMs;
			const exchange = await this.once(method, path, sent);
			this.exchanges.push(exchange);
			if (exchange.status !== 429) {
				return exchange;
			}
			if (attempt >= MAX_RETRIES) {
				throw new NotTested('the rate limit was used up, and waiting did not help');
			}
			await this.wait(this.pace.limitedMs);
		}
	}

	private async once(method: string, path: string, sent: Sent): Promise<Exchange> {
		const { query = '', body, token = this.token } = sent;
		const headers: Record<string, string> = {
			Accept: 'application/json',
			...(token !== null && { Authorization: `Bearer ${token}` }),
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		};
		const limit = AbortSignal.timeout(this.pace.responseMs);
		try {
			const response = await fetch(`${this.baseUrl}/api/v1${path}${query && `?${query}`}`, {
				method,
				headers,
				body: typeof body === 'string' ? body : JSON.stringify(body),
				redirect: 'manual',
				signal: AbortSignal.any([limit, this.abort.signal]),
			});
			const { status, headers: responseHeaders } = response;
			const received = { status, headers: Object.fromEntries(responseHeaders), body: parse(await response.text()) };
			this.silent = 0;
			return { method, path, sent, ...received };
		} catch (error) {
			this.refuseIfStopped();
			this.silent += 1;
			// Only the code is reported: the messages of libraries may quote secrets.
			const { cause, name } = error as { cause?: { code?: string }; name?: string };
			const code = cause?.code ?? name ?? 'unknown';
			const why = limit.aborted
				? `no response within ${this.pace.responseMs / 1000} s`
				: `the connection failed (${code})`;
			if (this.silent >= GIVE_UP_AFTER) {
				this.stop(`the service stopped responding (${why})`);
			}
			throw new NotTested(why);
		}
	}

	private refuseIfStopped(): void {
		if (this.stopped !== undefined) {
			throw new NotTested(this.stopped);
		}
	}
}

function parse(text: string): unknown {
	try {
		return text === '' ? undefined : (JSON.parse(text) as unknown);
	} catch {
		return text;
	}
}
