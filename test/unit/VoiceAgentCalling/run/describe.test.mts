import { notTried } from '../../../../nodes/shared/client/itemErrors.ts';
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

const withCode = (code: ServiceError['code'], message = 'No', httpStatus?: number): ItemState =>
	failedBy(new ServiceError(message, { code, advice: '', accepted: 'no', httpStatus }));
const waiting: ItemState = { is: 'ready' };
const failed = withCode('BAD_REQUEST');
/** An item that was not tried because of another one, which has failed. */
const stoppedBy = (state: ItemState, itemIndex: number): ItemState =>
	state.is === 'failed' ? { is: 'notTried', error: notTried(state.error, itemIndex) } : state;
const call = (result: CallResult, isTest?: boolean, startsAt?: number): ItemState => ({
	is: 'done',
	items: [{}],
	result,
	isTest,
	startsAt,
});
const described = (states: ItemState[], operation: Operation) => ({
	items: states.map((state) => ({ state })),
	operation,
	timeZone: 'Europe/Berlin',
	hasCalled: false,
});
/** The hint about items in these states. */
const hintOf = (states: ItemState[], operation: Operation, took = smooth) =>
	describeRun(described(states, operation), took);
/** The text about items in these states in the error that ends a run. */
const resultsOf = (states: ItemState[], operation: Operation) => describeResults(described(states, operation));
const real = call('placed', false);
const test_ = call('placed', true);
const done: ItemState = { is: 'done', items: [{}] };
const everySecond = Array.from({ length: 50 }, (_, item) => (item % 2 === 0 ? failed : real));
const times = <Value,>(count: number, value: Value) => Array.from({ length: count }, () => value);
const heldBack = (result: Parameters<typeof withheld>[0], why: string): ItemState => ({
	is: 'withheld',
	reason: withheld(result, why, ''),
});
const finding = (code: string, message: string) => ({ code, message, advice: 'Do this.' });
const checked = (...reasons: Array<ReturnType<typeof finding>>): ItemState => ({
	is: 'done',
	items: [{ result: reasons.length === 0 ? 'ready' : 'notReady', reasons }],
});

describe('The hint above the output', () => {
	test.each<[string, Operation, ItemState[], string | undefined]>([
		['ten test calls', place, times(10, test_), '10 test calls placed: no credits used; phones may still ring.'],
		['one test call', place, [test_], '1 test call placed: no credits used; the phone may still ring.'],
		[
			'a test call that starts later',
			place,
			[call('placed', true, Date.parse('2099-12-06T08:00:00Z'))],
			'1 test call placed: no credits used; the phone may still ring from 2099-12-06 09:00 (Europe/Berlin) on.',
		],
		[
			'calls of which the campaign delays one by a week',
			queue,
			[call('queued', false), call('queued', false, Date.parse('2099-12-13T08:00:00Z'))],
			'2 real calls queued: phones ring, 1 of them not before 2099-12-13 09:00 (Europe/Berlin), and credits are spent.',
		],
		['ten real calls', place, times(10, real), '10 real calls placed: phones ring, and credits are spent.'],
		[
			'queued test calls',
			queue,
			[call('queued', true), call('queued', true)],
			'2 test calls queued: no credits used; phones may still ring; they hold their numbers in the campaign, so that a real run skips or postpones them.',
		],
		['nothing that was called', get, [done, done], undefined],
		['no items', place, [], undefined],
		['one item that failed', place, [failed], 'No calls were placed. Not called: with the error "No".'],
		['calls that were checked', check, [checked(), checked()], '2 of 2 ready.'],
		[
			'an operation without calls',
			get,
			[done, failed, done],
			'2 of 3 items done. Not done: 1 with the error "No" (sheet row 3).',
		],
		[
			'an unknown outcome of an operation without calls',
			get,
			[done, withCode('OUTCOME_UNKNOWN')],
			'1 with an unknown outcome (sheet row 3): the service may have done it; check there before you run this again. 1 of 2 items done.',
		],
	])('about %s', (_what, operation, states, hint) => {
		expect(hintOf(states, operation)).toBe(hint);
	});

	test('says when the first phone rings, in the time zone of the workflow, unless it rings now', () => {
		const at = (iso: string) => call('queued', false, Date.parse(iso));
		expect(hintOf([at('2099-12-06T09:00Z'), at('2099-12-06T08:00Z')], queue)).toBe(
			'2 real calls queued: phones ring from 2099-12-06 09:00 (Europe/Berlin) on, and credits are spent.',
		);
		expect(hintOf([at('2099-12-06T08:00Z'), call('queued', false)], queue)).toBe(
			'2 real calls queued: phones ring, 1 of them not before 2099-12-06 09:00 (Europe/Berlin), and credits are spent.',
		);
	});

	test('counts the items for each reason and names three rows of each, failures first, then the most frequent', () => {
		const states = [
			...times(4, call('sameNumber', false)),
			...times(3, withCode('INVALID_PHONE_NUMBER', "'Phone Number' cannot be 1")),
			...times(5, heldBack('outsideHours', '22:00 is outside')),
			withCode('MISSING_VARIABLES', 'Not sent: variables of the agent have no value: day, name'),
			...times(6, heldBack('blocked', 'the number is one of them')),
			test_,
		];
		expect(hintOf(states, place)).toBe(
			'1 test call placed: no credits used; the phone may still ring. Not called: 3 with a number that cannot be called (sheet rows 6-8), 1 without day, name (sheet row 14), 6 in Blocked Numbers (sheet rows 15-20), 5 outside the calling hours (sheet rows 9-13), 4 with the number of an earlier item (sheet rows 2-5).',
		);
		const different = Array.from({ length: 9 }, (_none, index) => withCode('BAD_REQUEST', `Reason ${index}.`));
		expect(hintOf(different, place)).toMatch(/1 with the error "Reason 4" \(sheet row 6\), 4 for other reasons\.$/);
		expect(hintOf(different.slice(0, 6), place)).toMatch(/1 with the error "Reason 5" \(sheet row 7\)\.$/);
	});

	test('begins with people who keep a test call in place of a real one', () => {
		const states = [
			...times(3, withCode('INVALID_PHONE_NUMBER')),
			call('alreadyQueued', true),
			call('alreadyQueued', false),
		];
		expect(hintOf(states, { ...place, callerIdField: 'campaignId' })).toMatch(
			/^No calls were queued\. Not queued: 1 with a test call in the campaign already \(sheet row 5\), 3 with a number/,
		);
	});

	test.each<[string, ItemState, string]>([
		['a paused campaign', withCode('CAMPAIGN_NOT_ACTIVE', 'The campaign is paused.', 409), 'The campaign is paused'],
		['a token that is not accepted', withCode('UNAUTHORIZED', 'Bad token', 401), 'Bad token'],
		['an account without credits', withCode('INSUFFICIENT_CREDITS', 'No credits', 402), 'No credits'],
		['a service that cannot be reached', withCode('UNREACHABLE', 'No connection'), 'No connection'],
	])('begins with what stops all items: %s', (_what, cause, text) => {
		const states = [withCode('INVALID_PHONE_NUMBER'), cause, ...times(8, stoppedBy(cause, 1))];
		const mistake = 'Not queued: 1 with a number that cannot be called (sheet row 2).';
		expect(hintOf(states, queue)).toBe(`${text}. No calls were queued. ${mistake}`);
		expect(hintOf([...states, call('queued', false)], queue)).toBe(
			`${text}. 9 of 11 not queued. 1 real call queued: the phone rings, and credits are spent. ${mistake}`,
		);
	});

	test('counts with what stops an account only the items that it has stopped', () => {
		const credits = withCode('INSUFFICIENT_CREDITS', 'No credits', 402);
		const paused = withCode('CAMPAIGN_NOT_ACTIVE', 'No credits in this campaign');
		const states = [credits, stoppedBy(credits, 0), paused, stoppedBy(paused, 2), call('queued', false)];
		expect(hintOf(states, queue)).toMatch(/^No credits\. 2 of 5 not queued\. .*in this campaign/);
	});

	test('says with what to do about it what all items have in common', () => {
		const error = new ServiceError('The number has no country code', {
			code: 'INVALID_PHONE_NUMBER',
			advice: 'Add it.',
			accepted: 'no',
		});
		expect(hintOf(times(3, failedBy(error)), place)).toBe(
			'The number has no country code. No calls were placed. Add it.',
		);
	});

	test.each([
		[
			'an unknown outcome',
			{
				is: 'unknown',
				error: new ServiceError('Unknown', { code: 'OUTCOME_UNKNOWN', advice: '', accepted: 'unknown' }),
			},
		],
		[
			'numbers that may ring',
			{
				is: 'notTried',
				mayRing: true,
				error: new ServiceError('Not tried', { code: 'NOT_TRIED', advice: '', accepted: 'no' }),
			},
		],
	] as Array<[string, ItemState]>)('says how many have %s, although their errors are the same', (_what, state) => {
		expect(hintOf(times(3, state), place)).toMatch(
			/^(3 with an unknown outcome|Not called: 3|No calls were placed. Not called: 3)/,
		);
	});

	test('of a check begins with what stops all items, too', () => {
		const paused = finding('CAMPAIGN_NOT_ACTIVE', 'The campaign is paused');
		const states = [checked(paused), checked(finding('INVALID_PHONE_NUMBER', 'No'), paused)];
		expect(hintOf(states, check)).toBe(
			'The campaign is paused. 1 of 2 not ready. Do this. 0 of 2 ready. Not ready: 1 with a number that cannot be called (sheet row 3).',
		);
	});

	test('of a check says of each campaign what is wrong with it, not what is wrong with another one', () => {
		const paused = finding('CAMPAIGN_NOT_ACTIVE', 'The campaign is paused');
		const states = [checked(paused), checked(finding('CAMPAIGN_NOT_ACTIVE', 'The campaign is completed'))];
		expect(hintOf(states, check)).toBe(
			'The campaign is paused. 1 of 2 not ready. Do this. 0 of 2 ready. Not ready: 1 with the error "The campaign is completed" (sheet row 3).',
		);
	});

	test('names calls with an unknown outcome before everything else', () => {
		expect(hintOf([real, withCode('OUTCOME_UNKNOWN'), failed], place)).toBe(
			'1 with an unknown outcome (sheet row 3): phones may be ringing; check the calls in the service before you call again. 1 real call placed: the phone rings, and credits are spent. Not called: 1 with the error "No" (sheet row 4).',
		);
	});

	test('shows what the service says as text, and not as HTML', () => {
		expect(hintOf([withCode('BAD_REQUEST', 'Use <b>digits</b> & +'), real], place)).toContain(
			'"Use &lt;b&gt;digits&lt;/b&gt; &amp; +"',
		);
	});

	test('does not count calls of an earlier attempt as new', () => {
		expect(hintOf([real, { ...real, sentEarlier: true } as ItemState], place)).toBe(
			'1 real call placed: the phone rings, and credits are spent. 1 call of an earlier attempt, not sent again.',
		);
	});

	test.each([
		[{ limitedMs: 65_400, repeats: 0 }, 'Waited 65 seconds for the rate limit of the service.'],
		[{ limitedMs: 1000, repeats: 0 }, 'Waited 1 second for the rate limit of the service.'],
		[{ limitedMs: 1, repeats: 0 }, 'Waited less than a second for the rate limit of the service.'],
		[{ limitedMs: 0, repeats: 1 }, '1 request failed and was sent again.'],
		[{ limitedMs: 0, repeats: 2 }, '2 requests failed and were sent again.'],
	])('says what it took: %j', (took, hint) => {
		expect(hintOf([done], get, took)).toBe(`1 of 1 item done. ${hint}`);
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
		['has the number of one that was called', call('sameNumber', false)],
	])('if one item %s, whatever happened to the others', (_what, state) => {
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

	test('of a change whose answer was lost, nor that it was not done', () => {
		const lost = failedBy(new ServiceError('Lost', { code: 'NO_ANSWER', advice: '', accepted: 'unknown' }));
		for (const states of [[lost], [lost, lost], [lost, failed]]) {
			expect(hintOf(states, get)).not.toMatch(/Nothing was done|not done/i);
			expect(resultsOf(states, get)).not.toMatch(/Nothing was done|not done/i);
		}
	});

	test('but if each item was withheld, it is', () => {
		const states = [heldBack('blocked', 'the number is blocked'), waiting];
		expect(hintOf(states, place)).toBe(
			'No calls were placed. Not called: 1 in Blocked Numbers (sheet row 2), 1 not tried (sheet row 3).',
		);
		expect(resultsOf(states, place)).toBe(
			'No calls were placed. Not called: 1 in Blocked Numbers (sheet row 2), 1 not tried.',
		);
	});
});

describe('The error that ends a run', () => {
	test('says which calls were placed or queued, and how many others there are for each reason', () => {
		const states = [real, real, withCode('OUTCOME_UNKNOWN'), real, withCode('MISSING_PHONE_NUMBER'), failed, waiting];
		expect(resultsOf(states, place)).toBe(
			'Calls placed: sheet rows 2-3, 5. 1 with an unknown outcome (sheet row 4): phones may be ringing; check the calls in the service before you call again. Not called: 1 without a number (sheet row 6), 1 with the error "No" (sheet row 7), 1 not tried (sheet row 8).',
		);
		expect(resultsOf([done, failed, waiting], get)).toBe(
			'Done: sheet row 2. Not done: 1 with the error "No" (sheet row 3), 1 not tried (sheet row 4).',
		);
		expect(resultsOf(everySecond, place)).toMatch(
			/ 47, 49, 51\. Not called: 25 with the error "No" \(sheet rows 2, 4, 6 and 22 more\)\.$/,
		);
	});

	test('counts what was not tried, without its rows if nothing was done', () => {
		const states = [waiting, waiting, failed, waiting, waiting, failed];
		expect(resultsOf(states, queue)).toBe(
			'No calls were queued. Not queued: 2 with the error "No" (sheet rows 4, 7), 4 not tried.',
		);
		expect(resultsOf([waiting], get)).toBe('Nothing was done. Not done: 1 not tried.');
	});
});
