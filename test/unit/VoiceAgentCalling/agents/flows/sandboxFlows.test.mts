import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { flowErrors } from '../../../../../sandbox/resources/agents/flowRules.mts';
import fc from '../../../../fastCheck.mts';

const RUNS = 1_000;
const options = { numRuns: RUNS };

type Flow = Record<string, unknown>;

const actions = [{ id: 'act_1', node_id: 'book', name: 'book_visit', current_status: 'active' }];
const rejections = (flow: Flow) => flowErrors(flow, { actions } as never);
const errorsOf = (flow: Flow) => lintFlow(flow, { actions }).filter(({ severity }) => severity === 'error');

/**
 * What the sandbox demands although nothing is published about it: the fields of ask and action, and branches of types
 * other than decision.
 */
function isAssumption(error: string, { nodes }: Flow): boolean {
	if (/of type '(ask|action)' requires/.test(error)) {
		return true;
	}
	const [, id] =
		/^(?:Branch \d+ of node|Node) '([^']*)' ?(?:has branches that are not|requires next|must be an object)/.exec(
			error,
		) ?? [];
	const node = (Array.isArray(nodes) ? (nodes as Array<Record<string, unknown> | undefined>) : []).find(
		(each) => each?.id === id,
	);
	return id !== undefined && ['say', 'ask', 'action', 'transfer', 'end'].includes(String(node?.type));
}

const types = ['say', 'ask', 'decision', 'action', 'transfer', 'end'];

/** A valid flow: each node leads to the next one, and to any others. */
const validFlow = fc
	.array(
		fc.record({
			type: fc.constantFrom('say', 'ask', 'decision', 'action'),
			jumps: fc.array(fc.nat(), { maxLength: 3 }),
		}),
		{
			maxLength: 8,
		},
	)
	.chain((kinds) => fc.constantFrom('end', 'transfer').map((last) => ({ kinds, last })))
	.map(({ kinds, last }) => {
		const id = (index: number) => `n${index}`;
		const nodes: Array<Record<string, unknown>> = kinds.map(({ type, jumps }, index) => {
			const next = id(index + 1);
			const targets = [next, ...jumps.map((jump) => id(jump % (kinds.length + 1)))];
			const branches = targets.map((target, at) => ({ match: `answer ${at}`, next: target }));
			const byType: Record<string, object> = {
				say: { content: 'Hello', next },
				ask: jumps.length > 0 ? { content: 'Hm?', branches } : { content: 'Hm?', next },
				decision: { branches },
				action: { action_id: 'act_1', next },
			};
			return { id: id(index), type, ...byType[type] };
		});
		return { initial_node_id: id(0), nodes: [...nodes, { id: id(kinds.length), type: last }] };
	});

const anyId = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'gone', '');
const odd = fc.constantFrom<unknown>(undefined, null, '', 5, [], {}, 'n1', 'gone');
const anyBranch = fc.oneof(
	odd,
	fc.record({ match: fc.constantFrom<unknown>('yes', '', null, 5), next: fc.oneof(anyId, odd) }, { requiredKeys: [] }),
);

/** One change of one place. */
const change = fc.oneof(
	fc.record({
		place: fc.constant('flow'),
		name: fc.constantFrom('initial_node_id', 'nodes', 'meta'),
		value: fc.oneof(odd, anyId),
		at: fc.nat(),
	}),
	fc.record({
		place: fc.constant('node'),
		name: fc.constantFrom('id', 'type', 'content', 'next', 'branches', 'action_id'),
		value: fc.oneof(
			odd,
			anyId,
			fc.constantFrom(...types, 'Say', 'act_1', 'act_7'),
			fc.array(anyBranch, { maxLength: 3 }),
		),
		at: fc.nat(),
	}),
	fc.record({
		place: fc.constant('branch'),
		name: fc.constantFrom('match', 'next'),
		value: fc.constantFrom(undefined, 'n0', 'gone'),
		at: fc.nat(),
	}),
	fc.record({ place: fc.constantFrom('remove', 'repeat', 'replace'), name: fc.constant(''), value: odd, at: fc.nat() }),
);

const changedFlow = fc.tuple(validFlow, fc.array(change, { minLength: 1, maxLength: 3 })).map(([valid, changes]) => {
	const flow = structuredClone(valid) as Flow & { nodes: unknown };
	for (const { place, name, value, at } of structuredClone(changes)) {
		if (place === 'flow') {
			flow[name] = value;
			continue;
		}
		if (!Array.isArray(flow.nodes) || flow.nodes.length === 0) {
			continue;
		}
		const index = at % flow.nodes.length;
		const node = flow.nodes[index] as Record<string, unknown> | undefined;
		if (place === 'branch') {
			const branches = flow.nodes.flatMap((one) => (one as { branches?: Flow[] } | undefined)?.branches ?? []);
			const branch = branches[at % branches.length];
			if (typeof branch === 'object' && branch !== null) {
				branch[name] = value;
			}
		} else if (place === 'remove') {
			flow.nodes.splice(index, 1);
		} else if (place === 'repeat') {
			flow.nodes.push(structuredClone(node));
		} else if (place === 'replace') {
			flow.nodes[index] = value;
		} else if (typeof node === 'object' && node !== null && !Array.isArray(node)) {
			if (value === undefined) {
				delete node[name];
			} else {
				// Whether the service follows a next with several nodes is not documented: what it names is a warning.
				node[name] = name === 'next' && Array.isArray(value) ? [] : value;
			}
		}
	}
	return flow;
});

describe('a flow', () => {
	it('without mistakes has no errors, as in the sandbox', () => {
		fc.assert(
			fc.property(validFlow, (flow) => {
				expect(rejections(flow)).toEqual([]);
				expect(errorsOf(flow)).toEqual([]);
			}),
			options,
		);
	});

	it('has errors if and only if the sandbox rejects it for something that is documented', () => {
		let rejected = 0;
		fc.assert(
			fc.property(changedFlow, (flow) => {
				const documented = rejections(flow).filter((error) => !isAssumption(error, flow));
				rejected += documented.length > 0 ? 1 : 0;
				expect({ flow, hasErrors: errorsOf(flow).length > 0, documented }).toEqual({
					flow,
					hasErrors: documented.length > 0,
					documented,
				});
			}),
			options,
		);
		// Both kinds have to be common.
		expect(rejected).toBeGreaterThan(RUNS / 5);
		expect(rejected).toBeLessThan((RUNS * 9) / 10);
	});
});
