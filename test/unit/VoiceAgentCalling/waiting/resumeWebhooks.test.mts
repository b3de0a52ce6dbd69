import { resumeWebhooks } from '../../../../nodes/VoiceAgentCalling/waiting/resumeWebhooks.ts';

test('the webhook of a waiting execution takes a POST for one node, and its response says nothing about the workflow', () => {
	expect(resumeWebhooks).toEqual([
		{
			name: 'default',
			httpMethod: 'POST',
			path: '={{ $nodeId }}',
			restartWebhook: true,
			responseMode: 'onReceived',
			responseData: 'noData',
		},
	]);
});
