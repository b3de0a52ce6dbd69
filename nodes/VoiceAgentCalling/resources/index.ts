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

/** All resources of the node, in the order of the menu. */
export const resources: readonly Resource[] = [
	agentResource,
	agentActionResource,
	agentFlowResource,
	agentTrainingResource,
	availabilityResource,
	calendarResource,
	calendarEventResource,
	calendarMemberResource,
	callResource,
	campaignResource,
	campaignSftpResource,
	phoneNumberResource,
	serviceResource,
	sipTrunkResource,
	voiceTemplateResource,
	webhookResource,
];
