import type { Fault } from '../../../service.mts';

/** How an item ends. */
export type State = 'done' | 'unknown' | 'not done' | 'not tried';

/** A fault, and the state of an item whose request meets it. */
export interface FaultRow {
	name: string;
	fault: Omit<Fault, 'match'>;
	/** For a call, which is sent once. */
	call: State;
	/** How long the node waits for an answer, where it has to give up. */
	timeoutSeconds?: number;
	/** For a request that only reads, which may be sent again. */
	read: State;
}

/** Seconds to wait for an answer that comes too late. */
const TIMEOUT_SECONDS = 4;
/** Seconds to wait for the service's limit. */
export const MAX_WAIT_SECONDS = 30;

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
		timeoutSeconds: TIMEOUT_SECONDS,
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
