import type { INodeProperties } from 'n8n-workflow';

import { agentEvents, campaignEvents } from '../../../../nodes/shared/fields/eventKinds.ts';
import { waitByAgentEvent, waitByCampaignEvent } from '../../../../nodes/VoiceAgentCalling/fields/waiting.ts';
import { requiredKinds } from '../../../../nodes/VoiceAgentCalling/waiting/artifacts.ts';
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

test('the notice below Wait By names the events that end the wait, as the panel of the trigger does', () => {
	const noticeOf = ({ properties }: { properties: readonly INodeProperties[] }) =>
		properties.find(({ type }) => type === 'notice');
	const nameOf = (kind: string) => [...campaignEvents, ...agentEvents].find(({ value }) => value === kind)?.name;
	const cases = [
		[waitByAgentEvent, [...requiredKinds('agentId', ['recording']), 'event_voicemail_detected']],
		[waitByCampaignEvent, requiredKinds('campaignId', ['report', 'transcript', 'recording'])],
	] as const;
	for (const [field, kinds] of cases) {
		const notice = noticeOf(field);
		expect(notice?.displayOptions).toEqual({ show: { waitBy: ['automatic', 'event'] } });
		expect(notice?.displayName).toContain('same credential');
		for (const kind of kinds) {
			expect(notice?.displayName).toContain(nameOf(kind));
		}
	}
});
