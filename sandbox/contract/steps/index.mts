import type { Group } from '../step.mts';
import { calls, queuedCalls } from './calls.mts';
import { roundTrip, webhooks } from './deliveries.mts';
import { agents, calendars, campaigns, trunks } from './drafts.mts';
import { reading } from './reading.mts';

/** All steps, in the order of a run. */
export const groups: readonly Group[] = [
	{ title: 'Reading', needs: [], steps: reading },
	{ title: 'Agents in draft', needs: ['write'], steps: agents },
	{ title: 'Campaigns in draft', needs: ['write'], steps: campaigns },
	{ title: 'A SIP trunk', needs: ['write'], steps: trunks },
	{ title: 'A calendar', needs: ['write'], steps: calendars },
	{ title: 'Webhooks', needs: ['write'], steps: webhooks },
	{ title: 'Deliveries', needs: ['write', 'receive'], steps: roundTrip },
	{ title: 'A call that does not ring', needs: ['call'], steps: calls },
	{ title: 'A queued call that does not ring', needs: ['write', 'call'], steps: queuedCalls },
];
