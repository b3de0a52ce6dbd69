import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { attempt, isGone, isRecord, ServiceError } from '../../shared/errors/serviceError';
import type { Reply } from '../../shared/nodeLink/messages';
import { PAGE_SIZE, readPage } from '../../shared/service/pagination';
import type { Repeat, ServiceRequest } from '../../shared/service/request';
import { download } from '../../shared/service/transport';
import { NOT_TRIED } from '../execution/stops';
import type { CallBudget } from './callBudget';
import { outcomeUnknown } from './itemErrors';
import { sendAndRepeat, type Tries } from './retry';
import type { Run } from './run';
import { type Sent, SentRequests } from './sentRequests';

/** What an operation calls the service with: for one item, remembering what was sent. */
export interface Api {
	/**
	 * Sends one request and gives its body.
	 *
	 * @param before what has to go well first; left out for what was sent in an earlier try
	 * @throws ServiceError
	 */
	request(request: ServiceRequest, before?: () => Promise<void>): Promise<IDataObject>;

	/** Keeps a refusal that counts as a result: a further try gets it again, and sends nothing. */
	settle(request: ServiceRequest, refusal: ServiceError): void;

	/**
	 * Reads a listing page by page until it ends or the limit is reached.
	 *
	 * @param items where the items are in a page's body
	 * @param limit how many items at most
	 * @param keep which items count, where the service has no filter for them
	 * @param isLast whether no page after this one has anything that counts
	 */
	pages(
		request: ServiceRequest,
		items: (body: IDataObject) => unknown,
		limit: number,
		keep?: (item: IDataObject) => boolean,
		isLast?: (page: readonly IDataObject[]) => boolean,
	): Promise<IDataObject[]>;

	/**
	 * Fetches a file from an address that the service gave, without the token.
	 *
	 * @throws ServiceError
	 */
	download(address: string, fileName: string): Promise<IBinaryData>;

	/**
	 * Reads what is the same for all items of the run, once.
	 *
	 * @param name what it is; unique in the operation
	 */
	remember<Value>(name: string, read: () => Promise<Value>): Promise<Value>;

	/**
	 * Sends a message to a trigger of this package, at the address to which its events are delivered. It
	 * waits for no turn, since the service has nothing to do with it. Only for addresses on this n8n ({@link Api.isOwnAddress}): it makes whatever workflow is there start.
	 *
	 * @param message such as `{command: 'check'}`
	 * @returns what came back, `proven` where a published trigger with the same credential has answered; n8n itself
	 * answers 404 where there is none. Undefined: no answer came
	 */
	message(url: string, message: IDataObject): Promise<Reply | undefined>;

	/** Tells whether an address is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/**
	 * What the node keeps from one execution to the next. n8n stores it after executions of a published workflow, not
	 * after those that somebody started by hand.
	 */
	readonly kept: IDataObject;

	/** True once an answer came from the memory of an earlier try, so that nothing was sent. */
	readonly answeredFromMemory: boolean;
}

interface ApiOptions {
	run: Run;
	itemIndex: number;
	/** For the operation's requests; absent: by the HTTP method. */
	repeat: Repeat | undefined;
	/** True where the operation makes a phone ring. */
	spends: boolean;
	/** How many calls may still be placed; absent: any number. */
	budget: CallBudget | undefined;
	/**
	 * Throws when the item is not to be worked on any more.
	 *
	 * @param begun whether the service has taken a request of this item, or may have
	 */
	assertWanted(begun: boolean): void;
}

/** What may be sent again by its HTTP method: everything but POST and PATCH. */
function repeatByMethod({ method }: ServiceRequest): Repeat {
	return method === 'POST' || method === 'PATCH' ? 'never' : 'safe';
}

/** The request with a test call in the place of a real one, for a credential that allows no other. */
function asTestCall(request: ServiceRequest): ServiceRequest {
	return request.method === 'GET' ? request : { ...request, body: { ...request.body, is_testing: true } };
}

export function createApi(options: ApiOptions): Api {
	const { run, itemIndex } = options;
	const { caller, connection, sent } = run;
	let answeredFromMemory = false;
	let begun = false;

	/** Sends a request, again where that is certain to do no harm. */
	async function deliver(wanted: ServiceRequest, tries: Partial<Tries>): Promise<IDataObject> {
		const body = await sendAndRepeat(run, wanted, {
			safe: tries.safe ?? true,
			assertWanted: () => options.assertWanted(begun),
			sending: () => tries.sending?.(),
			failed: (error) => {
				begun ||= error.taken === 'unknown';
				tries.failed?.(error);
			},
		});
		begun = true;
		return body;
	}

	/** Deletes; on a second try what is not there any more is what the first try deleted. */
	async function remove(wanted: ServiceRequest): Promise<IDataObject> {
		const key = SentRequests.key(itemIndex, wanted);
		let sentBefore = sent.recall(key) !== undefined;
		const failed = (error: ServiceError) => {
			if (error.taken === 'unknown') {
				sentBefore = true;
			} else if (!sentBefore) {
				sent.refused(key);
			}
		};
		const { value: body, error } = await attempt(deliver(wanted, { sending: () => sent.sending(key), failed }));
		if (error === undefined) {
			return body;
		}
		if (sentBefore && isGone(error)) {
			return {};
		}
		throw error;
	}

	async function request(asked: ServiceRequest, before?: () => Promise<void>): Promise<IDataObject> {
		const spends = asked.spends ?? options.spends;
		const wanted = spends && connection.sandboxOnly ? asTestCall(asked) : asked;
		if ((wanted.repeat ?? options.repeat ?? repeatByMethod(wanted)) === 'safe') {
			return await (wanted.method === 'DELETE' ? remove(wanted) : deliver(wanted, {}));
		}
		const key = SentRequests.key(itemIndex, wanted);
		const earlier = sent.recall(key);
		if (earlier !== undefined) {
			const { answer, refusal } = earlier;
			answeredFromMemory = true;
			if (answer) {
				return answer;
			}
			throw refusal ? settled(refusal) : outcomeUnknown(spends);
		}
		await nothingTaken(before?.());
		options.budget?.take();
		const { value: body, error } = await attempt(
			deliver(wanted, {
				safe: false,
				sending: () => sent.sending(key),
				failed: ({ taken }) => {
					if (taken === 'no') {
						sent.refused(key);
					}
				},
			}),
		);
		if (error === undefined) {
			sent.taken(key, body);
			return body;
		}
		if (error.taken === 'unknown') {
			throw outcomeUnknown(spends, error);
		}
		options.budget?.giveBack();
		throw error;
	}

	return {
		request,

		settle(wanted, { httpStatus, body }) {
			const key = SentRequests.key(itemIndex, wanted);
			if (httpStatus !== undefined && isRecord(body)) {
				sent.refusedForGood(key, httpStatus, body);
			}
		},

		async pages(wanted, items, limit, keep, isLast) {
			const found: IDataObject[] = [];
			// Of what is filtered here, a small page may hold nothing that counts.
			const perPage = keep ? PAGE_SIZE : Math.min(PAGE_SIZE, limit);
			let page: number | undefined = 1;
			while (page !== undefined && found.length < limit) {
				const query: IDataObject = { ...wanted.query, page, per_page: perPage };
				const read = readPage(await request({ ...wanted, query }), items, page);
				found.push(...(keep ? read.items.filter(keep) : read.items));
				if (read.cutOff && limit > PAGE_SIZE) {
					run.notes.add(`The service lists ${PAGE_SIZE} of these at most and has no further pages: there may be more.`);
				}
				page = isLast?.(read.items) ? undefined : read.next;
			}
			return found.slice(0, limit);
		},

		async download(address, fileName) {
			const { data, mimeType } = await download(caller, address, run.timeoutSeconds);
			return await caller.helpers.prepareBinaryData(data, fileName, mimeType);
		},

		async remember<Value>(name: string, read: () => Promise<Value>) {
			const earlier = run.remembered.get(name) as Promise<Value> | undefined;
			if (earlier !== undefined) {
				const { value, error } = await attempt(earlier);
				if (error === undefined) {
					return value as Value;
				}
				// An item that was stopped while it read this for all says nothing about the others.
				if (error.code !== NOT_TRIED) {
					throw error;
				}
			}
			const ownBegun = begun;
			const reading = read();
			run.remembered.set(name, reading);
			const { value, error } = await attempt(reading);
			// Whoever reads it first, it is read for all. What could not be read is read again by the next item.
			begun = ownBegun;
			if (error === undefined) {
				return value as Value;
			}
			if (run.remembered.get(name) === reading) {
				run.remembered.delete(name);
			}
			throw error;
		},

		async message(url, message) {
			const { askTrigger } = await import('../../shared/nodeLink/askTrigger.js');
			return await askTrigger(caller, url, message);
		},

		async isOwnAddress(url) {
			const { isOwnAddress } = await import('../../shared/nodeLink/ownAddress.js');
			return isOwnAddress(caller, url);
		},

		get kept() {
			return caller.getWorkflowStaticData('node');
		},

		get answeredFromMemory() {
			return answeredFromMemory;
		},
	};
}

/** Waits for what comes before a request: if it goes wrong, the request was not sent, whatever became of it. */
async function nothingTaken(work: Promise<void> | undefined): Promise<void> {
	const { error } = await attempt(work ?? Promise.resolve());
	if (error?.taken === 'unknown') {
		throw new ServiceError(error.message, { ...error, taken: 'no' });
	}
	if (error) {
		throw error;
	}
}

/** The refusal of an earlier try, as far as it was kept. */
function settled({ httpStatus, body }: NonNullable<Sent['refusal']>): ServiceError {
	const message = 'The service refused this in an earlier try';
	return new ServiceError(message, { code: 'CONFLICT', advice: '', httpStatus, taken: 'no', body });
}
