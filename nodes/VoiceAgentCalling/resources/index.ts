import type { Resource } from '../../shared/operation';
import { agent } from './agent';
import { agentFlow } from './agentFlow';
import { agentWebhook } from './agentWebhook';
import { availability } from './availability';
import { calendar } from './calendar';
import { calendarEvent } from './calendarEvent';
import { calendarMember } from './calendarMember';
import { call } from './call';
import { campaign } from './campaign';
import { campaignWebhook } from './campaignWebhook';
import { service } from './service';
import { sipTrunk } from './sipTrunk';

/** All that the node offers. */
export const resources: readonly Resource[] = [
	agent,
	agentFlow,
	agentWebhook,
	availability,
	calendar,
	calendarEvent,
	calendarMember,
	call,
	campaign,
	campaignWebhook,
	service,
	sipTrunk,
];
