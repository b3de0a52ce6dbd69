import type { CallBook } from './book';

/** How long an answered call is kept: a run reads the service's list again right before each call. */
const KEPT_MS = 60_000;

/** A call that a run of this process sends, or has sent. */
interface ProcessCall {
	/** See `phoneOf`. */
	phone: string;
	isTest: boolean;
	/** Of the execution that sends it. */
	book: CallBook;
	/** When it was sent, in milliseconds since 1970. */
	sentAt: number;
	/** When the service has answered; undefined while the call is in flight. */
	settled?: { moment: number; at: number };
}

/** Orders what happens in this process: a clock can be set back. */
let moments = 0;

/** A moment, for {@link ProcessCalls.since}. Each is greater than those before it. */
export function thisMoment(): number {
	return ++moments;
}

/** The calls that the runs of this process send with a credential, which the service's list may not have yet. */
class ProcessCalls {
	private readonly calls = new Set<ProcessCall>();

	/** Counts a call that is about to be sent. */
	add(call: Pick<ProcessCall, 'phone' | 'isTest' | 'book'>) {
		const now = performance.now();
		for (const oldest of this.calls) {
			if ((oldest.settled?.at ?? now) >= now - KEPT_MS) {
				break;
			}
			this.calls.delete(oldest);
		}
		const added: ProcessCall = { ...call, sentAt: Date.now() };
		this.calls.add(added);
		return {
			settle: () => {
				added.settled = { moment: thisMoment(), at: performance.now() };
			},
			giveBack: () => void this.calls.delete(added),
		};
	}

	/** The calls of other executions that are in flight, or that were answered after a moment. */
	since(moment: number, own: CallBook): ProcessCall[] {
		return [...this.calls].filter(
			({ book, settled }) => book !== own && (settled === undefined || settled.moment > moment),
		);
	}
}

const callsByCredential = new Map<string, ProcessCalls>();

/** The calls that this process sends with a credential. It is a cache: other processes have their own. */
export function callsInProcess(credential: string): ProcessCalls {
	const calls = callsByCredential.get(credential) ?? new ProcessCalls();
	callsByCredential.set(credential, calls);
	return calls;
}
