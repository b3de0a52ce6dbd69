import type { INodeTypeDescription } from 'n8n-workflow';

type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;

/** Describes to an AI model that builds a workflow what the parameters do not show. */
const CALLS = `<output>
One item for each input item, in the same order and paired with it. Fields of earlier nodes are not copied: read them with expr("{{ $('Contacts').item.json.name }}").
- result: placed or queued. sameNumber, alreadyQueued: the number has this call already, no second one was sent. blocked, outsideHours, noConsent, tooOften, limitReached, notReady, failed, notTried: nobody is called; message, code and advice say why. unknown: the phone may ring.
- to, id (of the call), isTest, status.
- AndWait adds outcome (completed, voicemail, busy, noAnswer, failed, doNotCall, cancelled, unknown, timedOut; notCalled: see result) and duration in seconds. Polling reports voicemail as completed.
- Check Before Calling: result is ready or notReady; to, message, code, normalizedTo (the number that would be called), nextSlot, reasons.
A failed item stops the node. With onError 'continueRegularOutput' it is an item with result, to, message, code and advice instead, and the others are still called.
</output>
<rules>
- Pass all contacts as items to one node. It paces the requests. For one call after the other, loop with a batch size of 1 around Place and Wait.
- Numbers start with + and the country code. For others add options.defaultCountry.
- agentFlow/validate is for agents that have a flow. To check whether any agent and its numbers are ready, use checkBeforeCalling.
- No tool lists the variables of an agent: ask for their names, as written in its prompt.
- Leave retryOnFail off, and do not repeat a call whose result is unknown or whose outcome is timedOut.
- The same number in several items is called once, but the node does not know earlier runs: keep a data table of who was called.
- To call later than in an hour, put a Wait node with a date before this node.
- A queued call cannot be canceled, and no operation reads a transcript, report or recording: they come as events of the trigger, or with options.waitFor of Queue Call and Wait.
</rules>`;

const AGENT = "agent: { __rl: true, mode: 'id', value: 'AGENT_ID' }";
const CAMPAIGN = "campaign: { __rl: true, mode: 'id', value: 'CAMPAIGN_ID' }";
const PHONE = "phoneNumber: expr('{{ $json.phone }}')";

/** Parameters for common tasks, in the language of n8n's workflow SDK, each shown with the type of its operation. */
const patterns: ReadonlyArray<[resource: string, operation: string, title: string, parameters: string]> = [
	[
		'call',
		'place',
		'Call each contact, with values for variables of the agent',
		`${AGENT}, ${PHONE}, agentVariables: { mappingMode: 'defineBelow', value: { first_name: expr('{{ $json.name }}') } }, options: { defaultCountry: 'US' }`,
	],
	[
		'call',
		'placeAndWait',
		'Continue with the outcome, for example in a Switch with a fallback output',
		`${AGENT}, ${PHONE}, options: { timeLimit: { values: { amount: 10, unit: 'minutes' } } }`,
	],
	[
		'call',
		'checkBeforeCalling',
		"Show who would be called, without calling: with onError 'continueRegularOutput', also for bad or missing numbers",
		`${AGENT}, ${PHONE}, options: { defaultCountry: 'US' }`,
	],
	[
		'campaign',
		'queueCall',
		'Queue a call for each row; the metadata comes back in each event as context',
		`${CAMPAIGN}, ${PHONE}, agentVariables: { mappingMode: 'defineBelow', value: { last_visit: expr('{{ $json.last_visit }}') } }, options: { metadataFields: { values: [{ name: 'row', value: expr('{{ $json.id }}') }] } }`,
	],
	['campaign', 'setStatus', 'Pause. Setting the same status again is not an error', `${CAMPAIGN}, status: 'paused'`],
	[
		'campaign',
		'get',
		'Statistics: stats.total_calls, completed_calls, failed_calls, success_rate, average_duration',
		CAMPAIGN,
	],
	[
		'call',
		'getAll',
		'Calls of yesterday: id, to, from, direction, status, duration, created_at; no transcript',
		"returnAll: true, filters: { dateFrom: expr('{{ $today.minus({ days: 1 }).toISODate() }}'), dateTo: expr('{{ $today.minus({ days: 1 }).toISODate() }}') }",
	],
	[
		'calendarEvent',
		'getAll',
		'Events: id, title, start_at, end_at, status; Get adds description and attendees (name, email). No field for a phone number',
		"calendar: { __rl: true, mode: 'id', value: 'CALENDAR_ID' }",
	],
	[
		'availability',
		'getSlots',
		'Free slots, an item each: start_at and end_at in UTC, start_local and end_local in the time zone',
		"calendar: { __rl: true, mode: 'id', value: 'CALENDAR_ID' }, from: expr('{{ $json.from }}'), to: expr('{{ $json.to }}'), options: { localTimezone: 'Europe/Berlin' }",
	],
];

/** Hints for AI models that build workflows. Older versions of n8n ignore them. */
export const callHints: BuilderHint = {
	searchHint:
		'Rings real phones. Call now: call/place, or call/placeAndWait to continue with the outcome. Many people, calling times and retries: campaign/queueCall. Without ringing: checkBeforeCalling. React to calls: Voice Agent Calling Trigger.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
			relationHint: 'Outcomes, transcripts, reports and recordings of calls arrive as its events',
		},
		{ nodeType: 'n8n-nodes-base.dataTable', relationHint: 'Remembers who was called, and stores outcomes' },
	],
	extraTypeDefContent: [
		{ content: CALLS },
		...patterns.map(([resource, operation, title, parameters]) => ({
			displayOptions: { show: { resource: [resource], operation: [operation] } },
			content: `<pattern title="${title}">\n{ resource: '${resource}', operation: '${operation}', ${parameters} }\n</pattern>`,
		})),
	],
};
