import { agent, agentFlow } from './agents.mts';
import { call } from './calls.mts';
import { campaign, campaignWebhook } from './campaigns.mts';
import type { Runs } from './runs.mts';
import { service } from './service.mts';
import { sipTrunk } from './sipTrunks.mts';

/** By resource, as the node names it. */
export const runsByResource: Record<string, Runs> = {
	agent,
	agentFlow,
	call,
	campaign,
	campaignWebhook,
	service,
	sipTrunk,
};
