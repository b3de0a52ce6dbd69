import { setTimeout as sleep } from 'node:timers/promises';

/** Largest answer that is read, in bytes. */
const BODY_LIMIT = 5_000_000;
/** Deepest nesting of an answer: no documented one has more than ten levels. */
const DEEPEST = 50;
/** So many requests in a row without an answer end the run. */
const GIVE_UP_AFTER = 4;
/** How often a request is sent again that met the rate limit. */
const REPEATS = 2;

/** Pauses in milliseconds. */
export interface Pace {
	/** From the start of a request to the start of the next one. */
	requestMs: number;
	/** After an answer 429. */
	limitedMs: number;
	/** Between two looks at something that changes by itself. */
	lookMs: number;
	/** Longest wait for a delivery or for the end of a call. */
	waitMs: number;
	/** Longest time for one request. */
	answerMs: number;
}

/** A foreign service gets two requests a second, which is below the lowest limit that is known: 100 a minute. */
export const FOREIGN: Pace = { requestMs: 620, limitedMs: 61_000, lookMs: 2000, waitMs: 180_000, answerMs: 20_000 };
/** A service on this machine has no other users. */
export const LOOPBACK: Pace = { requestMs: 0, limitedMs: 1000, lookMs: 10, waitMs: 20_000, answerMs: 20_000 };

/** What a request has beside its method and path. */
export interface Sent {
	query?: Record<string, string>;
	/** Sent as JSON; a text is sent as it is. */
	body?: unknown;
	/** Instead of the token; null for none. */
	token?: string | null;
	contentType?: string;
}

/** A request and its answer. */
export interface Exchange {
	method: string;
	/** Below /api/v1, without the query. */
	path: string;
	sent: Sent;
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** The value of a JSON body; the text of another one; undefined without one. */
	body: unknown;
	/** Whether the body begins with a byte order mark. */
	marked: boolean;
	/** When the answer was complete, in milliseconds since 1970. */
	at: number;
}

/** Why something could not be tested. The message says what is needed, or what went wrong. */
export class NotTested extends Error {}

/** Sends requests one after the other. It never follows a redirect: the token goes to one address only. */
export class Client {
	private readonly baseUrl: string;
	private readonly token: string;
	readonly pace: Pace;
	/** All exchanges, in order. */
	readonly answers: Exchange[] = [];
	private abort = new AbortController();
	private stopReason: string | undefined;
	private silent = 0;
	private next = 0;
	private queue: Promise<unknown> = Promise.resolve();

	constructor(baseUrl: string, token: string, pace: Pace) {
		this.baseUrl = baseUrl;
		this.token = token;
		this.pace = pace;
	}

	/** Whether the run deletes what it has created: then it is not stopped any more. */
	isTidying = false;

	/** Why nothing more is sent; undefined while all is well. */
	get stopped(): string | undefined {
		return this.stopReason;
	}

	/** Ends the request under way and refuses all further ones. */
	stop(reason: string): void {
		this.stopReason ??= reason;
		this.abort.abort();
	}

	/** Sends again after `stop`, to tidy up. */
	resume(): void {
		this.abort = new AbortController();
		this.stopReason = undefined;
		this.silent = 0;
	}

	/** Waits, unless the client was stopped. @throws NotTested */
	async wait(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.abort.signal }).catch(() => undefined);
		this.refuseIfStopped();
	}

	/** @throws NotTested if no answer came */
	async send(method: string, path: string, sent: Sent = {}): Promise<Exchange> {
		const turn = this.queue.then(() => this.sendInTurn(method, path, sent));
		this.queue = turn.catch(() => undefined);
		return await turn;
	}

	private async sendInTurn(method: string, path: string, sent: Sent): Promise<Exchange> {
		for (let time = 0; ; time += 1) {
			this.refuseIfStopped();
			await this.wait(Math.max(0, this.next - Date.now()));
			this.next = Date.now() + this.pace.requestMs;
			const answer = await this.once(method, path, sent);
			this.answers.push(answer);
			if (answer.status !== 429) {
				return answer;
			}
			if (time >= REPEATS) {
				throw new NotTested('the rate limit was used up, and waiting did not help');
			}
			await this.wait(this.pace.limitedMs);
		}
	}

	private async once(method: string, path: string, sent: Sent): Promise<Exchange> {
		const { query, body, token = this.token, contentType = 'application/json' } = sent;
		const url = new URL(`${this.baseUrl}/api/v1${path}`);
		for (const [name, value] of Object.entries(query ?? {})) {
			url.searchParams.append(name, value);
		}
		const limit = AbortSignal.timeout(this.pace.answerMs);
		try {
			const response = await fetch(url, {
				method,
				redirect: 'manual',
				signal: AbortSignal.any([limit, this.abort.signal]),
				headers: {
					Accept: 'application/json',
					...(token === null ? {} : { Authorization: `Bearer ${token}` }),
					...(body === undefined ? {} : { 'Content-Type': contentType }),
				},
				...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
			});
			const text = await readText(response);
			this.silent = 0;
			const marked = text.startsWith('\uFEFF');
			return {
				method,
				path,
				sent,
				status: response.status,
				headers: Object.fromEntries(response.headers),
				body: parsed(marked ? text.slice(1) : text),
				marked,
				at: Date.now(),
			};
		} catch (error) {
			this.refuseIfStopped();
			this.silent += 1;
			const why = limit.aborted ? `no answer within ${this.pace.answerMs / 1000} s` : reasonOf(error);
			if (this.silent >= GIVE_UP_AFTER) {
				this.stop(`the service stopped answering (${why})`);
			}
			throw new NotTested(`${method} ${patternless(path)}: ${why}`);
		}
	}

	private refuseIfStopped(): void {
		if (this.stopReason !== undefined) {
			throw new NotTested(this.stopReason);
		}
	}
}

/** A path without what may identify an object. */
export function patternless(path: string): string {
	return path.replace(/\/[^/]*\d[^/]*/g, '/…').replaceAll(/%2B\w+/g, '…');
}

async function readText(response: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		size += chunk.length;
		if (size > BODY_LIMIT) {
			throw new NotTested(`the answer is larger than ${BODY_LIMIT / 1_000_000} MB`);
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
	if (text === '') {
		return undefined;
	}
	try {
		const value = JSON.parse(text) as unknown;
		return isDeeper(value, DEEPEST) ? 'JSON that is nested too deep' : value;
	} catch {
		return text;
	}
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) {
		return false;
	}
	return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/** What went wrong, by its code: texts of libraries may quote what they got. */
function reasonOf(error: unknown): string {
	if (error instanceof NotTested) {
		return error.message;
	}
	const { cause, name } = error as { cause?: { code?: string }; name?: string };
	return `the connection failed (${cause?.code ?? name ?? 'unknown'})`;
}
