import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../engine/deliveries/eventTypes.mts';
import { sampleBody } from '../engine/deliveries/sampleEvents.mts';
import type { Route } from '../http/route.mts';
import { respond } from '../http/variation.mts';
import { DEFAULT_OPTIONS } from '../options.mts';
import { routes } from '../resources/index.mts';
import { seedWorld } from '../seed/index.mts';
import { newId } from '../world/ids.mts';
import type { Webhook } from '../world/webhook.mts';
import { emptyWorld, endWorld } from '../world/world.mts';
import { type Given, playTour, type ResponseValue } from './play.mts';

/** A request to a route, and its successful response. */
export interface Exchange {
	route: Route;
	/** The values of the path's variables. */
	params: Record<string, string>;
	query: Record<string, unknown>;
	/** Undefined without a body. */
	body: unknown;
	status: number;
	response: unknown;
}

/** The body of a delivery. */
export type Delivered = Record<string, unknown> & { event: string };

/** The recorded requests and deliveries. */
export interface Recorded {
	/** In order. The first exchange of each route is its example. */
	exchanges: Exchange[];
	/** One for each event type. */
	deliveries: Delivered[];
}

/** The addresses in the examples. */
export const SERVER = 'http://127.0.0.1:4010';
const RECEIVER = 'http://127.0.0.1:5678';

/** Runs the tour in its own world, without a server. @throws HttpError for a refused request */
export async function recordExamples(): Promise<Recorded> {
	const settings = { seed: 1, startTime: Date.UTC(2026, 0, 15, 9, 30), speed: 0, minimumStatusMs: 0 };
	const world = emptyWorld({ ...DEFAULT_OPTIONS, ...settings });
	world.origin = SERVER;
	const seed = seedWorld(world);
	const receiver = await startReceiver();
	const byName = new Map(routes.map((route) => [`${route.method} ${route.path.replace('/api/v1', '')}`, route]));
	const exchanges: Exchange[] = [];
	const send = async (name: string, { params = {}, query = {}, body }: Given = {}): Promise<ResponseValue> => {
		const route = byName.get(name) as Route;
		const { status, body: response } = await respond(world, route, { params, body }, SERVER, asText(query));
		const shown = JSON.stringify({ params, query, body, status, response }).replaceAll(receiver.url, RECEIVER);
		const exchange: Exchange = { route, body: undefined, ...JSON.parse(shown) };
		exchanges.push(exchange);
		return exchange.response as ResponseValue;
	};
	const deliveries: Delivered[] = [];
	const deliver = async (owner: string, params: Given['params'], events: readonly string[]) => {
		const body = { name: 'Events', webhook_url: RECEIVER, events: ['event_recording'] };
		const { data } = await send(`POST ${owner}/webhooks`, { params, body });
		const webhook = world.webhooks.get(data?.id as string) as Webhook;
		for (const event of events) {
			deliveries.push(JSON.parse(sampleBody(world, webhook, event, newId(world), {})) as Delivered);
		}
	};
	try {
		await playTour({ seed, receiver: receiver.url, send, advance: (seconds) => world.clock.advance(seconds) });
		await deliver('/campaigns/:campaign_id', { campaign_id: seed.campaigns.active }, CAMPAIGN_EVENTS);
		await deliver('/agents/:agent_id', { agent_id: seed.agents.published }, [...AGENT_EVENTS, 'webhook.test']);
		return { exchanges, deliveries };
	} finally {
		endWorld(world);
		receiver.close();
	}
}

/** Converts the values of a query to text, as in a URL. */
function asText(query: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(query).map(([name, value]) =>
			Array.isArray(value) ? [`${name}[]`, value.map(String)] : [name, String(value)],
		),
	);
}

/** Starts the receiver for the webhooks of the tour. It responds with 200, or with 500 below `/broken`. */
async function startReceiver(): Promise<{ url: string; close(): void }> {
	const server = createServer((request, response) => {
		const isBroken = request.url?.startsWith('/broken');
		request.resume().on('end', () => {
			response.writeHead(isBroken ? 500 : 200, { 'Content-Type': 'text/plain', Connection: 'close' });
			response.end(isBroken ? 'broken' : 'ok');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
