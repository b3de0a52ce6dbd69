import type { CallBook } from './book';

/** How long a settled call is kept: long enough, because each call is preceded by a new reading of the list. */
const KEPT_MS = 60_000;

/** A call that a run of this process sends, or has sent. */
interface ProcessCall {
	/** See `phoneOf`. */
	phone: string;
	isTest: boolean;
	/** The book of the execution that sends it. */
	book: CallBook;
	/** When it was sent, in milliseconds since 1970. */
	sentAt: number;
	/** When the response arrived; undefined while the call is in flight. */
	settled?: { moment: number; at: number };
}

/** Orders events in this process. A counter, because a clock can be set back. */
let moments = 0;

/** Returns a moment for {@link ProcessCalls.since}, which is greater than all earlier moments. */
export function thisMoment(): number {
	return ++moments;
}

/** The calls of this process with a credential, which may still be missing in the list of the service. */
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
			remove: () => void this.calls.delete(added),
		};
	}

	/** Returns the calls of other executions that are in flight or that were settled after a moment. */
	since(moment: number, own: CallBook): ProcessCall[] {
		return [...this.calls].filter(
			({ book, settled }) => book !== own && (settled === undefined || settled.moment > moment),
		);
	}
}

const callsByCredential = new Map<string, ProcessCalls>();

/** Returns the calls that this process sends with a credential. Each process has its own. */
export function callsInProcess(credential: string): ProcessCalls {
	const calls = callsByCredential.get(credential) ?? new ProcessCalls();
	callsByCredential.set(credential, calls);
	return calls;
}
