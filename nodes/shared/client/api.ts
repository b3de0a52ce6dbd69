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
	 * @param before must succeed before the request is sent; skipped if an earlier attempt already sent the request
	 */
	tryRequest(request: ServiceRequest, before?: Prepare): Promise<Result<IDataObject>>;

	/** Records that the outcome of this item is unknown: no later run in this execution sends its request again. */
	markUnknown(): void;

	/**
	 * Reads a listing page by page until it ends or the limit is reached. If the service does not return all items, the
	 * editor shows a note.
	 *
	 * @param items returns the items in the body of a page
	 * @param limit the maximum number of items
	 * @param keep selects items by a criterion for which the service lacks a filter
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
	 * @param keep selects items by a criterion for which the service lacks a filter
	 * @throws ServiceError also if the service does not return all items
	 */
	whole(
		request: ServiceRequest,
		items: (body: IDataObject) => unknown,
		keep?: (item: IDataObject) => boolean,
	): Promise<IDataObject[]>;

	/**
	 * Reads a value that is the same for all items of the run, once.
	 *
	 * @param name the cache key, unique in the operation
	 * @throws ServiceError the error of `read`
	 */
	remember<Value>(name: string, read: () => Promise<Value>): Promise<Value>;

	/**
	 * Sends a message to a trigger of this package, at its webhook URL. The message is not paced, because it does not go
	 * to the service. Use it only for addresses on this n8n ({@link Api.isOwnAddress}), because the message starts any
	 * workflow that listens at the address.
	 *
	 * @param message such as `{command: 'check'}`
	 * @returns the reply, or an error without one. The reply is `proven` if a published trigger with the same credential
	 * sent it. n8n itself replies with 404 if the trigger does not exist.
	 */
	message(url: string, message: IDataObject): Promise<Result<Reply>>;

	/** Whether an address is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/** Returns the URL on this n8n of the trigger that another URL names, if this n8n has that trigger. */
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

	/** Stores a fact about this item for the next attempt of the run, such as a state before the first request. */
	mark(fact: string): void;

	/** Whether this attempt or an earlier one has stored a fact about this item. */
	isMarked(fact: string): boolean;

	/** Whether the credential makes every call a test call. */
	readonly testCallsOnly: boolean;

	/** Whether the service has changed something for this item, or may have, in this attempt of the run or an earlier one. */
	readonly mayHaveChanged: boolean;

	/** The progress of this item's requests so far. */
	readonly progress: Readonly<ItemProgress>;

	/** Checks the call of this item against the rules without sending it; undefined without a valid phone number. */
	readonly rules: RulesCheck | undefined;
}

/** Checks a call against the user's rules without sending it. */
export interface RulesCheck {
	/** Returns why the call must not be sent now; undefined if it may be sent. @throws ServiceError if a read fails */
	check(): Promise<Withheld | undefined>;
	/** Checks like {@link check}, and counts an allowed call, because a limit may then exclude the next item. */
	count(): { withheld: Withheld } | { startsAt: number };
}

/** The options of the interface of one item. */
interface ApiOptions extends RequestOptions {
	rules?: RulesCheck;
}

/**
 * Creates the interface to the service for requests that all items share, until the run is canceled. They are not logged
 * for the next attempt.
 */
export function createSharedApi(run: RequestOptions['run']): Api {
	return createApi({
		run,
		itemIndex: undefined,
		repeat: 'safe',
		placesCall: false,
		throwIfUnwanted: () => run.stop.throwIfCanceled(),
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
			return await readPages({ request, notes: run.hints }, firstRequest, { items, limit, keep });
		},

		whole: async (listing, items, keep) => await readWhole(request, listing, { items, keep }),

		async remember<Value>(name: string, read: () => Promise<Value>) {
			return await requests.withoutTracking(() => run.cache.read(name, read));
		},

		async message(url, message) {
			const { messageTrigger } = await import('../triggerClient/messages.js');
			return await messageTrigger(caller, url, message);
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

		note: (text) => void run.hints.add(text),

		mark(fact) {
			if (itemIndex !== undefined) {
				log.mark(itemIndex, fact);
			}
		},

		get mayHaveChanged() {
			return itemIndex !== undefined && log.changeOf(itemIndex) !== undefined;
		},

		isMarked: (fact) => itemIndex !== undefined && log.isMarked(itemIndex, fact),

		testCallsOnly: run.connection.testCallsOnly,

		progress: requests.progress,

		rules: options.rules,
	};
}
