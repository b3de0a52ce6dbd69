import type { IWebhookDescription } from 'n8n-workflow';

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
