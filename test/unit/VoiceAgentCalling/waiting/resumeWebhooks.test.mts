import type { INodeProperties } from 'n8n-workflow';

import { agentEvents, campaignEvents } from '../../../../nodes/shared/events/eventTypes.ts';
import { waitByAgentEvent, waitByCampaignEvent } from '../../../../nodes/VoiceAgentCalling/fields/waiting.ts';
import { requiredEventTypes } from '../../../../nodes/VoiceAgentCalling/waiting/artifacts.ts';
import { resumeWebhooks } from '../../../../nodes/VoiceAgentCalling/waiting/resumeWebhooks.ts';
import { properties } from '../../../../nodes/VoiceAgentCallingTrigger/parameters/settings.ts';

test('the webhook of a waiting execution takes a POST for one node, and its response says nothing about the workflow', () => {
	const address = { name: 'default', httpMethod: 'POST', path: '={{ $nodeId }}', restartWebhook: true };
	expect(resumeWebhooks).toEqual([{ ...address, responseMode: 'onReceived', responseData: 'noData' }]);
});

test('the notice below Wait By names the events that a trigger needs besides its default ones, as its panel does', () => {
	const noticeOf = ({ properties }: { properties: readonly INodeProperties[] }) =>
		properties.find(({ type }) => type === 'notice');
	const nameOf = (kind: string) => [...campaignEvents, ...agentEvents].find(({ value }) => value === kind)?.name;
	const cases = [
		['agent', waitByAgentEvent, [...requiredEventTypes('agentId', ['recording']), 'event_voicemail_detected']],
		['campaign', waitByCampaignEvent, requiredEventTypes('campaignId', ['report', 'transcript', 'recording'])],
	] as const;
	for (const [source, field, kinds] of cases) {
		const notice = noticeOf(field);
		expect(notice?.displayOptions).toEqual({ show: { waitBy: ['automatic', 'event'] } });
		expect(notice?.displayName).toContain('same credential');
		const byDefault = properties.find(
			({ name, displayOptions }) => name === 'events' && displayOptions?.show?.source?.[0] === source,
		)?.default as string[];
		const named = kinds.filter((kind) => notice?.displayName.includes(String(nameOf(kind))));
		expect(named).toEqual(kinds.filter((kind) => !byDefault.includes(kind)));
	}
});
