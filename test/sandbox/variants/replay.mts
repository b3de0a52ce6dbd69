import { createServer } from 'node:http';

import { type Answer, playTour } from '../../../sandbox/openApi/play.mts';
import { routes } from '../../../sandbox/resources/index.mts';
import { startClient } from '../client.mts';
import { listening } from '../listening.mts';
import { type Broken, CHAPTERS, type OtherGuide } from './requests.mts';

/** A real time for the sandbox, so that two runs are the same. */
const MOMENT = Date.UTC(2030, 0, 7, 9);

const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive', 'content-length'];

/** A request that can be sent again. */
interface Step {
	/** What it is, in short. */
	name: string;
	send(): Promise<unknown>;
	/** What was on the wire. */
	shown: string;
}

/** The chapters of a recording. */
type Chapter = keyof typeof CHAPTERS | 'tour';

/** A run that can be repeated. */
export interface Recording {
	/**
	 * Sends everything again.
	 * @param first the chapter that is sent first
	 * @returns the first step at which something else is on the wire; undefined if there is none
	 */
	difference(variants: string[], first?: Chapter): Promise<{ step: string; was: string; is: string } | undefined>;
	close(): Promise<void>;
}

/** Starts a sandbox and a receiver, and sends what the tour of the OpenAPI document sends, and more. */
export async function record(): Promise<Recording> {
	const { itsGlobal } = globalThis.sandbox;
	const { now } = itsGlobal.Date;
	itsGlobal.Date.now = () => MOMENT;
	const received: string[] = [];
	const receiver = await startReceiver(received);
	/** What was received since the last time; events of one moment arrive in any order. */
	const taken = () => received.splice(0).sort();
	const service = await startClient({ seed: 1, startTime: MOMENT, speed: 0 });
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));
	const chapters = new Map<Chapter, Step[]>();
	let steps: Step[] = [];

	const take = async <Result,>(name: string, send: () => Promise<Result>): Promise<Result> => {
		const result = await send();
		steps.push({ name, send, shown: shown(result) });
		return result;
	};
	const begin = async () => {
		await service.control('reset', {});
		taken();
	};
	const guide: OtherGuide = {
		seed: service.seed,
		receiver: receiver.url,
		async send(name, given: Broken = {}) {
			const route = byName.get(name)!;
			const { query = {}, body, token = service.token } = given;
			const path = `${pathOf(route.path, given.params)}?${searchOf(query)}`;
			const { data } = await take(name, async () => {
				const { headers, ...answer } = await service.api(route.method, path, body, token);
				const own = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
				return { ...answer, headers: Object.fromEntries(own) };
			});
			return data as unknown as Answer;
		},
		async control(path, body) {
			// All that becomes due has arrived then.
			await take(`${path} ${JSON.stringify(body)}`, async () => ({
				answer: await service.control(path, body),
				deliveries: taken(),
			}));
		},
		advance: (seconds) => guide.control('advance', { seconds }),
	};
	const all = { ...CHAPTERS, tour: playTour };
	for (const [name, chapter] of Object.entries(all)) {
		steps = [];
		await begin();
		await chapter(guide);
		chapters.set(name as Chapter, steps);
	}

	return {
		async difference(variants, first = 'lists') {
			await service.control('variants', { names: variants });
			for (const chapter of new Set<Chapter>([first, 'tour', ...chapters.keys()])) {
				await begin();
				for (const { name, send, shown: was } of chapters.get(chapter)!) {
					const is = shown(await send());
					if (is !== was) {
						return { step: name, was, is };
					}
				}
			}
			return undefined;
		},
		async close() {
			itsGlobal.Date.now = now;
			await receiver.close();
			await service.close();
		},
	};
}

/** Answers with 200, or with 500 below `/broken`. @param received gets each request as text */
async function startReceiver(received: string[]): Promise<{ url: string; close(): Promise<void> }> {
	const server = createServer((request, response) => {
		response.sendDate = false;
		response.shouldKeepAlive = false;
		let body = '';
		request.on('data', (part) => (body += String(part)));
		request.on('end', () => {
			const { method, url, headers } = request;
			received.push(JSON.stringify({ method, url, headers, body }));
			response.writeHead(url?.startsWith('/broken') ? 500 : 200, { 'Content-Type': 'text/plain' }).end('answer');
		});
	});
	return { url: await listening(server), close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** The path of a route below /api/v1. */
function pathOf(route: string, params: Record<string, string> = {}): string {
	return route.replace('/api/v1', '').replace(/:(\w+)/g, (_all, key: string) => encodeURIComponent(params[key] ?? ''));
}

function searchOf(query: Record<string, unknown>): string {
	const search = new URLSearchParams();
	for (const [key, value] of Object.entries(query)) {
		for (const item of [value].flat()) {
			search.append(Array.isArray(value) ? `${key}[]` : key, String(item));
		}
	}
	return search.toString();
}

/** What two runs have in common: durations differ. */
function shown(value: unknown): string {
	return JSON.stringify(value).replace(/\\?"(duration_ms|response_time)\\?":\d+/g, '"$1":1');
}
