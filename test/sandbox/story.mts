import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../../sandbox/engine/deliveries/eventTypes.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';
import type { Json, SandboxClient } from './client.mts';
import { useReceiver, useService } from './use.mts';
import type { WebhookReceiver } from './webhookReceiver.mts';

/**
 * A step of a story. Its line is one of
 * - `METHOD PATH STATUS`: a request below /api/v1, or to a control route below /_sandbox, and its status. `> name` at
 *   the end keeps the id of the created object, `> name=data.0.id` another value. It replaces `{name}` in later steps.
 * - `wait SECONDS`: advances the sandbox's clock.
 * - `receiver STATUS`: sets the status of all further responses of the receiver.
 * - `events TYPES`: compares the events since the last such step, in any order; with their bodies, in this order.
 *
 * The line is followed by the body of a POST, PUT or PATCH, and by the expected response. For a refusal, this may be a
 * text: its code, the fields that it names, or a part of its message. The form of each response is always compared with
 * its route.
 */
export type Step = [line: string, ...given: Array<object | string | undefined>];

/** Provides a sandbox and a receiver of webhooks, reset before each test, and functions that play stories with them. */
export function useStories(options?: Partial<SandboxOptions>) {
	const service = useService(options);
	const receiver = useReceiver();
	/** @param known the values of names before @returns the values of names afterwards */
	const play = async (steps: Step[], known: Names = {}): Promise<Names> => {
		const { agents, campaigns, ...seed } = service.seed;
		const names: Names = {
			...{ ...campaigns, campaign: campaigns.active, agent: agents.published, draftAgent: agents.draft },
			...{ ...seed, trunk: seed.sipTrunk, voice: seed.voiceTemplate, number: seed.phoneNumber },
			receiver: receiver.url,
			...known,
		};
		for (const [line, ...given] of steps) {
			try {
				await playStep({ service, receiver, names }, line, given);
			} catch (error) {
				(error as Error).message = `${line}: ${(error as Error).message}`;
				throw error;
			}
		}
		return names;
	};
	/** Declares a test for each story. */
	const stories = (all: Record<string, Step[]>) => {
		for (const [name, steps] of Object.entries(all)) {
			it(name, async () => void (await play(steps)));
		}
	};
	return { service, receiver, play, stories };
}

type Names = Record<string, unknown>;
interface Playing {
	service: SandboxClient;
	receiver: WebhookReceiver;
	names: Names;
}

async function playStep(playing: Playing, line: string, given: Array<object | string | undefined>): Promise<void> {
	const { service, receiver, names } = playing;
	const [request = '', saved] = line.split(' > ');
	const [method = '', first = '', last] = request.split(' ');
	if (method === 'wait') {
		return await service.advance(Number(first));
	}
	if (method === 'receiver') {
		return receiver.respond(Number(first));
	}
	if (method === 'events') {
		const got = receiver.received.splice(0).map(({ body }) => body);
		expect(got.map(({ event }) => event).sort()).toEqual(request.split(' ').slice(1).filter(Boolean).sort());
		return given[0] === undefined ? undefined : expect(got).toMatchObject(filled(given[0], names) as object[]);
	}
	const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && typeof given[0] !== 'string';
	const body = hasBody ? filled(given[0], names) : undefined;
	const expected = filled(given[hasBody ? 1 : 0], names);
	const path = String(filled(first, names));
	const isControl = path.startsWith('/_sandbox/');
	const { status, data } = isControl
		? await service.controlResponse(method, path.slice('/_sandbox/'.length), body)
		: await service.api(method, path, body);
	const shown = status === Number(last) ? undefined : data;
	expect({ status, shown }).toEqual({ status: Number(last), shown: undefined });
	if (typeof expected === 'string') {
		const { code, fields, message } = refusalOf(data);
		expect([code, fields, message.includes(expected) ? expected : message]).toContain(expected);
	} else if (expected !== undefined) {
		expect(data).toMatchObject(expected as object);
	}
	if (saved !== undefined) {
		const [name = '', place] = saved.split('=');
		names[name] = place === undefined ? madeId(data) : at(data, place);
		expect(names[name]).toBeDefined();
	}
}

function refusalOf(data: Json): { code: unknown; fields: string; message: string } {
	const fields = Object.keys(data.errors ?? data.error?.details?.errors ?? {});
	const message = data.message ?? data.error?.message;
	return { code: data.code ?? data.error?.code, fields: fields.sort().join(' '), message: String(message) };
}

const madeId = (data: Json) => (data.data ?? data.campaign_call ?? data.call ?? data).id;
const at = (data: Json, place: string) => place.split('.').reduce<Json | undefined>((part, key) => part?.[key], data);

/** Replaces the names in a value by their values. */
function filled(value: unknown, names: Names): unknown {
	if (typeof value === 'string') {
		return value.replace(/\{(\w+)\}/g, (all, name: string) => (name in names ? String(names[name]) : all));
	}
	if (Array.isArray(value)) {
		return value.map((item) => filled(item, names));
	}
	if (value === null || typeof value !== 'object' || 'asymmetricMatch' in value) {
		return value;
	}
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, names)]));
}

/** A campaign that is always open, in UTC, since 2020. */
const CAMPAIGN = {
	name: 'Test campaign',
	campaign_type: 'sales',
	agent_id: '{agent}',
	start_date: '2020-01-01',
	days_of_week: [1, 2, 3, 4, 5, 6, 7],
	call_time_ranges: [{ start: '00:00', end: '23:59' }],
	timezone: 'UTC',
};

/** Returns steps that create a draft or active campaign and keep its id under a name. */
export const draftCampaign = (name: string, changes: object = {}): Step[] => [
	[`POST /campaigns 201 > ${name}`, { ...CAMPAIGN, ...changes }],
];
export const campaign = (name: string, changes?: object): Step[] => [
	...draftCampaign(name, changes),
	setStatus(name, 'active'),
];

export const setStatus = (name: string, status: string): Step => [`PATCH /campaigns/{${name}}/status 200`, { status }];
export const queued = (name: string, to: string, more: object = {}): Step => [
	`POST /campaigns/{${name}}/call 201 > queued`,
	{ to, ...more },
];

/** Returns a step that compares a campaign's calls, oldest first. */
export const callsAre = (name: string, ...calls: object[]): Step => [
	`GET /campaigns/{${name}} 200`,
	{ data: { calls } },
];
export const statusesAre = (name: string, statuses: string): Step =>
	callsAre(
		name,
		...statuses
			.split(' ')
			.filter(Boolean)
			.map((status) => ({ status })),
	);

/** Returns steps that create an SFTP configuration, test and enable it. */
export const sftp = (name: string, changes: object = {}): Step[] => [
	[`POST /campaigns/{${name}}/sftp 201`, { ...SFTP, ...changes }],
	[`POST /campaigns/{${name}}/sftp/test-connection 200`],
	[`PUT /campaigns/{${name}}/sftp 200`, { is_enabled: true }],
];
export const SFTP = { host: 'sftp.example.com', username: 'ada', auth_type: 'password', password: 'secret' };

/** Returns a step that creates a webhook with all events for the receiver. */
export const webhook = (name: string, owner: string, changes: object = {}): Step => [
	`POST /${owner}/webhooks 201 > ${name}`,
	{
		name: 'Hook',
		webhook_url: '{receiver}',
		events: owner.startsWith('agents') ? AGENT_EVENTS : CAMPAIGN_EVENTS,
		...changes,
	},
];
