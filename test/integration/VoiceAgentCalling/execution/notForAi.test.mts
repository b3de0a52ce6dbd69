import { randomUUID } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { harness } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

type Parameters = Record<string, unknown>;

/** What n8n tells a model that calls the tool, whose `$fromAI('it')` is `value.it`. */
async function answerTo(parameters: Parameters, args: Parameters = { it: {} }): Promise<string> {
	const credentials = service.credentials();
	const call = await harness.mcpTool({ parameters: parameters as never }, { credentials, workflowId: randomUUID() });
	return await call(args as never);
}

const sent = async () => (await service.requests()).filter(({ method }) => method !== 'GET');

/** The parameters of an operation on a webhook, with those in question. */
const onWebhook = (operation: string) => (more: Parameters) => ({
	resource: 'webhook',
	operation,
	campaign: byId(service.seed.campaigns.active),
	agent: byId(service.seed.agents.published),
	webhook: byId(randomUUID()),
	delivery: byId(randomUUID()),
	...more,
});
/** The parameters of an operation on objects of the sandbox, where `more` has the value in question. */
const operations = {
	'Call → Place': (more: Parameters) => ({
		resource: 'call',
		operation: 'place',
		agent: byId(service.seed.agents.published),
		phoneNumber: '+12025551000',
		maxCalls: 4,
		maxCallsPerHour: 10,
		allowedPrefixes: '',
		options: more,
	}),
	'Campaign → Queue Call': (more: Parameters) => ({
		resource: 'campaign',
		operation: 'queueCall',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '+12025551000',
		maxCalls: 4,
		maxCallsPerHour: 10,
		allowedPrefixes: '',
		options: more,
	}),
	'Call → Check Before Calling': (more: Parameters) => ({
		resource: 'call',
		operation: 'checkBeforeCalling',
		agent: byId(service.seed.agents.published),
		phoneNumber: '+12025551000',
		options: more,
	}),
	'Campaign → Check Before Calling': (more: Parameters) => ({
		resource: 'campaign',
		operation: 'checkBeforeCalling',
		campaign: byId(service.seed.campaigns.active),
		phoneNumber: '+12025551000',
		options: more,
	}),
	'Campaign → Update': (more: Parameters) => ({
		resource: 'campaign',
		operation: 'update',
		campaign: byId(service.seed.campaigns.paused),
		updateFields: more,
	}),
	'Campaign → Create': (more: Parameters) => ({
		resource: 'campaign',
		operation: 'create',
		name: 'New',
		campaignType: 'sales',
		agent: byId(service.seed.agents.published),
		startDate: '2027-01-01',
		daysOfWeek: ['monday'],
		callTimeRanges: { values: [{ start: '09:00', end: '17:00' }] },
		timezone: 'UTC',
		options: more,
	}),
	'Calendar Event → Update': (more: Parameters) => ({
		resource: 'calendarEvent',
		operation: 'update',
		calendar: byId(service.seed.calendar),
		calendarEvent: byId(service.seed.calendarEvent),
		updateFields: more,
	}),
	'Calendar Event → Create': (more: Parameters) => ({
		resource: 'calendarEvent',
		operation: 'create',
		calendar: byId(service.seed.calendar),
		title: 'Visit',
		start: '2027-01-01T10:00:00Z',
		end: '2027-01-01T11:00:00Z',
		options: more,
	}),
	'Calendar → Update': (more: Parameters) => ({
		resource: 'calendar',
		operation: 'update',
		calendar: byId(service.seed.calendar),
		updateFields: more,
	}),
	'Availability → Create Rule': (more: Parameters) => ({
		resource: 'availability',
		operation: 'createRule',
		calendar: byId(service.seed.calendar),
		ruleType: 'exception',
		date: '2027-01-01',
		...more,
	}),
	'Availability → Update Rule': (more: Parameters) => ({
		resource: 'availability',
		operation: 'updateRule',
		calendar: byId(service.seed.calendar),
		availabilityRule: byId(service.seed.availabilityRule),
		ruleType: 'exception',
		updateFields: more,
	}),
	'Webhook → Catch Up': onWebhook('catchUp'),
	'Webhook → Check Registration': onWebhook('checkRegistration'),
	'Webhook → Get': onWebhook('get'),
	'Webhook → Get Deliveries': onWebhook('getDeliveries'),
	'Webhook → Get Many': onWebhook('getAll'),
	'Webhook → Redeliver': onWebhook('redeliver'),
	'Webhook → Test': onWebhook('test'),
};
type Name = keyof typeof operations;

/** The fields that the nodes mark, for each of which there is a test. */
const marked = resources.flatMap((resource) =>
	resource.operations
		.filter(({ forTools }) => forTools)
		.flatMap(({ name, fields, updates, options }) =>
			[...fields, ...updates, ...options].map((field) => ({ operation: `${resource.name} → ${name}` as Name, field })),
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
		.map(({ operation, field: { properties } }) => ({ operation, properties, label: properties[0].displayName })),
)('$operation: no value that a model gives for $label is sent', async ({ operation, properties, label }) => {
	for (const property of properties) {
		for (const it of ['false', '', '2027-01-01', service.seed.agents.draft]) {
			const parameters = operations[operation]({ [property.name]: fromModel(property) });
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

describe('A fixed value that a person has set is sent, beside what the model fills in', () => {
	test('a campaign whose do-not-call setting the workflow changes', async () => {
		const parameters = operations['Campaign → Update']({ doNotCall: false, name: "={{ $fromAI('it') }}" });
		await answerTo(parameters, { it: 'Renamed' });
		expect(await sent()).toMatchObject([{ body: { do_not_call_enabled: false, name: 'Renamed' }, status: 200 }]);
	});

	test('a calendar event that the workflow cancels', async () => {
		const parameters = operations['Calendar Event → Update']({ status: 'cancelled', title: "={{ $fromAI('it') }}" });
		await answerTo(parameters, { it: 'Off' });
		expect(await sent()).toMatchObject([{ body: { status: 'cancelled', title: 'Off' }, status: 200 }]);
	});

	test('a day that the workflow closes', async () => {
		const parameters = {
			...operations['Availability → Create Rule']({ available: false }),
			date: "={{ $fromAI('it') }}",
		};
		await answerTo(parameters, { it: '2027-02-03' });
		expect(await sent()).toMatchObject([{ body: { available: false, date: '2027-02-03' }, status: 201 }]);
	});

	test('other values, whoever gives them', async () => {
		await answerTo(operations['Calendar Event → Update']({ status: "={{ $fromAI('it') }}" }), { it: 'tentative' });
		expect(await sent()).toMatchObject([{ body: { status: 'tentative' }, status: 200 }]);
	});
});

test('what a model leaves out has the default of the editor: a campaign starts today, in the time zone of the workflow', async () => {
	const parameters = {
		resource: 'campaign',
		operation: 'create',
		name: "={{ $fromAI('it') }}",
		agent: byId(service.seed.agents.published),
		timezone: '={{ $now.zoneName }}',
	};
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
