import { createServer } from 'node:http';

import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../../sandbox/engine/deliveries/eventKinds.mts';
import type { Route } from '../../../sandbox/http/route.mts';
import type { SandboxOptions } from '../../../sandbox/options.mts';
import type { RunningSandbox } from '../../../sandbox/server.mts';
import { listening } from '../../sandbox/listening.mts';
import { type Broken, errorTour } from './errorTour.mts';
import type { Exchange } from './exchange.mts';
import { type Answer, tour } from './tour.mts';
import type { Delivered } from './webhooks.mts';

type StartSandbox = (options?: Partial<SandboxOptions>) => Promise<RunningSandbox>;

/**
 * Makes both tours with fresh sandboxes.
 * @returns all requests to routes, with examples that are the same in every recording
 */
export async function recordTours(startSandbox: StartSandbox, routes: readonly Route[]): Promise<Exchange[]> {
	const receiver = await startReceiver();
	try {
		// What differs between two recordings belongs to one of them.
		const first = await recordOnce(startSandbox, routes, receiver.url);
		return stable(first, await recordOnce(startSandbox, routes, receiver.url));
	} finally {
		await receiver.close();
	}
}

/** Lets a sandbox send a delivery of each event type. @returns the bodies, the same in every recording */
export async function recordDeliveries(startSandbox: StartSandbox): Promise<Delivered[]> {
	const receiver = await startReceiver();
	const sandbox = await startSandbox({ seed: 1, startTime: Date.UTC(2026, 0, 15, 9, 30), speed: 0 });
	const { url, seed, token } = sandbox;
	const send = async (path: string, body?: unknown) => {
		const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
		const response = await fetch(url + path, { method: body ? 'POST' : 'GET', headers, body: JSON.stringify(body) });
		return (await response.json()) as Answer;
	};
	try {
		const owners = [
			[`/campaigns/${seed.campaigns.active}`, CAMPAIGN_EVENTS],
			[`/agents/${seed.agents.published}`, [...AGENT_EVENTS, 'webhook.test']],
		] as const;
		for (const [owner, events] of owners) {
			const settings = { name: 'Events', webhook_url: receiver.url, events: ['event_recording'] };
			const { data } = await send(`/api/v1${owner}/webhooks`, settings);
			for (const event of events) {
				await send('/_sandbox/deliver', { webhookId: data.id, event });
			}
		}
		const text = JSON.stringify(await send('/_sandbox/deliveries')).replaceAll(url, 'http://127.0.0.1:4010');
		return (JSON.parse(text) as Array<{ body: string }>).map(({ body }) => JSON.parse(body) as Delivered);
	} finally {
		await sandbox.close();
		await receiver.close();
	}
}

/**
 * Where the recorded webhooks deliver: 200, or 500 below `/broken`.
 * @param received gets each request as text
 */
export async function startReceiver(received: string[] = []): Promise<{ url: string; close(): Promise<void> }> {
	const server = createServer((request, response) => {
		response.sendDate = false;
		response.shouldKeepAlive = false;
		let body = '';
		request.on('data', (part) => (body += String(part)));
		request.on('end', () => {
			const { method, url, headers } = request;
			received.push(JSON.stringify({ method, url, headers, body }));
			const status = request.url?.startsWith('/broken') ? 500 : 200;
			response.writeHead(status, { 'Content-Type': 'text/plain' }).end(status === 200 ? 'ok' : 'broken');
		});
	});
	return { url: await listening(server), close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** The recorded requests, with the origins that stand in the documents instead of those of this recording. */
interface Recording {
	exchanges: Exchange[];
	started: number;
}

async function recordOnce(startSandbox: StartSandbox, routes: readonly Route[], receiver: string): Promise<Recording> {
	const exchanges: Exchange[] = [];
	const sandboxes: RunningSandbox[] = [];
	const started = Date.now();
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));

	const start = async (options: Partial<SandboxOptions> = {}) => {
		const sandbox = await startSandbox({ minimumStatusMs: 0, rateLimit: 100_000, ...options });
		sandboxes.push(sandbox);
		const { url, seed } = sandbox;
		const control = (path: string, body: unknown) =>
			fetch(`${url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
		const send = async (name: string, given: Broken = {}): Promise<Answer> => {
			const route = byName.get(name);
			if (!route) {
				const response = await control(name.replace(/^.*_sandbox\//, ''), given.body);
				return (await response.json()) as Answer;
			}
			const exchange = await exchangeWith(url, route, given);
			// The addresses of this recording are those of the documentation.
			const { route: _route, ...rest } = exchange;
			const text = JSON.stringify(rest)
				.replaceAll(url, 'http://127.0.0.1:4010')
				.replaceAll(receiver, 'http://127.0.0.1:5678');
			exchanges.push({ ...exchange, ...(JSON.parse(text) as Partial<Exchange>) });
			return exchange.answer as Answer;
		};
		return { url, seed, control, send };
	};

	try {
		const { seed, send, control } = await start();
		const succeed = async (name: string, given?: Broken) => {
			const answer = await send(name, given);
			const { status } = exchanges.at(-1)!;
			if (status >= 400) {
				throw new Error(`${name} was answered with ${status}: ${JSON.stringify(answer)}`);
			}
			return answer;
		};
		const advance = async (seconds: number) => void (await control('advance', { seconds }));
		await tour({ seed, receiver, send: succeed, advance });
		const guided = async (options?: Partial<SandboxOptions>) => {
			const guide = await start(options);
			const fault = { kind: 'status', status: 500, times: 1 };
			return { ...guide, failNext: async () => void (await guide.control('faults', fault)) };
		};
		await errorTour(guided, [...byName.keys()], samples(byName));
		return { exchanges, started };
	} finally {
		await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
	}
}

/** The names of routes that together have all errors which routes share. */
function samples(byName: ReadonlyMap<string, Route>): string[] {
	const kinds = new Map<string, string>();
	for (const [name, { refusal, bareFailure, method, path, query, body }] of byName) {
		const kind = [refusal, bareFailure, method === 'GET', path.includes(':'), query !== undefined, body !== undefined];
		kinds.set(kind.join(' '), kinds.get(kind.join(' ')) ?? name);
	}
	return [...kinds.values()];
}

/** Sends a request to a route. */
export async function exchangeWith(url: string, route: Route, given: Broken, send = fetch): Promise<Exchange> {
	const { params = {}, query = {}, body, text, token = 'TOKEN', contentType = 'application/json' } = given;
	const path = route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		[value].flat().forEach((item) => search.append(Array.isArray(value) ? `${name}[]` : name, String(item)));
	}
	const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
	const response = await send(`${url}${path}?${search}`, {
		method: route.method,
		headers: {
			...(token === null ? {} : { Authorization: `Bearer ${token}` }),
			...(sent === undefined ? {} : { 'Content-Type': contentType }),
		},
		body: sent,
	});
	const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
	const answer: unknown = isJson ? await response.json() : void (await response.arrayBuffer());
	return { route, params, query, body, status: response.status, answer };
}

/** Ids and signatures that a recording makes up. */
const MADE_UP = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[A-Z]{2}[0-9a-f]{32}\b|\b[0-9a-f]{64}\b/g;
const TIMES = /\b(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d+)?Z)?/g;
/** Seconds since 1970. Two recordings can be in the same second. */
const SECONDS = /\b1\d{9}\b/g;
const DAY_MS = 86_400_000;
/** Durations in milliseconds are never the same. */
const DURATIONS = /"(duration_ms|response_time)":\d+(\.\d+)?/g;

/** The seconds that are left of a rate window of 60. */
const SECONDS_LEFT = /"(retry_after)":\d+/g;

/** The exchanges of the first recording, with fixed values instead of those that the second one has differently. */
function stable(first: Recording, second: Recording): Exchange[] {
	const known = new Set(JSON.stringify(second.exchanges).match(MADE_UP));
	const replaced = new Map<string, string>();
	const fixed = (value: string) => {
		if (!known.has(value) && !replaced.has(value)) {
			replaced.set(value, standIn(value, String(replaced.size + 1)));
		}
		return replaced.get(value) ?? value;
	};
	const near = (ms: number) => Math.abs(ms - first.started) < 500 * DAY_MS;
	return first.exchanges.map(({ route, ...exchange }) => {
		const text = JSON.stringify(exchange)
			.replace(MADE_UP, fixed)
			.replace(SECONDS, (seconds) => (near(Number(seconds) * 1000) ? '1768469400' : seconds))
			.replace(TIMES, (all, day: string, time?: string, decimals?: string) => {
				if (!near(Date.parse(day))) {
					return all;
				}
				return time ? `2026-01-15T09:30:00${decimals?.replace(/\d/g, '0') ?? ''}Z` : '2026-01-15';
			})
			.replace(DURATIONS, '"$1":42')
			.replace(SECONDS_LEFT, '"$1":60');
		const parsed = JSON.parse(text) as Omit<Exchange, 'route' | 'body' | 'answer'>;
		return { route, body: undefined, answer: undefined, ...parsed };
	});
}

/** A value of the same form. */
function standIn(value: string, place: string): string {
	const prefix = value.includes('-') ? '00000000-0000-4000-8000-' : value.slice(0, value.length % 32);
	return prefix + place.padStart(value.length - prefix.length, '0');
}
