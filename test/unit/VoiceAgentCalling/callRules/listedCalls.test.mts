import { phoneOf } from '../../../../nodes/shared/phoneNumbers/phoneOf.ts';
import type { BookedCall } from '../../../../nodes/VoiceAgentCalling/callRules/bookEntries.ts';
import { listedCall, matchOwnCalls } from '../../../../nodes/VoiceAgentCalling/callRules/listedCalls.ts';
import { Plan } from '../../../../nodes/VoiceAgentCalling/callRules/rule.ts';
import { OTHER_PHONE, TWIN, wanted } from './calls.mts';

const NOW = Date.parse('2031-01-15T12:00:00Z');
const MINUTE = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** An own call. @param at when it starts, in minutes */
const own = (id: string | undefined, at = 0, { phone = 'a', isQueued = false } = {}): BookedCall => ({
	group: wanted(isQueued ? { ownerField: 'campaignId', owner: 'spring' } : {}),
	run: 0,
	phone,
	item: 0,
	startsAt: NOW + at * MINUTE,
	id,
	isRetried: false,
	isInFlight: false,
	index: 0,
});
const queued = (id: string, at = 0, phone = 'a') => own(id, at, { phone, isQueued: true });
/** A call in the list. @param at when it was created, in minutes */
const listed = (id: string, at = 0, { phone = 'a', ...more }: { phone?: string; sid?: string } = {}) =>
	listedCall({ id, created_at: iso(NOW + at * MINUTE), ...more }, phone);

test.each<[what: string, own: BookedCall[], listed: ReturnType<typeof listed>[], found: Array<string | undefined>]>([
	['by its ID', [own('x')], [listed('y'), listed('x')], ['x']],
	['by its second ID', [own('s')], [listed('x', 0, { sid: 's' })], ['x']],
	['by its ID, whatever its phone and time', [own('x', 30)], [listed('x', -90, { phone: 'b' })], ['x']],
	['by a number as ID', [own('7')], [listedCall({ id: 7, created_at: iso(NOW) }, 'a')], ['7']],
	[
		'not without its ID, as its phone alone is another call',
		[own('x'), own(undefined)],
		[listed('y')],
		[undefined, undefined],
	],
	['of a campaign by its phone, if it is later', [queued('q')], [listed('y', 1)], ['y']],
	['of a campaign, not if it is earlier', [queued('q')], [listed('y', -1)], [undefined]],
	['of a campaign, not if it is to another phone', [queued('q')], [listed('y', 1, { phone: 'b' })], [undefined]],
	['of a campaign, each listed one once', [queued('q'), queued('r')], [listed('y', 1)], ['y', undefined]],
	['of a campaign, the earliest first', [queued('r', 5), queued('q')], [listed('z', 6), listed('y', 1)], ['z', 'y']],
	['of a campaign, not by the call of an agent', [queued('q'), own('x')], [listed('x', 1)], [undefined, 'x']],
	['of a campaign, not by an ID, which is another thing there', [queued('x')], [listed('x', -1)], [undefined]],
])('an own call is found in the list %s', (_what, calls, list, found) => {
	const matched = matchOwnCalls(calls, list);
	expect(calls.map((call) => matched.get(call)?.ids[0]).map((id) => id && String(id))).toEqual(found);
});

test.each<[what: string, call: object, startedAt: number]>([
	[
		'its duration before it was updated',
		{ status: 'completed', updated_at: iso(NOW + 10 * MINUTE), duration: 60 },
		NOW + 9 * MINUTE,
	],
	['at the earliest when it was created', { status: 'busy', updated_at: iso(NOW + MINUTE), duration: 600 }, NOW],
	[
		'at most an hour later, the longest delay',
		{ status: 'completed', updated_at: iso(NOW + 600 * MINUTE) },
		NOW + 60 * MINUTE,
	],
	['an hour later, if nothing says more', {}, NOW + 60 * MINUTE],
	[
		'as if it had no duration, if that cannot be read',
		{ status: 'completed', updated_at: iso(NOW + MINUTE), duration: 'long' },
		NOW + MINUTE,
	],
	['an hour later, if it is not over', { status: 'queued', updated_at: iso(NOW) }, NOW + 60 * MINUTE],
])('a listed call can have begun to ring %s', (_what, call, startedAt) => {
	expect(listedCall({ id: 'x', created_at: iso(NOW), ...call }, 'a')).toMatchObject({ createdAt: NOW, startedAt });
});

test.each([undefined, 'yesterday', null])('a listed call without a time (%s) has none', (created_at) => {
	const { createdAt, startedAt } = listedCall({ id: 'x', created_at }, 'a');
	expect([createdAt, startedAt]).toEqual([Number.NaN, Number.NaN]);
});

test('a plan counts calls as they are added: all, the real ones of each day, and those to a phone', () => {
	const plan = new Plan(phoneOf);
	expect([plan.all, plan.realOn('2031-01-15'), plan.to(wanted())]).toEqual([0, 0, []]);
	const tomorrow = NOW + 12 * 60 * MINUTE;
	const calls = [
		[wanted(), NOW],
		[wanted({ to: TWIN }), tomorrow],
		[wanted({ to: OTHER_PHONE, isTest: true }), NOW],
	] as const;
	for (const [call, startsAt] of calls) {
		plan.add(call, startsAt);
	}
	expect(plan.all).toBe(3);
	expect(['2031-01-15', '2031-01-16'].map((day) => plan.realOn(day))).toEqual([1, 1]);
	expect(plan.to(wanted()).map(({ startsAt }) => startsAt)).toEqual([NOW, tomorrow]);
	expect(plan.to(wanted({ to: OTHER_PHONE }))).toHaveLength(1);
});
