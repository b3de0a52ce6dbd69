import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../shared/client/request';
import { serviceError } from '../../../shared/errors/serviceError';
import { choice, onlyFor } from '../../../shared/fields/field';
import { json, toggle } from '../../../shared/fields/kinds';
import { isRecord } from '../../../shared/lib/json';
import { withoutResumeTokens } from '../../../shared/triggerSecrets/resumeToken';
import { addedKeyValues } from '../../fields/keyValues';
import { defineOperation } from '../../operation/defineOperation';
import { acceptedCall } from '../../operation/responses';
import { callIn, path, placesCall } from './path';

const method = choice('method', {
	displayName: 'Method',
	name: 'method',
	options: [
		{ name: 'DELETE', value: 'DELETE' },
		{ name: 'GET', value: 'GET' },
		{ name: 'PATCH', value: 'PATCH' },
		{ name: 'POST', value: 'POST' },
		{ name: 'PUT', value: 'PUT' },
	],
	default: 'GET',
	required: true,
	description: 'The HTTP method of the request',
});

const query = addedKeyValues('query', {
	displayName: 'Query',
	name: 'query',
	description: 'Query parameters, such as filters',
});

const body = json('body', {
	displayName: 'Body',
	name: 'body',
	description: 'JSON object to send. An empty object is not sent.',
});

const returnAllPages = toggle('returnAllPages', {
	displayName: 'Return All Pages',
	name: 'returnAllPages',
	description:
		'Whether to read all pages of a list and return one item for each entry, instead of one item with the response',
});

/** The error codes for refusals of a request that the user wrote. */
const codes = { 404: 'PATH_NOT_FOUND', 422: 'BODY_OR_QUERY_INVALID' } as const;

/** Returns the entries of a list, each as the JSON of an item. @throws ServiceError `NO_LIST` without a list */
function entriesIn({ data }: IDataObject): IDataObject[] {
	if (Array.isArray(data)) {
		return data.map((entry) => (isRecord(entry) ? (entry as IDataObject) : { value: entry as string }));
	}
	throw serviceError('NO_LIST');
}

export const makeApiRequest = defineOperation({
	name: 'Make API Request',
	value: 'makeApiRequest',
	action: 'Make API request',
	toolDescription:
		'Send a request to any path of the Voice Agent Calling API. A request that places a call makes a real phone ring, and the call costs money.',
	description: 'Send any request to the service. One that places a call makes a real phone ring.',
	sending: true,
	fields: [method, path],
	options: [onlyFor('method', ['PATCH', 'POST', 'PUT'], body), query, onlyFor('method', ['GET'], returnAllPages)],
	callIn: ({ method, path, body = {} }) => callIn(method, path, body),
	async run(api, { method, path, query, body = {}, returnAllPages }) {
		const call = callIn(method, path, body);
		const request: ServiceRequest = {
			method,
			path,
			query: query as IDataObject,
			codes,
			// A context that was copied from an event must not pass its resume token to another call.
			body: Object.keys(body).length > 0 ? withoutResumeTokens(body as IDataObject) : undefined,
			...(placesCall(method, path) && { placesCall: true, repeat: 'never' }),
			// A failure response is a valid output, except where a call or a list is expected.
			readsFailure: call === undefined && !returnAllPages,
		};
		if (returnAllPages) {
			return await api.pages(request, entriesIn, Number.POSITIVE_INFINITY);
		}
		const response = await api.request(request);
		return call === undefined ? response : acceptedCall(response, call.callerIdField, call.to, response);
	},
	forTools: false,
});
