import { z } from 'zod';

import { enqueueCall } from '../../engine/calls/callQueue.mts';
import { flatErrorBody, flatErrorWith } from '../../http/errorSchemas.mts';
import { flatError } from '../../http/httpErrors.mts';
import { type Route, route } from '../../http/route.mts';
import { anyObject } from '../../http/schemas.mts';
import { E164 } from '../../world/phoneNumber.mts';
import { campaignCallObject, existingCallObject } from './campaignObject.mts';
import { existingCallSchema, queuedCallSchema } from './campaignSchemas.mts';
import { findCampaign } from './campaigns.mts';

const callBody = z.object({
	to: z.string().regex(E164),
	payload: anyObject.default({}),
	context: anyObject.default({}),
	is_testing: z.boolean().default(false),
	allow_duplicates: z.boolean().default(false),
});

/** `POST /campaigns/{campaign_id}/call`: queues a call in an active campaign. Its errors are flat. */
export const campaignCallRoutes: Route[] = [
	route({
		method: 'POST',
		path: '/api/v1/campaigns/:campaign_id/call',
		summary: 'Queue a call in a campaign',
		description:
			'The campaign calls the number by its schedule and rules. A number that is already queued or called is refused with 409 unless `allow_duplicates` is true.',
		refusal: 'campaignCall',
		body: callBody,
		responses: { 201: queuedCallSchema },
		errors: {
			400: { when: 'The campaign is not active', body: flatErrorBody },
			409: {
				when: 'A call to this number is active or queued in the campaign',
				body: flatErrorWith({ existing_call: existingCallSchema }),
			},
		},
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const request = body();
			if (campaign.status !== 'active') {
				throw flatError(400, `The campaign is not active: its status is ${campaign.status}.`);
			}
			const existing = campaign.open.get(request.to)?.[0];
			if (existing && !request.allow_duplicates) {
				throw flatError(409, 'A call to this number is already active or queued in the campaign.', {
					existing_call: existingCallObject(existing),
				});
			}
			const call = enqueueCall(world, campaign, request);
			const { id, name, status } = campaign;
			return { status: 201, body: { campaign_call: campaignCallObject(call), campaign: { id, name, status } } };
		},
	}),
];
