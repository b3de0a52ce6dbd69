import type { INodeTypeDescription } from 'n8n-workflow';

/** Hints for the AI models that build workflows. Versions of n8n before 2.29 ignore them. */
export const eventHints: NonNullable<INodeTypeDescription['builderHint']> = {
	searchHint:
		'Starts on events of a campaign, or of an agent with its single, incoming and campaign calls. It calls nobody. Only campaigns send transcripts and reports.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-voice-agent-calling.voiceAgentCalling',
			relationHint:
				'Places and queues the calls; its AndWait operations continue with the outcome without this trigger',
		},
	],
	extraTypeDefContent: [
		{
			content: `<output>
One item for each event: event, id, timestamp, webhookOwner, isTest (of a test call), and for a call presumably call_id, to, status, duration in seconds, retries, is_testing, context (the metadata of the call), agent_id, agent_name, campaign_id, campaign_name. No fields are nested in body or data.
- campaign_call.completed: a person or a machine answered. campaign_call.failed: no further attempt follows; reason is busy, no-answer or another word. campaign_call.retry_scheduled comes after each attempt that reached nobody, while others follow.
- event_call_transcript: transcript, a list of role and content. event_call_report: summary and more. event_recording: recording_url.
- campaign.completed: without statistics; read them with campaign/get of the action node.
</output>
<rules>
- With source 'agent', set events, too, to other values than the type lists: event_phone_call_ended (answered), event_phone_call_did_not_connect, event_phone_call_error and event_voicemail_detected, which are the default, event_recording. Incoming calls of an agent come as these.
- An event that is delivered again can start a second execution: upsert by call_id, or use Remove Duplicates with id.
- Transcript and end of a call are separate events, in any order: update the same row from both.
</rules>
<pattern title="Log the calls of a campaign">
{ source: 'campaign', campaign: { __rl: true, mode: 'id', value: 'CAMPAIGN_ID' }, events: ['campaign_call.completed', 'campaign_call.failed'] }
</pattern>`,
		},
	],
};
