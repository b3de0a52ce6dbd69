import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { routes } from '../../../sandbox/resources/index.mts';
import type { Broken } from '../../docs/openApi/errorTour.mts';
import type { Answer } from '../../docs/openApi/tour.mts';
import { tour } from '../../docs/openApi/tour.mts';
import { type SandboxClient, startClient } from '../client.mts';
import { otherRequests } from './requests.mts';

/** A real time for the sandbox, so that two runs are the same. */
export const MOMENT = Date.UTC(2030, 0, 7, 9);

/** A request that can be sent again. */
interface Step {
	/** What it is, in short. */
	name: string;
	send(): Promise<unknown>;
}

/** A run that can be repeated: its steps, and what was on the wire at each of them. */
export interface Recording {
	service: SandboxClient;
	/** Sends everything again. @returns the first step at which something else is on the wire; undefined if there is none */
	difference(variants: string[]): Promise<{ step: string; was: string; is: string } | undefined>;
	close(): Promise<void>;
}

/** Starts a sandbox and a receiver, and sends what the tour of the OpenAPI document sends, and more. */
export async function record(): Promise<Recording> {
	const { itsGlobal } = globalThis.sandbox;
	const { now } = itsGlobal.Date;
	itsGlobal.Date.now = () => MOMENT;
	const receiver = await startReceiver();
	const service = await startClient({ seed: 1, startTime: MOMENT, speed: 0 });
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));
	const steps: Array<Step & { shown: string }> = [];

	const take = async <Result,>(step: Step, send: () => Promise<Result>): Promise<Result> => {
		const result = await send();
		steps.push({ ...step, shown: shown(result) });
		return result;
	};
	const control = (path: string, body: unknown): Step => ({
		name: `${path} ${JSON.stringify(body)}`,
		// All that becomes due has arrived then.
		send: async () => ({ answer: await service.control(path, body), deliveries: receiver.taken() }),
	});
	const guide = {
		seed: service.seed,
		receiver: receiver.url,
		async send(name: string, given: Broken = {}): Promise<Answer> {
			const route = byName.get(name)!;
			const { params = {}, query = {}, body, token = service.token } = given;
			const path = route.path.replace(/:(\w+)/g, (_all, key: string) => encodeURIComponent(params[key] ?? ''));
			const search = new URLSearchParams();
			for (const [key, value] of Object.entries(query)) {
				for (const item of [value].flat()) {
					search.append(Array.isArray(value) ? `${key}[]` : key, String(item));
				}
			}
			const step = {
				name,
				send: async () => {
					const url = `${path}?${search}`;
					// Not below /api/v1: an audio file.
					const { status, headers, data } = await service.api(route.method, url.replace('/api/v1', ''), body, token);
					const { date: _date, connection: _connection, 'keep-alive': _alive, ...rest } = headers;
					return { status, headers: rest, data };
				},
			};
			return (await take(step, step.send)).data as unknown as Answer;
		},
		async control(path: string, body: unknown) {
			const step = control(path, body);
			await take(step, step.send);
		},
		advance: (seconds: number) => guide.control('advance', { seconds }),
	};
	await tour({ ...guide, send: async (name, given) => (name.includes('/:file') ? ('' as Answer) : guide.send(name, given)) });
	await otherRequests(guide);

	return {
		service,
		async difference(variants) {
			await service.control('variants', { names: variants });
			await service.control('reset', {});
			receiver.taken();
			for (const { name, send, shown: was } of steps) {
				const is = shown(await send());
				if (is !== was) {
					return { step: name, was, is };
				}
			}
			return undefined;
		},
		async close() {
			itsGlobal.Date.now = now;
			receiver.close();
			await service.close();
		},
	};
}

/** What two runs have in common: durations differ. */
function shown(value: unknown): string {
	return JSON.stringify(value).replace(/\\?"(duration_ms|response_time)\\?":\d+/g, '"$1":1');
}

/** Takes deliveries: 200, or 500 below `/broken`. */
async function startReceiver() {
	let received: string[] = [];
	const server = createServer((request, response) => {
		response.sendDate = false;
		let body = '';
		request.on('data', (part) => (body += String(part)));
		request.on('end', () => {
			const { method, url, headers } = request;
			received.push(JSON.stringify({ method, url, headers, body }));
			response.writeHead(url?.startsWith('/broken') ? 500 : 200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** What was received since the last time; events of one moment arrive in any order. */
		taken() {
			const taken = received.sort();
			received = [];
			return taken;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
