import type { IDataObject } from 'n8n-workflow';

import { readListing, type Selection } from './pagination';
import type { SendRequest, ServiceRequest } from './request';

/**
 * Reads a listing page by page until it ends or the limit is reached.
 *
 * @param api sends the requests; `notes` gets a note if the listing may be incomplete
 * @returns at most `limit` items
 * @throws ServiceError
 */
export async function readPages(
	api: { request: SendRequest; notes: Set<string> },
	request: ServiceRequest,
	selection: Selection,
): Promise<IDataObject[]> {
	const { items, cutOff } = await readListing(api.request, request, selection);
	if (cutOff) {
		api.notes.add('The service shows only a part of this list, and no further page: there may be more.');
	}
	return items;
}
