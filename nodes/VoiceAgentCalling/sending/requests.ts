import type { IDataObject } from 'n8n-workflow';

import { isGone, type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import type { Repeat, ServiceRequest } from '../../shared/service/request';
import type { CallBudget } from './callBudget';
import { outcomeUnknown } from './itemErrors';
import { sendAndRepeat, type Tries } from './retry';
import type { Run } from './run';
import { type Sent, SentRequests } from './sentRequests';

/** How the requests of one item are sent. */
export interface RequestOptions {
	run: Run;
	itemIndex: number;
	/** For the operation's requests; undefined: by the HTTP method. */
	repeat: Repeat | undefined;
	/** Whether the operation makes a phone ring. */
	placesCall: boolean;
	/** How many calls may still be placed; undefined: any number. */
	budget: CallBudget | undefined;
	/**
	 * Throws when the item must not be worked on any more.
	 *
	 * @param begun whether the service acted on a request of this item, or may have
	 */
	assertWanted(begun: boolean): void;
}

/** The requests of one item. */
interface Requests {
	/** See `tryRequest` of the Api. */
	send(request: ServiceRequest, before?: () => Promise<void>): Promise<Result<IDataObject>>;
	settle(request: ServiceRequest, refusal: ServiceError): void;
	/** Reads for all items: what it sends does not count as sent for this item. */
	unsent<Value>(read: () => Promise<Value>): Promise<Value>;
	answeredFromMemory(): boolean;
	hasSent(): boolean;
}

/** What may be sent again by its HTTP method: everything but POST and PATCH. */
function repeatByMethod({ method }: ServiceRequest): Repeat {
	return method === 'POST' || method === 'PATCH' ? 'never' : 'safe';
}

/** The request with a test call in place of a real one, for a credential that allows no other. */
function asTestCall(request: ServiceRequest): ServiceRequest {
	return request.method === 'GET' ? request : { ...request, body: { ...request.body, is_testing: true } };
}

/** The error of an earlier try, as far as it was remembered. */
function settled({ httpStatus, body }: NonNullable<Sent['refusal']>): ServiceError {
	const message = 'The service refused this in an earlier try';
	return new ServiceError(message, { code: 'CONFLICT', advice: '', httpStatus, accepted: 'no', body });
}

/** Sends the requests of one item, and remembers those that must not be sent twice. */
export function createRequests({ run, itemIndex, repeat, placesCall, budget, assertWanted }: RequestOptions): Requests {
	const { sent } = run;
	let answeredFromMemory = false;
	let begun = false;

	/** Sends a request, again where that is certain to do no harm. */
	async function deliver(request: ServiceRequest, tries: Partial<Tries>): Promise<Result<IDataObject>> {
		const result = await sendAndRepeat(run, request, {
			safe: tries.safe ?? true,
			assertWanted: () => assertWanted(begun),
			sending: () => tries.sending?.(),
			failed: (error) => {
				begun ||= error.accepted === 'unknown';
				tries.failed?.(error);
			},
		});
		begun ||= result.error === undefined;
		return result;
	}

	/** Deletes; an object that is gone at the second try was deleted by the first one. */
	async function remove(request: ServiceRequest): Promise<Result<IDataObject>> {
		const key = SentRequests.key(itemIndex, request);
		let sentBefore = sent.recall(key) !== undefined;
		const failed = (error: ServiceError) => {
			if (error.accepted === 'unknown') {
				sentBefore = true;
			} else if (!sentBefore) {
				sent.refused(key);
			}
		};
		const result = await deliver(request, { sending: () => sent.sending(key), failed });
		return result.error && sentBefore && isGone(result.error) ? { value: {} } : result;
	}

	/** Sends what must not be sent twice, unless an earlier try has sent it. */
	async function sendOnce(
		request: ServiceRequest,
		rings: boolean,
		before: (() => Promise<void>) | undefined,
	): Promise<Result<IDataObject>> {
		const key = SentRequests.key(itemIndex, request);
		const earlier = sent.recall(key);
		if (earlier !== undefined) {
			const { answer, refusal } = earlier;
			answeredFromMemory = true;
			return answer ? { value: answer } : { error: refusal ? settled(refusal) : outcomeUnknown(rings) };
		}
		const { error: prevented } = await toResult(before?.() ?? Promise.resolve());
		if (prevented) {
			// Whatever it sent, it was not this request.
			return { error: prevented.accepted === 'unknown' ? prevented.with({ accepted: 'no' }) : prevented };
		}
		const exhausted = budget?.take();
		if (exhausted) {
			return { error: exhausted };
		}
		const result = await deliver(request, {
			safe: false,
			sending: () => sent.sending(key),
			failed: ({ accepted }) => {
				if (accepted === 'no') {
					sent.refused(key);
				}
			},
		});
		const { value: body, error } = result;
		if (error === undefined) {
			sent.accepted(key, body);
			return result;
		}
		if (error.accepted === 'unknown') {
			return { error: outcomeUnknown(rings, error) };
		}
		budget?.giveBack();
		return result;
	}

	return {
		async send(asked, before) {
			const rings = asked.placesCall ?? placesCall;
			const request = rings && run.connection.sandboxOnly ? asTestCall(asked) : asked;
			if ((request.repeat ?? repeat ?? repeatByMethod(request)) === 'never') {
				return await sendOnce(request, rings, before);
			}
			return await (request.method === 'DELETE' ? remove(request) : deliver(request, {}));
		},

		settle(request, { httpStatus, body }) {
			if (httpStatus !== undefined && isRecord(body)) {
				sent.refusedFinally(SentRequests.key(itemIndex, request), httpStatus, body);
			}
		},

		async unsent(read) {
			const ownBegun = begun;
			try {
				return await read();
			} finally {
				begun = ownBegun;
			}
		},

		answeredFromMemory: () => answeredFromMemory,
		hasSent: () => begun,
	};
}
