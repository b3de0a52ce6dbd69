import type { Resource } from '../operation/operation';
import { agentResource } from './agent';
import { agentActionResource } from './agentAction';
import { agentFlowResource } from './agentFlow';
import { agentTrainingResource } from './agentTraining';
import { availabilityResource } from './availability';
import { calendarResource } from './calendar';
import { calendarEventResource } from './calendarEvent';
import { calendarMemberResource } from './calendarMember';
import { callResource } from './call';
import { campaignResource } from './campaign';
import { campaignSftpResource } from './campaignSftp';
import { phoneNumberResource } from './phoneNumber';
import { serviceResource } from './service';
import { sipTrunkResource } from './sipTrunk';
import { voiceTemplateResource } from './voiceTemplate';
import { webhookResource } from './webhook';

/**
 * All resources of the node, in the order of the menu and of n8n's list of actions. The most used resources come first,
 * because that list lacks a search for community nodes; the other resources are sorted by name.
 */
export const resources: readonly Resource[] = [
	callResource,
	campaignResource,
	agentResource,
	agentActionResource,
	agentFlowResource,
	agentTrainingResource,
	availabilityResource,
	calendarResource,
	calendarEventResource,
	calendarMemberResource,
	campaignSftpResource,
	phoneNumberResource,
	serviceResource,
	sipTrunkResource,
	voiceTemplateResource,
	webhookResource,
];
