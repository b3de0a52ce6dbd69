import { agentEvents, campaignEvents } from '../../nodes/shared/fields/eventKinds.ts';
import { FAMILIES, familyOf } from '../../nodes/VoiceAgentCallingTrigger/parameters/outputs.ts';
import { AGENT_EVENTS } from '../../sandbox/engine/deliveries/eventKinds.mts';
import { linkTo, table } from './markdown.mts';

/** A delivered event. */
export type Sample = Record<string, unknown>;

/** Samples by event type, for each type of webhook. */
export interface Samples {
	campaign: Map<string, Sample>;
	agent: Map<string, Sample>;
}

/** The meaning of the events of campaign webhooks; those of the events inside a call are in the sandbox. */
const CAMPAIGN_MEANINGS: Record<string, string> = {
	'campaign.created':
		'The campaign was created. Its webhook cannot exist yet at that time: the service offers the kind all the same',
	'campaign.started': 'The campaign became active: calls start by its schedule',
	'campaign.paused': 'The campaign was paused: no new calls start',
	'campaign.completed': 'The campaign is over',
	'campaign.updated':
		'The campaign was changed. The sandbox sends it also when a campaign is resumed or cancelled, for which there is no kind',
	'campaign_call.queued': 'A call was queued in the campaign',
	'campaign_call.started': 'The campaign dials; again at each retry',
	'campaign_call.completed': 'The call is over: somebody, or a machine, took it. No further try follows',
	'campaign_call.retry_scheduled': 'This try reached nobody; the next one is planned (`scheduled_at`)',
	'campaign_call.failed': 'The call is over: nobody was reached and no further try follows',
	event_recording: 'The recording of a call is ready',
	event_call_transcript: 'What was said in a call is there as text',
	event_call_report: 'The summary of a call is ready',
};

const MEANINGS: Record<string, string> = { ...AGENT_EVENTS, ...CAMPAIGN_MEANINGS };

/** What an event type ends, for calls of an agent and calls of a campaign. */
export const FINAL = {
	agent: {
		event_phone_call_ended: 'the call',
		event_phone_call_did_not_connect: 'the call',
		event_phone_call_error: 'the call',
	},
	campaign: {
		'campaign_call.completed': 'the call',
		'campaign_call.failed': 'the call, with no report, transcript or recording',
		event_call_report: 'the wait for the report',
		event_call_transcript: 'the wait for the transcript',
		event_recording: 'the wait for the recording',
	},
} satisfies Record<keyof Samples, Record<string, string>>;

function familyIn(webhook: keyof Samples, kind: string): string {
	return FAMILIES[webhook][familyOf(webhook, kind).index] ?? '';
}

const events = { campaign: campaignEvents, agent: agentEvents };

function kindTable(webhook: keyof Samples): string {
	const final: Record<string, string> = FINAL[webhook];
	const rows = events[webhook].map(({ name, value }) => {
		const kind = String(value);
		return [
			linkTo(headingOf(webhook, kind), `\`${kind}\``),
			name,
			`${MEANINGS[kind]}.`,
			familyIn(webhook, kind),
			final[kind] ?? '',
		];
	});
	return table(['Kind', 'In the editor', 'What happened', 'Output', 'What is over with it'], rows);
}

const headingOf = (webhook: keyof Samples, kind: string) =>
	`${kind}, ${webhook === 'agent' ? 'to an agent webhook' : 'to a campaign webhook'}`;

function sampleOf(webhook: keyof Samples, kind: string, samples: Samples): string {
	const body = samples[webhook].get(kind);
	if (body === undefined) {
		throw new Error(`There is no sample of ${kind} for the webhook of a ${webhook}`);
	}
	return `#### ${headingOf(webhook, kind)}\n\n\`\`\`json\n${JSON.stringify([body], null, 2)}\n\`\`\``;
}

/** The whole page. */
export function eventsPage(samples: Samples): string {
	const test = samples.agent.get('webhook.test');
	return `${[
		intro,
		`## Campaign webhooks\n\n${kindTable('campaign')}\n\nWith **Include Call Events** the webhook also gets the kinds inside each of the campaign's calls, which are those of agent webhooks below, with \`campaign_id\` and \`campaign_name\`. They go to the output *Inside Calls*. None of them is final for a campaign's call: the campaign may call again, and only \`campaign_call.completed\` and \`campaign_call.failed\` say that it will not.`,
		`## Agent webhooks\n\n${kindTable('agent')}\n\nAn agent's webhook gets these for each call through the agent, a campaign's too. There the call's end is not the end of what the campaign does with the number.`,
		`## Test deliveries\n\nAgent Webhook → Test sends \`webhook.test\`, the only body that the service has published. Campaign Webhook → Test sends one made-up event of a kind that the webhook subscribes to, with \`test: true\` in the sandbox. The trigger acknowledges both and starts nothing, unless **Options → Test Deliveries** says so.\n\n\`\`\`json\n${JSON.stringify([test], null, 2)}\n\`\`\``,
		recipes,
		`## Samples\n\nEach is a list with one item, to be pasted as pinned data.\n\n### Of campaign webhooks`,
		...campaignEvents.map(({ value }) => sampleOf('campaign', String(value), samples)),
		'### Of agent webhooks',
		...agentEvents.map(({ value }) => sampleOf('agent', String(value), samples)),
	].join('\n\n')}\n`;
}

const intro = `<!-- Generated by npm run generate, in test/sandbox/engine/deliveries/eventsPage.test.mts. Do not edit. -->

# Events

What the **Voice Agent Calling Trigger** is told: every kind of event, what it means, what is over with it, and a sample of each.

**What is promised, and what is not.** The service promises the kind of event, and that the \`context\` which a call was placed with is in every event of that call. The other fields of a delivery it does not publish. The samples are what the sandbox sends, so that workflows can be built before the first real event: check the fields that you use against a real one.

- *Output* is where the event comes out with **Options → Outputs** set to one for each family.
- *What is over with it* is what the operations that wait go by: **Call → Place and Wait** ends with the final kinds of an agent webhook, **Campaign → Queue Call and Wait** with those of a campaign webhook. Waiting for the report, the transcript or the recording ends with that kind, or with \`campaign_call.failed\`, after which none comes.
- \`id\` is the service's ID of the delivery: the same at each attempt and each redelivery, another one for another webhook. That is what the sandbox sends; the service does not publish it. \`timestamp\` is the time of the event, not of the delivery.`;

const recipes = `## Build a workflow with a sample

1. Copy a sample from the end of this page, with its brackets.
2. Open the trigger in the editor. Under *Output*, choose *set mock data* (with data there already: the pencil, *Edit Output*), paste, and save. The data is now pinned.
3. Build the rest: running the workflow by hand uses the pinned event, and calls nothing. Published, the workflow takes real events; the pin counts only in the editor.

## Each event once, also after a restart

The trigger drops an event that it has had: it compares a digest of all bytes, in the memory of each n8n process. So two different bodies are never one event. A body that has no \`timestamp\`, or neither \`id\` nor \`call_id\`, as a payload template can make it, starts an execution each time it comes, because two calls can have the same bytes. After a restart, or with several webhook processes, one can come twice. Where that costs something, put n8n's own **Remove Duplicates** node right behind the trigger; it remembers in n8n's database:

| Parameter | Value |
|---|---|
| Operation | *Remove Items Processed in Previous Executions* |
| Keep Items Where | *Value Is New* |
| Value to Dedupe On | \`{{ [$json.event, $json.id, $json.call_id, $json.timestamp].join(' ') }}\` |
| Options → Scope | *Node* |
| Options → History Size | \`10000\`, or as many events as can come within the 30 days in which the service can redeliver |

In the sandbox \`id\` alone, the service's ID of the delivery, would do. What it identifies is not published: the kind, the call and the time keep events apart that share one. Where a payload template leaves these fields out, take others that tell your events apart.

What this does not do: the node remembers the event before the nodes after it have run, so an execution that is cut off later is not made up for by a second delivery (n8n lists it as crashed, and its *Retry* goes on with it). And executions at the very same moment can all find the event new, or write over what the other has noted: the node reads one row of n8n's database and writes it back. Where an event must never count twice, keep its ID where an ID is taken once only, such as a unique column of a database of yours.

### What was counted

A test delivers 1,000 events, each once to four times at the same moment, and kills n8n (SIGKILL) amid them. It counts the executions of each event: \`npm run test:scale -- manyEvents queueMode\`.

| | Executions of an event |
|---|---|
| One n8n process, killed and started again | Each of the 1,000 events has one. Of the 8 that were on their way just then, two in one run and six in another had a second one, because a delivery came again after the restart: it had no answer before, or a \`503\` because the same event was being stored just then. An event whose every delivery was acknowledged before has one. What was cut off is listed as crashed, with its event in it: *Retry* goes on with it |
| Queue mode, two webhook processes that take deliveries in turn | An event that is delivered once has one. One that comes again, to the other process, has two: each process starts it once, and knows nothing of the other. Of those that came two to four times at the same moment, 98 % had two |
| ... one of them killed and started again | None is lost. What was on its way just then may have one more |
| ... a worker killed | What it was running just then, ten executions at most unless you set it, is lost: n8n lists it as failed (*job stalled*) and keeps none of its data, not even the event, which was acknowledged before. All others run on the other worker. A worker that is asked to end (SIGTERM) finishes what it runs |
| ... Remove Duplicates behind the trigger | Of the events that had two executions at the same moment, 12 % passed it twice, on a busier machine 36 %. One whose execution was cut off with the worker did not pass in its other one |

An event also has two executions where n8n has stored it, but its answer did not reach the service, or not in time: n8n was too busy, or was ended in that moment, be it in good order (SIGTERM). The test allows an event one execution for each n8n process that acknowledged it, and one for each delivery without an answer, and no more.

If you count executions yourself, compare with n8n's own count. n8n's list is sorted by start, but its next page begins after an ID, so it leaves out executions that started in another order than they were stored. Of 1,756 executions of the test in queue mode, the pages had 1,754.

## What was missed

While n8n is down, the service tries each delivery a few times (**Options → Delivery Retries** of the trigger), then gives up. **Catch Up** (Campaign Webhook, Agent Webhook) redelivers what it gave up on: [operations](operations.md#campaign-webhook--catch-up). The example [catch-up-on-a-schedule.json](../examples/catch-up-on-a-schedule.json) does so every quarter of an hour.

**Run Catch Up before you unpublish the trigger or publish a change of it.** n8n then lets the trigger delete its webhook. The service's log goes with it, and so does what the service was still trying to deliver.

**Put Catch Up into a workflow of its own, not the trigger's.** It keeps something in the workflow's static data, and at the end of an execution n8n writes back all of it as it was at the beginning: a secret that the trigger has registered meanwhile is lost. The trigger can compute the two secrets that follow the one it has, so it still accepts the deliveries, and **Check Registration** makes it store the newer one again. But until then the replaced secret is accepted too.

How it decides, since the service lists each attempt by itself and does not say which belong together:

- Failed for good is an attempt with the status \`failed\` that no later attempt follows; \`retrying\` and \`pending\` are left to the service. Where the log shows what was sent, attempts with the same content belong together. Where it does not, they are counted by kind and number: up to a moment at which as many second attempts have been made as first ones, all first ones were followed. Of what is left in doubt, all is redelivered: the trigger knows an event that it has had, and one that is left out would be lost.
- The whole log is read, with a request for each 100 attempts of the last 30 days: the service promises no order. If you have seen that it lists the newest first, say so under **Options → Log Is Newest First**, and the reading ends where the log is older than *Since*. For a log of thousands of pages that is needed.
- A redelivery makes a new entry in the log and leaves the old one failed. So the node keeps the IDs of what it has redelivered, for the 30 days that the service keeps its log, in the workflow's static data. **n8n stores that only for executions of a published workflow.** By hand the node remembers nothing, and goes by the log alone. Two runs at the same time do not know of each other: leave enough time between them.
- A redelivery without a clear answer is not sent again in the same run. The next run sees in the log what became of it.
- One that fails again is redelivered by the next run, until the event is older than *Since*.`;
