import type { Fault } from '../../../service.mts';

/** The outcome of an item. */
export type State = 'done' | 'unknown' | 'not done' | 'not tried';

/** A fault of a request, and the outcome of its item. */
export interface FaultRow {
	name: string;
	fault: Omit<Fault, 'match'>;
	/** For a call, which is sent only once. */
	call: State;
	/** For a read, which may be sent again. */
	read: State;
}

/** The request timeout in seconds; the latencies are below and above it. */
export const TIMEOUT_SECONDS = 2;
/** The maximum wait for the rate limit, in seconds. */
export const MAX_WAIT_SECONDS = 10;

const refused = (name: string, more: Partial<Fault>): FaultRow => ({
	name,
	fault: { kind: 'status', status: 429, times: 4, ...more },
	call: 'done',
	read: 'done',
});

const flat = { message: 'Too many requests.' };
const nested = (seconds: number) => ({
	error: { code: 'RATE_LIMIT_EXCEEDED', ...flat, details: { retry_after: seconds } },
});

export const faultRows: FaultRow[] = [
	{ name: 'late answer', fault: { kind: 'latency', ms: 150 }, call: 'done', read: 'done' },
	{
		name: 'no answer in time',
		fault: { kind: 'latency', ms: TIMEOUT_SECONDS * 1000 + 300 },
		call: 'unknown',
		read: 'not done',
	},
	refused('four 429, nested', { body: nested(1) }),
	refused('four 429, header', { body: flat, headers: { 'Retry-After': '1' } }),
	refused('four 429, silent', { body: flat }),
	{ ...refused('429, too long', { body: nested(60), times: 1 }), call: 'not done', read: 'not done' },
	{ name: '500', fault: { kind: 'status', status: 500 }, call: 'unknown', read: 'not done' },
	...[502, 503, 504].map(
		(status): FaultRow => ({ name: String(status), fault: { kind: 'status', status }, call: 'unknown', read: 'done' }),
	),
	{ name: 'cut before it acts', fault: { kind: 'drop-before' }, call: 'unknown', read: 'done' },
	{ name: 'cut after it acted', fault: { kind: 'drop-after' }, call: 'unknown', read: 'done' },
	{ name: 'malformed answer', fault: { kind: 'malformed' }, call: 'unknown', read: 'not done' },
];
