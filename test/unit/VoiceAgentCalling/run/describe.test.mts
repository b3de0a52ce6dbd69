import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { withheld } from '../../../../nodes/shared/errors/withheld.ts';
import { type CallResult, failedBy, type ItemState } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { describeResults, describeRun } from '../../../../nodes/VoiceAgentCalling/run/describe.ts';

const place = { callerIdField: 'agentId', placesCall: true } as Operation;
const queue = { callerIdField: 'campaignId', placesCall: true } as Operation;
const get = { callerIdField: undefined, placesCall: false } as Operation;
const check = { ...get, checksCall: true };
const smooth = { limitedMs: 0, repeats: 0 };

const withCode = (code: ServiceError['code']): ItemState =>
	failedBy(new ServiceError('No', { code, advice: '', accepted: 'no' }));
const waiting: ItemState = { is: 'ready' };
const failed = withCode('INVALID_INPUT');
const call = (result: CallResult, isTest?: boolean): ItemState => ({ is: 'done', items: [{}], result, isTest });
/** The hint about items in these states. */
const hintOf = (states: ItemState[], operation: Operation, took = smooth) =>
	describeRun(
		states.map((state) => ({ state })),
		operation,
		took,
	);
/** What the error that ends a run says about items in these states. */
const resultsOf = (states: ItemState[], operation: Operation) =>
	describeResults(
		states.map((state) => ({ state })),
		operation,
	);
const real = call('placed', false);
const test_ = call('placed', true);
const done: ItemState = { is: 'done', items: [{}] };
const everySecond = Array.from({ length: 50 }, (_, item) => (item % 2 === 0 ? failed : real));
const times = <Value,>(count: number, value: Value) => Array.from({ length: count }, () => value);

describe('The hint above the output', () => {
	const ready: ItemState = { is: 'done', items: [{ result: 'ready' }] };
	const notReady: ItemState = { is: 'done', items: [{ result: 'notReady' }] };

	test.each<[string, Operation, ItemState[], string | undefined]>([
		['ten test calls', place, times(10, test_), '10 test calls: no credits used; phones may still ring.'],
		['one test call', place, [test_], '1 test call: no credits used; the phone may still ring.'],
		['ten real calls', place, times(10, real), '10 real calls: phones ring, and credits are spent.'],
		[
			'both',
			place,
			[real, test_, real],
			'1 test call: no credits used; the phone may still ring. 2 real calls: phones ring, and credits are spent.',
		],
		['nothing that was called', get, [done, done], undefined],
		['no items', place, [], undefined],
		[
			'no calls',
			place,
			[failed],
			'1 of 1 failed: No (item 0, counted from 0; row 2 of a sheet with a header). No calls were placed.',
		],
		[
			'no queued calls',
			queue,
			[withCode('NOT_TRIED'), withCode('NOT_TRIED'), failed, failed],
			'2 of 4 failed: No (items 2-3, counted from 0; rows 4-5 of a sheet with a header). 2 of 4 not tried: items 0-1. No calls were queued.',
		],
		['checks', check, [ready, ready], '2 of 2 ready.'],
		[
			'checks that are not ready',
			check,
			[notReady, ready, failed, notReady],
			'1 of 4 failed: No (item 2, counted from 0; row 4 of a sheet with a header). 2 of 4 not ready: items 0, 3. 1 of 4 ready.',
		],
		[
			'other operations',
			get,
			[done, failed, done],
			'1 of 3 failed: No (item 1, counted from 0; row 3 of a sheet with a header). 2 of 3 items done.',
		],
		[
			'nothing done',
			get,
			[failed],
			'1 of 1 failed: No (item 0, counted from 0; row 2 of a sheet with a header). Nothing was done.',
		],
		[
			'what nobody knows',
			get,
			[done, withCode('OUTCOME_UNKNOWN')],
			'1 of 2 unknown: item 1 (counted from 0). The service may have done it: check there before you run this again. 1 of 2 items done.',
		],
	])('says of %s what became of it', (_what, operation, states, hint) => {
		expect(hintOf(states, operation, smooth)).toBe(hint);
	});

	test.each<[string, ItemState, string]>([
		[
			'failed',
			failed,
			'1 of 2 failed: No (item 1, counted from 0; row 3 of a sheet with a header). 1 real call: a phone rings, and credits are spent.',
		],
		[
			'was not ready',
			withCode('MISSING_VARIABLES'),
			'1 of 2 not ready: No (item 1, counted from 0; row 3 of a sheet with a header). 1 real call: a phone rings, and credits are spent.',
		],
		[
			'was not tried',
			withCode('NOT_TRIED'),
			'1 of 2 not tried: item 1 (counted from 0). 1 real call: a phone rings, and credits are spent.',
		],
		[
			'has no outcome',
			waiting,
			'1 of 2 not tried: item 1 (counted from 0). 1 real call: a phone rings, and credits are spent.',
		],
		[
			'has an unknown outcome',
			withCode('OUTCOME_UNKNOWN'),
			'1 of 2 unknown: item 1 (counted from 0). The phone may be ringing: check the calls in the service before you call again. 1 real call: a phone rings, and credits are spent.',
		],
		[
			'was queued before',
			call('alreadyQueued'),
			'1 real call: a phone rings, and credits are spent. 1 of 2 already queued: item 1 (counted from 0). Test calls hold their numbers, too. To queue one more call for each, set Options → If Already Queued to Queue Again.',
		],
		[
			'was queued before, and left out',
			{ is: 'done', items: [], result: 'alreadyQueued' },
			'1 real call: a phone rings, and credits are spent. 1 of 2 already queued: item 1 (counted from 0). Test calls hold their numbers, too. To queue one more call for each, set Options → If Already Queued to Queue Again.',
		],
		[
			'has the number of another one',
			call('sameNumber', false),
			'1 real call: a phone rings, and credits are spent. 1 of 2 with the number of another item: item 1 (counted from 0). These items share the call of an earlier item; their agent variables and metadata were ignored. To call for each item, set Options → Repeated Number to Call Each Time.',
		],
		[
			'was sent by an earlier attempt',
			{ ...real, sentEarlier: true } as ItemState,
			'2 real calls: phones ring, and credits are spent. 1 of 2 sent in an earlier attempt, and not again: item 1 (counted from 0).',
		],
	])('says first which item %s, and counts the calls', (_what, state, hint) => {
		expect(hintOf([real, state], place, smooth)).toBe(hint);
	});

	test.each([
		[{ limitedMs: 65_400, repeats: 0 }, 'Waited 65 seconds for the rate limit of the service.'],
		[{ limitedMs: 1000, repeats: 0 }, 'Waited 1 second for the rate limit of the service.'],
		[{ limitedMs: 1, repeats: 0 }, 'Waited less than a second for the rate limit of the service.'],
		[{ limitedMs: 0, repeats: 1 }, '1 request failed and was sent again.'],
		[{ limitedMs: 0, repeats: 2 }, '2 requests failed and were sent again.'],
	])('says what it took: %j', (took, hint) => {
		expect(hintOf([done], get, took)).toBe(`1 of 1 item done. ${hint}`);
		expect(hintOf([real], place, took)).toBe(`1 real call: a phone rings, and credits are spent. ${hint}`);
	});

	test('lists the first places of each reason, and at most twenty ranges of other items', () => {
		expect(hintOf([...everySecond, failed, failed], place, smooth)).toBe(
			'27 of 52 failed: No (items 0, 2, 4, 6, 8 and 22 more, counted from 0; rows 2, 4, 6, 8, 10 and 22 more of a sheet with a header). 25 real calls: phones ring, and credits are spent.',
		);
		const notTried = Array.from({ length: 50 }, (_, item) => (item % 2 === 0 ? withCode('NOT_TRIED') : real));
		expect(hintOf(notTried, place, smooth)).toMatch(/^25 of 50 not tried: items 0, [\d, ]+, 38 and 5 more \(/);
	});

	test('counts the items for each reason, the most frequent first, without the values of the items', () => {
		const wrong = (value: string, advice: string): ItemState =>
			failedBy(
				new ServiceError(`'Phone Number' cannot be "${value}"`, {
					code: 'INVALID_PHONE_NUMBER',
					advice,
					accepted: 'no',
				}),
			);
		const states = [
			failed,
			wrong('030 1 x5', 'Remove the extension.'),
			real,
			wrong('031 1 x5', 'Remove the extension.'),
		];
		expect(hintOf(states, place, smooth)).toBe(
			'3 of 4 failed: 2 × Remove the extension (items 1, 3, counted from 0; rows 3, 5 of a sheet with a header); 1 × No (item 0; row 2). 1 real call: a phone rings, and credits are spent.',
		);
		const all = Array.from({ length: 9 }, (_none, index) => wrong('1', `Reason ${index}`));
		expect(hintOf(all, place, smooth)).toContain('1 × Reason 4 (item 4; row 6); 4 for other reasons.');
	});
});

describe('It is never said that nothing was done', () => {
	const unknown = withCode('OUTCOME_UNKNOWN');
	const before = { ...real, sentEarlier: true } as ItemState;
	const nothing = /No calls were|Nothing was done/;

	test.each<[string, ItemState]>([
		['was called', real],
		['was called in an earlier attempt', before],
		['may have been called', unknown],
		['shares the call of another one', call('sameNumber', false)],
	])('if one item %s, whatever became of the others', (_what, state) => {
		for (const others of [[], [failed], [waiting], [failed, unknown], [withCode('NOT_TRIED'), failed]]) {
			for (const states of [
				[state, ...others],
				[...others, state],
			]) {
				for (const operation of [place, queue, get]) {
					expect(hintOf(states, operation) ?? '').not.toMatch(nothing);
					expect(resultsOf(states, operation)).not.toMatch(nothing);
				}
			}
		}
	});

	test('of items that are unknown: the hint and the error count them', () => {
		const states = [unknown, unknown, failed];
		expect(hintOf(states, place)).toMatch(/ 2 of 3 unknown: items 0-1\. The phone may be ringing/);
		expect(resultsOf(states, place)).toBe('Outcome unknown: items 0-1. Errors: item 2.');
	});

	test('but if each item was withheld, it is', () => {
		const reason = withheld('blocked', 'the number is blocked', '');
		const states: ItemState[] = [{ is: 'withheld', reason }, waiting];
		expect(hintOf(states, place)).toBe(
			'1 of 2 blocked, not sent: item 0 (counted from 0). 1 of 2 not tried: item 1. No calls were placed.',
		);
		expect(resultsOf(states, place)).toBe('No calls were placed. Blocked or outside the calling hours: item 0.');
	});
});

describe('The error that ends a run', () => {
	test('says which calls were placed or queued, and what became of each other item, however many there are', () => {
		const states = [real, real, withCode('OUTCOME_UNKNOWN'), real, withCode('MISSING_VARIABLES'), failed, waiting];
		expect(resultsOf(states, place)).toBe(
			'Calls placed: items 0-1, 3. Outcome unknown: item 2. Errors: items 4-5. Not tried: item 6.',
		);
		expect(resultsOf([call('alreadyQueued'), call('sameNumber'), failed], queue)).toBe(
			'Calls queued: item 1. Already queued: item 0. Errors: item 2.',
		);
		expect(resultsOf([done, failed, waiting], get)).toBe('Done: item 0. Errors: item 1. Not tried: item 2.');
		expect(resultsOf(everySecond, place)).toMatch(/ 45, 47, 49\. Errors: items 0, 2, .*, 46, 48\.$/);
	});

	test('leaves out what was not tried if nothing was done', () => {
		const states = [waiting, waiting, failed, waiting, waiting, failed];
		expect(resultsOf(states, queue)).toBe('No calls were queued. Errors: items 2, 5.');
		expect(resultsOf(states, place)).toBe('No calls were placed. Errors: items 2, 5.');
		expect(resultsOf([waiting], get)).toBe('Nothing was done.');
		expect(resultsOf([withCode('OUTCOME_UNKNOWN'), waiting], place)).toBe(
			'Outcome unknown: item 0. Not tried: item 1.',
		);
	});
});
