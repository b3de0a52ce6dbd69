import { expressions } from '../docs/copyable.mts';
import { read } from '../project/sources.mts';
import { harness, type Instance, type NodeSpec, type WorkflowRun } from './harness.mts';
import { actionNode, byId, goesOn, inFastTime, jsonOf, to, until, useService } from './service.mts';
import { onAgent, publishTrigger } from './triggers.mts';
import { teach } from './VoiceAgentCalling/callRules/ruledCalls.mts';

type Json = Record<string, unknown>;

const service = useService({ speed: 0, minimumStatusMs: 0 });
const AGENT_ENDS = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const one = { maxConcurrentRequests: 1 };
const metadata = { metadataFields: { values: [{ name: 'contact_id', value: '={{ $json.id }}' }] } };

/** Calls, and waits for them by polling: completed, busy, the same number, never over, invalid, refused, not tried. */
async function waited(onError: string): Promise<Json[][]> {
	const { published, draft } = service.seed.agents;
	const numbers = [
		'+12025550001',
		'+12025550002',
		'+1 202 555 0001',
		'+12025560001',
		'12',
		'+12025550101',
		'+12025550102',
	];
	const items = numbers.map((to, index) => ({ to, agent: index < 5 ? published : draft }));
	await service.control('script', { to: '+12025560001', steps: [{ after: 86_400, do: 'noAnswer' }] });
	const timeLimit = { values: { amount: 60, unit: 'seconds' } };
	const parameters = service.place(
		{ pollInterval: 1, timeLimit },
		{ operation: 'placeAndWait', waitBy: 'polling', agent: byId('={{ $json.agent }}'), sending: one },
	);
	const pass = setInterval(() => void service.advance(5), 20);
	try {
		const { outputs } = await inFastTime(
			async () => await service.run(parameters, items, { node: { onError } as never }),
		);
		return outputs.map((items) => items.map(({ json }) => json));
	} finally {
		clearInterval(pass);
	}
}

/** Calls, and waits for an event of each call, while the execution sleeps. */
async function sleeping(numbers: string[], onError: 'continueErrorOutput'): Promise<Json[][]> {
	const { instance } = await publishTrigger(service, onAgent(service, AGENT_ENDS));
	const parameters = service.place({}, { operation: 'placeAndWait', waitBy: 'event' });
	return await afterEvents(
		instance,
		await service.run(parameters, to(...numbers), { node: { onError }, n8n: instance }),
	);
}

/** The outputs of a node that has waited for the events of its calls. */
async function afterEvents(instance: Instance, { run }: { run: { status: string; error?: Error } }): Promise<Json[][]> {
	expect([run.status, run.error?.message]).toEqual(['waiting', undefined]);
	await service.advance(600);
	const { id } = run as unknown as WorkflowRun;
	await until(async () => instance.waiting.rest(id) !== undefined);
	const [node] = (await instance.waiting.rest(id))!.nodes.Node!;
	return node!.outputs.map((output) => output.map(({ json }) => json));
}

/** The items that the pages speak of, each list with unwelcome ones. */
const items = {
	waited: async () => (await waited('continueRegularOutput')).flat(),
	/** What leaves a node by its error output: while the execution runs, and after it has slept. */
	errors: async () => [
		...(await waited('continueErrorOutput'))[1]!,
		...(await sleeping(['+12025550001', '12'], 'continueErrorOutput'))[1]!,
	],
	/** The end of a call, of a call of somebody else, and a campaign's. */
	events: async () => {
		const { instance, webhookId } = await publishTrigger(service, {
			events: ['campaign_call.completed', 'campaign.paused'],
		});
		await service.run(service.queue(metadata), [{ id: 'contact-1', to: '+12025550001' }], { mode: 'manual' });
		await service.advance(120);
		await until(async () => instance.executions.length === 1);
		await service.deliver({ webhookId, event: 'campaign_call.completed', data: { context: null, is_testing: false } });
		await service.deliver({ webhookId, event: 'campaign.paused' });
		return instance.executions.flatMap((execution) => execution.items as Json[]);
	},
	/** A call with transcript and recording, and one that was not placed. */
	recorded: async () => {
		const ends = ['campaign_call.completed', 'campaign_call.failed'];
		const artifacts = ['event_call_report', 'event_call_transcript', 'event_recording'];
		const { instance } = await publishTrigger(service, { events: [...ends, ...artifacts] });
		const waitFor = ['report', 'transcript', 'recording'];
		const parameters = service.queue({ waitFor }, { operation: 'queueCallAndWait', waitBy: 'event' });
		const ran = await service.run(parameters, to('+12025550001', '12'), { node: goesOn, n8n: instance });
		return (await afterEvents(instance, ran)).flat();
	},
	/** A recording, and an event without one, as a trigger gets them. */
	recordings: async () => {
		const { instance, webhookId } = await publishTrigger(service, { events: ['event_recording', 'campaign.paused'] });
		await service.deliver({ webhookId, event: 'event_recording' });
		await service.deliver({ webhookId, event: 'campaign.paused' });
		return instance.executions.flatMap((execution) => execution.items as Json[]);
	},
	contacts: async () => [{ phone: '+12025550001' }, { phone: '+12025550002' }, { telephone: '+12025550003' }],
};

/** The value of each expression for each item. */
const values: Array<[expression: string, of: keyof typeof items, values: unknown[]]> = [
	['{{ $json.phone }}', 'contacts', ['+12025550001', '+12025550002', null]],
	[
		'{{ $json.outcome }}',
		'waited',
		['completed', 'busy', 'notCalled', 'timedOut', 'notCalled', 'notCalled', 'notCalled'],
	],
	[
		'{{ $json.error?.code ?? $json.code }}',
		'errors',
		['INVALID_PHONE_NUMBER', 'AGENT_INACTIVE', 'NOT_TRIED', 'INVALID_PHONE_NUMBER'],
	],
	['{{ $json.event }}', 'events', ['campaign_call.completed', 'campaign_call.completed', 'campaign.paused']],
	['{{ $json.context?.contact_id }}', 'events', ['contact-1', null, null]],
	['{{ $json.isTest }}', 'events', [true, false, false]],
	["{{ $json.toJsonString().hash('sha256') }}", 'events', Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/))],
	['{{ $json.recording_url }}', 'recordings', [expect.stringMatching(/^http.*\.mp3$/), null]],
	['{{ $json.recording }}', 'recorded', [expect.stringMatching(/^http.*\.mp3$/), null]],
	[
		"{{ $json.transcript?.map((turn) => turn.role + ': ' + turn.content).join('\\n') }}",
		'recorded',
		[expect.stringMatching(/^agent: .*(\n(agent|user): .*)+$/), null],
	],
];

test.each(values)('%s of several items: %s', async (expression, of, wanted) => {
	const found = await items[of]();
	const evaluated = await harness.runNode(
		{ type: 'harness.evaluate', parameters: { value: `=${expression}` } },
		found as never,
	);
	expect(evaluated.run.error?.message).toBeUndefined();
	expect(jsonOf(evaluated).map(({ value }) => value)).toEqual(wanted);
	expect(new Set(jsonOf(evaluated).map(({ value }) => value)).size).toBeGreaterThan(1);
});

const BLOCKED = "{{ $('Get Rows').all().map(row => row.json.phone ?? row) }}";

/** What a call becomes whose node has the expression in the field that the page names. */
const uses: Array<
	[expression: string, in_: (value: string) => object, items: Json[], results: unknown[], rows?: Json[]]
> = [
	[
		BLOCKED,
		(blockedNumbers) => ({ options: { blockedNumbers } }),
		[{ to: '+12025550001' }, { to: '+1 202 555 0199' }],
		['placed', 'blocked'],
	],
	// A table without rows, as n8n outputs it.
	[BLOCKED, (blockedNumbers) => ({ options: { blockedNumbers } }), [{ to: '+12025550199' }], ['placed'], []],
	[
		'{{ $json.consent_date }}',
		(givenAt) => ({ options: { consent: { values: { givenAt, validFor: 'unlimited', purpose: '', reference: '' } } } }),
		[
			{ to: '+12025550001', consent_date: '2024-05-01' },
			{ to: '+12025550002', consent_date: '' },
			{ to: '+12025550003' },
			{ to: '+12025550004', consent_date: 'yes' },
		],
		['placed', 'noConsent', 'noConsent', 'noConsent'],
	],
	[
		"{{ '+1' + $json.phone }}",
		(phoneNumber) => ({ phoneNumber }),
		[{ phone: 2025550101 }, { phone: '(202) 555-0102' }, { phone: '+12025550103' }, { phone: '' }, {}],
		['placed', 'placed', 'failed', 'failed', 'failed'],
	],
	[
		"{{ $json.items.join(', ') }}",
		(name) => ({ agentVariables: { mappingMode: 'defineBelow', value: { name } } }),
		[{ to: '+12025550001', items: ['a', 'b'] }, { to: '+12025550002' }],
		['placed', 'notReady'],
	],
	[
		'{{ JSON.stringify($json.order) }}',
		(name) => ({ agentVariables: { mappingMode: 'defineBelow', value: { name } } }),
		[{ to: '+12025550001', order: { id: 7 } }, { to: '+12025550002' }],
		['placed', 'notReady'],
	],
];

/** A list of opt-outs, with what people said. */
const optOuts = [
	{ phone: '(202) 555-0199', said: 'Do not call 202 555 0001, nor my wife at +1 202 555 0002' },
	{ phone: '+1 202 555 0198', said: '' },
];

test.each(uses)('%s in its field: who is called', async (expression, in_, contacts, results, rows = optOuts) => {
	await teach(service, 'You call {{name}}.');
	const variables = { agentVariables: { mappingMode: 'defineBelow', value: { name: 'Ada' } } };
	const nodes: NodeSpec[] = [
		{ ...harness.sourceOf(rows as never), name: 'Get Rows', alwaysOutputData: true },
		{ ...harness.sourceOf(contacts as never), name: 'Contacts', executeOnce: true },
		{
			name: 'Place',
			type: actionNode,
			...goesOn,
			parameters: service.place({}, { ...variables, ...in_(`=${expression}`) }),
		},
	];
	const defaultCountry = { defaultCountry: 'US' };
	Object.assign(nodes[2]!.parameters!, {
		options: { ...(nodes[2]!.parameters!.options as object), ...defaultCountry },
	});
	const run = await harness.runWorkflow({ nodes, credentials: service.credentials() });
	expect(run.error?.message).toBeUndefined();
	expect(jsonOf(run.nodes.Place![0]!).map(({ result }) => result)).toEqual(results);
	expect(await service.dialed()).toHaveLength(results.filter((result) => result === 'placed').length);
});

const PASSED_ON = "{{ $json.isTest === false ? 'never' : 'always' }}";

test('Test Call with what the trigger has said, passed on by nodes: only a clear no is a real call', async () => {
	const said = [{ isTest: true }, { isTest: false }, {}, { isTest: null }, { isTest: 'false' }];
	const contacts = said.map((one, index) => ({ ...one, to: `+1202555010${index}` }));
	const ran = await service.run(service.place({}, { testCall: `=${PASSED_ON}` }), contacts);
	expect(jsonOf(ran).map(({ isTest }) => isTest)).toEqual([true, false, true, true, true]);
});

/** Expressions in the fields of an AI agent's tools, which tests run in a real n8n, with other names. */
const ofTools: Array<[expression: string, runBy: string, there: string]> = [
	["{{ $('Contacts').item.json.phone }}", 'toolItems', "{{ $('People').item.json.name }}"],
	["{{ $('Settings').first().json.greeting }}", 'toolItems', "{{ $('People').first().json.greeting }}"],
	['{{ $parameter.maxCallsPerHour }}', 'agent', 'Limits of calls: 1 in each run of the workflow, 2 per hour.'],
];

test.each(ofTools)('%s: %s.test.mts has it as %s', (_expression, runBy, there) => {
	expect(read(`test/e2e/${runBy}.test.mts`)).toContain(there);
});

test('the expressions of the pages are those of these tests', () => {
	const tested = [PASSED_ON, ...[...values, ...uses, ...ofTools].map(([expression]) => expression)];
	expect(new Set(expressions().map(({ text }) => text))).toEqual(new Set(tested));
});
