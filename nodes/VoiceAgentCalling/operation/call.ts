/** The longest delay that the service takes, in milliseconds. */
export const MAX_DELAY_MS = 3_600_000;

/** The field with the agent or campaign that calls. */
export type CallerIdField = 'agentId' | 'campaignId';

/** The service's name of that field, in calls and events. */
export const CALLER_IDS = { agentId: 'agent_id', campaignId: 'campaign_id' } as const;

/** A call that an item asks for. */
export interface Call {
	/** The kind of the caller; undefined if the request does not say who calls. */
	callerIdField: CallerIdField | undefined;
	/** ID of the agent or campaign that calls. */
	callerId: string | undefined;
	/** The number to call, in E.164 if it can be read. */
	to: string;
	/** Whether it is a test call, which uses no credits. */
	isTest: boolean;
}
