import type { Break } from './breaks.mts';

export const editor: Break[] = [
	{
		promise: 'No flow is saved that the service rejects',
		test: 'integration/VoiceAgentCalling/resources/flowLint.test.mts',
		name: 'an answer of another form is an answer, too: 200, without a list',
		file: 'nodes/VoiceAgentCalling/flows/checkFlow.ts',
		code: "return success === false && typeof message === 'string' ?",
		changed: "return success === false && message === '' ?",
	},
	{
		promise: 'No flow is saved that the service rejects',
		test: 'integration/VoiceAgentCalling/resources/flowLint.test.mts',
		name: 'and if the service cannot be asked (500), any error of the rules stops it',
		file: 'nodes/VoiceAgentCalling/flows/checkFlow.ts',
		code: 'return { valid: errors.length === 0, findings,',
		changed: 'return { valid: true, findings,',
	},
	{
		promise: 'No flow is saved that the service rejects',
		test: 'unit/VoiceAgentCalling/flows/mergeServiceAnswer.test.mts',
		name: 'nothing is an error in a flow that the service accepts',
		file: 'nodes/VoiceAgentCalling/flows/mergeServiceAnswer.ts',
		code: "{ ...finding, severity: 'warning', message:",
		changed: '{ ...finding, message:',
	},
	{
		promise: 'Lint reports errors if and only if a flow breaks a documented rule',
		test: 'unit/VoiceAgentCalling/flows/sandboxFlows.test.mts',
		name: 'has errors if and only if the sandbox rejects it',
		file: 'nodes/VoiceAgentCalling/flows/rules/structure.ts',
		code: '		if (match === undefined) {',
		changed: '		if (match === undefined && index === 0) {',
	},
	{
		promise: 'Each rule for flows finds its bad example',
		test: 'unit/VoiceAgentCalling/flows/flowRules.test.mts',
		name: 'finds its bad example, and nothing else there: branch-never-taken',
		file: 'nodes/VoiceAgentCalling/flows/rules/branches.ts',
		code: 'const later = all < 0 ?',
		changed: 'const later = all <= 0 ?',
	},
	{
		promise: 'Each rule for flows finds its bad example',
		test: 'unit/VoiceAgentCalling/flows/lintFlow.test.mts',
		name: 'a node that only a field of a say names is no error',
		file: 'nodes/VoiceAgentCalling/flows/ways.ts',
		code: 'reachedFrom([...starts, ...numbers(flow.possibleStarts)], possibleEdges)',
		changed: 'reachedFrom([...starts, ...numbers(flow.possibleStarts)], edges)',
	},
	{
		promise: '5,000 nodes are checked in less than a second',
		test: 'unit/VoiceAgentCalling/flows/largeFlows.test.mts',
		name: '5,000 nodes are checked in less than a second: targets that do not exist',
		file: 'nodes/shared/lib/suggester.ts',
		code: ' || compared > MAX_COMPARISONS',
		changed: '',
	},
	{
		promise: '5,000 nodes are checked in less than a second',
		test: 'unit/VoiceAgentCalling/flows/largeFlows.test.mts',
		name: '100,000 nodes break nothing: a chain',
		file: 'nodes/VoiceAgentCalling/flows/graph.ts',
		code: `	const open = [...starts];
	for (let node = open.pop(); node !== undefined; node = open.pop()) {
		if (!reached[node]) {
			reached[node] = true;
			for (const next of edges[node]) {
				if (!reached[next]) {
					open.push(next);
				}
			}
		}
	}`,
		changed: `	const visit = (node: number) => {
		if (!reached[node]) {
			reached[node] = true;
			edges[node].forEach(visit);
		}
	};
	[...starts].forEach(visit);`,
	},
	{
		promise: 'A mistake in JSON is located by line and column',
		test: 'unit/shared/lib/fromJson.test.mts',
		name: 'line 3, column 3: ',
		file: 'nodes/shared/lib/fromJson.ts',
		code: 'column ${lines[lines.length - 1].length + 1}',
		changed: 'column ${lines[lines.length - 1].length}',
	},
	{
		promise: 'A mistake in JSON is located by line and column',
		test: 'unit/shared/fields/readFields.test.mts',
		name: 'says where the text has a mistake, and repeats nothing of it',
		file: 'nodes/shared/lib/fromJson.ts',
		code: '/ (?:in JSON )?at position|, (?:\\.{3})?"/',
		changed: '/ (?:in JSON )?at position/',
	},
	{
		promise: 'An invalid value is named with its field',
		test: 'unit/shared/fields/readFields.test.mts',
		name: 'in a list: the row and its field',
		file: 'nodes/shared/fields/readFields.ts',
		code: '`${group.displayName} ${row + 1}`',
		changed: '`${group.displayName} ${row}`',
	},
	{
		promise: 'An agent needs a name only, a campaign a name and an agent',
		test: 'integration/VoiceAgentCalling/resources/agent.test.mts',
		name: 'Create needs a name only, and sends defaults for what the service requires',
		file: 'nodes/VoiceAgentCalling/resources/agent/create.ts',
		code: '			...defaultBehavior,\n',
		changed: '',
	},
	{
		promise: 'An agent needs a name only, a campaign a name and an agent',
		test: 'integration/VoiceAgentCalling/resources/campaign.test.mts',
		name: 'Create needs a name, an agent and a time zone only: in Pacific/Pago_Pago it starts today, there',
		file: 'nodes/VoiceAgentCalling/resources/campaign/fields.ts',
		code: '$now.setZone($parameter.timezone || $now.zoneName).toISODate()',
		changed: '$now.toISODate()',
	},
	{
		promise: 'Active campaigns are listed first where calls are queued',
		test: 'integration/shared/pickers/editor.test.mts',
		name: 'shows the active ones first, over all pages, and each campaign once',
		file: 'nodes/shared/pickers/listSearch.ts',
		code: 'keep(item) && !listed.includes(statusOf(item) as string)',
		changed: 'keep(item)',
	},
	{
		promise: 'Active campaigns are listed first where calls are queued',
		test: 'integration/shared/pickers/editor.test.mts',
		name: 'names what does not change, because n8n keeps the name in the workflow',
		file: 'nodes/shared/pickers/listings.ts',
		code: 'described(titled(item.id, item.name ?? item.label), statusOf(item))',
		changed: 'described(titled(item.id, item.name ?? item.label, statusOf(item)), statusOf(item))',
	},
	{
		promise: 'With Check Slot a run books no time twice',
		test: 'integration/VoiceAgentCalling/resources/calendarEvent.test.mts',
		name: 'books one slot once, also where the list of events does not have the new event yet',
		file: 'nodes/VoiceAgentCalling/resources/calendarEvent/slotCheck.ts',
		code: "if (result.error?.accepted !== 'no') {",
		changed: "if (result.error?.accepted === 'unknown') {",
	},
	{
		promise: 'With Check Slot a run books no time twice',
		test: 'integration/VoiceAgentCalling/resources/calendarEvent.test.mts',
		name: 'respects an event that began weeks before',
		file: 'nodes/VoiceAgentCalling/resources/calendarEvent/slotCheck.ts',
		code: 'Date.parse(slot.start_at) - LONGEST_EVENT_MS)',
		changed: 'Date.parse(slot.start_at))',
	},
];
