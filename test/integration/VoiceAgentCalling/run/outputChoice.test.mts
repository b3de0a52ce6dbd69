import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../../../scripts/lib/places.mts';
import { listedOutput } from '../../../docs/operationOutput.mts';
import { pageOf } from '../../../docs/operations.mts';
import { makeRuns } from '../../schemaRuns/run.mts';
import { byId, jsonOf, useService } from '../../service.mts';
import { expectItems, failed } from '../resources/items.mts';

const service = useService();

/** The fields that the node adds, which say what it did: they are always there. */
const ADDED = ['published', 'publishCode', 'publishMessage', 'voiceSet', 'voiceCode', 'voiceMessage'];

const choosing = resources.filter(({ operations }) => operations.some(({ outputs }) => outputs));
const choices = choosing.flatMap(({ operations }) => operations.flatMap(({ outputs }) => outputs ?? []));

describe.each(choosing.map((resource) => [resource.name, resource] as const))('%s', (_name, of) => {
	const { value: resource, operations } = of;
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
		for (const operation of withChoice) {
			const { value, outputs } = operation;
			const fields = fieldsOf(itemsOf(raw, value));
			expect(fields.length).toBeGreaterThan(10);
			expect({ value, offered: outputs?.all }).toEqual({ value, offered: expect.arrayContaining(fields) });
			expect([value, shapesOf(itemsOf(all, value))]).toEqual([value, shapesOf(itemsOf(raw, value))]);
			// The page of the resource lists what Raw returns, and no other field.
			const page = listedOutput(readFileSync(join(root, pageOf(of)), 'utf8'), operation.name);
			const listed = [...page.always, ...page.sometimes, ...page.raw].sort();
			const returned = [...new Set(itemsOf(raw, value).flatMap(Object.keys))].sort();
			expect({ value, returned }).toEqual({ value, returned: process.env.GENERATE ? returned : listed });
		}
	});
});

test('Simplified has ten fields at most, and more than the ID; an answer that has no more offers no choice', () => {
	expect(choices.length).toBeGreaterThan(10);
	const lengths = choices.map(({ simplified, all }) => [simplified.length, all.length]);
	expect(lengths.filter(([few = 0, many = 0]) => few > 10 || few <= 5 || many <= 10)).toEqual([]);
});

test('Simplified begins with what people read: IDs come last', () => {
	const isId = (name: string) => /(^|_)s?id$/.test(name);
	for (const { simplified } of choices) {
		const ids = simplified.filter(isId);
		expect(simplified.slice(-ids.length)).toEqual(ids);
	}
});

describe('Selected Fields', () => {
	const of = { resource: 'agent', agent: byId('={{ $json.id }}'), output: 'selectedFields' };
	const get = (more: object) => ({ ...of, operation: 'get', ...more });

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
				message: expect.stringContaining('cannot be "nmae"'),
				advice: expect.stringMatching(/^Use one of .*, label, /),
			}),
			failed('INVALID_INPUT'),
			{ id: published },
			{ id: draft },
			{ id: draft },
		]);
		expect(sent.map(([, path]) => path)).toEqualInAnyOrder(
			[published, draft, published, draft, draft].map((id) => `agents/${id}`),
		);
		const ran = await service.run(get({ outputFields: ['label'] }), [{ id: published }]);
		expect(jsonOf(ran).map(Object.keys)).toEqual([['label', 'id']]);
	});

	test('keeps what Publish Afterwards says', async () => {
		const change = { operation: 'update', updateFields: { conversationSpeed: 1.1 }, publishAfterwards: 'always' };
		const { published: id } = service.seed.agents;
		const ran = await service.run({ ...of, ...change, outputFields: ['label'] }, [{ id }]);
		expect(jsonOf(ran)).toEqual([{ id, label: expect.any(String), published: true }]);
	});
});
