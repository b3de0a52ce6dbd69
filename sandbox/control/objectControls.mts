import { z } from 'zod';

import { freeSlots } from '../engine/freeSlots.mts';
import { withFile } from '../engine/sftp/sftpServer.mts';
import { invalidFields, notFound } from '../http/httpErrors.mts';
import { isoMoment } from '../http/schemas.mts';
import { actionObject, agentObject } from '../resources/agents/agentObject.mts';
import { listedCampaign } from '../resources/campaigns/campaignObject.mts';
import { findSftp } from '../resources/campaigns/campaignSftp.mts';
import { isoMillis } from '../time/time.mts';
import { DAY_MS } from '../time/wallTime.mts';
import type { Agent } from '../world/agent.mts';
import type { Calendar } from '../world/calendar.mts';
import type { Campaign } from '../world/campaign.mts';
import type { World } from '../world/world.mts';
import { type ControlRoute, control } from './controlRoute.mts';
import { hasText, listQuery, newestOf } from './pages.mts';
import { listedCall } from './timeline.mts';

type Fields = Record<string, unknown>;

/** The longest time range for a calendar's slots. */
const LONGEST_RANGE_MS = 62 * DAY_MS;
/** The most hits of a search per type of object. */
const HITS = 10;

const calendarQuery = z
	.object({
		from: isoMoment.optional(),
		to: isoMoment.optional(),
		minutes: z
			.string()
			.regex(/^\d{1,4}$/)
			.transform(Number)
			.pipe(z.number().min(5).max(1440))
			.default('30'),
	})
	.strict();

/** The objects of the environment, including data that no route of the service shows. */
export const objectControls: ControlRoute[] = [
	control({
		method: 'GET',
		path: 'agents',
		handle: ({ world }) => [...world.agents.values()].map((agent) => agentRecord(world, agent)),
	}),
	control({
		method: 'GET',
		path: 'agents/:id',
		handle: ({ world, params }) => agentDetails(world, found('Agent', world.agents.get(params.id ?? ''))),
	}),
	control({
		method: 'GET',
		path: 'campaigns',
		handle: ({ world }) => [...world.campaigns.values()].map((campaign) => campaignRecord(world, campaign)),
	}),
	control({
		method: 'GET',
		path: 'campaigns/:id',
		handle: ({ world, params }) => campaignRecord(world, found('Campaign', world.campaigns.get(params.id ?? ''))),
	}),
	control({
		method: 'GET',
		path: 'campaigns/:id/calls',
		query: z.object({ ...listQuery, status: z.string().optional() }).strict(),
		handle({ world, params, query }) {
			const campaign = found('Campaign', world.campaigns.get(params.id ?? ''));
			return newestOf(
				campaign.calls,
				query,
				({ id, to, status }, text) => (!query.status || status === query.status) && hasText(text, id, to, status),
				({ id, to, status, retries, duration, isTesting, scheduledAt, created }) => ({
					id,
					to,
					status,
					retries,
					duration,
					is_testing: isTesting,
					scheduled_at: scheduledAt === null ? null : isoMillis(scheduledAt),
					created_at: isoMillis(created),
				}),
			);
		},
	}),
	control({
		method: 'GET',
		path: 'campaigns/:id/sftp',
		handle({ world, params }) {
			const { waiting, written } = findSftp(world, params.id).sftp;
			return { waiting, written };
		},
	}),
	control({
		method: 'POST',
		path: 'campaigns/:id/sftp',
		body: z.object({ name: z.string().regex(/^[^/]+\.csv$/i), content: z.string() }).strict(),
		handle({ world, params, body }) {
			const { sftp } = findSftp(world, params.id);
			sftp.waiting = withFile(sftp.waiting ?? [], body);
			return { success: true };
		},
	}),
	control({
		method: 'GET',
		path: 'calendars',
		handle: ({ world }) => [...world.calendars.values()].map(calendarRecord),
	}),
	control({
		method: 'GET',
		path: 'calendars/:id',
		query: calendarQuery,
		handle({ world, params, query }) {
			const calendar = found('Calendar', world.calendars.get(params.id ?? ''));
			const from = query.from ?? Math.floor(world.clock.now() / DAY_MS) * DAY_MS;
			const to = query.to ?? from + 7 * DAY_MS;
			if (to <= from || to - from > LONGEST_RANGE_MS) {
				throw invalidFields({ to: ['The to must be after the from, by 62 days at most.'] });
			}
			return week(calendar, { from, to }, query.minutes);
		},
	}),
	control({ method: 'GET', path: 'phone-numbers', handle: ({ world }) => [...world.phoneNumbers.values()] }),
	// All settings, which no route of the service shows.
	control({ method: 'GET', path: 'webhooks', handle: ({ world }) => [...world.webhooks.values()] }),
	control({
		method: 'GET',
		path: 'search',
		query: z.object({ q: z.string().min(1) }).strict(),
		handle: ({ world, query }) => search(world, query.q.toLowerCase()),
	}),
];

/** @throws 404 */
function found<Item>(what: string, item: Item | undefined): Item {
	if (item === undefined) {
		throw notFound(what);
	}
	return item;
}

function agentRecord(world: World, agent: Agent): Fields {
	const { actions, trainings, ...shown } = agentObject(world, agent);
	const [actionCount, trainingCount] = [actions, trainings].map((list) => (list as unknown[]).length);
	return { ...shown, conversation_mode: agent.conversation_mode, actions: actionCount, trainings: trainingCount };
}

function agentDetails(world: World, agent: Agent): Fields {
	return {
		...agentObject(world, agent),
		actions: agent.actions.map((action) => ({
			...actionObject(world, action),
			node_id: action.node_id,
			...action.unshown,
		})),
		settings: agent.unshown,
		conversation_mode: agent.conversation_mode,
		flow_config: agent.flow_config,
		flow_versions: agent.flowVersions.map(({ id, version, created }) => ({
			id,
			version,
			created_at: isoMillis(created),
		})),
		campaigns: [...world.campaigns.values()]
			.filter(({ agent_id }) => agent_id === agent.id)
			.map(({ id, name, status }) => ({ id, name, status })),
	};
}

/** Returns a campaign with the number of its calls by status, and of its finished calls. */
function campaignRecord(world: World, campaign: Campaign): Fields {
	const statuses: Record<string, number> = {};
	for (const { status } of campaign.calls) {
		statuses[status] = (statuses[status] ?? 0) + 1;
	}
	const over = campaign.calls.filter(({ phase }) => phase === 'over').length;
	return { ...listedCampaign(world, campaign), progress: { total: campaign.calls.length, over, statuses } };
}

function calendarRecord({ id, name, timezone, members, events, rules }: Calendar): Fields {
	return { id, name, timezone, members: members.length, events: events.size, rules: rules.size };
}

function week(calendar: Calendar, range: { from: number; to: number }, minutes: number): Fields {
	const rules = [...calendar.rules.values()];
	const events = [...calendar.events.values()];
	return {
		...calendarRecord(calendar),
		metadata: calendar.metadata,
		members: calendar.members.map(({ id, user_id, role }) => ({ id, user_id, role })),
		rules,
		events: events
			.filter(({ start, end }) => start < range.to && end > range.from)
			.sort((one, other) => one.start - other.start)
			.map(({ start, end, updated, ...event }) => ({ ...event, start_at: isoMillis(start), end_at: isoMillis(end) })),
		free: freeSlots({ timezone: calendar.timezone, rules, events }, range, minutes).map(({ from, to }) => ({
			start_at: isoMillis(from),
			end_at: isoMillis(to),
		})),
		from: isoMillis(range.from),
		to: isoMillis(range.to),
	};
}

/** Finds the newest objects of each type with the text in their id, name or number. */
function search(world: World, text: string): Fields[] {
	const named = <Item extends { id: string; name: string }>(type: string, items: Iterable<Item>) =>
		[...items]
			.filter(({ id, name }) => hasText(text, id, name))
			.slice(0, HITS)
			.map(({ id, name }) => ({ type, id, label: name }));
	const calls = newestOf(
		[...world.calls.values()],
		{ limit: HITS, q: text },
		(call) => hasText(text, call.id, call.campaignCall?.id, call.to, call.from, call.sid),
		(call) => ({ type: 'call', id: call.id, label: `${call.from} → ${call.to}`, call: listedCall(world, call) }),
	);
	const numbers = [...world.phoneNumbers.values()]
		.filter(({ id, number }) => hasText(text, id, number))
		.slice(0, HITS)
		.map(({ id, number }) => ({ type: 'phone-number', id, label: number }));
	return [
		...named('agent', world.agents.values()),
		...named('campaign', world.campaigns.values()),
		...named('webhook', world.webhooks.values()),
		...named('calendar', world.calendars.values()),
		...numbers,
		...(calls.items as Fields[]),
	];
}
