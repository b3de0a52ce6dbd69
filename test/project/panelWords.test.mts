import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { read } from './sources.mts';

const { most } = JSON.parse(read('.ci/budgets.json')) as { most: Record<string, number> };
const { properties } = new VoiceAgentCalling().description;
const wordsIn = (text = '') => text.split(/\s+/).filter(Boolean).length;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** The words that a user reads of a property: label, description, hint, and those of its choices and rows. */
function wordsOf({ displayName, description, hint, options = [] }: INodeProperties): number {
	const parts = options.map((option) => {
		if ('values' in option) {
			return wordsIn(option.displayName) + sum(option.values.map(wordsOf));
		}
		return 'value' in option ? wordsIn(`${option.name} ${option.description ?? ''}`) : wordsOf(option);
	});
	return wordsIn(`${displayName} ${description ?? ''} ${hint ?? ''}`) + sum(parts);
}

/** What the panels of all operations show: their fields, and what a user can add in their collections. */
const panels = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		return (options as INodePropertyOptions[]).map(({ value }) =>
			properties.filter(({ name, type, displayOptions: { show } = {} }) => {
				const isHere = (show?.resource?.includes(resource!) ?? true) && (show?.operation?.includes(value) ?? true);
				return isHere && !show?.['@tool'] && type !== 'hidden' && name !== 'resource' && name !== 'operation';
			}),
		);
	});

test('the panels of all operations have no more words than a user can be asked to read', () => {
	const isCollection = ({ type }: INodeProperties) => type === 'collection';
	const fields = panels.flatMap((shown) => shown.filter((property) => !isCollection(property)));
	const options = panels.flatMap((shown) =>
		shown.filter(isCollection).flatMap((collection) => collection.options as INodeProperties[]),
	);
	expect(panels.length).toBeGreaterThan(90);
	expect(sum(fields.map(wordsOf))).toBeLessThanOrEqual(most['words in panels']);
	expect(sum(options.map(wordsOf))).toBeLessThanOrEqual(most['words in options']);
});

/**
 * How long the description of a choice can be. n8n's menus cut it off after two lines, which are 358 pixels wide in a
 * window of 1280 x 800. Of the descriptions that were measured there, the shortest that was cut off had 116 characters.
 */
const TWO_LINES = 110;

test('the description of each operation, event and other choice fits into the two lines that n8n shows of it', () => {
	const choices: INodePropertyOptions[] = [];
	const nodes = [new VoiceAgentCalling().description, new VoiceAgentCallingTrigger().description];
	JSON.stringify(
		nodes.map(({ properties: shown }) => shown),
		(_key, value: unknown) => {
			if (Object(value).value !== undefined && Object(value).description !== undefined) {
				choices.push(value as INodePropertyOptions);
			}
			return value;
		},
	);
	expect(choices.length).toBeGreaterThan(200);
	const long = choices.filter(({ description = '' }) => description.length > TWO_LINES);
	expect([...new Set(long.map(({ name, description }) => `${name}: ${description}`))]).toEqual([]);
});
