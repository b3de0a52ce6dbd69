import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios, { type AxiosResponse } from 'axios';

import type { SandboxOptions } from '../../sandbox/options.mts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.mts';
import { DOCUMENTED_AGENT_EVENTS } from './engine/calls/callEventKinds.mts';

/** Any JSON value, to look into by name or index; what it is in the end, a test expects. */
export interface Json {
	[key: string]: Json;
}
export type Response = AxiosResponse<Json>;

/** A JSON value that is a text. */
export function asText(json: Json | undefined): string {
	if (typeof json !== 'string') {
		throw new Error(`not a text: ${JSON.stringify(json)}`);
	}
	return json;
}

/** A JSON value that is an array. */
export function asList(json: Json | undefined): Json[] {
	if (!Array.isArray(json)) {
		throw new Error(`not an array: ${JSON.stringify(json)}`);
	}
	return json;
}

/** A sandbox with what a test needs to talk to it. */
export interface SandboxClient extends RunningSandbox {
	/** Sends a request below /api/v1 with the token (or another, or none for null); never throws for a status. */
	api(method: string, path: string, body?: unknown, token?: string | null): Promise<Response>;
	control(path: string, body?: unknown): Promise<Json>;
	advance(seconds: number): Promise<void>;
}

/** Starts a sandbox; calls change their status without the least real time, so that tests are quick. */
export async function startClient(options: Partial<SandboxOptions> = {}): Promise<SandboxClient> {
	const sandbox = await startSandbox({ minimumStatusMs: 0, rateLimit: 100_000, ...options });
	const client = axios.create({ baseURL: sandbox.url, validateStatus: () => true, proxy: false });
	const control = async (path: string, body?: unknown) => {
		const url = `/_sandbox/${path}`;
		return (body === undefined ? await client.get(url) : await client.post(url, body)).data as Json;
	};
	return {
		...sandbox,
		api: (method, path, body, token = sandbox.token) =>
			client.request({
				method,
				url: `/api/v1${path}`,
				data: body,
				headers: token === null ? {} : { Authorization: `Bearer ${token}` },
			}),
		control,
		advance: async (seconds) => {
			await control('advance', { seconds });
		},
	};
}

/** A request that a receiver got. */
export interface Received {
	method: string;
	headers: IncomingHttpHeaders;
	raw: string;
	body: Json;
}

/** A server for webhooks. */
export interface WebhookReceiver {
	url: string;
	received: Received[];
	/** The events received so far, in order. */
	events(): string[];
	/** The status of the answers from now on; null does not answer. */
	answer(status: number | null, headers?: Record<string, string>): void;
	/** Answers what has not been answered. */
	release(status: number): void;
	close(): void;
}

/** Starts a server that keeps what it gets and answers 200 until told otherwise. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
	const received: Received[] = [];
	const waiting: ServerResponse[] = [];
	let status: number | null = 200;
	let answerHeaders: Record<string, string> = {};
	const server: Server = createServer((request, response) => {
		let raw = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => (raw += chunk));
		request.on('end', () => {
			received.push({ method: request.method ?? '', headers: request.headers, raw, body: JSON.parse(raw) as Json });
			if (status === null) {
				waiting.push(response);
			} else {
				response.writeHead(status, answerHeaders).end('ok');
			}
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		events: () => received.map(({ body }) => asText(body.event)),
		answer(next, headers = {}) {
			status = next;
			answerHeaders = headers;
		},
		release(late) {
			for (const response of waiting.splice(0)) {
				response.writeHead(late).end('ok');
			}
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** A campaign body that the service accepts: open always, in UTC, from 2020 on. */
export function validCampaign(service: SandboxClient, changes: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		name: 'Test campaign',
		campaign_type: 'sales',
		agent_id: service.seed.agents.published,
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5, 6, 7],
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
		timezone: 'UTC',
		...changes,
	};
}

/**
 * What every endpoint refuses in the same way, but for the agent call.
 * @param wrongToken the body of the 401 of a wrong token; by default that of the endpoints below /agents
 */
export async function expectRefusals(
	service: SandboxClient,
	method: string,
	path: string,
	body?: unknown,
	wrongToken: unknown = { success: false, message: expect.any(String) },
): Promise<void> {
	const answer = async (token: string | null) => {
		const { status, data } = await service.api(method, path, body, token);
		return { token, status, data };
	};
	const message = expect.any(String);
	const missing = { error: 'MISSING_TOKEN', message, status_code: 401 };
	const expired = { error: 'TOKEN_EXPIRED', message, status_code: 401 };
	expect(await answer(null)).toEqual({ token: null, status: 401, data: missing });
	expect(await answer('TOKEN-expired')).toEqual({ token: 'TOKEN-expired', status: 401, data: expired });
	const flat = { success: false, message };
	expect(await answer('wrong')).toEqual({ token: 'wrong', status: 401, data: wrongToken });
	if (method !== 'GET') {
		expect(await answer('TOKEN-readonly')).toEqual({ token: 'TOKEN-readonly', status: 403, data: flat });
	}
}

/** Creates a campaign, activates it and gives back its id. */
export async function activeCampaign(service: SandboxClient, changes: Record<string, unknown> = {}): Promise<string> {
	const response = await service.api('POST', '/campaigns', validCampaign(service, changes));
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	const id = asText(response.data.data.id);
	await service.api('PATCH', `/campaigns/${id}/status`, { status: 'active' });
	return id;
}

/** Queues a call and gives back its campaign_call. */
export async function queue(service: SandboxClient, campaign: string, to: string, more: object = {}): Promise<Json> {
	const response = await service.api('POST', `/campaigns/${campaign}/call`, { to, ...more });
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	return response.data.campaign_call;
}

/** The campaign's calls as `GET /campaigns/{id}` lists them. */
export async function callsOf(service: SandboxClient, campaign: string): Promise<Json[]> {
	return asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.calls);
}

/** Gives a campaign an SFTP configuration that is tested and enabled; it gives back the path of its routes. */
export async function sftpOn(service: SandboxClient, campaign: string, settings: object = {}): Promise<string> {
	const path = `/campaigns/${campaign}/sftp`;
	const body = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret', ...settings };
	await service.api('POST', path, body);
	await service.api('POST', `${path}/test-connection`);
	const response = await service.api('PUT', path, { is_enabled: true });
	if (response.status !== 200) {
		throw new Error(JSON.stringify(response.data));
	}
	return path;
}

/** Creates a webhook on a campaign and gives back its id. */
export function webhookOn(
	service: SandboxClient,
	campaign: string,
	url: string,
	changes: object = {},
): Promise<string> {
	return createWebhook(service, `/campaigns/${campaign}/webhooks`, url, {
		events: DOCUMENTED_CAMPAIGN_EVENTS,
		...changes,
	});
}

/** Creates a webhook on an agent and gives back its id. */
export function agentWebhookOn(
	service: SandboxClient,
	agent: string,
	url: string,
	changes: object = {},
): Promise<string> {
	return createWebhook(service, `/agents/${agent}/webhooks`, url, { events: DOCUMENTED_AGENT_EVENTS, ...changes });
}

async function createWebhook(service: SandboxClient, path: string, url: string, settings: object): Promise<string> {
	const response = await service.api('POST', path, { name: 'Hook', webhook_url: url, ...settings });
	if (response.status !== 201) {
		throw new Error(JSON.stringify(response.data));
	}
	return asText(response.data.data.id);
}

export const DOCUMENTED_CAMPAIGN_EVENTS = [
	'campaign.created',
	'campaign.started',
	'campaign.paused',
	'campaign.completed',
	'campaign.updated',
	'campaign_call.queued',
	'campaign_call.started',
	'campaign_call.completed',
	'campaign_call.retry_scheduled',
	'campaign_call.failed',
	'event_recording',
	'event_call_transcript',
	'event_call_report',
];

/**
 * What several endpoints refuse in the same way. Where a route has a third part, its object does not exist: the flat
 * 404 has that message.
 * @param wrongToken the body of the 401 of a wrong token; by default that of the SIP trunk endpoints
 */
export async function expectAllRefused(
	service: SandboxClient,
	routes: Array<[string, string, string?]>,
	wrongToken: unknown = { error: 'UNAUTHORIZED', message: expect.any(String), status_code: 401 },
): Promise<void> {
	for (const [method, path, missing] of routes) {
		const body = method === 'GET' ? undefined : {};
		await expectRefusals(service, method, path, body, wrongToken);
		if (!missing) {
			continue;
		}
		const { status, data } = await service.api(method, path, body);
		expect([method, path, status, data]).toEqual([method, path, 404, { success: false, message: missing }]);
	}
}

/** All that the service shows of an agent. */
export const SHOWN_AGENT = [
	'actions',
	'ask_if_human_present_on_idle',
	'conversation_speed',
	'created_at',
	'current_status',
	'description',
	'direction',
	'id',
	'initial_message',
	'initial_message_delay',
	'interrupt_sensitivity',
	'is_ready_to_publish',
	'is_sandbox',
	'label',
	'language',
	'llm_temperature',
	'name',
	'phone_numbers',
	'trainings',
	'updated_at',
	'voice',
	'who_speaks_first',
];
