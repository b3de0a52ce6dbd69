import { withIds, withReferences } from '../../../../../nodes/VoiceAgentCalling/agents/document/actionReferences.ts';
import fc from '../../../../fastCheck.mts';

const uuids = fc.uniqueArray(fc.uuid({ version: 4 }), { minLength: 1, maxLength: 4 });

test('a flow whose actions were replaced by references, and these by the IDs of another environment, names the same actions', () => {
	const nodesOf = (ids: string[]) => fc.array(fc.constantFrom(...ids).map((id) => ({ any: [id] })));
	const flowOf = (ids: string[]) => fc.record({ value: fc.jsonValue(), nodes: nodesOf(ids) });
	const given = uuids.chain((ids) => fc.record({ ids: fc.constant(ids), flow: flowOf(ids) }));
	fc.assert(
		fc.property(given, ({ ids, flow }) => {
			const keys = new Map(ids.map((id, index) => [id, `key-${index}`]));
			const back = new Map(ids.map((id, index) => [`key-${index}`, id]));
			const referenced = withReferences(flow, keys);
			const keyOf = (index: number) => keys.get(flow.nodes[index]!.any[0]!);
			const references = flow.nodes.map((_node, index) => ({ path: `nodes.${index}.any.0`, key: keyOf(index) }));
			expect(withIds(referenced, back)).toEqual({ flow, references });
		}),
		{ numRuns: 100 },
	);
});

test('an ID is replaced wherever it is the whole text, and nowhere else', () => {
	const id = '1c9de9c4-3f43-4f4c-9a6a-5b7a3e8f0d11';
	const flow = { nodes: [{ action_id: id, content: `Use ${id}`, [id]: 1, deep: { list: [id, null, 1] } }] };
	const book = { $action: 'book' };
	expect(withReferences(flow, new Map([[id, 'book']]))).toEqual({
		nodes: [{ action_id: book, content: `Use ${id}`, [id]: 1, deep: { list: [book, null, 1] } }],
	});
});

test('a short ID is replaced only in a field for actions: elsewhere it may be ordinary text', () => {
	const flow = { nodes: [{ action_id: '1', branches: [{ match: '1', next: '1' }], actions: ['1', '2'] }] };
	expect(withReferences(flow, new Map([['1', 'book']]))).toEqual({
		nodes: [
			{ action_id: { $action: 'book' }, branches: [{ match: '1', next: '1' }], actions: [{ $action: 'book' }, '2'] },
		],
	});
});

test('a reference to an action that has no ID stays, and is listed', () => {
	const flow = { nodes: [{ action_id: { $action: 'gone' } }, { $action: 'book', more: true }, { $action: 7 }] };
	expect(withIds(flow, new Map([['book', 'id']]))).toEqual({
		flow,
		references: [{ path: 'nodes.0.action_id', key: 'gone' }],
	});
});
