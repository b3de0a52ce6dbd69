import type { Fault } from '../service.mts';

const status = (code: number, body: unknown, headers?: Record<string, string>) =>
	({ kind: 'status', status: code, body, ...(headers && { headers }) }) as const;

/** How a request that changes something is answered, or not. */
const answers: Readonly<Record<string, Omit<Fault, 'match'>>> = {
	nothing: { kind: 'latency', ms: 0 },
	// The node's other requests overtake it. A cancel comes while it is under way.
	late: { kind: 'latency', ms: 20 },
	slow: { kind: 'latency', ms: 100 },
	'cut before': { kind: 'drop-before' },
	'cut after': { kind: 'drop-after' },
	malformed: { kind: 'malformed' },
	'500': status(500, { message: 'Broken' }),
	'502': status(502, 'Bad gateway'),
	'422': status(422, { success: false, message: 'Not valid' }),
	'429': status(429, { message: 'Too many' }, { 'retry-after': '1' }),
	'401': status(401, { success: false, message: 'Invalid token', code: 'UNAUTHORIZED' }),
	'402': status(402, { success: false, message: 'No credits' }),
	'409 with another call': status(409, { message: 'Queued', existing_call: { id: 'call-1', to: '+12025559999' } }),
	contradiction: status(200, { success: false, message: 'No', data: { id: 'call-1' } }),
	'success without a call': status(200, { success: true }),
	'success with another call': status(200, { success: true, data: { id: 'call-1', to: '+12025559999' } }),
};

/** The names of all answers. */
export const ANSWERS = Object.keys(answers);

/** How the lists of calls answer. */
const lists: Readonly<Record<string, Omit<Fault, 'match'>>> = {
	'without the call': status(200, {
		success: true,
		data: [],
		pagination: { current_page: 1, last_page: 1, per_page: 100, total: 0 },
	}),
	'malformed list': { kind: 'malformed' },
	'cut list': { kind: 'drop-before' },
	'502 for the list': status(502, 'Bad gateway'),
};
export const LISTS = Object.keys(lists);

/** The fault with a name, for requests to these paths. */
export function faultOf(name: string, path: string, method = 'POST', times = 1): Fault {
	return { match: { method, path }, times, ...(answers[name] ?? lists[name])! };
}
