import type { IWebhookDescription } from 'n8n-workflow';

/** Where n8n takes what resumes a waiting execution. The node's ID tells it from other nodes that wait. */
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
