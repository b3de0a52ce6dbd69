import type { ItemResult } from '../../nodes/VoiceAgentCalling/operation/items.ts';

/**
 * An item of a node that calls.
 *
 * - `called`: it has a call
 * - `unknown`: it may have one
 * - `now`, `later`: nobody is called, for a reason that passes; another run may call, at once or from a time on
 * - `never`: nobody is called until somebody changes the item or a rule
 */
export interface CallCase {
	result: ItemResult;
	code: string;
	is: 'called' | 'unknown' | 'now' | 'later' | 'never';
}

const of = <Result extends ItemResult>(result: Result, code: string, is: CallCase['is']) => ({
	result,
	code,
	is,
});

/** What the node says of an item, for each result, and for the codes that mean different things for the person. */
export const callCases = {
	placed: of('placed', '', 'called'),
	queued: of('queued', '', 'called'),
	'queued before': of('alreadyQueued', '', 'called'),
	'the number of another item': of('sameNumber', '', 'called'),
	'no clear answer': of('unknown', 'OUTCOME_UNKNOWN', 'unknown'),
	'outside the hours': of('outsideHours', 'OUTSIDE_HOURS', 'later'),
	'in no clear time zone': of('outsideHours', 'OUTSIDE_HOURS', 'never'),
	blocked: of('blocked', 'DO_NOT_CALL', 'never'),
	'without consent': of('noConsent', 'NO_CONSENT', 'never'),
	'called too often': of('tooOften', 'TOO_OFTEN', 'later'),
	'beyond the limit of the run': of('limitReached', 'CALL_LIMIT_REACHED', 'now'),
	'beyond the limit of the day': of('limitReached', 'CALL_LIMIT_REACHED', 'later'),
	'without a variable': of('notReady', 'MISSING_VARIABLES', 'never'),
	'whose variables could not be read': of('failed', 'VARIABLES_NOT_READ', 'now'),
	'that is no number': of('failed', 'INVALID_PHONE_NUMBER', 'never'),
	'with a mistake in settings of all items': of('failed', 'INVALID_INPUT', 'now'),
	'refused as it is': of('failed', 'VALIDATION_ERROR', 'never'),
	'with an expired token': of('failed', 'TOKEN_EXPIRED', 'now'),
	'without credits': of('failed', 'INSUFFICIENT_CREDITS', 'now'),
	'for a draft agent': of('failed', 'AGENT_INACTIVE', 'now'),
	'for a paused campaign': of('failed', 'CAMPAIGN_NOT_ACTIVE', 'now'),
	'for an agent that is gone': of('failed', 'AGENT_NOT_FOUND', 'now'),
	'while nothing listens': of('failed', 'UNREACHABLE', 'now'),
	'after one that failed for all': of('notTried', 'NOT_TRIED', 'now'),
	'with the number of an unclear one': of('notTried', 'NOT_TRIED', 'never'),
} satisfies Record<string, CallCase>;

export type CaseName = keyof typeof callCases;

/** A result that no case has does not compile. */
type Missing = Exclude<ItemResult, (typeof callCases)[CaseName]['result']>;
export const hasEveryResult: [Missing] extends [never] ? true : Missing = true;
