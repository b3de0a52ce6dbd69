import type { Resource } from '../operation/defineOperation';
import { agent } from './agent';
import { agentAction } from './agentAction';
import { agentFlow } from './agentFlow';
import { agentTraining } from './agentTraining';
import { agentWebhook } from './agentWebhook';
import { availability } from './availability';
import { calendar } from './calendar';
import { calendarEvent } from './calendarEvent';
import { calendarMember } from './calendarMember';
import { call } from './call';
import { campaign } from './campaign';
import { campaignSftp } from './campaignSftp';
import { campaignWebhook } from './campaignWebhook';
import { phoneNumber } from './phoneNumber';
import { service } from './service';
import { sipTrunk } from './sipTrunk';
import { voiceTemplate } from './voiceTemplate';

/** All resources of the node, in the order of the menu. */
export const resources: readonly Resource[] = [
	agent,
	agentAction,
	agentFlow,
	agentTraining,
	agentWebhook,
	availability,
	calendar,
	calendarEvent,
	calendarMember,
	call,
	campaign,
	campaignSftp,
	campaignWebhook,
	phoneNumber,
	service,
	sipTrunk,
	voiceTemplate,
];
