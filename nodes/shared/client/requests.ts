import type { IDataObject } from 'n8n-workflow';

import { isGone, type Result, type ServiceError, toResult } from '../errors/serviceError';
import { isRecord } from '../lib/json';
import { toE164 } from '../phoneNumbers/e164';
import { chainText } from '../triggerSecrets/callChain';
import { withMarks } from '../triggerSecrets/resumeToken';
import { unreachableIn } from './address';
import { outcomeUnknown } from './itemErrors';
import type { Repeat, ServiceRequest } from './request';
import { type RequestKey, RequestLog } from './requestLog';
import type { Run } from './run';
import { type Guard, type SendOptions, send } from './send';

/** A step that must succeed before a request is sent. */
export type Prepare = () => Promise<void>;

/** How the requests of one item are sent. */
export interface RequestOptions {
	run: Run;
	/** Undefined for requests that all items share: they are not logged for the next attempt. */
	itemIndex: number | undefined;
	/** Whether the operation's requests may be repeated; if undefined, the HTTP method decides. */
	repeat: Repeat | undefined;
	/** Whether the operation makes a phone ring. */
	placesCall: boolean;
	/** Decides about the request that makes a phone ring; undefined if the item places no call. */
	guard?: Guard;
	/**
	 * Throws when the item must not be processed any further.
	 *
	 * @param begun whether the service has acted, or may have acted, on a request of this item
	 */
	throwIfUnwanted(begun: boolean): void;
}

/** The progress of the requests of one item. */
export interface ItemProgress {
	/** True once the service has acted, or may have acted, on a request of this item. */
	mayHaveActed: boolean;
	/** True once the stored response of an earlier attempt was used, and nothing was sent. */
	usedLoggedResponse: boolean;
}

/** The requests of one item. */
interface Requests {
	readonly progress: Readonly<ItemProgress>;
	/** See `Api.tryRequest`. */
	send(request: ServiceRequest, before?: Prepare): Promise<Result<IDataObject>>;
	/** See `Api.markUnknown`. */
	setUnknown(): void;
	/** Runs a read that all items share: its requests do not count as requests of this item. */
	withoutTracking<Value>(read: () => Promise<Value>): Promise<Value>;
}

/**
 * Whether a request may be sent again after an unknown outcome. A read may. For a change, the request decides, then its
 * operation, then the HTTP method: POST and PATCH may not.
 */
export function isRepeatable({ method, repeat }: ServiceRequest, ofOperation: Repeat | undefined): boolean {
	const byMethod = method === 'POST' || method === 'PATCH' ? 'never' : 'safe';
	return method === 'GET' || (repeat ?? ofOperation ?? byMethod) !== 'never';
}

/** Turns a real call into a test call, for a credential that allows only test calls. */
function asTestCall(request: ServiceRequest): ServiceRequest {
	return { ...request, body: { ...request.body, is_testing: true } };
}

/** Creates the functions that send the requests of one item. Requests that must not be sent twice are logged. */
export function createRequests(options: RequestOptions): Requests {
	const { run, itemIndex, repeat, placesCall, guard, throwIfUnwanted } = options;
	const { log } = run;
	const progress: ItemProgress = { mayHaveActed: false, usedLoggedResponse: false };
	/** The key of the last sent request that must not be sent twice. */
	let sentOnce: RequestKey | undefined;

	const sendNow = async (request: ServiceRequest, mayRepeat: boolean, more: Partial<SendOptions> = {}) =>
		await send(run, request, {
			...more,
			isRepeatable: mayRepeat,
			throwIfUnwanted: () => throwIfUnwanted(progress.mayHaveActed),
			onAttempt(error) {
				progress.mayHaveActed ||= error?.accepted !== 'no';
				more.onAttempt?.(error);
			},
		});

	/**
	 * Sends a change that may be repeated. If the answer to an attempt was lost, in this run or an earlier one, the change
	 * may be made, whatever the error is. If an object that is to be deleted is gone then, that attempt has deleted it.
	 */
	const sendChange = async (request: ServiceRequest, key: RequestKey): Promise<Result<IDataObject>> => {
		let mayBeMade = log.recall(key) !== undefined;
		let isSent = false;
		const reserve = () => {
			isSent = true;
			log.sending(key);
			return request;
		};
		const refused = () => {
			if (!mayBeMade) {
				log.refused(key);
			}
		};
		const onAttempt = (error: ServiceError | undefined) => {
			mayBeMade ||= error?.accepted === 'unknown';
		};
		const result = await sendNow(request, true, { guard: { reserve, refused }, onAttempt });
		if (result.error === undefined || !mayBeMade || !isSent) {
			return result;
		}
		return request.method === 'DELETE' && isGone(result.error)
			? { value: {} }
			: { error: result.error.with({ accepted: 'unknown' }) };
	};

	/** Sends a request that must not be sent twice. Returns the stored result if an earlier attempt sent it. */
	const sendOnce = async (
		request: ServiceRequest,
		key: RequestKey,
		before: Prepare | undefined,
	): Promise<Result<IDataObject>> => {
		const earlier = log.recall(key);
		if (earlier !== undefined) {
			progress.usedLoggedResponse = true;
			return earlier.answer ? { value: earlier.answer } : { error: outcomeUnknown(false) };
		}
		const { error: prevented } = await toResult(before?.() ?? Promise.resolve());
		if (prevented) {
			// An unknown outcome of `before` does not concern this request, which was not sent.
			return { error: prevented.accepted === 'unknown' ? prevented.with({ accepted: 'no' }) : prevented };
		}
		const reserve = () => {
			log.sending(key, { once: true });
			sentOnce = key;
			return request;
		};
		const refused = () => {
			log.refused(key);
			sentOnce = undefined;
		};
		const result = await sendNow(request, false, { guard: { reserve, refused } });
		if (result.error === undefined) {
			log.accepted(key, result.value);
		}
		return asUnknown(result, false);
	};

	return {
		progress,

		async send(original, before) {
			const rings = original.method !== 'GET' && (original.placesCall ?? placesCall);
			const asked = rings && run.connection.testCallsOnly ? asTestCall(original) : original;
			const request = rings ? withMarkedContext(asked, run.chain) : original;
			const unreachable = unreachableIn(request.body, run.connection.base);
			if (unreachable) {
				return { error: unreachable };
			}
			const mayRepeat = isRepeatable(request, repeat);
			const isRead = request.method === 'GET' || (request.repeat ?? repeat) === 'check';
			if (rings && guard !== undefined) {
				return asUnknown(await sendNow(request, false, { guard }), true);
			}
			if (itemIndex === undefined || isRead) {
				return await sendNow(request, mayRepeat);
			}
			const key = RequestLog.key(itemIndex, request);
			return mayRepeat ? await sendChange(request, key) : await sendOnce(request, key, before);
		},

		setUnknown() {
			if (sentOnce !== undefined) {
				log.markUnknown(sentOnce);
			}
		},

		async withoutTracking(read) {
			const { mayHaveActed } = progress;
			try {
				return await read();
			} finally {
				progress.mayHaveActed = mayHaveActed;
			}
		},
	};
}

/** Replaces an error that leaves the outcome unknown by OUTCOME_UNKNOWN. @param rings whether it makes a phone ring */
function asUnknown(result: Result<IDataObject>, rings: boolean): Result<IDataObject> {
	return result.error?.accepted === 'unknown' ? { error: outcomeUnknown(rings, result.error) } : result;
}

/**
 * Marks a call in its `context`, the only part of a call that the service promises to return in its events: whether it
 * is a test call, so that a workflow that such an event starts places test calls, too, and which calls led to it.
 *
 * @param request a request that places or queues a call
 */
function withMarkedContext(request: ServiceRequest, chain: Run['chain']): ServiceRequest {
	const { body } = request;
	const context = body?.context ?? {};
	// The service refuses a call whose context is not an object.
	if (!isRecord(context)) {
		return request;
	}
	const marked = withMarks(context, {
		isTest: body?.is_testing === true,
		// Make API Request sends the number as the user wrote it.
		chain:
			chain && typeof body?.to === 'string'
				? chainText(chain === 'unknown' ? [] : chain, toE164(body.to) ?? body.to)
				: undefined,
	});
	return marked === context ? request : { ...request, body: { ...body, context: marked as IDataObject } };
}
