/** The longest delay that the service accepts, in milliseconds. */
export const MAX_DELAY_MS = 3_600_000;

/** The field with the agent or campaign that calls. */
export type CallerIdField = 'agentId' | 'campaignId';

/** The service's names of these fields, in calls and events. */
export const CALLER_IDS = { agentId: 'agent_id', campaignId: 'campaign_id' } as const;

/** A call that an item requests. */
export interface Call {
	/** The type of the caller; undefined if the request does not name the caller. */
	callerIdField: CallerIdField | undefined;
	/** ID of the agent or campaign that calls. */
	callerId: string | undefined;
	/** The number to call, in E.164 if it can be read. */
	to: string;
	/** Whether it is a test call, which does not use credits. */
	isTest: boolean;
}
