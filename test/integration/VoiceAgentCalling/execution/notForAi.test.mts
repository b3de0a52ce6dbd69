import { randomUUID } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { harness } from '../../harness.mts';
import { byId, type Service, useService } from '../../service.mts';

const service = useService();

type Parameters = Record<string, unknown>;

/** What n8n tells a model that calls the tool, whose `$fromAI('it')` is `value.it`. */
async function answerTo(parameters: Parameters, args: Parameters = { it: {} }): Promise<string> {
	const credentials = service.credentials();
	const call = await harness.mcpTool({ parameters: parameters as never }, { credentials, workflowId: randomUUID() });
	return await call(args as never);
}

const sent = async () => (await service.requests()).filter(({ method }) => method !== 'GET');

/** The parameters of an operation on objects of the sandbox, where `more` has the value in question. */
type Of = (more: Parameters) => Parameters;
const calling =
	(resource: string, operation: string): Of =>
	(options) => ({
		resource,
		operation,
		phoneNumber: '+12025551000',
		maxCalls: 4,
		maxCallsPerHour: 10,
		allowedPrefixes: '',
		agent: byId(service.seed.agents.published),
		campaign: byId(service.seed.campaigns.active),
		options,
	});
const onWebhook =
	(operation: string): Of =>
	(more) => ({
		resource: 'webhook',
		operation,
		webhook: byId(randomUUID()),
		delivery: byId(randomUUID()),
		campaign: byId(service.seed.campaigns.active),
		agent: byId(service.seed.agents.published),
		...more,
	});
const ofCalendar =
	(
		resource: string,
		operation: string,
		collection: string,
		fields: (seed: Service['seed']) => object = () => ({}),
	): Of =>
	(more) => ({
		resource,
		operation,
		calendar: byId(service.seed.calendar),
		...fields(service.seed),
		...(collection === '' ? more : { [collection]: more }),
	});
const operations = {
	'Call → Place': calling('call', 'place'),
	'Campaign → Queue Call': calling('campaign', 'queueCall'),
	'Call → Check Before Calling': calling('call', 'checkBeforeCalling'),
	'Campaign → Check Before Calling': calling('campaign', 'checkBeforeCalling'),
	'Campaign → Update': (updateFields: Parameters): Parameters => ({
		resource: 'campaign',
		operation: 'update',
		campaign: byId(service.seed.campaigns.paused),
		updateFields,
	}),
	'Campaign → Create': (options: Parameters): Parameters => ({
		resource: 'campaign',
		operation: 'create',
		name: 'New',
		campaignType: 'sales',
		timezone: 'UTC',
		options,
		agent: byId(service.seed.agents.published),
		startDate: '2027-01-01',
		daysOfWeek: ['monday'],
		callTimeRanges: { values: [{ start: '09:00', end: '17:00' }] },
	}),
	'Calendar Event → Update': ofCalendar('calendarEvent', 'update', 'updateFields', (seed) => ({
		calendarEvent: byId(seed.calendarEvent),
	})),
	'Calendar Event → Create': ofCalendar('calendarEvent', 'create', 'options', () => ({
		title: 'Visit',
		start: '2027-01-01T10:00:00Z',
		end: '2027-01-01T11:00:00Z',
	})),
	'Calendar → Update': ofCalendar('calendar', 'update', 'updateFields'),
	'Availability → Create Rule': ofCalendar('availability', 'createRule', '', () => ({
		ruleType: 'exception',
		date: '2027-01-01',
	})),
	'Availability → Update Rule': ofCalendar('availability', 'updateRule', 'updateFields', (seed) => ({
		availabilityRule: byId(seed.availabilityRule),
		ruleType: 'exception',
	})),
};
type Name = keyof typeof operations;
/** The parameters of an operation; those of webhooks need the same ones. */
const parametersOf = (name: Name, value: string, more: Parameters) =>
	name in operations ? operations[name](more) : onWebhook(value)(more);

/** The fields that the nodes mark, for each of which there is a test. */
const marked = resources.flatMap((resource) =>
	resource.operations
		.filter(({ forTools }) => forTools)
		.flatMap(({ name, value, fields, updates, options }) =>
			[...fields, ...updates, ...options].map((field) => ({
				operation: `${resource.name} → ${name}` as Name,
				value,
				field,
			})),
		),
);

/** What a workflow may have in a field so that the model gives the value, or a part of it. */
function fromModel({ type, options = [], typeOptions }: INodeProperties): unknown {
	const fromAi = "={{ $fromAI('it') }}";
	if (type !== 'fixedCollection') {
		return fromAi;
	}
	// n8n keeps no expression for such a field as a whole, so the expressions are in its rows.
	const rows = options.flatMap((group) => ('values' in group ? [group] : []));
	return Object.fromEntries(
		rows.map(({ name, values }) => {
			const row = Object.fromEntries(values.map((value) => [value.name, fromAi]));
			return [name, typeOptions?.multipleValues ? [row] : row];
		}),
	);
}

test.each(
	marked
		.filter(({ field }) => field.setByPerson)
		.map(({ field: { properties }, ...of }) => ({ ...of, properties, label: properties[0].displayName })),
)('$operation: no value that a model gives for $label is sent', async ({ operation, value, properties, label }) => {
	for (const property of properties) {
		for (const it of ['false', '', service.seed.agents.draft]) {
			const parameters = parametersOf(operation, value, { [property.name]: fromModel(property) });
			expect(await answerTo(parameters, { it })).toContain(`'${label}' is not available to AI agents`);
		}
	}
	expect(await sent()).toEqual([]);
});

test.each([
	['Calendar Event → Update', 'status', 'cancelled'],
	['Calendar Event → Create', 'status', 'cancelled'],
	['Availability → Create Rule', 'available', false],
	['Availability → Update Rule', 'available', false],
] as const)(
	'%s: a model cannot choose %s %s, in whatever way the workflow asks it',
	async (operation, parameter, value) => {
		const expressions = [
			`={{ $fromAI('it', '', '${typeof value}') }}`,
			`={{ $fromAi('it', '', '${typeof value}') }}`,
			`={{ [$fromAI('it', '', '${typeof value}')][0] }}`,
			`={{ ${JSON.stringify(value)} }}`,
		];
		for (const expression of expressions) {
			const answer = await answerTo(operations[operation]({ [parameter]: expression }), { it: value });
			expect(answer).toContain('is not available to AI agents');
			expect(answer).toContain('fixed value');
		}
		expect(await sent()).toEqual([]);
	},
);

test.each([
	['Campaign → Update', { doNotCall: false, endDate: '' }],
	['Campaign → Create', { doNotCall: false }],
	['Calendar Event → Update', { status: 'cancelled', attendees: {} }],
	['Calendar Event → Create', { status: 'cancelled' }],
] as const)('%s: of a collection that a model fills as a whole, nothing is sent', async (operation, it) => {
	const collection = operation.endsWith('Update') ? 'updateFields' : 'options';
	await answerTo({ ...operations[operation]({}), [collection]: "={{ $fromAI('it', '', 'json') }}" }, { it });
	const bodies = (await sent()).map(({ body }) => Object.keys(body as object));
	expect(bodies.flat()).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/^(do_not_call_enabled|end_date|status|attendees)$/)]),
	);
});

const it = "={{ $fromAI('it') }}";
test.each<[Name, Parameters, string, object]>([
	['Campaign → Update', { doNotCall: false, name: it }, 'Renamed', { do_not_call_enabled: false, name: 'Renamed' }],
	['Calendar Event → Update', { status: 'cancelled', title: it }, 'Off', { status: 'cancelled', title: 'Off' }],
	['Calendar Event → Update', { status: it }, 'tentative', { status: 'tentative' }],
])(
	'A fixed value that a person has set is sent, beside what the model fills in, as are other values: %s, %j',
	async (name, more, given, body) => {
		await answerTo(operations[name](more), { it: given });
		expect(await sent()).toMatchObject([{ body, status: expect.any(Number) }]);
		expect((await sent())[0]?.status).toBeLessThan(300);
	},
);

test('what a model leaves out has the default of the editor: a campaign starts today, in the time zone of the workflow', async () => {
	const agent = byId(service.seed.agents.published);
	const create = { resource: 'campaign', operation: 'create', agent };
	const parameters = { ...create, name: "={{ $fromAI('it') }}", timezone: '={{ $now.zoneName }}' };
	const began = new Date();
	await answerTo(parameters, { it: 'New' });
	const [{ body, status } = { body: {}, status: 0 }] = await sent();
	expect(status).toBe(201);
	const { start_date, timezone } = body as { start_date: string; timezone: string };
	const dayOf = (time: Date) => Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(time);
	expect([dayOf(began), dayOf(new Date())]).toContain(start_date);
});

test.each(['cancelled', 'completed'])('no tool makes a campaign %s, even with a fixed value', async (status) => {
	const setStatus = { resource: 'campaign', operation: 'setStatus', campaign: byId(service.seed.campaigns.active) };
	for (const given of [status, "={{ $fromAI('it') }}", `={{ '${status}' }}`]) {
		expect(await answerTo({ ...setStatus, status: given }, { it: status })).toContain('not available to AI agents');
	}
	expect(await sent()).toEqual([]);
});

test.each([
	['unpublish', {}],
	['update', { updateFields: { conversationSpeed: 1 }, publishAfterwards: 'always' }],
	['update', { updateFields: { description: 'Something else' } }],
	['update', { updateFields: { direction: 'inbound' } }],
])('a tool cannot take an agent out of service by %s', async (operation, more) => {
	const parameters = { resource: 'agent', operation, agent: byId(service.seed.agents.published), ...more };
	expect(await answerTo(parameters)).toContain('not available to AI agents');
	expect(await service.requests()).toEqual([]);
});
