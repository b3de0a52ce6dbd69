import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { type Result, type ServiceError, unwrap } from '../../shared/errors/serviceError';
import type { Reply } from '../../shared/nodeLink/messages';
import type { ServiceRequest } from '../../shared/service/request';
import { download } from '../../shared/service/transport';
import { readPages } from './pages';
import { createRequests, type RequestOptions } from './requests';

/** The interface to the service that an operation gets for one item. */
export interface Api {
	/**
	 * Sends one request.
	 *
	 * @returns the body of the answer
	 * @throws ServiceError
	 */
	request(request: ServiceRequest): Promise<IDataObject>;

	/**
	 * Sends one request, and returns its error instead of throwing it.
	 *
	 * @param before what has to succeed first; skipped where an earlier try has sent the request
	 */
	tryRequest(request: ServiceRequest, before?: () => Promise<void>): Promise<Result<IDataObject>>;

	/** Remembers a refusal that counts as a result: a further try gets it again and sends nothing. */
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
	 * Downloads a file from an address that the service gave, without the token.
	 *
	 * @throws ServiceError
	 */
	download(address: string, fileName: string): Promise<IBinaryData>;

	/**
	 * Reads once what is the same for all items of the run.
	 *
	 * @param name what it is; unique in the operation
	 */
	remember<Value>(name: string, read: () => Promise<Value>): Promise<Value>;

	/**
	 * Sends a message to a trigger of this package, at the address to which its events are delivered. It is not paced,
	 * since it does not go to the service. Only for addresses on this n8n ({@link Api.isOwnAddress}): it starts whatever
	 * workflow is there.
	 *
	 * @param message such as `{command: 'check'}`
	 * @returns the reply, `proven` where a published trigger with the same credential answered; n8n itself answers 404
	 * where there is none. Undefined: no answer
	 */
	message(url: string, message: IDataObject): Promise<Reply | undefined>;

	/** Whether an address is on this n8n. */
	isOwnAddress(url: string): Promise<boolean>;

	/**
	 * The static data of the node. n8n stores it after executions of a published workflow, not after manual ones.
	 */
	readonly staticData: IDataObject;

	/** True once an answer came from the memory of an earlier try, so that nothing was sent. */
	readonly answeredFromMemory: boolean;

	/** True once the service acted on a request of this item, or may have. */
	readonly hasSent: boolean;
}

/** The interface to the service for one item. */
export function createApi(options: RequestOptions): Api {
	const { run } = options;
	const { caller } = run;
	const requests = createRequests(options);
	const request = async (wanted: ServiceRequest) => unwrap(await requests.send(wanted));
	return {
		request,
		tryRequest: requests.send,
		settle: requests.settle,

		async pages(wanted, items, limit, keep, isLast) {
			return await readPages({ request, notes: run.notes }, wanted, { items, limit, keep, isLast });
		},

		async download(address, fileName) {
			const { data, mimeType } = await download(caller, address, run.timeoutSeconds);
			return await caller.helpers.prepareBinaryData(data, fileName, mimeType);
		},

		async remember<Value>(name: string, read: () => Promise<Value>) {
			return await requests.unsent(() => run.remembered.read(name, read));
		},

		async message(url, message) {
			const { askTrigger } = await import('../../shared/nodeLink/askTrigger.js');
			return await askTrigger(caller, url, message);
		},

		async isOwnAddress(url) {
			const { isOwnAddress } = await import('../../shared/nodeLink/ownAddress.js');
			return isOwnAddress(caller, url);
		},

		get staticData() {
			return caller.getWorkflowStaticData('node');
		},

		get answeredFromMemory() {
			return requests.answeredFromMemory();
		},

		get hasSent() {
			return requests.hasSent();
		},
	};
}
