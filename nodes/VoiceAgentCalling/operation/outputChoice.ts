import type { IDataObject } from 'n8n-workflow';

import { choice, defineField, local, onlyFor, PRESERVE_ON_SWITCH } from '../../shared/fields/field';
import { listOf } from '../../shared/fields/kinds';
import { sorted } from '../../shared/lib/collections';
import { isRecord } from '../../shared/lib/json';
import { itemJson, outputName } from '../../shared/outputJson';
import type { Operation, Outputs } from './operation';
import { responseFields } from './responseFields';

/** The fields that operations add to the service's objects, to report what was done. The output always has them. */
const ADDED_FIELDS = ['published', 'publishCode', 'publishMessage', 'voiceSet', 'voiceCode', 'voiceMessage'] as const;

type Endpoint = keyof typeof responseFields;

const output = local(
	choice('output', {
		displayName: 'Output',
		name: 'output',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All fields, as the service returns them' },
			{ name: 'Selected Fields', value: 'selectedFields', description: 'The ID and the fields that you choose' },
			{ name: 'Simplified', value: 'simplified', description: 'The most important fields' },
		],
		default: 'simplified',
		description: 'Which fields the output has',
	}),
);

/** The words of field names that are not simply capitalized. */
const spelling: Record<string, string> = {
	dnc: 'DNC',
	http: 'HTTP',
	id: 'ID',
	llm: 'LLM',
	mms: 'MMS',
	sid: 'SID',
	sms: 'SMS',
	url: 'URL',
	whatsapp: 'WhatsApp',
};

/** Returns the name of a field in Title Case: `agent_id` becomes "Agent ID", `callCount` "Call Count". */
function titleOf(field: string): string {
	const words = field
		.split(/_|(?=[A-Z])/)
		.map((word) => spelling[word] ?? word.charAt(0).toUpperCase() + word.slice(1));
	return words.join(' ').replace(/ (On|To)(?= )/g, (word) => word.toLowerCase());
}

/** Makes the field with which the user selects the fields of the output, besides the ID. */
function selectedFields(names: readonly string[]) {
	const others = names.filter((name) => name !== 'id');
	const selectable = sorted(others.map((value) => ({ name: titleOf(value), value })));
	return local(
		onlyFor(
			'output',
			['selectedFields'],
			defineField({
				key: 'outputFields',
				properties: [
					{
						displayName: 'Output Fields',
						name: 'outputFields',
						type: 'multiOptions',
						options: selectable,
						default: [],
						displayOptions: PRESERVE_ON_SWITCH,
						description:
							'Fields to return, besides the ID. An expression can return a list or names separated by commas.',
					},
				],
				read: ({ get }) => listOf(get('outputFields')) ?? [],
				check: (zod) => zod.array(zod.enum(names as [string, ...string[]])),
			}),
		),
	);
}

/**
 * Lets the user choose which fields the output of an operation has.
 *
 * @param endpoint reads the object that the operation returns
 * @param simplified the fields of the output by default, ten at most
 * @param more fields that the object has if another endpoint reads it, or that the operation adds
 */
export function outputsOf<const From extends Endpoint, const More extends string = never>(
	endpoint: From,
	simplified: ReadonlyArray<(typeof responseFields)[From][number] | (typeof ADDED_FIELDS)[number] | NoInfer<More>>,
	more: readonly More[] = [],
): Outputs {
	const all = [...responseFields[endpoint], ...more].map(outputName);
	return { simplified: simplified.map(outputName), all, fields: [output, selectedFields(all)] };
}

/** Reduces the items of an operation to the fields that the user has chosen. */
export function thenPick(run: Operation['run'], { simplified }: Outputs): Operation['run'] {
	return async (api, input, local) => {
		const result = await run(api, input, local);
		if (local.output === 'raw') {
			return result;
		}
		const chosen = local.output === 'selectedFields' ? [...(local.outputFields as string[]), 'id'] : simplified;
		const keys = [...new Set([...chosen, ...ADDED_FIELDS])];
		const pick = (item: IDataObject) => {
			const json = isRecord(item) ? itemJson(item) : item;
			return isRecord(json)
				? Object.fromEntries(keys.filter((key) => key in json).map((key) => [key, json[key] as IDataObject]))
				: json;
		};
		return Array.isArray(result) ? result.map(pick) : pick(result);
	};
}
