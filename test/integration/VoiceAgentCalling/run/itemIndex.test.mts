import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { settingsOf } from '../../everyField/settings.mts';
import type { Parameters } from '../../schemaRuns/runs.mts';
import { byId, goesOn, saidBy, useService } from '../../service.mts';

// n8n's rules `node-operation-error-itemindex` and `require-continue-on-fail`, which read the source of a node that runs
// its items in a loop: here for each operation, in n8n's engine.

const service = useService();

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
	'each operation of %s names the item that failed, says how the others go on, and returns an item for each failed one if On Error says so',
	async (_name, { value: resource, operations }) => {
		const callers = { agent: byId(service.seed.agents.published), campaign: byId(service.seed.campaigns.active) };
		for (const operation of operations) {
			const settings = settingsOf(operation, {});
			// An update needs something to update.
			const change = settings.find(({ name }) => name.startsWith('updateFields.'));
			const filled = (change?.runs ?? settings[0]?.runs)?.at(change ? -1 : 0) ?? {};
			const required = operation.fields
				.flatMap(({ properties }) => properties)
				.find((property) => property.required && !property.noDataExpression && filled[property.name] !== undefined);
			if (required === undefined) {
				continue;
			}
			covered++;
			const isCall = operation.callerIdField !== undefined;
			const given = { ...filled, ...(isCall && callers), resource, operation: operation.value };
			const parameters = emptyIfBad(given, required);
			const { run } = await service.run(parameters, [good, bad, good]);
			// Of a call, the agent or campaign is read: what would stop all calls would come first.
			expect((await service.requests()).filter(({ method }) => !(isCall && method === 'GET'))).toEqual([]);
			await service.reset();
			const { context } = run.error as unknown as { context: { itemIndex?: number } };
			const of = { resource, operation: operation.value };
			expect({ ...of, itemIndex: context.itemIndex }).toEqual({ ...of, itemIndex: 1 });
			expect([of, saidBy({ run })]).toEqual([of, expect.stringContaining("To send the other items, set 'On Error'")]);
			const { outputs } = await service.run(parameters, [bad, bad, bad], { node: goesOn });
			const failed = (item: number) => ({ json: { code: 'INVALID_INPUT' }, pairedItem: { item } });
			expect({ ...of, items: outputs[0] }).toMatchObject({ ...of, items: [failed(0), failed(1), failed(2)] });
		}
		expect(await service.requests()).toEqual([]);
	},
);

test('nearly all operations require a value', () => {
	expect(covered).toBeGreaterThan(80);
});
