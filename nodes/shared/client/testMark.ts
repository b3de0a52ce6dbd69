import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { withTestMark } from '../triggerSecrets/resumeToken';
import type { ServiceRequest } from './request';

/**
 * Marks the request for a test call in its `context`, the only part of a call that the service promises to return in its
 * events: a workflow that such an event starts places test calls, too.
 *
 * @param request one that places or queues a call
 */
export function markTestCall(request: ServiceRequest): ServiceRequest {
	const { method, body } = request;
	const context = body?.context ?? {};
	// The service refuses a call whose context is not an object.
	if (method === 'GET' || body?.is_testing !== true || !isRecord(context)) {
		return request;
	}
	return { ...request, body: { ...body, context: withTestMark(context) as IDataObject } };
}
