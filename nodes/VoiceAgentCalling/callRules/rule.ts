// A call may be sent now if `check` of each of its rules returns undefined. The order, collected by calls.ts: Blocked
// Numbers (no other rule of the user is then checked), consent.ts, callingHours.ts, frequencyCap.ts (without it, the
// redials of an event), then the limits of the tool and of the credential (limits.ts). Rules are checked three times: the
// user's rules before the agent is read, all rules before the first request of the run, and all rules right before the
// request of the call (callGuard.ts).

import type { SendRequest } from '../../shared/client/request';
import type { Withheld } from '../../shared/errors/withheld';
import { utcDay } from '../../shared/lib/time';
import type { WantedCall } from './bookEntries';

/**
 * The calls of earlier items, which count as if they had been sent. Empty when a request is sent, because the book has
 * recorded those calls by then.
 */
export interface PlannedCalls {
	all: number;
	/** Returns how many of them are real calls that start on a day, such as 2026-11-29. */
	realOn(day: string): number;
	/** Returns the planned calls to the phone of a call. */
	to(call: WantedCall): ReadonlyArray<{ call: WantedCall; startsAt: number }>;
}

/** A rule of the user, or a limit, that decides whether a call may be sent. */
export interface CallRule {
	/** Whether the rule depends on other calls: the Frequency Cap and all limits. */
	dependsOnOtherCalls?: true;
	/** @param startsAt when the phone can ring, in milliseconds since 1970 @returns undefined if the call may be sent */
	check(call: WantedCall, startsAt: number, planned: PlannedCalls): Withheld | undefined;
	/**
	 * Counts a call that is about to be sent, for a rule that does not use the book.
	 *
	 * @returns a function that undoes it
	 */
	count?(call: WantedCall): () => void;
	/**
	 * Reads again what may have changed at the service. Called right before {@link CallRule.check}.
	 *
	 * @param read sends a request at once
	 * @throws ServiceError
	 */
	refresh?(call: WantedCall, read: SendRequest): Promise<void>;
}

export const NONE_PLANNED: PlannedCalls = { all: 0, realOn: () => 0, to: () => [] };

/** Adds the calls of items one by one; see {@link PlannedCalls}. */
export class Plan implements PlannedCalls {
	all = 0;

	private readonly realByDay = new Map<string, number>();

	private readonly byPhone = new Map<string, Array<{ call: WantedCall; startsAt: number }>>();

	private readonly phoneOf: (to: string) => string;

	/** @param phoneOf returns the same text for all numbers of a phone */
	constructor(phoneOf: (to: string) => string) {
		this.phoneOf = phoneOf;
	}

	realOn(day: string): number {
		return this.realByDay.get(day) ?? 0;
	}

	to({ to }: WantedCall) {
		return this.byPhone.get(this.phoneOf(to)) ?? [];
	}

	add(call: WantedCall, startsAt: number): void {
		this.all++;
		const day = utcDay(startsAt);
		this.realByDay.set(day, this.realOn(day) + (call.isTest ? 0 : 1));
		this.byPhone.set(this.phoneOf(call.to), [...this.to(call), { call, startsAt }]);
	}
}
