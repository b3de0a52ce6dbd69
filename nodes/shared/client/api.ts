import type { IDataObject } from 'n8n-workflow';

import { type Result, unwrap } from '../errors/serviceError';
import type { Withheld } from '../errors/withheld';
import type { Keys } from '../keys';
import type { Reply } from '../triggerClient/messages';
import { readPages, readWhole } from './pagination';
import type { ServiceRequest } from './request';
import { createRequests, type ItemProgress, type Prepare, type RequestOptions } from './requests';

/** The interface to the service for one item; operations use it for all requests. */
export interface Api {
	/**
	 * Sends one request.
	 *
	 * @returns the body of the response
	 * @throws ServiceError where the request fails or its outcome is unknown
	 */
	request(request: ServiceRequest): Promise<IDataObject>;

	/**
	 * Sends one request, and returns its error instead of throwing it.
	 *
	 * @param before has to succeed before the request is sent; skipped if an earlier attempt sent the request
	 */
	tryRequest(request: ServiceRequest, before?: Prepare): Promise<Result<IDataObject>>;

	/** To be called where the outcome of this item is unknown: no later run in this execution sends its request again. */
	markUnknown(): void;

	/**
	 * Reads a listing page by page until it ends or the limit is reached. If the service does not show all, the editor
	 * shows a note.
	 *
	 * @param items returns the items in the body of a page
	 * @param limit the maximum number of items
	 * @param keep selects items, where the service has no filter for them
	 * @throws ServiceError
	 */
	pages(
		request: ServiceRequest,
		items: (body: IDataObject) => unknown,
		limit: number,
		keep?: (item: IDataObject) => boolean,
	): Promise<IDataObject[]>;

	/**
	 * Reads a listing on which a decision depends, such as whether something exists.
	 *
	 * @param items returns the items in the body of a page
	 * @param keep selects items, where the service has no filter for them
	 * @throws ServiceError also where the service does not show all
	 */
	whole(
		request: ServiceRequest,
		items: (body: IDataObject) => unknown,
		keep?: (item: IDataObject) => boolean,
	): Promise<IDataObject[]>;

	/**
	 * Reads something that is the same for all items of the run, once.
	 *
	 * @param name the cache key, unique in the operation
	 * @throws ServiceError what `read` throws
	 */
	remember<Value>(name: string, read: () => Promise<Value>): Promise<Value>;

	/**
	 * Sends a message to a trigger of this package, at its webhook URL. The message is not paced, because it does not go
	 * to the service. Use it only for addresses on this n8n ({@link Api.isOwnAddress}): any workflow there starts.
	 *
	 * @param message such as `{command: 'check'}`
	 * @returns the reply; `proven` if a published trigger with the same credential replied. n8n replies with 404 if there
	 * is no trigger. An error without a reply
	 */
	message(url: string, message: IDataObject): Promise<Result<Reply>>;

	/** Whether an address is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** The URL that the trigger of another URL has on this n8n, if this n8n has it. */
	addressHere(url: string): Promise<string>;

	/** The keys of all nodes with the same credential. */
	keys(): Promise<Keys>;

	/** Whether an address resumes an execution of this n8n. */
	resumesHere(url: string): Promise<boolean>;

	/**
	 * The static data of the node. n8n saves it after executions of a published workflow, not after manual executions.
	 */
	readonly staticData: IDataObject;

	/** Adds a text to what the editor shows above the output; the same text appears once. */
	note(text: string): void;

	/** Stores a fact about this item for the next attempt of the run, such as what was so before its first request. */
	mark(fact: string): void;

	/** Whether this attempt or an earlier one has stored a fact about this item. */
	isMarked(fact: string): boolean;

	/** Whether the credential makes every call a test call. */
	readonly testCallsOnly: boolean;

	/** What became of the requests of this item so far. */
	readonly progress: Readonly<ItemProgress>;

	/** What the rules say about the call of this item, for a check; undefined if the item has no valid number. */
	readonly rules: RulesCheck | undefined;
}

/** Asks the rules about a call that is only checked. */
export interface RulesCheck {
	/** Why the call must not be sent now; undefined if it may be. @throws ServiceError if that cannot be read */
	check(): Promise<Withheld | undefined>;
	/** As {@link check}, and counts the call if it may be sent: with it, the next item may be one too many. */
	count(): { withheld: Withheld } | { startsAt: number };
}

/** The options of the interface of one item. */
interface ApiOptions extends RequestOptions {
	rules?: RulesCheck;
}

/**
 * Creates the interface to the service for requests that all items share. None of them is remembered for the next attempt.
 *
 * @param throwIfUnwanted throws when the requests are no longer needed
 */
export function createSharedApi(run: RequestOptions['run'], throwIfUnwanted: () => void): Api {
	return createApi({
		run,
		itemIndex: undefined,
		repeat: 'safe',
		placesCall: false,
		throwIfUnwanted,
	});
}

/** Creates the interface to the service for one item. */
export function createApi(options: ApiOptions): Api {
	const { run, itemIndex } = options;
	const { caller, log } = run;
	const requests = createRequests(options);
	const request = async (wanted: ServiceRequest) => unwrap(await requests.send(wanted));
	return {
		request,
		tryRequest: requests.send,
		markUnknown: requests.setUnknown,

		async pages(firstRequest, items, limit, keep) {
			return await readPages({ request, notes: run.notes }, firstRequest, { items, limit, keep });
		},

		whole: async (listing, items, keep) => await readWhole(request, listing, { items, keep }),

		async remember<Value>(name: string, read: () => Promise<Value>) {
			return await requests.withoutTracking(() => run.cache.read(name, read));
		},

		async message(url, message) {
			const { askTrigger } = await import('../triggerClient/askTrigger.js');
			return await askTrigger(caller, url, message);
		},

		async isOwnAddress(url) {
			const { isOwnAddress } = await import('../triggerClient/ownAddress.js');
			return isOwnAddress(caller, url);
		},

		async addressHere(url) {
			const { addressHere } = await import('../triggerClient/ownAddress.js');
			return addressHere(caller, url);
		},

		async keys() {
			const { loadKeys } = await import('../keys.js');
			return await loadKeys(caller);
		},

		async resumesHere(url) {
			const { resumesHere } = await import('../triggerClient/ownAddress.js');
			return resumesHere(caller, url);
		},

		get staticData() {
			return caller.getWorkflowStaticData('node');
		},

		note: (text) => void run.notes.add(text),

		mark(fact) {
			if (itemIndex !== undefined) {
				log.mark(itemIndex, fact);
			}
		},

		isMarked: (fact) => itemIndex !== undefined && log.isMarked(itemIndex, fact),

		testCallsOnly: run.connection.testCallsOnly,

		progress: requests.progress,

		rules: options.rules,
	};
}
