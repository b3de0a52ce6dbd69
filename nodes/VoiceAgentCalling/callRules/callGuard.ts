import type { SendRequest, ServiceRequest } from '../../shared/client/request';
import type { Guard } from '../../shared/client/send';
import { ServiceError } from '../../shared/errors/serviceError';
import type { Withheld } from '../../shared/errors/withheld';
import { phoneOf } from '../../shared/phoneNumbers/phoneOf';
import type { CallBook } from './book';
import type { BookedCall, WantedCall } from './bookEntries';
import type { HoursRule } from './callingHours';
import { callsInProcess } from './processCalls';
import { type CallRule, NONE_PLANNED, type PlannedCalls } from './rule';

/** The rules for the call of one item. */
export interface RulesOfCall {
	/** The rules that the user has set for the item. */
	rules: readonly CallRule[];
	/** The limits of the credential and of the tool. */
	limits: readonly CallRule[];
	/** The rule for the calling hours, if the call may be delayed until they begin. */
	delayedBy?: HoursRule;
	/** The user's Delay: how long the service waits before it places the call. */
	delayMs: number;
}

/**
 * Decides whether the call of an item may be sent now, and records it in the book. The client calls {@link reserve}
 * right before it sends the request.
 */
export class CallGuard implements Guard {
	readonly call: WantedCall;

	/** Why the call was not sent, if a rule does not allow it. */
	withheld: Withheld | undefined;

	/** The entry of the last request, unless the service has refused it. */
	entry: BookedCall | undefined;

	/** Undefined if no rule needs to read again, because reading takes time. */
	readonly refresh: Guard['refresh'];

	private readonly book: CallBook;

	private readonly own: RulesOfCall;

	private readonly all: readonly CallRule[];

	/** Undo what the rules have counted. */
	private undoCounts: Array<() => void> = [];

	private inProcess: ReturnType<ReturnType<typeof callsInProcess>['add']> | undefined;

	constructor(book: CallBook, call: WantedCall, own: RulesOfCall) {
		this.book = book;
		this.call = call;
		this.own = own;
		this.all = [...own.rules, ...own.limits];
		this.refresh = this.all.some((rule) => rule.refresh) ? (read) => this.refreshRules(this.all, read) : undefined;
	}

	/** Whether the calls of other items can keep this one from being sent. */
	get hasLimits(): boolean {
		return this.all.some(({ dependsOnOtherCalls }) => dependsOnOtherCalls);
	}

	/** Returns when the phone can ring if the call is sent now, in milliseconds since 1970. */
	startsAt(): number {
		const { delayedBy, delayMs } = this.own;
		const start = Date.now() + delayMs;
		return delayedBy?.delayed(start) ?? start;
	}

	/** Returns why the call must not be sent now; undefined if it may. @param planned the calls of earlier items */
	check(planned: PlannedCalls = NONE_PLANNED): Withheld | undefined {
		return this.checkRules(this.all, planned);
	}

	/** Like {@link check}, with only the rules that the user has set for the item. */
	checkOwn(): Withheld | undefined {
		return this.checkRules(this.own.rules, NONE_PLANNED);
	}

	/** Reads again what the user's rules for the item need. @throws ServiceError */
	async refreshOwn(read: SendRequest): Promise<void> {
		await this.refreshRules(this.own.rules, read);
	}

	private checkRules(rules: readonly CallRule[], planned: PlannedCalls): Withheld | undefined {
		const startsAt = this.startsAt();
		for (const rule of rules) {
			const withheld = rule.check(this.call, startsAt, planned);
			if (withheld !== undefined) {
				return withheld;
			}
		}
		return undefined;
	}

	reserve(request: ServiceRequest): ServiceRequest {
		this.withheld = this.check();
		if (this.withheld !== undefined) {
			const { message, advice, code } = this.withheld;
			throw new ServiceError(message, { code, advice, accepted: 'no' });
		}
		const startsAt = this.startsAt();
		const { credential, to, isTest } = this.call;
		this.undoCounts = this.all.flatMap((rule) => rule.count?.(this.call) ?? []);
		this.inProcess = callsInProcess(credential).add({ phone: phoneOf(to), isTest, book: this.book });
		this.entry = this.book.add(this.call, startsAt);
		const delay_seconds = Math.ceil((startsAt - Date.now()) / 1000);
		const isDelayed = this.own.delayedBy !== undefined && delay_seconds * 1000 > this.own.delayMs;
		return isDelayed ? { ...request, body: { ...request.body, delay_seconds } } : request;
	}

	refused(): void {
		for (const undo of this.undoCounts) {
			undo();
		}
		this.undoCounts = [];
		this.inProcess?.remove();
		if (this.entry) {
			this.book.refuse(this.entry);
			this.entry = undefined;
		}
	}

	/** Records the result of the call. @param id undefined if its outcome is unknown */
	settle(id: string | undefined): void {
		this.inProcess?.settle();
		if (this.entry === undefined) {
			return;
		}
		if (id === undefined) {
			this.book.markUnknown(this.entry);
		} else {
			this.book.accept(this.entry, id);
		}
	}

	private async refreshRules(rules: readonly CallRule[], read: SendRequest): Promise<void> {
		for (const rule of rules) {
			await rule.refresh?.(this.call, read);
		}
	}
}
