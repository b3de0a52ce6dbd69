import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { makeRuns } from '../../schemaRuns/run.mts';
import type { Parameters } from '../../schemaRuns/runs.mts';
import { byId, type Service, startService } from '../../service.mts';

// n8n's rules `node-operation-error-itemindex` and `require-continue-on-fail`, which read the source of a node that runs
// its items in a loop: here for each operation, in n8n's engine.

let service: Service;
beforeAll(async () => {
	service = await startService();
});

/** The parameters, with an expression that is empty for a bad item in place of a required value. */
function emptyIfBad(parameters: Parameters, { name, type }: INodeProperties): Parameters {
	const given = parameters?.[name];
	const isPicker = type === 'resourceLocator';
	// On several lines: two closing braces side by side would end the expression.
	const value = JSON.stringify(isPicker ? Object(given).value : given, null, 1);
	const expression = `={{ $json.bad ? "" : ${value} }}`;
	return { ...parameters, [name]: isPicker ? byId(expression) : expression };
}

const good = { bad: false };
const bad = { bad: true };
let covered = 0;

test.each(resources.map((resource) => [resource.name, resource] as const))(
	'each operation of %s names the item that failed, and returns an item for each failed one if On Error says so',
	async (_name, { value: resource, operations }) => {
		await makeRuns(service, resource, async (operation, parameters = {}) => {
			const fields = operations.find(({ value }) => value === operation)?.fields ?? [];
			const all = fields.flatMap(({ properties }) => properties);
			const required = all.find(
				({ name, required: isRequired, noDataExpression }) =>
					isRequired && !noDataExpression && parameters[name] !== undefined,
			);
			if (required === undefined) {
				return;
			}
			covered++;
			const { length } = await service.requests();
			const { run } = await service.run(emptyIfBad(parameters, required), [good, bad, good]);
			const { context } = run.error as unknown as { context: { itemIndex?: number } };
			expect({ operation, itemIndex: context.itemIndex }).toEqual({ operation, itemIndex: 1 });

			const goesOn = { node: { onError: 'continueRegularOutput' } } as const;
			const { outputs } = await service.run(emptyIfBad(parameters, required), [bad, bad, bad], goesOn);
			const failed = (item: number) => ({ json: { code: 'INVALID_INPUT' }, pairedItem: { item } });
			expect({ operation, items: outputs[0] }).toMatchObject({ operation, items: [failed(0), failed(1), failed(2)] });
			expect(await service.requests()).toHaveLength(length);
		});
	},
	20_000,
);

test('nearly all operations require a value', () => {
	expect(covered).toBeGreaterThan(80);
});
