import type { SendRequest } from '../../shared/client/request';
import type { Withheld } from '../../shared/errors/withheld';
import { utcDay } from '../../shared/lib/time';
import type { WantedCall } from './bookEntries';

/**
 * The calls of the items before an item, before anything is sent: they count as if they had been sent. Empty when a
 * request is sent, because the book has those calls then.
 */
export interface PlannedCalls {
	/** How many there are. */
	all: number;
	/** How many of them are real calls that start on a day, such as 2026-11-29. */
	realOn(day: string): number;
	/** Those to the phone of a call. */
	to(call: WantedCall): ReadonlyArray<{ call: WantedCall; startsAt: number }>;
}

/** Decides whether a call may be sent: a rule of the user, or a limit. */
export interface CallRule {
	/** Whether it depends on other calls. */
	isLimit?: true;
	/** @param startsAt when the phone can ring, in milliseconds since 1970 @returns undefined if the call may be sent */
	check(call: WantedCall, startsAt: number, planned: PlannedCalls): Withheld | undefined;
	/** Counts a call that is about to be sent, where the book does not. @returns takes it back */
	take?(call: WantedCall): () => void;
	/**
	 * Reads again what may have changed at the service; called right before {@link CallRule.check}.
	 *
	 * @param read sends a request at once
	 * @throws ServiceError
	 */
	refresh?(call: WantedCall, read: SendRequest): Promise<void>;
}

/** No calls. */
export const NONE_PLANNED: PlannedCalls = { all: 0, realOn: () => 0, to: () => [] };

/** Adds the calls of items one by one; see {@link PlannedCalls}. */
export class Plan implements PlannedCalls {
	all = 0;

	private readonly realByDay = new Map<string, number>();

	private readonly byPhone = new Map<string, Array<{ call: WantedCall; startsAt: number }>>();

	private readonly phoneOf: (to: string) => string;

	/** @param phoneOf the same text for all numbers of a phone */
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
