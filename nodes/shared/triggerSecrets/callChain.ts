import { sha256 } from '../lib/text';
import { DAY_MS, isoOf, timeIn } from '../lib/time';
import { phoneOf } from '../phoneNumbers/phoneOf';

// A workflow that the event of a call starts may call the same phone again, and the event of that call starts it once
// more. So that this ends, each call of such a workflow carries in its `context` the calls that led to it.

/** A call that the event of another call has led to. */
export interface ChainedCall {
	/** Identifies the phone, without its number. */
	phone: string;
	/** When the call was sent, in ISO 8601. */
	at: string;
}

/** The length of a phone, and of a time in seconds, in the text. */
const WIDTH = 6;

/** Enough to find three calls to each of twenty phones that events call in turn, and short enough for a `context`. */
const MAX_CALLS = 60;

/** The time in the first entry, which stands for the call whose event began it all. */
const FIRST = isoOf(0);

const fingerprint = (text: string) => sha256(text).slice(0, WIDTH);

/** Returns what identifies the phone of a number in a chain. @param number in E.164 */
export function phoneInChain(number: string): string {
	return fingerprint(phoneOf(number));
}

/** Returns the first entry of the chains to which the events of a call lead. @param id of the call */
export function firstOf(id: string): ChainedCall {
	return { phone: fingerprint(id), at: FIRST };
}

/** Whether an entry is the first one. */
export function isFirst({ phone, at }: ChainedCall): boolean {
	return at === FIRST && phone.length === WIDTH;
}

/** Returns the calls of the last 24 hours, each once: several events can name the same call, or one event twice. */
export function recentCalls(chain: readonly ChainedCall[], now: number): ChainedCall[] {
	const recent = chain.filter(({ phone, at }) => {
		const age = now - (timeIn(at) ?? 0);
		return phone.length === WIDTH && age < DAY_MS && age > -DAY_MS;
	});
	return [...new Map(recent.map((call) => [call.phone + call.at, call])).values()];
}

const secondsOf = (at: string) => Math.floor((timeIn(at) ?? 0) / 1000);

/** Returns the text for the context of a call to a number, with the calls that led to it. */
export function chainText(chain: readonly ChainedCall[], to: string): string {
	const now = Date.now();
	const calls = [...recentCalls(chain, now), { phone: phoneInChain(to), at: isoOf(now) }].slice(-MAX_CALLS);
	return [...chain.filter(isFirst).slice(0, 1), ...calls]
		.map(({ phone, at }) => phone + secondsOf(at).toString(36).padStart(WIDTH, '0'))
		.join('');
}

/** Returns the calls in a text of {@link chainText}. */
export function callsInChain(text: string): ChainedCall[] {
	const calls = text.match(new RegExp(`.{${2 * WIDTH}}`, 'g')) ?? [];
	return calls.map((call) => ({
		phone: call.slice(0, WIDTH),
		at: isoOf((Number.parseInt(call.slice(WIDTH), 36) || 0) * 1000),
	}));
}
