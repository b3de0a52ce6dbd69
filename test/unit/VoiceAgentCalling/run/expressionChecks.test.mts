import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { wrongItemError } from '../../../../nodes/VoiceAgentCalling/run/expressionChecks.ts';
import { VoiceAgentCalling } from '../../../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';

const type = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';
const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => [`${resource.name} → ${operation.name}`, operation] as const),
);

/** The parameters of an operation, each with the way to it. */
const parametersOf = ({ fields, updates, filters, options, sending }: Operation) =>
	Object.entries({ '': fields, updateFields: updates, filters, options, sending }).flatMap(([collection, group]) =>
		group.flatMap(({ properties }) => properties.map((property) => ({ collection, property }))),
	);

/** What n8n gives a tool that an agent of version 2 runs for one of so many items. */
const callerFor = (parameters: object, items: number, node = `${type}Tool`) =>
	({
		getNode: () => ({ name: 'Phone', type: node, parameters }),
		getInputData: () => [{ json: { arguments: 'of the model' } }],
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getExecuteData: () => ({
			node: { name: 'Agent' },
			data: { main: [Array.from({ length: items }, () => ({ json: {} }))] },
			source: null,
		}),
	}) as unknown as IExecuteFunctions;

const value = { value: '={{ $json.phone }}' };
const withValue = (collection: string, name: string) =>
	collection === '' ? { [name]: value } : { [collection]: { [name]: value } };

test.each(operations)(
	'As a tool of an agent with several items, %s refuses the item in every field',
	(_name, operation) => {
		for (const { collection, property } of parametersOf(operation)) {
			const parameters = withValue(collection, property.name);
			expect(wrongItemError(callerFor(parameters, 2), operation)?.message).toContain(`'${property.displayName}'`);
			expect(wrongItemError(callerFor(parameters, 1), operation)).toBeUndefined();
			expect(wrongItemError(callerFor(parameters, 2, type), operation)).toBeUndefined();
		}
	},
);

test('No parameter of the node is left out, but for those that must be fixed or are not sent', () => {
	const seen = new Set(
		operations.flatMap(([, operation]) =>
			parametersOf(operation).map(({ collection, property }) => collection || property.name),
		),
	);
	const names = new VoiceAgentCalling().description.properties
		.filter(({ type }) => type !== 'notice')
		.map(({ name }) => name);
	const fixed = ['resource', 'operation', 'maxCalls', 'maxCallsPerHour', 'allowedPrefixes'];
	const others = names.filter((name) => !seen.has(name));
	expect(new Set(others)).toEqual(new Set([...fixed, 'toolDescription', 'always']));
});
