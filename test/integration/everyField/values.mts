import type { INodeProperties } from 'n8n-workflow';

import { uuidOf } from '../../../sandbox/world/ids.mts';
import { sampleDocument } from '../../docs/agentDocument.mts';
import { exampleOf } from '../../example.mts';
import { byId } from '../service.mts';

const IDS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const ZONES = ['Europe/Berlin', 'America/New_York'];

/** An agent as a document, without what takes several requests. */
const documentOf = (name: string) => ({ ...sampleDocument(), actions: {}, trainings: {}, settings: { name } });

/** Values of parameters that their type, placeholder, default and options do not tell, by name. */
const byName: Record<string, unknown[]> = {
	additionalAgents: IDS.map((id) => [id]),
	additionalCampaigns: IDS.map((id) => [id]),
	additionalEvents: [['some.event'], ['other.event']],
	blockedNumbers: ['+12025550111, +12025550001', '+12025550199'],
	calendars: IDS.map((id) => [id]),
	campaignFiles: IDS.map((id) => [id]),
	countryCode: ['DE', 'FR'],
	defaultCountry: ['DE', 'FR'],
	document: [documentOf('Ada'), documentOf('Bea'), { name: 'Autumn' }, { name: 'Winter' }],
	flow: ['Hello', 'Hi'].map((content) => ({
		initial_node_id: 'a',
		nodes: [
			{ id: 'a', type: 'say', content, next: 'b' },
			{ id: 'b', type: 'end' },
		],
	})),
	frequencyCap: [3, 5].map((atMost) => ({ values: { atMost, days: 7 } })),
	languageCode: ['en-GB', 'fr-CA'],
	localTimezone: ZONES,
	payloadTemplates: IDS.map((id) => ({ 'some.event': { id } })),
	phoneNumbers: IDS.map((id) => [id]),
	privateKey: ['one', 'other'].map((key) => `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`),
	sourceAgents: [2, 3].map((index) => [uuidOf(`agent ${index}`)]),
	timeZone: ZONES,
	timezone: ZONES,
	trigger: ['one', 'other'].map((path) => ({
		__rl: true,
		mode: 'url',
		value: `https://n8n.example.com/webhook/${path}/webhook`,
	})),
	unclearTimeZone: ZONES,
};

/** A text, and another one of the same form: its last letter or digit is the one beside it. */
function texts(text: string): string[] {
	const other = text.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => {
		const up = /[0-8aA]/.test(last);
		return String.fromCharCode(last.charCodeAt(0) + (up ? 1 : -1));
	});
	return [text, other];
}

/** Values that a user can enter in a field, at least two if it has that many. Some may be invalid. */
export function valuesOf(property: INodeProperties): unknown[] {
	const { name, type, typeOptions, options = [], default: standard } = property;
	if (byName[name]) {
		return byName[name];
	}
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	switch (type) {
		case 'boolean':
			return [true, false];
		case 'dateTime':
			// An end is after its start.
			return typeOptions?.dateOnly
				? ['2030-05-05', '2030-05-06']
				: ['10', '20'].map((minutes) => `2031-07-07T${name === 'end' ? '10' : '09'}:${minutes}:00Z`);
		case 'fixedCollection':
			return rowsOf(property).map((row) => asList(property, row));
		case 'json':
			return [{ a: 1 }, { a: 2 }];
		case 'multiOptions':
			return choices.map((one) => [one]);
		case 'number':
			return [Number(standard) + 1, typeOptions?.minValue ?? 1, typeOptions?.maxValue ?? 2];
		case 'options':
			return choices;
		case 'resourceLocator':
			return IDS.map(byId);
		case 'resourceMapper':
			return ['Ada', 'Bea'].map((value) => ({ mappingMode: 'defineBelow', value: { name: value } }));
		default:
			return texts(exampleOf(property) || String(standard || 'sample-1'));
	}
}

export function partsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	const [group] = options;
	return type === 'fixedCollection' && group && 'values' in group ? group.values : [];
}

/** Rows of a list: one in which each field has its default, or else a value, and those that differ from it in a field. */
function rowsOf(property: INodeProperties): Array<Record<string, unknown>> {
	return [rowOf(property), ...partsOf(property).flatMap((part) => rowsWith(property, part).slice(1))];
}

function rowOf(property: INodeProperties): Record<string, unknown> {
	const standard = (part: INodeProperties) => (part.default?.toString() ? part.default : valuesOf(part)[0]);
	return Object.fromEntries(partsOf(property).map((part) => [part.name, standard(part)]));
}

export function rowsWith(property: INodeProperties, part: INodeProperties): Array<Record<string, unknown>> {
	const row = rowOf(property);
	return [row, ...valuesOf(part).map((value) => ({ ...row, [part.name]: value }))];
}

export function asList({ typeOptions }: INodeProperties, row: Record<string, unknown>): object {
	return { values: typeOptions?.multipleValues ? [row] : row };
}
