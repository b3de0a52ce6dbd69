import { type ChildProcess, fork } from 'node:child_process';
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';

import { add, type Known, learn, resolve } from './references.mts';
import { beginning, bytesOf, FAULT_PATH, type FuzzRequest, sequences } from './requests.mts';

/** Longest time of a request, in milliseconds. */
const LONGEST_MS = 5000;
/** How much the sandbox may keep in memory after a reset that it did not keep at the start. */
const KEPT_MB = 40;
/** Sequences of one run of fast-check. */
const BATCH = 10;
const SHRINK_MS = 60_000;

/** What a fuzz run found out. */
export interface FuzzResult {
	requests: number;
	/** How many requests had which status. */
	statuses: Record<string, number>;
	/** The slowest request, in milliseconds. */
	slowest: { ms: number; request: string };
	/** What is wrong, with the smallest sequence of requests that shows it as curl lines; undefined if nothing is. */
	failure: string | undefined;
}

interface Answered {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	bytes: Buffer;
}

/** The sandbox in a process of its own. */
interface Service {
	child: ChildProcess;
	url: string;
	/** The end of the process. */
	ended: Promise<string>;
	/** @returns what has gone wrong since the last time, and the bytes in use */
	report(what: 'problems' | 'heap'): Promise<{ problems: string[]; heap: number }>;
}

/**
 * Sends random sequences of requests to a sandbox over HTTP.
 * @param options how many requests at least; the same seed sends the same ones
 */
export async function fuzz({ requests, seed }: { requests: number; seed: number }): Promise<FuzzResult> {
	const result: FuzzResult = { requests: 0, statuses: {}, slowest: { ms: 0, request: '' }, failure: undefined };
	const receiver = createServer((incoming, outgoing) => incoming.resume().on('end', () => outgoing.end('{"ok":true}')));
	await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
	const urls = [`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, 'http://127.0.0.1:1/'];
	const agent = new Agent({ keepAlive: true });
	let service: Service | undefined;
	let failure = '';
	let firstHeap: number | undefined;

	const run = async (sequence: FuzzRequest[]) => {
		service ??= await start();
		const journal: string[] = [];
		try {
			await runSequence(service, agent, urls, sequence, journal, result);
		} catch (error) {
			failure = `${(error as Error).message}\n${journal.join('\n')}`;
			// The next sequence needs a sandbox that works.
			service.child.kill('SIGKILL');
			service = undefined;
			throw error;
		}
	};

	try {
		for (let batch = 0; result.requests < requests && result.failure === undefined; batch += 1) {
			const details = await fc.check(fc.asyncProperty(sequences, run), {
				seed: seed * 100_003 + batch,
				numRuns: BATCH,
				interruptAfterTimeLimit: SHRINK_MS,
			});
			if (details.failed) {
				result.failure = failure;
			} else {
				const { heap } = await service!.report('heap');
				firstHeap ??= heap;
				const more = Math.round((heap - firstHeap) / 1024 / 1024);
				result.failure = more > KEPT_MB ? `${more} MB more are in memory than at the start` : undefined;
			}
		}
		return result;
	} finally {
		service?.child.kill();
		agent.destroy();
		receiver.closeAllConnections();
		receiver.close();
	}
}

async function start(): Promise<Service> {
	const child = fork(join(import.meta.dirname, 'process.mts'), {
		execPath: process.execPath,
		execArgv: ['--expose-gc', '--max-old-space-size=600'],
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
	});
	let output = '';
	child.stderr?.on('data', (chunk) => (output += String(chunk)));
	const ended = new Promise<string>((done) => {
		child.on('close', (code, signal) => done(`The sandbox has ended: ${code ?? signal}. ${output.slice(-3000)}`));
	});
	const message = <Message,>() =>
		new Promise<Message>((done, fail) => {
			child.once('message', (sent) => done(sent as Message));
			void ended.then((how) => fail(new Error(how)));
		});
	const { url } = await message<{ url: string }>();
	return {
		child,
		url,
		ended,
		report: (what) => {
			const answer = message<{ problems: string[]; heap: number }>();
			child.send(what);
			return answer;
		},
	};
}

/** Runs a sequence in a fresh world. @throws Error for what must not happen */
async function runSequence(
	service: Service,
	agent: Agent,
	urls: string[],
	sequence: FuzzRequest[],
	journal: string[],
	result: FuzzResult,
): Promise<void> {
	const known: Known = new Map([['url', urls]]);
	const direct = async (method: string, path: string, body?: Buffer): Promise<Answered> => {
		const headers = { Authorization: 'Bearer TOKEN' };
		const answer = await send(service, agent, { method, path, headers, body });
		if (answer.status !== 200) {
			throw new Error(`${method} ${path} is answered with ${answer.status} ${answer.text.slice(0, 500)}`);
		}
		return answer;
	};
	await direct('POST', '/_sandbox/reset');
	const seeded = JSON.parse((await direct('GET', '/_sandbox/seed')).text) as Record<string, unknown>;
	addSeeded(known, seeded);
	for (const [index, item] of [...beginning, ...sequence].entries()) {
		const path = resolve(known, item.path).replace(/[^\x21-\x7e]/gu, (odd) => Buffer.from(odd).toString('latin1'));
		const text = resolve(known, item.body ?? '');
		journal.push(asCurl(service.url, item, path, text));
		const body = item.body === null ? undefined : bytesOf(text, item.encoding);
		const began = performance.now();
		const answer = await send(service, agent, { method: item.method, path, headers: item.headers, body });
		if (index >= beginning.length) {
			const ms = Math.round(performance.now() - began);
			count(result, answer.status, ms, `${item.method} ${path.slice(0, 200)} ${text.slice(0, 200)}`);
		}
		const value = checked(item, path, answer);
		learn(known, item.route, value);
		if (answer.status === 200 && item.route.endsWith('faults')) {
			await dropOtherFaults(direct);
		}
		await expectNoProblems(service);
	}

	// What was done must not show later, either.
	await direct('GET', '/api/v1/health');
	await direct('GET', '/api/v1/agents');
	await direct('DELETE', '/_sandbox/faults');
	const snapshot = `${service.url}/_sandbox/snapshot`;
	journal.push(`curl -s ${snapshot} | curl ${snapshot} --data-binary @-`);
	await direct('POST', '/_sandbox/snapshot', (await direct('GET', '/_sandbox/snapshot')).bytes);
	await direct('GET', '/api/v1/agents');
	await direct('GET', '/_sandbox/status');
	await direct('POST', '/_sandbox/reset');
	await expectNoProblems(service);
}

/** Removes the faults if one would break the answers of a route. */
async function dropOtherFaults(direct: (method: string, path: string) => Promise<Answered>): Promise<void> {
	const faults = JSON.parse((await direct('GET', '/_sandbox/faults')).text) as Array<{ match: { path?: string } }>;
	if (faults.some(({ match }) => match.path !== FAULT_PATH)) {
		await direct('DELETE', '/_sandbox/faults');
	}
}

function count(result: FuzzResult, status: number, ms: number, request: string): void {
	result.requests += 1;
	result.statuses[status] = (result.statuses[status] ?? 0) + 1;
	if (ms > result.slowest.ms) {
		result.slowest = { ms, request };
	}
}

async function expectNoProblems(service: Service): Promise<void> {
	const { problems } = await service.report('problems');
	if (problems.length > 0) {
		throw new Error(problems.join('\n'));
	}
}

function addSeeded(known: Known, seeded: Record<string, unknown>): void {
	const names: Record<string, string> = {
		voiceTemplate: 'voice_template_id',
		phoneNumber: 'phone_number_id',
		sipTrunk: 'trunk_id',
		calendar: 'calendar_id',
		calendarEvent: 'event_id',
		availabilityRule: 'rule_id',
		user: 'user_id',
		agents: 'agent_id',
		campaigns: 'campaign_id',
	};
	for (const [name, value] of Object.entries(seeded)) {
		const ids = typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
		for (const id of name === 'campaigns'
			? ids.toReversed().toSorted((one) => (isActive(seeded, one) ? -1 : 1))
			: ids) {
			add(known, names[name] ?? 'any_id', id);
		}
	}
}

function isActive(seeded: Record<string, unknown>, id: string): boolean {
	return (seeded.campaigns as { active: string }).active === id;
}

/** @returns the JSON of an answer @throws Error for an answer that must not be */
function checked(item: FuzzRequest, path: string, { status, headers, text }: Answered): unknown {
	const shown = `${status} ${text.slice(0, 500)}`;
	const [plain = ''] = path.split('?');
	if (plain === FAULT_PATH) {
		return undefined;
	}
	if (status >= 500) {
		throw new Error(`An internal error: ${shown}`);
	}
	const isJson = String(headers['content-type']).startsWith('application/json');
	const isSuccess = status < 400;
	if (item.method === 'HEAD' || (isSuccess && !isJson && !/^\/(api|_sandbox)\/./.test(plain))) {
		return undefined;
	}
	if (isSuccess && /event-stream|octet-stream|audio\//.test(String(headers['content-type']))) {
		return undefined;
	}
	if (!isJson) {
		throw new Error(`An answer that is not JSON: ${headers['content-type']} ${shown}`);
	}
	const value = JSON.parse(text) as unknown;
	if (!isSuccess && typeof (value as { message?: unknown; error?: unknown }).message !== 'string') {
		const { error } = value as { error?: { message?: unknown } | string };
		if (typeof error !== 'string' && typeof error?.message !== 'string') {
			throw new Error(`An error without a message: ${shown}`);
		}
	}
	return value;
}

/** Sends a request, and reads the answer; of a stream only its beginning. @throws Error if it takes too long */
function send(
	{ url, ended }: Service,
	agent: Agent,
	{
		method,
		path,
		headers,
		body,
	}: { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined },
): Promise<Answered> {
	return new Promise((done, fail) => {
		const { hostname, port } = new URL(url);
		const length = body === undefined ? {} : { 'Content-Length': body.length };
		const sent = request({ hostname, port, agent, method, path, headers: { ...headers, ...length } }, (response) => {
			const { statusCode: status = 0 } = response;
			const chunks: Buffer[] = [];
			const end = () => {
				clearTimeout(deadline);
				const bytes = Buffer.concat(chunks);
				done({ status, headers: response.headers, text: bytes.toString(), bytes });
			};
			response.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				if (String(response.headers['content-type']).includes('event-stream')) {
					end();
					sent.destroy();
				}
			});
			response.on('end', end);
		});
		const deadline = setTimeout(() => {
			sent.destroy(new Error(`No answer after ${LONGEST_MS} ms`));
		}, LONGEST_MS);
		sent.on('error', (error: NodeJS.ErrnoException) => {
			clearTimeout(deadline);
			// Faults cut connections.
			if (error.code === 'ECONNRESET' && path.startsWith(FAULT_PATH)) {
				return done({ status: 0, headers: {}, text: '', bytes: Buffer.of() });
			}
			const gone = new Promise<string>((still) => setTimeout(still, 500, `${method} ${path}: ${error.message}`));
			return void Promise.race([ended, gone]).then((why) => fail(new Error(why)));
		});
		sent.end(body);
	});
}

/** A request as a command for a shell; very long bodies are cut. */
function asCurl(url: string, { method, headers }: FuzzRequest, path: string, text: string): string {
	const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
	const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
	const shown = text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
	const body = text === '' ? [] : ['--data-raw', quoted(shown)];
	return ['curl', '--path-as-is', '-X', method, quoted(url + path), ...given, ...body].join(' ');
}
