import type { INodeProperties } from 'n8n-workflow';

import { type Listing, listings } from '../../../nodes/shared/pickers/listings.ts';
import type { Operation } from '../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { exampleOf } from '../../example.mts';
import { byId, type Service } from '../service.mts';
import type { Parameters } from './runs.mts';

/** The objects of the seed that most operations work with, by the parameter that picks them. */
const seeded = ({ seed }: Service): Record<string, string> => ({
	agent: seed.agents.published,
	campaign: seed.campaigns.active,
	calendar: seed.calendar,
	calendarEvent: seed.calendarEvent,
	sipTrunk: seed.sipTrunk,
	voiceTemplate: seed.voiceTemplate,
});

/**
 * Parameters for an operation without runs of its own: pickers get an object of the seed, or else the first of their
 * list; a listing returns all; required texts are the example of their placeholder; everything else keeps its default.
 * An operation that makes the agent a draft runs once more with Publish Afterwards.
 *
 * @throws Error where a picker's list is empty
 */
export async function defaultRuns(service: Service, { fields }: Operation): Promise<Parameters[]> {
	const ids: Record<string, string> = {};
	const parameters: Parameters = {};
	for (const property of fields.flatMap(({ properties }) => properties)) {
		const { name, type, required } = property;
		if (type === 'resourceLocator' && required) {
			ids[name] = seeded(service)[name] ?? (await firstOf(service, property, ids));
			parameters[name] = byId(ids[name]);
		} else if (name === 'returnAll') {
			parameters[name] = true;
		} else if (type === 'string' && required) {
			parameters[name] = exampleOf(property) ?? '';
		}
	}
	const drafts = fields.some(({ key }) => key === 'publishAfterwards');
	return [parameters, ...(drafts ? [{ ...parameters, publishAfterwards: 'always' }] : [])];
}

async function firstOf(service: Service, { name, modes = [] }: INodeProperties, ids: Record<string, string>) {
	const method = modes.find(({ type }) => type === 'list')?.typeOptions?.searchListMethod;
	const listing: Listing | undefined = listings[method as keyof typeof listings];
	const { under = [], path, items = ({ data }) => data, entry } = listing;
	const { body } = await service.api('GET', path(...under.map((parent) => ids[parent] ?? '')).join('/'));
	const [first] = items(body as never) as never[];
	if (first === undefined) {
		throw new Error(`The sandbox lists nothing for "${name}". Write the runs in test/integration/schemaRuns/.`);
	}
	return String(entry(first).value);
}
