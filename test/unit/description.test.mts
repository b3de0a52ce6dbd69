import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';

const { properties } = new VoiceAgentCalling().description;

function named(name: string): INodeProperties[] {
	return properties.filter((property) => property.name === name);
}

test('a value survives when the user switches operations: parameters of the same name have the same type', () => {
	const types = new Map<string, Set<string>>();
	for (const { name, type } of properties) {
		types.set(name, (types.get(name) ?? new Set()).add(type));
	}
	expect([...types].filter(([, kinds]) => kinds.size > 1)).toEqual([]);
});

/** The properties in the panel of an operation, in order. */
function shownBy(resource: string, operation: string): INodeProperties[] {
	return properties.filter(({ displayOptions }) => {
		const { resource: [of] = [], operation: offered = [], '@tool': tool } = displayOptions?.show ?? {};
		return of === resource && (offered as unknown[]).includes(operation) && tool === undefined;
	});
}

test('each operation shows its notice, its fields, what it updates, its output, filters, options and Sending in this order', () => {
	/** They are about what comes after the change. */
	const afterUpdates = ['publishAfterwards', 'output', 'outputFields'];
	for (const { value: resource, operations: own } of resources) {
		for (const { value, notice, fields, updates, filters, options, sending } of own) {
			const names = fields.flatMap((field) => field.properties.map(({ name }) => name));
			const collections = { filters, options, sending };
			const order = [
				...(notice === undefined ? [] : ['notice']),
				...names.filter((name) => !afterUpdates.includes(name)),
				...(updates.length > 0 ? ['updateFields'] : []),
				...afterUpdates.filter((name) => names.includes(name)),
				...Object.entries(collections).flatMap(([name, entries]) => (entries.length > 0 ? [name] : [])),
			];
			const shown = shownBy(resource, value).map(({ name }) => name);
			expect({ resource, value, shown }).toEqual({ resource, value, shown: order });
		}
	}
});

test('Stop All Calls warns first that the nodes before it may call', () => {
	const [first] = shownBy('call', 'stopAllCalls');
	expect(first).toMatchObject({ type: 'notice', displayName: expect.stringContaining('they may call') });
});

test('no field that a person fills in begins as an expression, but for the document that the previous node returns', () => {
	const defaults: string[] = [];
	JSON.stringify([properties, new VoiceAgentCallingTrigger().description.properties], (_key, value: unknown) => {
		const { name, default: text } = Object(value);
		if (typeof text === 'string' && text.startsWith('=') && name !== 'toolDescription') {
			defaults.push(name);
		}
		return value;
	});
	expect(defaults).toEqual(['document']);
});

test('a picker keeps its value when the value that it depends on changes, for example in an expression', () => {
	const pickers = properties.filter(({ type }) => type === 'resourceLocator');
	expect(pickers.length).toBeGreaterThan(20);
	expect(pickers.filter(({ typeOptions }) => typeOptions?.loadOptionsDependsOn)).toEqual([]);
});

test('n8n stores a group of fields as the editor adds it, and no rule of its own in the place of what it does not know', () => {
	const groups = ['options', 'updateFields', 'filters']
		.flatMap((name) => named(name).flatMap(({ options = [] }) => options as INodeProperties[]))
		.filter(({ type, typeOptions }) => type === 'fixedCollection' && !typeOptions?.multipleValues);
	expect(new Set(groups.map(({ name }) => name))).toEqual(
		new Set(['callingHours', 'consent', 'frequencyCap', 'timeLimit']),
	);
	for (const group of groups) {
		const collection: INodeProperties = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [group],
		};
		const stored = (value: unknown, withDefaults: boolean) => {
			const given = { options: { [group.name]: value } } as INodeParameters;
			const parameters = NodeHelpers.getNodeParameters([collection], given, withDefaults, false, null, null);
			return Object(parameters?.options)[group.name];
		};
		const added = stored(group.default, false);
		expect(stored(added, true)).toMatchObject(group.default as object);
		const values: Record<string, unknown> = stored({ values: {} }, true).values;
		const filledIn = Object.entries(values).filter(([, value]) => Boolean(value?.toString()) && Number(value) !== 0);
		// A choice that protects as much as a clear zone, and a unit, which is none without an amount.
		const harmless: Record<string, string[]> = { callingHours: ['unclearTimeZone'], timeLimit: ['unit'] };
		expect(filledIn.map(([name]) => name)).toEqual(harmless[group.name] ?? []);
	}
});

const trigger = new VoiceAgentCallingTrigger().description;

test('the trigger shows the selected events on the canvas, by the names of the editor', () => {
	const subtitleOf = (events: unknown) => {
		const [, expression] = /^=\{\{(.*)\}\}$/.exec(trigger.subtitle ?? '') ?? [];
		return new Function('$parameter', `return ${expression}`)({ events });
	};
	const events = ['campaign_call.completed', 'event_phone_call_error'];
	expect(subtitleOf(events)).toBe('Campaign Call Completed, Phone Call Error');
	expect(subtitleOf('a.kind.of.tomorrow')).toBe('a.kind.of.tomorrow');
});

test("the trigger's webhooks have no expressions, which n8n would evaluate for each delivery", () => {
	const { webhooks = [] } = trigger;
	expect(
		webhooks.flatMap((webhook) => Object.values(webhook)).filter((value) => String(value).startsWith('=')),
	).toEqual([]);
});
