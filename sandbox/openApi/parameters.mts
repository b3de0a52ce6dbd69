import { isDeepStrictEqual } from 'node:util';

import type { Route } from '../http/route.mts';
import { uuidOf } from '../world/ids.mts';
import type { Exchange } from './examples.mts';
import type { Fields, SchemaWriter } from './jsonSchema.mts';

const calendar = uuidOf('calendar 0');

/** Descriptions of path and query variables. An example replaces a recorded ID that other sandboxes lack. */
const PARAMETERS: Record<string, [description: string, example?: unknown]> = {
	agent_id: ['The ID of an agent', uuidOf('agent 0')],
	action_id: ['The ID of an action of the agent', uuidOf('action')],
	training_id: ['The ID of a training of the agent', uuidOf('training prices')],
	campaign_id: ['The ID of a campaign', uuidOf('campaign 0')],
	webhook_id: ['The ID of a webhook: create one first'],
	log_id: ['The ID of an attempt, from the list of deliveries'],
	voice_template_id: ['The ID of a voice template'],
	trunk_id: ['The ID of a SIP trunk', uuidOf('sip trunk 0')],
	phone_number_id: ['The ID of a phone number', uuidOf('phone number +13125550142')],
	calendar_id: ['The ID of a calendar', calendar],
	calendar_ids: ['The IDs of the calendars', [calendar]],
	member_id: ["The ID of a member, which is not the user's", uuidOf('member, viewer')],
	event_id: ['The ID of an event of the calendar', uuidOf(`event 0 of ${calendar}`)],
	attendee_id: ['The ID of an attendee of the event', uuidOf('attendee')],
	rule_id: ['The ID of an availability rule of the calendar', uuidOf(`rule 0 of ${calendar}`)],
	phone: ['The number in E.164, with its plus percent-encoded'],
	file: ['The name of the file, from its address', `${uuidOf('recording')}.mp3`],
	expires: ['From the address that the voice template returned', '1768469400'],
	signature: ['From the address that the voice template returned', '0'.repeat(64)],
	page: ['The page, from 1'],
	per_page: ['How many entries a page has'],
	search: ['A part of a name, a description or a number'],
	status: ['Only entries with this status'],
	direction: ['Only entries with this direction'],
	campaign_type: ['Only campaigns of this type'],
	type: ['Only numbers of this type'],
	has_voice: ['Only numbers that can, or cannot, make calls'],
	has_whatsapp: ['Only numbers that have, or do not have, WhatsApp'],
	language: ['Only voices of this locale'],
	quality_tier: ['Only voices of this tier'],
	gender: ['Only voices of this gender'],
	date_from: ['Only entries that were created on this day or later'],
	date_to: ['Only entries that were created on this day or earlier'],
	from: ['The start of the time range'],
	to: ['The end of the time range'],
	duration_minutes: ['How long a slot is'],
};

/** Examples of query variables that are missing in the recorded requests. */
const UNRECORDED: Record<string, unknown> = {
	direction: 'outbound',
	status: 'completed',
	search: 'sales',
	page: 1,
	date_from: '2026-01-01',
	date_to: '2040-12-31',
	has_voice: true,
	has_whatsapp: false,
};

/** Routes that need another object, such as a draft or a trunk without DIDs. */
const OTHERS: Record<string, Record<string, string>> = {
	'DELETE /api/v1/agents/:agent_id': { agent_id: uuidOf('agent 1') },
	'POST /api/v1/agents/:agent_id/publish': { agent_id: uuidOf('agent 1') },
	'DELETE /api/v1/campaigns/:campaign_id': { campaign_id: uuidOf('campaign 1') },
	'PATCH /api/v1/campaigns/:campaign_id/status': { campaign_id: uuidOf('campaign 1') },
	'DELETE /api/v1/sip-trunks/:trunk_id': { trunk_id: uuidOf('sip trunk 1') },
};

/** The forms of a boolean in a query. */
const FLAGS = ['true', 'false', '1', '0'];
const flag: Fields = { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['1', '0'] }] };

/** Describes the variables of a route's path and query. @param sent the exchange with their examples */
export function parametersOf(route: Route, schemas: SchemaWriter, sent: Exchange | undefined): Fields[] {
	/** Prefers the ID of a seeded object, which exists in every sandbox, to the recorded value. */
	const words = (name: string, recorded: unknown): Fields => {
		const [description, seeded] = PARAMETERS[name] ?? [];
		const own = OTHERS[`${route.method} ${route.path}`]?.[name];
		const example = own ?? seeded ?? recorded ?? UNRECORDED[name];
		return { description, ...(example !== undefined && { example }) };
	};
	const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
	const inPath = names.map((name) => ({
		name,
		in: 'path',
		required: true,
		schema: { type: 'string' },
		...words(name, sent?.params[name]),
	}));
	const query = (route.query ? schemas.write(route.query) : {}) as {
		properties?: Record<string, Fields>;
		required?: string[];
	};
	const inQuery = Object.entries(query.properties ?? {}).map(([name, { default: fallback, ...schema }]) => {
		// In the route, query values and their defaults are text.
		const isNumber = schema.type === 'number';
		const start = fallback === undefined ? {} : { default: isNumber ? Number(fallback) : fallback };
		return {
			name: schema.type === 'array' ? `${name}[]` : name,
			in: 'query',
			required: fallback === undefined && (query.required?.includes(name) ?? false),
			schema: isDeepStrictEqual(schema.enum, FLAGS)
				? flag
				: { ...schema, ...(isNumber && { type: 'integer' }), ...start },
			...words(name, sent?.query[name]),
		};
	});
	return [...inPath, ...inQuery];
}
