import type { CallBook } from './book';

/** How long an answered call is kept: a run reads the service's list again right before each call. */
const KEPT_MS = 60_000;

/** A call that a run of this process sends, or has sent. Times in milliseconds since 1970. */
interface ProcessCall {
	/** See `phoneOf`. */
	phone: string;
	isTest: boolean;
	/** Of the execution that sends it. */
	book: CallBook;
	sentAt: number;
	/** When the service has answered; undefined while the call is in flight. */
	answeredAt?: number;
}

/** The calls that the runs of this process send with a credential, which the service's list may not have yet. */
class ProcessCalls {
	private calls = new Set<ProcessCall>();

	add(call: Pick<ProcessCall, 'phone' | 'isTest' | 'book'>) {
		const now = Date.now();
		for (const old of this.calls) {
			if ((old.answeredAt ?? now) < now - KEPT_MS) {
				this.calls.delete(old);
			}
		}
		const added: ProcessCall = { ...call, sentAt: now };
		this.calls.add(added);
		return {
			settle: () => {
				added.answeredAt = Date.now();
			},
			giveBack: () => void this.calls.delete(added),
		};
	}

	/** The calls of other executions that are in flight, or that were answered after a time. */
	since(readAt: number, own: CallBook): ProcessCall[] {
		return [...this.calls].filter(
			({ book, answeredAt = Number.POSITIVE_INFINITY }) => book !== own && answeredAt >= readAt,
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
