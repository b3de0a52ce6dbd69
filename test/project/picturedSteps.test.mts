import type { INodeProperties } from 'n8n-workflow';

import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { readExample } from '../../scripts/lib/examples.mts';
import { read } from './sources.mts';

/** The names of the parameters with a label. */
const parameters = new Map<string, string[]>();

function learn({ displayName, name, options = [] }: INodeProperties): void {
	parameters.set(displayName, [...(parameters.get(displayName) ?? []), name]);
	for (const option of options) {
		if ('type' in option) {
			learn(option);
		}
	}
}
new VoiceAgentCalling().description.properties.forEach(learn);

/** The labels of fields that the steps below a heading name. */
function fieldsIn(page: string, heading: string): string[] {
	const part = page.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
	const steps = part.match(/^\d+\. .*/gm)?.join('\n') ?? '';
	const labels = [...steps.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, label = '']) => label.split(' → '));
	return labels.filter((label) => parameters.has(label));
}

test('the picture of a booking action is of an example that sets every field that the steps beside it name', () => {
	const fields = fieldsIn(read('docs/book-during-a-call.md'), '2. The action of the agent');
	expect(fields).toEqual(expect.arrayContaining(['Action Key', 'Type', 'URL', 'Extra Headers', 'Publish Afterwards']));
	const { nodes } = readExample('set-up-the-booking-action.json');
	const set = JSON.stringify(nodes.find(({ name }) => name === 'Create the Booking Action')?.parameters);
	expect(fields.filter((label) => !parameters.get(label)?.some((name) => set.includes(`"${name}":`)))).toEqual([]);
});
