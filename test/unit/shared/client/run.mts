import { Pace } from '../../../../nodes/shared/client/pace.ts';
import { RequestLog } from '../../../../nodes/shared/client/requestLog.ts';
import { createRequests, type RequestOptions } from '../../../../nodes/shared/client/requests.ts';
import { type Run, RunStop, SharedReads } from '../../../../nodes/shared/client/run.ts';
import { type DoubleOptions, doubleOfN8n } from '../../n8n.mts';

/** A run of the node with a double of n8n. */
export function runOf(options: DoubleOptions = {}, changes: Partial<Run> = {}) {
	const n8n = doubleOfN8n(options);
	const run: Run = {
		caller: n8n.caller,
		connection: { base: new URL('https://service.example'), testCallsOnly: false, secrets: ['TOKEN'] },
		pace: new Pace({ maxWaitSeconds: 60 }),
		log: new RequestLog(n8n.context, 0),
		stop: new RunStop(() => false),
		timeoutSeconds: 30,
		maxWaitSeconds: 60,
		cache: new SharedReads(),
		hints: new Set(),
		chain: undefined,
		...changes,
	};
	return { ...n8n, run };
}

/** How the requests of one item of a run are sent; each one is wanted. */
export const requestOptions = (run: Run, options: Partial<RequestOptions> = {}): RequestOptions => ({
	run,
	itemIndex: 0,
	repeat: undefined,
	placesCall: false,
	throwIfUnwanted: () => undefined,
	...options,
});

/** The requests of one item of a run. */
export const requestsOf = (run: Run, options: Partial<RequestOptions> = {}) =>
	createRequests(requestOptions(run, options));
