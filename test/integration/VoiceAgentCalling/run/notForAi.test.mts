import { randomUUID } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { settingsOf } from '../../everyField/settings.mts';
import { harness } from '../../harness.mts';
import { byId, useService } from '../../service.mts';

const service = useService();

type Parameters = Record<string, unknown>;

/** What n8n tells a model that calls the tool, whose `$fromAI('it')` is `value.it`. */
async function answerTo(parameters: Parameters, args: Parameters = { it: {} }): Promise<string> {
	const credentials = service.credentials();
	const call = await harness.mcpTool({ parameters: parameters as never }, { credentials, workflowId: randomUUID() });
	return await call(args as never);
}

const sent = async () => (await service.requests()).filter(({ method }) => method !== 'GET');

/** The parameters of an operation on objects of the sandbox, with the values in question. */
const operations = {
	'Campaign → Update': (updateFields: Parameters) => ({
		resource: 'campaign',
		operation: 'update',
		campaign: byId(service.seed.campaigns.paused),
		updateFields,
	}),
	'Campaign → Create': (options: Parameters) => ({
		resource: 'campaign',
		operation: 'create',
		name: 'New',
		timezone: 'UTC',
		agent: byId(service.seed.agents.published),
		options,
	}),
	'Calendar Event → Update': (updateFields: Parameters) => ({
		resource: 'calendarEvent',
		operation: 'update',
		calendar: byId(service.seed.calendar),
		calendarEvent: byId(service.seed.calendarEvent),
		updateFields,
	}),
	'Calendar Event → Create': (options: Parameters) => ({
		resource: 'calendarEvent',
		operation: 'create',
		calendar: byId(service.seed.calendar),
		title: 'Visit',
		start: '2027-01-01T10:00:00Z',
		end: '2027-01-01T11:00:00Z',
		options,
	}),
	'Availability → Create Rule': (fields: Parameters) => ({
		resource: 'availability',
		operation: 'createRule',
		calendar: byId(service.seed.calendar),
		ruleType: 'exception',
		date: '2027-01-01',
		...fields,
	}),
	'Availability → Update Rule': (updateFields: Parameters) => ({
		resource: 'availability',
		operation: 'updateRule',
		calendar: byId(service.seed.calendar),
		availabilityRule: byId(service.seed.availabilityRule),
		ruleType: 'exception',
		updateFields,
	}),
};

/** The fields that the nodes mark, for each of which there is a test. */
const marked = resources.flatMap((resource) =>
	resource.operations
		.filter(({ forTools }) => forTools)
		.flatMap((operation) =>
			[...operation.fields, ...operation.updates, ...operation.options]
				.filter(({ ai }) => ai === 'fixed')
				.map(({ properties }) => ({
					name: `${resource.name} → ${operation.name}`,
					label: properties[0].displayName,
					properties,
					resource: resource.value,
					operation,
				})),
		),
);

/** The parameters with which the editor shows a property, and this value of it. */
function parametersWith(
	{ resource, operation }: (typeof marked)[number],
	property: string,
	value: unknown,
): Parameters {
	const isIt = new RegExp(`^((updateFields|options)\\.)?${property}$`);
	const { name, runs } = settingsOf(operation, {}).find((setting) => isIt.test(setting.name))!;
	const [collection] = name.split('.');
	const shown: Parameters = { ...runs[0], resource, operation: operation.value };
	const changed = name === property ? value : { ...Object(shown[collection]), [property]: value };
	return { ...shown, [collection]: changed };
}

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

test.each(marked)('$name: no value that a model gives for $label is sent', async (field) => {
	for (const property of field.properties) {
		for (const it of ['false', '', service.seed.agents.draft]) {
			const parameters = parametersWith(field, property.name, fromModel(property));
			expect(await answerTo(parameters, { it })).toContain(`'${field.label}' is not available to AI agents`);
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
] as const)('%s: if a model fills a whole collection, no protected field of it is sent', async (operation, it) => {
	const collection = operation.endsWith('Update') ? 'updateFields' : 'options';
	await answerTo({ ...operations[operation]({}), [collection]: "={{ $fromAI('it', '', 'json') }}" }, { it });
	const made = (await sent()).filter(({ status }) => Number(status) < 300);
	expect(made).toHaveLength(operation.endsWith('Create') ? 1 : 0);
	const bodies = (await sent()).map(({ body }) => Object.keys(body as object));
	expect(bodies.flat()).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/^(do_not_call_enabled|end_date|status|attendees)$/)]),
	);
});

const it = "={{ $fromAI('it') }}";
test.each<[keyof typeof operations, Parameters, string, object]>([
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
