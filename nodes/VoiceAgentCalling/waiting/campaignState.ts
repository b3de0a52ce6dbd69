import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/isRecord';
import { storedContext } from '../../shared/lib/n8nInternals';

/** A campaign whose end an execution waits for. */
export interface OpenCampaign {
	id: string;
	/** ID of the webhook that the node has created for it. */
	webhookId: string;
	/** The items that wait for it. */
	items: number[];
}

/** The campaigns that an execution waits for. It is in n8n's context of the node, which n8n stores with the execution. */
export interface CampaignWait {
	/** Index of the node's run. */
	run: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	campaigns: OpenCampaign[];
}

/** Stores the state; a node has one wait at a time. */
export function storeCampaignWait(caller: IExecuteFunctions, wait: CampaignWait): void {
	caller.getContext('node').waitingForCampaigns = wait as unknown as IDataObject;
}

/** Reads the stored state; undefined if the node does not wait for campaigns. */
export function readCampaignWait(caller: IWebhookFunctions): CampaignWait | undefined {
	const { waitingForCampaigns: wait } = storedContext(caller);
	return isRecord(wait) ? (wait as unknown as CampaignWait) : undefined;
}
