import {
	type ChainedCall,
	chainText,
	phoneInChain,
	recentCalls,
} from '../../../../nodes/shared/triggerSecrets/callChain.ts';
import {
	CONTEXT_FIELD,
	chainIn,
	findResumeTokens,
	isMarkedAsTest,
	seal,
	withMarks,
	withoutResumeTokens,
} from '../../../../nodes/shared/triggerSecrets/resumeToken.ts';

const ADA = '+12025550101';
const BEA = '+12025550102';

// No two calls of a chain are sent at the same moment.
beforeEach(() => {
	let now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
});
afterEach(() => jest.restoreAllMocks());

/** The calls that the event of a call to a phone names, after the calls that led to it. */
const then = (chain: readonly ChainedCall[], to: string) =>
	chainIn({ context: withMarks({}, { isTest: false, chain: chainText(chain, to) }) });

const named = (chain: readonly ChainedCall[], to: string) =>
	chain.filter(({ phone }) => phone === phoneInChain(to)).length;

test('The event of a call names the calls that led to it, of two phones that are called in turn, too', () => {
	const chain = [ADA, BEA, ADA, BEA, ADA].reduce(then, [] as ChainedCall[]);
	expect([named(chain, ADA), named(chain, BEA), named(chain, '+12025550103')]).toEqual([3, 2, 0]);
});

test('Twenty phones that are called in turn are each found three times', () => {
	const ring = Array.from({ length: 60 }, (_, index) => `+12025550${100 + (index % 20)}`);
	const chain = ring.reduce(then, [] as ChainedCall[]);
	expect(ring.slice(0, 20).map((to) => named(chain, to))).toEqual(Array(20).fill(3));
});

test('A phone is the same however its number is written, and its number cannot be read', () => {
	const chain = then([], '+5491123456789');
	expect(named(chain, '+541123456789')).toBe(1);
	expect(JSON.stringify(chain)).not.toMatch(/1123456789/);
});

test('Calls of the last 24 hours count, and a chain does not grow without end', () => {
	const now = Date.now();
	const old = { phone: phoneInChain(ADA), at: new Date(now - 86_400_001).toISOString() };
	expect(recentCalls([old, { ...old, at: new Date(now - 86_399_000).toISOString() }], now)).toHaveLength(1);
	expect(then([old], ADA)).toHaveLength(1);
	const twice = [{ ...old, at: new Date(now).toISOString() }];
	expect(recentCalls([...twice, ...twice], now)).toHaveLength(1);
	const wrong = [
		{ ...old, at: '9999-01-01T00:00:00Z' },
		{ ...old, at: 'never' },
		{ phone: 'x', at: new Date(now).toISOString() },
	];
	expect(recentCalls(wrong, now)).toEqual([]);
	const long = Array.from({ length: 100 }, () => ADA).reduce(then, [] as ChainedCall[]);
	expect(long).toHaveLength(60);
});

test.each([
	['a call of a workflow that no event began', { isTest: false, chain: undefined }, false, 0],
	['a test call', { isTest: true, chain: undefined }, true, 0],
	['a real call after an event', { isTest: false, chain: chainText([], ADA) }, false, 1],
	['a test call after an event', { isTest: true, chain: chainText([], ADA) }, true, 1],
])(
	'The context of %s says what it is, and keeps the token of the execution that waits',
	(_what, marks, isTest, calls) => {
		const token = seal(Buffer.alloc(32), { url: 'https://n8n.example' });
		for (const context of [{}, { [CONTEXT_FIELD]: token }]) {
			const event = { data: { context: JSON.stringify({ mine: 1, ...withMarks(context, marks) }) } };
			expect([isMarkedAsTest(event), chainIn(event).length, findResumeTokens(event)]).toEqual([
				isTest,
				calls,
				Object.values(context),
			]);
			expect(withoutResumeTokens(event)).toEqual({ data: { context: '{"mine":1}' } });
		}
	},
);
