import type { Route } from '../http/route.mts';
import { actionIntegrationRoutes } from './agents/actionIntegrations.mts';
import { agentActionRoutes } from './agents/agentActions.mts';
import { agentFlowRoutes } from './agents/agentFlow.mts';
import { agentPricingRoutes } from './agents/agentPricing.mts';
import { agentSettingsRoutes } from './agents/agentSettings.mts';
import { agentRoutes } from './agents/agents.mts';
import { agentTrainingRoutes } from './agents/agentTrainings.mts';
import { agentWebhookRoutes } from './agents/agentWebhooks.mts';
import { callbackAgentRoutes } from './agents/callbackAgents.mts';
import { availabilityRoutes } from './calendars/availability.mts';
import { availabilityRuleRoutes } from './calendars/availabilityRules.mts';
import { calendarEventPartRoutes } from './calendars/calendarEventParts.mts';
import { calendarEventRoutes } from './calendars/calendarEvents.mts';
import { calendarMemberRoutes } from './calendars/calendarMembers.mts';
import { calendarSyncRoutes } from './calendars/calendarSync.mts';
import { calendarRoutes } from './calendars/calendars.mts';
import { activeCallRoutes } from './calls/activeCalls.mts';
import { agentCallRoutes } from './calls/agentCalls.mts';
import { callRoutes } from './calls/calls.mts';
import { recordingRoutes } from './calls/recordings.mts';
import { campaignCallRoutes } from './campaigns/campaignCalls.mts';
import { campaignSftpRoutes } from './campaigns/campaignSftp.mts';
import { campaignSftpJobRoutes } from './campaigns/campaignSftpJobs.mts';
import { campaignStatusRoutes } from './campaigns/campaignStatus.mts';
import { campaignRoutes } from './campaigns/campaigns.mts';
import { campaignWebhookRoutes } from './campaigns/campaignWebhooks.mts';
import { healthRoutes } from './health.mts';
import { phoneNumberRoutes } from './numbersAndVoices/phoneNumbers.mts';
import { voiceTemplateRoutes } from './numbersAndVoices/voiceTemplates.mts';
import { sipTrunkRoutes } from './sipTrunks/sipTrunkPlan.mts';

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
	...callbackAgentRoutes,
	...callRoutes,
	...recordingRoutes,
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
	...calendarSyncRoutes,
	...calendarMemberRoutes,
	...calendarEventRoutes,
	...calendarEventPartRoutes,
	...availabilityRuleRoutes,
	...availabilityRoutes,
];
