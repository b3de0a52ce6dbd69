import type { Break } from './breaks.mts';

export const defects: Break[] = [
	{
		promise: 'A call whose connection failed while the response was read counted as not sent, and was placed again',
		test: 'integration/shared/service/connectionFailures.test.mts',
		name: 'when the connection then fails with EHOSTUNREACH (read)',
		file: 'nodes/shared/errors/notSent.ts',
		code: "if (syscall === 'connect' || syscall === 'getaddrinfo') {",
		changed: "if (syscall === 'connect' || syscall === 'getaddrinfo' || known(connectFailures)) {",
	},
	{
		promise:
			'The zero in brackets was dropped in every country, so that an Italian landline became the mobile of a stranger',
		test: 'unit/shared/phoneNumbers/e164.test.mts',
		name: '+39 (0)331 1815000',
		file: 'nodes/shared/phoneNumbers/internationalNumber.ts',
		code: 'return form.test(`0${digits}`) ? [`0${digits}`] : [];',
		changed: 'return form.test(digits) ? [digits] : [];',
	},
	{
		promise: 'Another node that used the credential sent the token along with a redirect',
		test: 'unit/credentials/credential.test.mts',
		name: 'and n8n follows no redirect with it, whatever the node asks for',
		file: 'nodes/shared/service/authorize.ts',
		code: '	disableFollowRedirect: true,\n	followRedirect: false,\n	followAllRedirects: false,\n	maxRedirects: 0,\n',
		changed: '',
	},
	{
		promise: 'A certificate that n8n could not verify was taken for a lost connection, so that every call was unknown',
		test: 'integration/shared/service/connectionFailures.test.mts',
		name: 'when the certificate comes without its intermediate',
		file: 'nodes/shared/errors/notSent.ts',
		code: '	UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_VERIFIED,\n',
		changed: '',
	},
	{
		promise: 'A model could set the limits of its own calls by an expression',
		test: 'integration/VoiceAgentCalling/sending/toolLimits.test.mts',
		name: 'an expression in maxCalls is refused, and nothing is sent',
		file: 'nodes/VoiceAgentCalling/execution/readItems.ts',
		code: 'assertSetByPerson(toolLimits, source.isConstant);',
		changed: 'assertSetByPerson(toolLimits.slice(1), source.isConstant);',
	},
	{
		promise: 'Each tool call of an MCP client failed, because n8n has no context there',
		test: 'integration/VoiceAgentCalling/sending/toolLimits.test.mts',
		name: 'it places the call that the client asks for',
		file: 'nodes/VoiceAgentCalling/execution/runOperation.ts',
		code: "return isTool(caller.getNode()) ? contextOfTool(caller) : caller.getContext('node');",
		changed:
			"return isTool(caller.getNode()) && caller.getMode() === 'chat' ? contextOfTool(caller) : caller.getContext('node');",
	},
	{
		promise: 'For calls of an MCP client in queue mode no limit held',
		test: 'integration/VoiceAgentCalling/sending/toolLimits.test.mts',
		name: 'As a tool of the MCP Server Trigger in queue mode, Max Calls per Hour holds over the executions of a worker',
		file: 'nodes/VoiceAgentCalling/sending/callBudget.ts',
		code: 'JSON.stringify([credential, caller.getWorkflow().id])',
		changed: 'JSON.stringify([credential, caller.getWorkflow().id, caller.getExecutionId()])',
	},
	{
		promise: 'In a retry, calls were placed although no trigger heard their outcome any more',
		test: 'unit/VoiceAgentCalling/waiting/tickets.test.mts',
		name: 'in a retry, only the items that were already sent skip the check for a trigger',
		file: 'nodes/VoiceAgentCalling/waiting/tickets.ts',
		code: 'if (!run.sent.earlierItems.has(item)) {',
		changed: 'if (run.sent.earlierItems.size === 0) {',
	},
	{
		promise:
			'A call was placed although the webhook of its agent led to the trigger of another agent, which refuses its events',
		test: 'unit/shared/nodeLink/listener.test.mts',
		name: 'tells whose deliveries a trigger accepts that has registered the same ID for another campaign',
		file: 'nodes/shared/nodeLink/listener.ts',
		code: 'if (webhookId === id && isOwners) {',
		changed: 'if (webhookId === id) {',
	},
	{
		promise: 'At 130,000 items the run failed after the calls were placed',
		test: 'unit/VoiceAgentCalling/waiting/tickets.test.mts',
		name: 'the longest time limit counts, of any number of items',
		file: 'nodes/VoiceAgentCalling/waiting/tickets.ts',
		code: 'settings.reduce((longest, one) => Math.max(longest, one ? limitOf(one) : 0), 0)',
		changed: 'Math.max(0, ...settings.map((one) => (one ? limitOf(one) : 0)))',
	},
	{
		promise: 'An item got the outcome of another call, to whose context a workflow had copied its ticket',
		test: 'unit/VoiceAgentCalling/waiting/otherCalls.test.mts',
		name: "the event of another item's call is not taken for this one",
		file: 'nodes/VoiceAgentCalling/waiting/resume.ts',
		code: "typeof id !== 'string' || id === awaited.id) {",
		changed: "typeof id !== 'string' || id !== '') {",
	},
	{
		promise: 'A success without a call vanished, although a phone may have rung',
		test: 'integration/VoiceAgentCalling/sending/neverTwice.test.mts',
		name: 'is not sent again in any of eleven later runs if its outcome is unknown: a tool, with an answer that says nothing',
		file: 'nodes/VoiceAgentCalling/operation/acceptedCall.ts',
		code: 'if (!isRecord(call) || ![',
		changed: 'if (isRecord(call) && ![',
	},
	{
		promise: 'A call that came twice in a list ended the reading before all outcomes were found',
		test: 'unit/VoiceAgentCalling/waiting/readCalls.test.mts',
		name: 'every outcome is found when a call placed meanwhile moves one to the next page a second time',
		file: 'nodes/VoiceAgentCalling/waiting/readCalls.ts',
		code: `	const calls = new Map<string, IDataObject>();
	let page: number | undefined = 1;
	while (page !== undefined && calls.size < ids.size) {`,
		changed: `	const calls = new Map<string, IDataObject>();
	let rows = 0;
	let page: number | undefined = 1;
	while (page !== undefined && (rows += calls.size) < ids.size) {`,
	},
	{
		promise: 'What was in flight counted twice, so that calls failed below the rate limit',
		test: 'unit/VoiceAgentCalling/sending/pace.test.mts',
		name: 'waits for the responses that may be counted already, and not for the next window',
		file: 'nodes/VoiceAgentCalling/sending/rateWindow.ts',
		code: 'if (inFlight > 0 && (endsAt === undefined || remaining > 0)) {',
		changed: 'if (inFlight > 0 && endsAt === undefined) {',
	},
	{
		promise: 'In another try a number was called again that an earlier try had called under another item',
		test: 'integration/VoiceAgentCalling/sending/sameNumber.test.mts',
		name: 'place, tried again by n8n a number that was refused under one item and accepted under another is not called again',
		file: 'nodes/VoiceAgentCalling/execution/sendItems.ts',
		code: '[...items.filter(wasSent), ...items.filter((itemIndex) => !wasSent(itemIndex))]',
		changed: '[...items].sort((one, other) => one - other || Number(wasSent(other)))',
	},
	{
		promise: 'A comma alone in Allowed Number Prefixes allowed every number',
		test: 'integration/VoiceAgentCalling/resources/defaultCountry.test.mts',
		name: 'prefixes without a digit',
		file: 'nodes/VoiceAgentCalling/fields/toolLimits.ts',
		code: String.raw`(text) => text === '' || /\d/.test(text)`,
		changed: String.raw`(text) => !/[a-z]/i.test(text)`,
	},
	{
		promise: 'A number with + was checked by its form only, so that one with a trunk prefix went out as another number',
		test: 'unit/shared/phoneNumbers/numbersWithPlus.test.mts',
		name: 'the Russian trunk prefix',
		file: 'nodes/shared/phoneNumbers/e164.ts',
		code: 'const advice = countries().mistakeInNumber(number);',
		changed: 'const advice = number.length < 9 ? countries().mistakeInNumber(number) : undefined;',
	},
];
