import { compileFunction } from 'node:vm';
import { DateTime } from 'luxon';

import { readExample } from '../../scripts/lib/examples.mts';

const { nodes } = readExample('queue-a-large-campaign.json');
const now = DateTime.fromISO('2026-11-30T09:00:00Z');
const DUE = '2026-11-30T08:00:00Z';

interface Outcome {
	from: number;
	to: number;
	state: string;
	message: string;
	callAt?: string;
	stop?: string;
}

/** What a Code node of the example returns. @param given the rows of the node that it reads */
function run(name: string, input: object[], given: object[]): Outcome[] {
	const node = nodes.find((one) => one.name === name);
	const code = compileFunction(String(node?.parameters.jsCode), ['$', '$input', '$now', 'DateTime']);
	const items = (rows: object[]) => rows.map((json, item) => ({ json, pairedItem: { item } }));
	const all = (rows: object[]) => ({ all: () => items(rows), first: () => items(rows)[0] });
	return code(() => all(given), all(input), now, DateTime).map(({ json }: { json: Outcome }) => json);
}

const TO = '+12025550111';
const sentAt = '2026-11-30T08:30:00.900Z';

/** What becomes of an interrupted row, whose campaign has these calls. */
function lookedUp(calls: object[], counted = 0): string {
	const campaign = { calls: calls.map((call) => ({ to: TO, ...call })), stats: { total_calls: counted } };
	return run('Sent or Not', [campaign], [{ id: 1, number: TO, sentAt }])[0]!.state;
}

test.each([
	['none', [], 0, 'waiting'],
	['one from after the claim', [{ created_at: '2026-11-30 08:30:00' }], 1, 'queued'],
	['one from long before', [{ created_at: '2026-11-30T08:00:00Z' }], 1, 'waiting'],
	[
		'two from long before',
		[{ created_at: '2026-11-30T08:00:00Z' }, { created_at: '2026-11-29T08:00:00Z' }],
		0,
		'waiting',
	],
	[
		'one from long before, and one after',
		[{ created_at: '2026-11-30T08:31:00Z' }, { created_at: '2026-11-01' }],
		2,
		'queued',
	],
	['a test call', [{ created_at: '2026-11-30T08:31:00Z', is_testing: true }], 0, 'waiting'],
	['one from right before, as a clock can be wrong', [{ created_at: '2026-11-30T08:29:00Z' }], 1, 'unknown'],
	['one without a time', [{}], 1, 'unknown'],
	['none in an incomplete list', [], 1, 'unknown'],
])('of an interrupted row, the calls to its number decide: %s', (_what, calls, counted, state) => {
	expect(lookedUp(calls, counted)).toBe(state);
});

const REFUSED = { result: 'failed', message: 'Not to this country', nextAllowedAt: now.minus(1).toISO() };
const QUEUED = { result: 'queued', message: 'Call queued.' };
const NOT_TRIED = { result: 'notTried', message: 'Not tried', nextAllowedAt: now.minus(1).toISO() };

/** What becomes of the rows of a batch that were due, with these results. */
const written = (...results: object[]) =>
	run(
		'What Became of Them',
		results,
		results.map((_result, id) => ({ id, callAt: DUE })),
	);

test('a contact that is refused comes after those who were not tried, and stops nobody if another one is taken', () => {
	const [queued, refused, notTried] = written(QUEUED, REFUSED, NOT_TRIED);
	expect([queued?.state, refused?.callAt, notTried?.callAt]).toEqual(['queued', now.toISO(), DUE]);
	expect(refused).toMatchObject({ state: 'waiting', stop: '' });
});

test('if nobody of a batch is taken, the run stops with the reason, and all wait', () => {
	const rows = written(REFUSED, NOT_TRIED);
	expect(rows.map(({ state, stop }) => [state, stop])).toEqual(Array(2).fill(['waiting', 'Not to this country']));
});

test.each([
	[false, 'queued'],
	[true, 'refused'],
	[null, 'refused'],
])('a call that the campaign has already, with isTest %s, makes the row %s', (isTest, state) => {
	const rows = written(...Array(10).fill({ result: 'alreadyQueued', message: 'Not queued', isTest }));
	expect(rows).toMatchObject([{ from: 0, to: 9, state, stop: '' }]);
});
