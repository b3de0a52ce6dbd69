import type { IDataObject } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import type { ServiceRequest } from '../../shared/service/request';
import type { Operation } from './operation';

/** The request that publishes an agent. Publishing is idempotent, so it may be repeated. */
export function publishRequest(agentId: string): ServiceRequest {
	return {
		method: 'POST',
		path: ['agents', agentId, 'publish'],
		codes: { 404: 'AGENT_NOT_FOUND' },
		advice: {
			422: 'Complete what is named above with Agent → Update Voice, Update Knowledge or Update Calling Settings, then run this again.',
		},
		repeat: 'safe',
	};
}

/**
 * Adds Publish Afterwards to the operation that edits the agent `agentId`. If publishing fails, the edit stays and the
 * output says why.
 *
 * @param isAgent whether the output of `edit` is the agent, whose status changes with publishing
 */
export function thenPublish(edit: Operation['run'], isAgent: boolean): Operation['run'] {
	return async (api, input, local) => {
		const edited = await edit(api, input, local);
		if (local.publishAfterwards !== true) {
			return edited;
		}
		const { error } = await toResult(api.request(publishRequest(String(input.agentId))));
		const publishing = error
			? { published: false, publishCode: error.code, publishMessage: error.message }
			: { published: true, ...(isAgent && { current_status: 'published' }) };
		return { ...(edited as IDataObject), ...publishing };
	};
}
