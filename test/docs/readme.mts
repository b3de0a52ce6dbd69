import type { INodePropertyOptions } from 'n8n-workflow';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCallingTrigger } from '../../nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts';
import { withGenerated } from './generated.mts';
import { table } from './markdown.mts';
import { entriesOf, pageOf, rings } from './operations.mts';

export const PAGE = 'README.md';

const bold = (name: string, isBold: boolean) => (isBold ? `**${name}**` : name);

/** The resources in the order of the editor, each with its operations. Bold: a real phone may ring. */
function operationsTable(): string {
	const rows = resources.map((resource) => [
		`[${resource.name}](${pageOf(resource)})`,
		entriesOf(resource)
			.map((entry) => bold(entry.operation.name, rings(entry)))
			.join(', '),
	]);
	return table(['Resource', 'Operations'], rows);
}

/** The events by what they are of, from the trigger's description. Bold: chosen unless the user changes it. */
function eventsTable(): string {
	const { properties } = new VoiceAgentCallingTrigger().description;
	const sources = properties.find(({ name }) => name === 'source')?.options as INodePropertyOptions[];
	const rows = sources.map(({ name, value }) => {
		const list = properties.find(
			(property) => property.name === 'events' && property.displayOptions?.show?.source?.includes(value),
		);
		const chosen = list?.default as unknown[];
		const events = (list?.options ?? []) as INodePropertyOptions[];
		return [name, events.map((event) => bold(event.name, chosen.includes(event.value))).join(', ')];
	});
	return table(['Trigger On', 'Events'], rows);
}

/** The README with its two tables; the rest is written by hand. */
export function readmePage(): string {
	return withGenerated(PAGE, { operations: operationsTable(), events: eventsTable() });
}
