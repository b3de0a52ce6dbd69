import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { timeInCopies } from '../../../../processorTime.mts';

type Node = Record<string, unknown>;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const say = (index: number, next: string): Node => ({ id: `n${index}`, type: 'say', content: `Text ${index}`, next });
const ask = (index: number, next: string): Node => ({ ...say(index, next), type: 'ask' });
const flow = (nodes: Node[]) => ({ initial_node_id: 'n0', nodes });
const end: Node = { id: 'end', type: 'end' };

/** Flows of about so many nodes, each hard for another algorithm, and rules that they break. */
const shapes: Array<[what: string, make: (count: number) => Record<string, unknown>, rules: string[]]> = [
	[
		'a chain',
		(count) => flow([...numbers(count).map((at) => say(at, at === count - 1 ? 'end' : `n${at + 1}`)), end]),
		[],
	],
	[
		'a wide decision',
		(count) => {
			const branches = [
				...numbers(count).map((at) => ({ match: `answer ${at}`, next: `m${at}` })),
				{ match: 'default', next: 'end' },
			];
			const others = numbers(count).map((at) => ({ id: `m${at}`, type: 'say', content: `Other ${at}`, next: 'end' }));
			return flow([{ id: 'n0', type: 'decision', branches }, ...others, end]);
		},
		[],
	],
	['a big loop', (count) => flow(numbers(count).map((at) => say(at, `n${(at + 1) % count}`))), ['loop-without-ask']],
	[
		'a chain of questions in which every node leads back to the first',
		(count) =>
			flow([
				...numbers(count).map((at) => ({
					id: `n${at}`,
					type: 'decision',
					branches: [
						{ match: 'again', next: 'ask' },
						{ match: 'default', next: at === count - 1 ? 'end' : `n${at + 1}` },
					],
				})),
				ask(-1, 'n0'),
				{ ...ask(0, 'n0'), id: 'ask' },
				end,
			]),
		[],
	],
	[
		'nodes that nothing leads to',
		(count) =>
			flow([
				say(0, 'end'),
				...numbers(count)
					.slice(1)
					.map((at) => say(at, 'end')),
				end,
			]),
		[],
	],
	[
		'chains that nothing leads to, into one',
		(count) =>
			flow([
				say(0, 'end'),
				...numbers(count)
					.slice(1)
					.map((at) => say(at, at % 2 === 1 ? `n${Math.min(at + 1, count - 1)}` : `n${Math.min(at + 2, count - 1)}`)),
				end,
			]),
		[],
	],
	['targets that do not exist', (count) => flow(numbers(count).map((at) => say(at, `x${at}`))), []],
	['one ID', (count) => flow(numbers(count).map((at) => ({ ...say(at, 'n0'), id: 'n0' }))), []],
	['braces', (count) => flow([{ ...say(0, 'end'), content: '{'.repeat(count * 10) }, end]), []],
];

it.each(shapes)('5,000 nodes take at most as long as 200 copies of them: %s', async (_what, make, rules) => {
	const given = make(5_000);
	const check = () => lintFlow(given, { actions: [], payload: {} });
	expect(await timeInCopies(given, check)).toBeLessThan(200);
	const findings = check();
	expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(expect.arrayContaining(rules));
});

// A chain would overflow the stack of a function that calls itself.
it.each(shapes.slice(0, 3))('50,000 nodes break nothing: %s', (_what, make, rules) => {
	const found = lintFlow(make(50_000), { actions: [], payload: {} }).map(({ rule }) => rule);
	expect(found).toEqual(expect.arrayContaining(rules));
});
