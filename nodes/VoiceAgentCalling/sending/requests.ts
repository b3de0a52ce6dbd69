import type { IDataObject } from 'n8n-workflow';

import { isGone, type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import type { Repeat, ServiceRequest } from '../../shared/service/request';
import { markTestCall } from '../../shared/service/testMark';
import type { CallBudget } from './callBudget';
import { outcomeUnknown } from './itemErrors';
import { sendAndRepeat, type Tries } from './retry';
import type { Run } from './run';
import { type RequestKey, type Sent, type SentCall, SentRequests } from './sentRequests';

/**
 * Has to succeed right before a request is sent, after all waits.
 *
 * @returns values of the body to change
 * @throws ServiceError why the request must not be sent now
 */
export interface LastCheck {
	(): IDataObject | undefined;
	/** Called if the request was not sent, or certainly not taken, although the check had passed. */
	undo?(): void;
}

/** Has to succeed before a request is sent; may return what has to succeed again right before. */
export type Before = () => Promise<LastCheck | undefined | void>;

/** How the requests of one item are sent. */
export interface RequestOptions {
	run: Run;
	/** Undefined for requests that all items share: they are not remembered for the next try. */
	itemIndex: number | undefined;
	/** Whether the operation's requests may be repeated; if undefined, the HTTP method decides. */
	repeat: Repeat | undefined;
	/** Whether the operation makes a phone ring. */
	placesCall: boolean;
	/** The call that the item asks for; undefined if it asks for none. */
	call?: SentCall;
	/** How many more calls an AI agent may place; undefined without a limit. */
	budget: CallBudget | undefined;
	/**
	 * Throws when the item must not be processed any further.
	 *
	 * @param begun whether the service acted, or may have acted, on a request of this item
	 */
	throwIfUnwanted(begun: boolean): void;
}

/** What became of the requests of one item so far. */
export interface ItemProgress {
	/** True once the service acted, or may have acted, on a request of this item. */
	mayHaveActed: boolean;
	/** True once a response was taken from an earlier try, so that nothing was sent. */
	answeredFromMemory: boolean;
	/** Whether the call of this item was, or would have been, sent as a test call; undefined if it asked for no call. */
	isTestCall: boolean | undefined;
}

/** The requests of one item. */
interface Requests {
	readonly progress: Readonly<ItemProgress>;
	/** See `Api.tryRequest`. */
	send(request: ServiceRequest, before?: Before): Promise<Result<IDataObject>>;
	/** See `Api.settle`. */
	settle(request: ServiceRequest, refusal: ServiceError): void;
	/** See `Api.setUnknown`. */
	setUnknown(): void;
	/** Runs a read that all items share: its requests do not count as requests of this item. */
	unsent<Value>(read: () => Promise<Value>): Promise<Value>;
}

/** Whether a request may be repeated according to its HTTP method: POST and PATCH may not. */
export function repeatByMethod({ method }: ServiceRequest): Repeat {
	return method === 'POST' || method === 'PATCH' ? 'never' : 'safe';
}

/** Turns a real call into a test call, for a credential that allows only test calls. */
function asTestCall(request: ServiceRequest): ServiceRequest {
	return request.method === 'GET' ? request : { ...request, body: { ...request.body, is_testing: true } };
}

/** The stored error of an earlier try. */
function settled({ httpStatus, body }: NonNullable<Sent['refusal']>): ServiceError {
	const message = 'The service rejected this request in an earlier try';
	return new ServiceError(message, { code: 'CONFLICT', advice: '', httpStatus, accepted: 'no', body });
}

/** Sends a request, with retries where they are safe. */
type Send = (request: ServiceRequest, tries?: Partial<Tries>) => Promise<Result<IDataObject>>;

/** Sends a deletion. If a retry finds that the object is gone, the first try deleted it. */
async function sendDeletion(send: Send, sent: SentRequests, key: RequestKey, request: ServiceRequest) {
	let sentBefore = sent.recall(key) !== undefined;
	const result = await send(request, {
		sending: () => {
			sent.sending(key);
			return undefined;
		},
		failed: ({ accepted }) => {
			if (accepted === 'unknown') {
				sentBefore = true;
			} else if (!sentBefore) {
				sent.refused(key);
			}
		},
	});
	return result.error && sentBefore && isGone(result.error) ? { value: {} } : result;
}

/** A request that must not be sent twice. */
interface OnceOnly {
	request: ServiceRequest;
	/** See {@link SentRequests}. */
	key: RequestKey;
	/** Whether it makes a phone ring. */
	rings: boolean;
	/** Whether it is for a test call; undefined if it is for none. */
	isTest: boolean | undefined;
	before: Before | undefined;
	budget: CallBudget | undefined;
	/** The limits of the credential, for a request that makes a phone ring. */
	limits: Run['limits'];
}

/** What became of a request that must not be sent twice. */
interface Answer {
	result: Result<IDataObject>;
	/** Whether it was sent now. */
	wasSent?: boolean;
	/** What is stored of an earlier try that sent it. */
	earlier?: Sent;
}

/** Sends a request that must not be sent twice. Returns the stored result if an earlier try sent it. */
async function sendOnce(
	send: Send,
	sent: SentRequests,
	{ request, key, rings, isTest, before, budget, limits }: OnceOnly,
): Promise<Answer> {
	const earlier = sent.recall(key);
	if (earlier !== undefined) {
		const { answer, refusal } = earlier;
		return {
			result: answer ? { value: answer } : { error: refusal ? settled(refusal) : outcomeUnknown(rings) },
			earlier,
		};
	}
	const { value: lastCheck, error: prevented } = await toResult(before?.() ?? Promise.resolve());
	if (prevented) {
		// An unknown outcome of `before` is not one of this request, which was not sent.
		return { result: { error: prevented.accepted === 'unknown' ? prevented.with({ accepted: 'no' }) : prevented } };
	}
	const taken = budget?.take();
	if (taken?.error) {
		return { result: { error: taken.error } };
	}
	let wasSent = false;
	let changes: IDataObject | undefined;
	let takeBack: (() => void) | undefined;
	const result = await send(request, {
		safe: false,
		// Called in the moment in which the request may be sent, after waits for the rate limit. So the changes that the
		// check returns are those of that moment; `sending` is called next.
		throwIfUnwanted: () => {
			changes = lastCheck?.();
			// Another node of the execution may have reached a limit in the meantime.
			const reached = limits?.reached(isTest === true);
			if (reached) {
				throw reached;
			}
		},
		sending: () => {
			sent.sending(key, { once: true, isTest });
			takeBack = limits?.count(isTest === true);
			wasSent = true;
			return changes && { ...request, body: { ...request.body, ...changes } };
		},
		failed: ({ accepted }) => {
			if (accepted === 'no') {
				sent.refused(key);
				takeBack?.();
			}
		},
	});
	const { value: body, error } = result;
	if (error === undefined) {
		sent.accepted(key, body);
	} else if (error.accepted === 'unknown') {
		return { result: { error: outcomeUnknown(rings, error) }, wasSent };
	} else {
		taken?.giveBack();
		lastCheck?.undo?.();
	}
	return { result, wasSent };
}

/** Sends the requests of one item and stores those that must not be sent twice. */
export function createRequests(options: RequestOptions): Requests {
	const { run, itemIndex, repeat, placesCall, call, budget, throwIfUnwanted } = options;
	const { sent } = run;
	const progress: ItemProgress = { mayHaveActed: false, answeredFromMemory: false, isTestCall: undefined };
	/** The key of the last request that was sent and must not be sent twice. */
	let sentOnce: RequestKey | undefined;

	/** Whether a request makes a phone ring. */
	const ringsWith = (request: ServiceRequest) => request.placesCall ?? placesCall;

	const keyOf = (item: number, request: ServiceRequest) =>
		call && ringsWith(request) && request.method !== 'GET'
			? SentRequests.keyOfCall(item, call)
			: SentRequests.key(item, request);

	const send: Send = async (request, tries = {}) => {
		const result = await sendAndRepeat(run, request, {
			safe: tries.safe ?? true,
			throwIfUnwanted: () => {
				throwIfUnwanted(progress.mayHaveActed);
				tries.throwIfUnwanted?.();
			},
			sending: () => tries.sending?.(),
			failed: (error) => {
				progress.mayHaveActed ||= error.accepted === 'unknown';
				tries.failed?.(error);
			},
		});
		progress.mayHaveActed ||= result.error === undefined;
		return result;
	};

	return {
		progress,

		async send(original, before) {
			const rings = ringsWith(original);
			const asked = rings && run.connection.testCallsOnly ? asTestCall(original) : original;
			const request = rings ? markTestCall(asked) : original;
			if (rings && request.method !== 'GET') {
				progress.isTestCall = request.body?.is_testing === true;
			}
			const safe = (request.repeat ?? repeat ?? repeatByMethod(request)) !== 'never';
			if (itemIndex === undefined) {
				return await send(request, { safe });
			}
			const key = keyOf(itemIndex, request);
			if (safe) {
				return await (request.method === 'DELETE' ? sendDeletion(send, sent, key, request) : send(request));
			}
			const limits = rings ? run.limits : undefined;
			const once = { request, key, rings, isTest: progress.isTestCall, before, budget, limits };
			const { result, wasSent, earlier } = await sendOnce(send, sent, once);
			if (earlier) {
				progress.answeredFromMemory = true;
				progress.isTestCall = earlier.isTest;
			}
			sentOnce = wasSent ? key : sentOnce;
			return result;
		},

		settle(request, { httpStatus, body }) {
			if (itemIndex !== undefined && httpStatus !== undefined && isRecord(body)) {
				sent.refusedFinally(keyOf(itemIndex, request), httpStatus, body);
			}
		},

		setUnknown() {
			if (sentOnce !== undefined) {
				sent.setUnknown(sentOnce);
			}
		},

		async unsent(read) {
			const { mayHaveActed } = progress;
			try {
				return await read();
			} finally {
				progress.mayHaveActed = mayHaveActed;
			}
		},
	};
}
