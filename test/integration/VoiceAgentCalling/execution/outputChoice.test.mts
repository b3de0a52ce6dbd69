import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { makeRuns } from '../../schemaRuns/run.mts';
import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from '../resources/items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

/** The fields that the node adds, which say what it did: they are always there. */
const ADDED = ['published', 'publishCode', 'publishMessage', 'voiceSet', 'voiceCode', 'voiceMessage'];

const choosing = resources.flatMap(({ name, value, operations }) =>
	operations.some(({ outputs }) => outputs) ? [[name, value, operations] as const] : [],
);

describe.each(choosing)('%s', (_name, resource, operations) => {
	const withChoice = operations.filter(({ outputs }) => outputs);
	const runs = async (more: (operation: string) => object) =>
		await makeRuns(service, resource, undefined, more as never);
	const itemsOf = (made: Awaited<ReturnType<typeof runs>>, operation: string) =>
		(made.get(operation)?.items ?? []) as object[];
	/** The fields of all items that the service returned. */
	const fieldsOf = (items: object[]) => [...new Set(items.flatMap(Object.keys))].filter((key) => !ADDED.includes(key));
	/** Which fields the items have together, each combination once: also a field that is null or false is there. */
	const shapesOf = (items: object[]) => [...new Set(items.map((item) => fieldsOf([item]).sort().join()))].sort();

	test('Output Fields offers each field that Raw returns, and Selected Fields returns all of them', async () => {
		const namesOf = (operation: string) => operations.find(({ value }) => value === operation)?.outputs?.all ?? [];
		const raw = await runs(() => ({ output: 'raw' }));
		const all = await runs((operation) => ({ output: 'selectedFields', outputFields: namesOf(operation).join() }));
		for (const { value, outputs } of withChoice) {
			const fields = fieldsOf(itemsOf(raw, value));
			expect(fields.length).toBeGreaterThan(10);
			expect({ value, offered: outputs?.all }).toEqual({ value, offered: expect.arrayContaining(fields) });
			expect({ value, shapes: shapesOf(itemsOf(all, value)) }).toEqual({
				value,
				shapes: shapesOf(itemsOf(raw, value)),
			});
		}
	});

	test('Simplified returns ten fields at most, and more than the ID', async () => {
		const simplified = await runs(() => ({}));
		for (const { value } of withChoice) {
			const { length } = fieldsOf(itemsOf(simplified, value));
			expect({ value, fewEnough: length <= 10, enough: length > 5 }).toEqual({ value, fewEnough: true, enough: true });
		}
	});
});

test('an operation whose answer has ten fields or fewer has no choice of fields', () => {
	const all = resources.flatMap(({ operations }) => operations.flatMap(({ outputs }) => (outputs ? [outputs] : [])));
	expect(all.length).toBeGreaterThan(10);
	expect(all.filter((outputs) => outputs.all.length <= 10)).toEqual([]);
});

describe('Selected Fields', () => {
	const get = (more: object) => ({
		resource: 'agent',
		operation: 'get',
		agent: byId('={{ $json.id }}'),
		output: 'selectedFields',
		...more,
	});

	test('takes a list, or names separated by commas, and refuses what the answer cannot have', async () => {
		const { published, draft } = service.seed.agents;
		const items = [
			{ id: published, fields: ['label', 'trainings'] },
			{ id: draft, fields: 'label, created_at' },
			{ id: published, fields: ['label', 'nmae'] },
			{ id: published, fields: 'constructor' },
			{ id: published, fields: [] },
			{ id: draft, fields: '' },
			{ id: draft, fields: 'id' },
		];
		const sent = await expectItems(service, get({ outputFields: '={{ $json.fields }}' }), items, [
			{ id: published, label: expect.any(String), trainings: expect.any(Array) },
			{ id: draft, label: expect.any(String), created_at: expect.any(String) },
			failed('INVALID_INPUT', {
				message: expect.stringMatching(/'Output Fields' cannot be "nmae".* Use one of .*, label, /),
			}),
			failed('INVALID_INPUT'),
			{ id: published },
			{ id: draft },
			{ id: draft },
		]);
		expect(sent.map(([, path]) => path)).toEqualInAnyOrder(
			[published, draft, published, draft, draft].map((id) => `agents/${id}`),
		);
		const { outputs } = await service.run(get({ outputFields: ['label'] }), [{ id: published }, { id: draft }]);
		expect(outputs[0]?.map(({ json }) => Object.keys(json))).toEqual([
			['id', 'label'],
			['id', 'label'],
		]);
	});

	test('leaves out a field that the service does not return for an item', async () => {
		const calls = (more: object) => ({ resource: 'call', operation: 'getAll', limit: 1, ...more });
		const selected = { output: 'selectedFields', outputFields: ['agent', 'to'] };
		await service.run({
			resource: 'call',
			operation: 'place',
			agent: byId(service.seed.agents.published),
			phoneNumber: '+12025550111',
		});
		const ofOne = { filters: { agent: byId(service.seed.agents.published) } };
		const environment = await service.run(calls(selected));
		const one = await service.run(calls({ ...selected, ...ofOne }));
		const keys = [environment, one].map(({ outputs }) => Object.keys(outputs[0]?.[0]?.json ?? {}));
		expect(keys).toEqual([
			['id', 'agent', 'to'],
			['id', 'to'],
		]);
	});

	test('keeps what Publish Afterwards says', async () => {
		const parameters = {
			resource: 'agent',
			operation: 'update',
			agent: byId('={{ $json.id }}'),
			updateFields: { conversationSpeed: 1.1 },
			publishAfterwards: 'always',
			output: 'selectedFields',
			outputFields: ['label'],
		};
		const { published } = service.seed.agents;
		const { outputs } = await service.run(parameters, [{ id: published }]);
		expect(outputs[0]?.[0]?.json).toEqual({
			id: published,
			label: expect.any(String),
			published: true,
		});
	});
});
