import type { Break } from './break.mts';

/** The trigger answers before n8n has stored the event, and hands it over some seconds later. */
const answersFirst = (seconds: number) => ({
	file: 'nodes/VoiceAgentCallingTrigger/delivery/delivery.ts',
	code: 'return items.length === 0 ? ACKNOWLEDGED : { workflowData: [items] };',
	changed: `if (items.length === 0) return ACKNOWLEDGED;
	caller.getResponseObject().status(200).end();
	await new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}));
	return { workflowData: [items], noWebhookResponse: true };`,
});

/** Promises that only tests in a real n8n or in a browser prove, in the order of the tables: `--e2e` breaks them. */
export const inN8n: Break[] = [
	{
		promise: 'A campaign of many contacts loses nobody and calls nobody twice',
		test: 'e2e/largeCampaign.test.mts',
		name: 'contacts are queued, each once, although n8n is killed twice on the way',
		file: 'examples/queue-a-large-campaign.json',
		code: "if (called.has(number)) return { id, state: 'queued'",
		changed: "if (!complete && called.has(number)) return { id, state: 'queued'",
	},
	{
		promise: 'Each row of a Google Sheet is called once, however often the workflow runs',
		test: 'e2e/exampleSheet.test.mts',
		name: 'Another run calls nobody who was called, also while phones ring, and calls new rows',
		after: ['Each row without a result is called once'],
		file: 'examples/call-the-rows-of-a-google-sheet.json',
		code: `"={{ String($json.Result ?? '').trim() }}"`,
		changed: `"={{ String($json.Result ?? '').replace('calling', '').trim() }}"`,
	},
	{
		promise: 'One click pauses every active campaign and ends every call in progress',
		test: 'e2e/exampleStop.test.mts',
		name: 'Stop all calls pauses every active campaign, ends every call in progress, and leaves what is queued in place',
		file: 'examples/stop-all-calls.json',
		code: '\\"initiated\\", \\"ringing\\"',
		changed: '\\"ringing\\"',
	},
	{
		promise: 'A lead that comes several times is called once',
		test: 'e2e/exampleLeads.test.mts',
		name: 'a lead that comes several times within a minute is called once, also at the same moment',
		file: 'examples/call-a-new-lead-at-once.json',
		code: `"number": "={{ $('Check the Number').first().json.normalizedTo }}"`,
		changed: `"number": "={{ $('Lead').first().json.phone }}"`,
	},
	{
		promise: 'Who asks for a callback is called at the time requested, once',
		test: 'e2e/exampleCallBack.test.mts',
		name: 'The person who named a time is called at this time, once, also if the transcript comes again',
		file: 'examples/call-back-at-a-requested-time.json',
		code: `"Do-Not-Call Table": {
      "main": [
        [
          {
            "node": "New?"`,
		changed: `"Do-Not-Call Table": {
      "main": [
        [
          {
            "node": "When to Call"`,
	},
	{
		promise: 'A requested callback is not placed to a number in the do-not-call table',
		test: 'e2e/exampleCallBack.test.mts',
		name: 'Nobody in the do-not-call table is called, although the person has asked for it',
		file: 'examples/call-back-at-a-requested-time.json',
		code: `"blockedNumbers": "={{ $('Do-Not-Call List').all() }}",`,
		changed: '',
	},
	{
		promise: 'A new lead is called within 30 seconds within the calling hours, and when they begin otherwise',
		test: 'e2e/exampleLeads.test.mts',
		name: 'a lead outside the calling hours waits for them, and a restart of n8n does not matter',
		file: 'examples/call-a-new-lead-at-once.json',
		code: '"call_at": "={{ $json.nextAllowedAt }}"',
		changed: `"call_at": "={{ $now.plus({ hours: 12 }).toISO() }}"`,
	},
	{
		promise: 'Nobody is called who opted out by SMS or in a call, however the number is written',
		test: 'e2e/exampleLeads.test.mts',
		name: 'nobody is called who opted out by SMS or in a call, however the number is written, and others are',
		file: 'examples/keep-a-do-not-call-list.json',
		code: `"={{ $('Do-Not-Call Numbers').all() }}"`,
		changed: `"={{ $('Do-Not-Call Numbers').all().map(({ json }) => json.phone).filter((phone) => phone?.startsWith('+')) }}"`,
	},
	{
		promise: 'Nothing of a document is sent to production before a person has approved the plan',
		test: 'e2e/examplePromotion.test.mts',
		name: 'An agent is created in production once a person has approved the plan, and not before',
		file: 'examples/promote-an-agent.json',
		code: '"dryRun": true',
		changed: '"dryRun": false',
	},
	{
		promise: 'The nightly export commits only what has changed',
		test: 'e2e/exampleExport.test.mts',
		name: 'every agent has a file in the repository, and a commit has only what changed',
		file: 'examples/export-agents-to-git.json',
		code: '"fileName": "={{ $json.settings.name.toLowerCase()',
		changed: '"fileName": "={{ $execution.id }}-{{ $json.settings.name.toLowerCase()',
	},
	{
		promise: 'The limits hold for an agent, in a chat, under the MCP Server Trigger',
		test: 'e2e/agent.test.mts',
		name: 'an agent is held by Max Calls per Hour',
		file: 'nodes/VoiceAgentCalling/sending/callBudget.ts',
		code: 'JSON.stringify([credential, caller.getWorkflow().id])',
		changed: 'JSON.stringify([credential, caller.getExecutionId()])',
	},
	{
		promise: 'No call that an AI agent proposes is placed before a person has approved it',
		test: 'e2e/exampleApproval.test.mts',
		name: 'of three proposals, the approved one is called once, and the others are not: declined, not decided',
		file: 'examples/approve-a-call-first.json',
		code: "$json.data?.Decision === 'Approve'",
		changed: "$json.data?.Decision !== 'Decline'",
	},
	{
		promise: 'A kill loses no event that the trigger has acknowledged',
		test: 'e2e/manyEvents.test.mts',
		name: 'a kill of n8n loses none, and only those on their way start twice',
		file: 'nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts',
		code: "stateByName.set(key, 'seen');",
		changed: 'stateByName.delete(key);',
	},
	{
		promise: 'In queue mode a kill loses only what the killed worker was running',
		test: 'e2e/queueMode.test.mts',
		name: 'In queue mode a kill loses none of',
		...answersFirst(10),
	},
	{
		promise: 'Report, transcript and recording of a call make one row and one file',
		test: 'e2e/exampleAfterCall.test.mts',
		name: 'After the last try the row says what is not available, and without a transcript the model is not asked',
		file: 'examples/after-the-call.json',
		code: `"={{ ['report', 'transcript', 'recording'].filter(`,
		changed: `"={{ ['transcript', 'recording'].filter(`,
	},
	{
		promise: 'The daily report counts the calls of the day in its time zone',
		test: 'e2e/exampleDailyReport.test.mts',
		name: "The email has yesterday's calls by outcome as bars, of the day in the time zone chosen",
		file: 'examples/daily-report-by-email.json',
		code: 'minutesOf(calls.filter(({ is_testing }) => !is_testing)) * perMinute',
		changed: 'minutes * perMinute',
	},
	{
		promise: 'No value that the service returns becomes HTML in the daily report',
		test: 'e2e/exampleDailyReport.test.mts',
		name: 'Nothing that the service returns becomes HTML',
		file: 'examples/daily-report-by-email.json',
		code: '${escaped(fact)}',
		changed: '${fact}',
	},
	{
		promise: 'The example that books during a call answers within two seconds',
		test: 'e2e/exampleBooking.test.mts',
		name: 'somebody who books the same time between check and booking keeps it, and the caller is told',
		file: 'examples/book-an-appointment-during-a-call.json',
		code: `"In the Calendar?": {
      "main": [
        [
          {
            "node": "Who Else Has This Time?"`,
		changed: `"In the Calendar?": {
      "main": [
        [
          {
            "node": "Booked"`,
	},
	{
		promise: 'Executions wait and continue in each version',
		test: 'e2e/waiting.test.mts',
		name: 'Five outcomes all arrive although n8n is killed between them',
		file: 'nodes/VoiceAgentCalling/waiting/callTarget.ts',
		code: 'needsLook: () => !memory.receivesAll || calls',
		changed: 'needsLook: () => calls',
	},
	{
		promise: 'Executions wait and continue in each version',
		test: 'e2e/waitingForged.test.mts',
		name: 'a message to the waiting node that is meant for another execution, another node or another run',
		file: 'nodes/VoiceAgentCalling/waiting/state.ts',
		code: `{ execution, node, run }: IDataObject): boolean {
	return execution === wait.execution && node === wait.node &&`,
		changed: `{ execution, run }: IDataObject): boolean {
	return execution === wait.execution &&`,
	},
	{
		promise: 'Everything works when n8n loads the package lazily',
		test: 'e2e/lazyLoading.test.mts',
		name: 'n8n loads the package lazily, and all of it works: test, pickers, tool, icons, schemas, run, trigger',
		file: 'gulpfile.js',
		code: "'nodes/**/__schema__/**/*.json'",
		changed: "'nodes/*/__schema__/*.json'",
	},
	{
		promise: 'In each version, the trigger loses no event over a restart',
		test: 'e2e/restart.test.mts',
		name: 'A kill of n8n during deliveries loses no event, and starts only unacknowledged ones twice',
		...answersFirst(5),
	},
	{
		promise: 'Every operation runs in a real n8n with three items',
		test: 'e2e/operations.test.mts',
		name: 'every operation of voiceTemplate runs in n8n',
		file: 'nodes/VoiceAgentCalling/resources/voiceTemplate/getDemo.ts',
		code: "voiceTemplateId, 'demo']",
		changed: "voiceTemplateId, 'sample']",
	},
	{
		promise: "The sandbox's package needs nothing but npm",
		test: 'e2e/sandboxPackage.test.mts',
		name: 'answers every operation with success',
		file: 'sandbox/package.json',
		code: '    "luxon": "3.7.2",\n',
		changed: '',
	},
	{
		promise: 'That tarball has what it needs and nothing else',
		test: 'e2e/sandboxPackage.test.mts',
		name: 'has the compiled sandbox, the files of its pages, its documentation and its license, and nothing else',
		file: 'scripts/packSandbox.mts',
		code: "'sandbox/console/page',",
		changed: "'sandbox/console',",
	},
	{
		promise: 'Every button of the console does what it says',
		test: 'e2e/console.test.mts',
		name: 'shows data as text, never as HTML, and runs nothing from it',
		file: 'sandbox/console/page/phones.js',
		code: "<p class=\"muted\">${inbound ? `calls ${call.agent?.name ?? 'an agent'} at ${other}` : `is called by ${call.agent?.name ?? 'an agent'} from ${other}`}</p>",
		changed:
			"<p class=\"muted\" dangerouslySetInnerHTML=${{ __html: `${inbound ? 'calls' : 'is called by'} ${call.agent?.name ?? 'an agent'}` }}></p>",
	},
	{
		promise: 'Every button of the console does what it says',
		test: 'e2e/console.test.mts',
		name: 'resets everything, but asks first',
		file: 'sandbox/console/page/parts.js',
		code: '<button type="button" onClick=${onClose}>Cancel</button>',
		changed: '<button type="button" onClick=${confirm}>Cancel</button>',
	},
	{
		promise: 'Every view of the console can be used by everybody',
		test: 'e2e/consoleAccess.test.mts',
		name: 'axe finds nothing in any view with the dark theme at 1280 pixels',
		file: 'sandbox/console/page/console.css',
		code: '--muted: light-dark(#555d6b, #a3acb9);',
		changed: '--muted: light-dark(#555d6b, #6b7482);',
	},
	{
		promise: 'The console stays fast with much data',
		test: 'e2e/consoleLarge.test.mts',
		name: 'the list of calls appears at once, with only some of its rows in the page',
		file: 'sandbox/console/page/list.js',
		code: 'const to = Math.min(items.length, Math.ceil((view.top + view.height) / ROW) + EXTRA);',
		changed: 'const to = items.length;',
	},
	{
		promise: "The README's pictures of the console show phones that ring",
		test: 'e2e/consolePictures.test.mts',
		name: 'the README shows the phones with the light theme',
		file: 'sandbox/console/page/phones.js',
		code: "class=${`phone ${call.status} ${over ? 'over' : ''}`}",
		changed: "class=${`phone ${over ? call.status : ''}`}",
	},
	{
		promise: '`npm start -- --keep` has the same login, addresses, workflows',
		test: 'e2e/keep.test.mts',
		name: 'the next start has everything as it was, also after a kill, and events start the published workflow',
		after: ['begins with the quick start, and is not started twice'],
		file: 'scripts/quickstart/continue.mts',
		code: "kept.sandboxPort, ['--state', stateFile])",
		changed: "kept.sandboxPort, ['--state', `${stateFile}.new`])",
	},
	{
		promise: 'When n8n or the sandbox ends, the other goes on',
		test: 'e2e/keep.test.mts',
		name: 'npm start -- --keep begins with the quick start, and is not started twice; without n8n the sandbox goes on',
		file: 'scripts/start.mts',
		code: 'const how = await own.ended;\n\t\tif (stopping) {\n\t\t\treturn;\n\t\t}\n',
		changed: 'const how = await own.ended;\n\t\tif (stopping) {\n\t\t\treturn;\n\t\t}\n\t\tawait other.stop();\n',
	},
];
