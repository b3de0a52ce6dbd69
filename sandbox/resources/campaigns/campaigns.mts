import { z } from 'zod';

import { cancelWaiting, planAll } from '../../engine/calls/callQueue.mts';
import { emitCampaign } from '../../engine/deliveries/emit.mts';
import { codedError, flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields, notFound } from '../../http/httpErrors.mts';
import { pageOf, pagination } from '../../http/paging.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody, pagePosition } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { isoDate, pageQuery } from '../../http/schemas.mts';
import { TIMER } from '../../time/clock.mts';
import { withinDays } from '../../time/time.mts';
import type { Campaign, TimeRange } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { removeWebhooksOf } from '../webhooks/webhooks.mts';
import { type CampaignBody, campaignCreateBody, campaignUpdateBody } from './campaignFields.mts';
import { campaignObject, listedCampaign, outerTimes, writtenCampaign } from './campaignObject.mts';
import {
	campaignSchema,
	createdCampaignSchema,
	listedCampaignSchema,
	updatedCampaignSchema,
} from './campaignSchemas.mts';

const listQuery = z.object({
	status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']).optional(),
	campaign_type: z.enum(['sales', 'follow_up', 'reminder', 'custom']).optional(),
	agent_id: z.string().optional(),
	date_from: isoDate.optional(),
	date_to: isoDate.optional(),
	search: z.string().optional(),
	...pageQuery,
});

const SCHEDULE = ['start_date', 'end_date', 'days_of_week', 'call_time_ranges', 'timezone'] as const;
const PATH = '/api/v1/campaigns/:campaign_id';

/** Campaigns: list, create, get, update, delete. Other files handle their status and calls. */
export const campaignRoutes: Route[] = [
	route({
		method: 'GET',
		path: '/api/v1/campaigns',
		summary: 'List campaigns',
		description: 'A page of the campaigns, in the order of their creation.',
		refusal: 'unauthorized',
		query: listQuery,
		responses: { 200: dataOf(z.array(listedCampaignSchema), { pagination: pagePosition }) },
		handle({ world, query }) {
			const filter = query();
			const text = filter.search?.toLowerCase() ?? '';
			const found = [...world.campaigns.values()].filter(
				(campaign) =>
					(!filter.status || campaign.status === filter.status) &&
					(!filter.campaign_type || campaign.campaign_type === filter.campaign_type) &&
					(!filter.agent_id || campaign.agent_id === filter.agent_id) &&
					withinDays(campaign.created, filter.date_from, filter.date_to) &&
					`${campaign.name}\n${campaign.description ?? ''}`.toLowerCase().includes(text),
			);
			const page = pageOf(found, filter);
			return ok(
				page.items.map((campaign) => listedCampaign(world, campaign)),
				{ pagination: pagination(page) },
			);
		},
	}),
	route({
		method: 'POST',
		path: '/api/v1/campaigns',
		summary: 'Create a campaign',
		description: 'The campaign is a draft: it calls nobody before its status is active.',
		refusal: 'message',
		body: campaignCreateBody,
		responses: { 201: dataOf(createdCampaignSchema) },
		errors: { 403: { when: 'The plan does not allow more campaigns', body: codedError('CAMPAIGN_LIMIT_REACHED') } },
		handle({ world, body }) {
			const given = withTimes(body());
			const campaign = newCampaign(world, given);
			checkReferences(world, given, campaign);
			if (world.campaigns.size >= world.options.maxCampaigns) {
				throw flatError(403, 'The plan does not allow more campaigns.', { code: 'CAMPAIGN_LIMIT_REACHED' });
			}
			world.campaigns.set(campaign.id, campaign);
			emitCampaign(world, campaign, 'campaign.created');
			return created(writtenCampaign(campaign));
		},
	}),
	route({
		method: 'GET',
		path: PATH,
		summary: 'Get a campaign',
		description: 'With its schedule, rules, statistics and imported files.',
		refusal: 'unauthorized',
		responses: { 200: dataOf(campaignSchema) },
		handle: ({ world, params }) => ok(campaignObject(world, findCampaign(world, params.campaign_id))),
	}),
	route({
		method: 'PUT',
		path: PATH,
		summary: 'Update a campaign',
		description:
			'Changes the fields that are sent. The schedule of an active campaign with queued calls cannot change: pause it first.',
		refusal: 'unauthorized',
		body: campaignUpdateBody,
		responses: { 200: dataOf(updatedCampaignSchema) },
		errors: {
			409: { when: 'The schedule cannot change while calls are queued', body: codedError('CAMPAIGN_HAS_ACTIVE_CALLS') },
		},
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const changes = withTimes(body(), outerTimes(campaign));
			checkReferences(world, changes, { ...campaign, ...changes });
			if (movesQueuedCalls(campaign, changes)) {
				throw flatError(409, 'The schedule cannot change while calls are queued. Pause the campaign first.', {
					code: 'CAMPAIGN_HAS_ACTIVE_CALLS',
				});
			}
			Object.assign(campaign, changes, { updated: world.clock.now() });
			planAll(world, campaign);
			emitCampaign(world, campaign, 'campaign.updated');
			const { created_at: _createdAt, ...data } = writtenCampaign(campaign);
			return ok(data);
		},
	}),
	route({
		method: 'DELETE',
		path: PATH,
		summary: 'Delete a campaign',
		description: 'Also cancels its queued calls and deletes its webhooks. An active campaign cannot be deleted.',
		refusal: 'unauthorized',
		responses: { 200: doneBody },
		errors: {
			403: { when: 'The campaign is active', body: flatErrorBody },
			409: { when: 'The campaign has calls in progress', body: flatErrorBody },
		},
		handle({ world, params }) {
			const campaign = findCampaign(world, params.campaign_id);
			if (campaign.status === 'active') {
				throw flatError(403, 'An active campaign cannot be deleted.');
			}
			if (campaign.calls.some(({ phase }) => phase === 'calling')) {
				throw flatError(409, 'The campaign has calls in progress.');
			}
			cancelWaiting(campaign);
			campaign.sftp?.[TIMER]?.cancel();
			world.campaigns.delete(campaign.id);
			removeWebhooksOf(world, campaign.id);
			return done('Campaign deleted successfully.');
		},
	}),
];

/** @throws 404 in the flat format */
export function findCampaign(world: World, id: string | undefined): Campaign {
	const campaign = world.campaigns.get(id ?? '');
	if (!campaign) {
		throw notFound('Campaign');
	}
	return campaign;
}

/** Returns a draft campaign, with the service's defaults for missing fields. */
export function newCampaign(world: World, given: Partial<Campaign>): Campaign {
	const now = world.clock.now();
	return {
		id: newId(world),
		name: '',
		description: null,
		status: 'draft',
		campaign_type: 'custom',
		agent_id: '',
		start_date: '',
		end_date: null,
		days_of_week: [],
		call_time_ranges: [],
		timezone: 'UTC',
		initial_call_delay: 0,
		max_retries: 3,
		retry_cooldown_hours: 24,
		auto_complete: false,
		retry_on_no_conversion: false,
		enable_post_completion_cooldown: true,
		post_completion_cooldown_hours: 168,
		success_cooldown_hours: null,
		voicemail_cooldown_hours: null,
		no_answer_cooldown_hours: null,
		busy_cooldown_hours: null,
		failed_cooldown_hours: null,
		do_not_call_enabled: false,
		do_not_call_list_source: 'environment',
		do_not_call_custom_list: [],
		auto_add_to_dnc_enabled: true,
		auto_dnc_trigger_statuses: ['completed', 'voicemail'],
		auto_dnc_trigger_errors: ['invalid_number', 'disconnected'],
		calls: [],
		open: new Map(),
		doNotCall: new Set(),
		rests: new Map(),
		line: [],
		nextTurn: 0,
		files: [],
		sftp: null,
		created: now,
		updated: now,
		...given,
	};
}

/**
 * Converts the older pair of times to a time range. `call_time_ranges` takes precedence. A pair that equals the outer
 * times of the existing ranges does not change them, so that a campaign can be written back unchanged.
 * @param known the outer times of the existing ranges
 */
function withTimes(body: CampaignBody, known?: TimeRange): Partial<Campaign> {
	const { earliest_call_time: earliest, latest_call_time: latest, ...rest } = body;
	if (rest.call_time_ranges || !(earliest || latest)) {
		return rest;
	}
	const start = earliest?.slice(0, 5) ?? known?.start ?? '00:00';
	const end = latest?.slice(0, 5) ?? known?.end ?? '23:59';
	if (end <= start) {
		throw invalidFields({ latest_call_time: ['The latest_call_time must be after the earliest_call_time.'] });
	}
	if (start === known?.start && (end === known.end || (end === '23:59' && known.end === '24:00'))) {
		return rest;
	}
	return { ...rest, call_time_ranges: [{ start, end }] };
}

/** Checks the agent only if the body names it, because a campaign outlives its agent. @throws 422 */
function checkReferences(world: World, { agent_id }: Partial<Campaign>, campaign: Campaign): void {
	if (agent_id !== undefined && !world.agents.has(agent_id)) {
		throw invalidFields({ agent_id: ['The selected agent_id is invalid.'] });
	}
	if (campaign.end_date !== null && campaign.end_date <= campaign.start_date) {
		throw invalidFields({ end_date: ['The end_date must be after the start_date.'] });
	}
}

function movesQueuedCalls(campaign: Campaign, changes: Partial<Campaign>): boolean {
	const moved = SCHEDULE.some(
		(field) => changes[field] !== undefined && JSON.stringify(changes[field]) !== JSON.stringify(campaign[field]),
	);
	return moved && campaign.status === 'active' && campaign.open.size > 0;
}
