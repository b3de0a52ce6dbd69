import { z } from 'zod';

import { cancelWaiting, planAll } from '../../engine/calls/callQueue.mts';
import { type AboutCampaign, emitCampaign } from '../../engine/deliveries/emit.mts';
import { flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError } from '../../http/httpErrors.mts';
import { done } from '../../http/response.mts';
import { messageAndData } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Campaign } from '../../world/campaign.mts';
import { campaignStatusSchema } from './campaignSchemas.mts';
import { findCampaign } from './campaigns.mts';

type Status = Campaign['status'];

const statusBody = z.object({ status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']) });

/** The allowed transitions between statuses, and the events that they emit. */
const TRANSITIONS: Record<Status, Partial<Record<Status, AboutCampaign>>> = {
	draft: { active: 'campaign.started', cancelled: 'campaign.updated' },
	active: { paused: 'campaign.paused', completed: 'campaign.completed', cancelled: 'campaign.updated' },
	paused: { active: 'campaign.updated', completed: 'campaign.completed', cancelled: 'campaign.updated' },
	completed: {},
	cancelled: {},
};

/** `PATCH /campaigns/{campaign_id}/status`. */
export const campaignStatusRoutes: Route[] = [
	route({
		method: 'PATCH',
		path: '/api/v1/campaigns/:campaign_id/status',
		summary: "Set a campaign's status",
		description:
			'An active campaign calls by its schedule. The statuses completed and cancelled are final, and cancel the waiting calls.',
		refusal: 'unauthorized',
		body: statusBody,
		responses: { 200: messageAndData(campaignStatusSchema) },
		errors: { 400: { when: 'The campaign cannot move to this status', body: flatErrorBody } },
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const { status } = body();
			const event = TRANSITIONS[campaign.status][status];
			if (!event) {
				throw flatError(400, `A campaign cannot move from ${campaign.status} to ${status}.`);
			}
			campaign.status = status;
			campaign.updated = world.clock.now();
			if (status === 'completed' || status === 'cancelled') {
				cancelWaiting(campaign);
			} else {
				planAll(world, campaign);
			}
			emitCampaign(world, campaign, event);
			return done('Campaign status updated successfully.', {
				id: campaign.id,
				status,
				updated_at: iso(campaign.updated),
			});
		},
	}),
];
