import type { IWebhookDescription } from 'n8n-workflow';

/** What the editor says about the node while its execution sleeps. */
export const WAITING_TOOLTIP =
	'Waiting for the outcome: the workflow continues when all calls or campaigns have ended, or when the time limit has passed';

/** The webhook that resumes a waiting execution. Its path is the node's ID: several nodes of a workflow may wait. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: 'noData',
		path: '={{ $nodeId }}',
		restartWebhook: true,
	},
];
