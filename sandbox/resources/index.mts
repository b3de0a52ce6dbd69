import type { Route } from '../http/route.mts';
import { activeCallRoutes } from './activeCalls.mts';
import { actionIntegrationRoutes } from './actionIntegrations.mts';
import { agentActionRoutes } from './agentActions.mts';
import { agentCallRoutes } from './agentCalls.mts';
import { agentFlowRoutes } from './agentFlow.mts';
import { agentPricingRoutes } from './agentPricing.mts';
import { agentRoutes } from './agents.mts';
import { agentSettingsRoutes } from './agentSettings.mts';
import { agentTrainingRoutes } from './agentTrainings.mts';
import { agentWebhookRoutes } from './agentWebhooks.mts';
import { availabilityRoutes } from './availability.mts';
import { availabilityRuleRoutes } from './availabilityRules.mts';
import { calendarEventPartRoutes } from './calendarEventParts.mts';
import { calendarEventRoutes } from './calendarEvents.mts';
import { calendarMemberRoutes } from './calendarMembers.mts';
import { calendarRoutes } from './calendars.mts';
import { callRoutes } from './calls.mts';
import { campaignCallRoutes } from './campaignCalls.mts';
import { campaignRoutes } from './campaigns.mts';
import { campaignSftpRoutes } from './campaignSftp.mts';
import { campaignSftpJobRoutes } from './campaignSftpJobs.mts';
import { campaignStatusRoutes } from './campaignStatus.mts';
import { campaignWebhookRoutes } from './campaignWebhooks.mts';
import { healthRoutes } from './health.mts';
import { phoneNumberRoutes } from './phoneNumbers.mts';
import { sipTrunkRoutes } from './sipTrunkPlan.mts';
import { voiceTemplateRoutes } from './voiceTemplates.mts';

/** Every route of the service. */
export const routes: Route[] = [
	...healthRoutes,
	...agentRoutes,
	...agentSettingsRoutes,
	...agentPricingRoutes,
	...agentActionRoutes,
	...actionIntegrationRoutes,
	...agentTrainingRoutes,
	...agentCallRoutes,
	...activeCallRoutes,
	...agentFlowRoutes,
	...agentWebhookRoutes,
	...callRoutes,
	...campaignRoutes,
	...campaignStatusRoutes,
	...campaignCallRoutes,
	...campaignWebhookRoutes,
	...campaignSftpRoutes,
	...campaignSftpJobRoutes,
	...phoneNumberRoutes,
	...sipTrunkRoutes,
	...voiceTemplateRoutes,
	...calendarRoutes,
	...calendarMemberRoutes,
	...calendarEventRoutes,
	...calendarEventPartRoutes,
	...availabilityRuleRoutes,
	...availabilityRoutes,
];
