import { agent, agentAction, agentFlow, agentTraining, voiceTemplate } from './agents.mts';
import { availability, calendar, calendarEvent, calendarMember } from './calendars.mts';
import { call } from './calls.mts';
import { campaignSftp } from './campaignSftp.mts';
import { campaign } from './campaigns.mts';
import type { Runs } from './runs.mts';
import { service } from './service.mts';
import { sipTrunk } from './sipTrunks.mts';
import { webhook } from './webhooks.mts';

/** The runs of operations for which the default parameters are not enough, by resource; of some, several in turn. */
export const runsByResource: Record<string, Runs | Runs[]> = {
	agent,
	agentAction,
	agentFlow,
	agentTraining,
	availability,
	calendar,
	calendarEvent,
	calendarMember,
	call,
	campaign,
	campaignSftp,
	service,
	sipTrunk,
	voiceTemplate,
	webhook,
};
