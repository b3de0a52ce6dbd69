import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { agentEvents, campaignEvents } from '../../nodes/shared/fields/eventKinds.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';

const { properties } = new VoiceAgentCalling().description;

/** Limit for the JSON that the editor loads for the node, in bytes per operation. */
const BUDGET_PER_OPERATION = 4_000;

function named(name: string): INodeProperties[] {
	return properties.filter((property) => property.name === name);
}

function choices(property: INodeProperties): unknown[] {
	return (property.options ?? []).map((option) => ('value' in option ? option.value : undefined));
}

const operations = named('operation').flatMap((property) =>
	choices(property).map((value) => `${String(property.displayOptions?.show?.resource)}.${String(value)}`),
);

test('the description is small enough to load fast', () => {
	expect(JSON.stringify(properties).length).toBeLessThan(BUDGET_PER_OPERATION * operations.length);
});

test('a value survives when the user switches operations: parameters of the same name have the same type', () => {
	const types = new Map<string, Set<string>>();
	for (const { name, type } of properties) {
		types.set(name, (types.get(name) ?? new Set()).add(type));
	}
	expect([...types].filter(([, kinds]) => kinds.size > 1)).toEqual([]);
});

test('each operation shows its fields in their order, then update fields, filters, options and Sending', () => {
	for (const { value: resource, operations: own } of resources) {
		for (const { value, fields, updates, filters, options, sending } of own) {
			const order = fields.flatMap((field) => field.properties.map(({ name }) => name));
			if (updates.length > 0) {
				order.push('updateFields');
			}
			if (filters.length > 0) {
				order.push('filters');
			}
			if (options.length > 0) {
				order.push('options');
			}
			if (sending.length > 0) {
				order.push('sending');
			}
			const shown = properties.filter(({ displayOptions }) => {
				const { resource: [of] = [], operation: offered = [], '@tool': tool } = displayOptions?.show ?? {};
				return of === resource && (offered as unknown[]).includes(value) && tool === undefined;
			});
			expect({ resource, value, shown: shown.map(({ name }) => name) }).toEqual({ resource, value, shown: order });
		}
	}
});

test('every operation has a description and an action for AI agents that use the node as a tool', () => {
	for (const property of named('operation')) {
		for (const option of property.options ?? []) {
			expect(option).toMatchObject({ description: expect.stringMatching(/.{20,}/), action: expect.any(String) });
		}
	}
});

test('a picker keeps its value when the value that it depends on changes, for example in an expression', () => {
	const pickers = properties.filter(({ type }) => type === 'resourceLocator');
	expect(pickers.length).toBeGreaterThan(20);
	expect(pickers.filter(({ typeOptions }) => typeOptions?.loadOptionsDependsOn)).toEqual([]);
});

test('names and defaults that workflows rely on do not change', () => {
	const defaults = Object.fromEntries(properties.map((property) => [property.name, property.default]));
	expect(defaults).toMatchObject({ testCall: 'automatic', returnAll: false, limit: 50 });
	const options = named('options').flatMap((property) => property.options ?? []);
	expect(options).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ name: 'delay', default: 0 }),
			expect.objectContaining({ name: 'ifAlreadyQueued', default: 'returnExisting' }),
			expect.objectContaining({ name: 'repeatedNumber', default: 'callOnce' }),
		]),
	);
	expect(named('sending')).toContainEqual(
		expect.objectContaining({
			options: expect.arrayContaining([expect.objectContaining({ name: 'requestTimeout', default: 60 })]),
		}),
	);
});

test('only dates, time zones, documents and what a model is told have expressions as defaults, because n8n evaluates them for each item', () => {
	const evaluated = properties.filter(
		({ name, default: value }) => name !== 'toolDescription' && String(value).startsWith('='),
	);
	expect(
		evaluated.map(({ name, default: value, displayOptions }) => [displayOptions?.show?.operation, name, value]),
	).toEqual([
		[['create'], 'startDate', '={{ $now.setZone($parameter.timezone || $now.zoneName).toISODate() }}'],
		[['apply'], 'document', '={{ $json }}'],
		[['getSlots'], 'from', '={{ $now }}'],
		[['getSlots'], 'to', '={{ $now.plus({ days: 7 }) }}'],
	]);
	const defaults =
		JSON.stringify(properties.filter(({ name }) => name !== 'toolDescription')).match(/"default":"=/g) ?? [];
	expect(defaults).toHaveLength(evaluated.length);
});

test('n8n stores a group of fields as the editor adds it, and no rule of its own in the place of what it does not know', () => {
	const groups = ['options', 'updateFields', 'filters']
		.flatMap((name) => named(name).flatMap(({ options = [] }) => options as INodeProperties[]))
		.filter(({ type, typeOptions }) => type === 'fixedCollection' && !typeOptions?.multipleValues);
	expect(new Set(groups.map(({ name }) => name))).toEqual(new Set(['callingHours', 'timeLimit']));
	for (const group of groups) {
		const collection: INodeProperties = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [group],
		};
		const stored = (value: unknown, withDefaults: boolean) =>
			NodeHelpers.getNodeParameters(
				[collection],
				{ options: { [group.name]: value } } as INodeParameters,
				withDefaults,
				false,
				null,
				null,
			) as unknown as { options: Record<string, { values: Record<string, unknown> }> };
		const added = stored(group.default, false).options[group.name];
		expect(stored(added, true).options[group.name]).toMatchObject(group.default as object);
		const { values } = stored({ values: {} }, true).options[group.name];
		const filledIn = Object.entries(values).filter(([, value]) => Boolean(value?.toString()) && value !== 0);
		// The strictest choice, and a unit, which is none without an amount.
		expect(filledIn.map(([name]) => name)).toEqual([group.name === 'callingHours' ? 'unclearTimeZone' : 'unit']);
	}
});

test('agents and campaigns start with what a user thinks of first', () => {
	const top = (resource: string, operation: string) =>
		properties
			.filter(({ displayOptions: { show } = {} }) => {
				return (
					!show?.['@tool'] &&
					show?.resource?.[0] === resource &&
					(show.operation as unknown[] | undefined)?.includes(operation)
				);
			})
			.map(({ displayName }) => displayName);
	expect(top('agent', 'create').slice(0, 7)).toEqual([
		'Name',
		'First Message',
		'Prompt',
		'Language',
		'Language Code',
		'Voice',
		'Phone Number Names or IDs',
	]);
	expect(top('agent', 'create')).toContain('Behavior');
	expect(top('campaign', 'create').slice(0, 2)).toEqual(['Name', 'Agent']);
});

describe('the trigger', () => {
	const trigger = new VoiceAgentCallingTrigger().description;
	const required = ({ required, type }: INodeProperties) => required === true || type === 'collection';

	test('has only required fields at the top, and the others in Options', () => {
		expect(trigger.properties.filter((property) => !required(property)).map(({ name }) => name)).toEqual([]);
		expect(trigger.properties.map(({ displayName }) => displayName)).toEqual([
			'Trigger On',
			'Campaign',
			'Agent',
			'Events',
			'Events',
			'Options',
		]);
	});

	test.each([
		['campaign', campaignEvents],
		['agent', agentEvents],
	])('offers the events of a %s, without a tooltip', (source, options) => {
		const lists = trigger.properties.filter(({ name }) => name === 'events');
		const list = lists.find(({ displayOptions }) => displayOptions?.show?.source?.[0] === source);
		expect(list).toMatchObject({ displayName: 'Events', options, required: true });
		expect(list).not.toHaveProperty('description');
		const values = options.map(({ value }) => value);
		for (const value of [list?.default].flat()) {
			expect(values).toContain(value);
		}
	});

	test('shows the selected events on the canvas, by the names of the editor', () => {
		const subtitleOf = (events: unknown) => {
			const [, expression] = /^=\{\{(.*)\}\}$/.exec(trigger.subtitle ?? '') ?? [];
			return new Function('$parameter', `return ${expression}`)({ events });
		};
		expect(subtitleOf(['campaign_call.completed', 'event_phone_call_error'])).toBe(
			'Campaign Call Completed, Phone Call Error',
		);
		expect(subtitleOf('a.kind.of.tomorrow')).toBe('a.kind.of.tomorrow');
	});
});

test("the trigger's panel explains the test URL and the production URL, before and after publishing", () => {
	const { triggerPanel } = new VoiceAgentCallingTrigger().description;
	const { executionsHelp, activationHint } = triggerPanel as {
		executionsHelp: Record<string, string>;
		activationHint: Record<string, string>;
	};
	for (const texts of [executionsHelp, activationHint]) {
		for (const state of ['active', 'inactive']) {
			expect(texts[state]).toContain('test URL');
			expect(texts[state]).toContain('production URL');
		}
	}
	expect(executionsHelp.active).not.toMatch(/(?<!un)publish the workflow/);
	expect(executionsHelp.inactive).toContain('publish the workflow');
});

test("the trigger's webhooks have no expressions, which n8n would evaluate for each delivery", () => {
	const { webhooks = [] } = new VoiceAgentCallingTrigger().description;
	expect(
		webhooks.flatMap((webhook) => Object.values(webhook)).filter((value) => String(value).startsWith('=')),
	).toEqual([]);
});

test('each node has one version', () => {
	const versions = [VoiceAgentCalling, VoiceAgentCallingTrigger].map((Node) => new Node().description);
	expect(versions.map(({ version, defaultVersion }) => [version, defaultVersion])).toEqual([
		...[
			[1, undefined],
			[2, undefined],
		],
	]);
});
