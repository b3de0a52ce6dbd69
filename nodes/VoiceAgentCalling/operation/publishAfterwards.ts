import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { objectIn } from '../../shared/client/refusals';
import type { ServiceRequest } from '../../shared/client/request';
import { isPublished } from '../../shared/client/statuses';
import { messageWithAdvice, toResult } from '../../shared/errors/serviceError';
import { isBlank, isRecord } from '../../shared/lib/json';
import { asHtml } from '../../shared/lib/text';
import type { Operation } from './operation';

/** Makes the request that publishes an agent. Publishing is idempotent, so it may be repeated. */
export function publishRequest(agentId: string): ServiceRequest {
	return {
		method: 'POST',
		path: ['agents', agentId, 'publish'],
		codes: { 404: 'AGENT_NOT_FOUND', 422: 'AGENT_INCOMPLETE' },
		repeat: 'safe',
	};
}

/** Marks that the agent of an item was published before the item's first request; see {@link Api.mark}. */
const publishedBefore = (agentId: string) => `was published: ${agentId}`;

/**
 * Whether an agent is published, or was before this item changed it in an earlier attempt.
 *
 * @param agent as the service returns it
 */
export function wasPublished(api: Api, agentId: string, { current_status: status }: IDataObject): boolean {
	if (isPublished(status)) {
		api.mark(publishedBefore(agentId));
	}
	return api.isMarked(publishedBefore(agentId));
}

/** Replaces the advice to repeat the edit: the next run would take the agent for a draft that stays one. */
const MAY_BE_DRAFT =
	"The agent may be changed, and a draft then: its calls fail. Run this again with 'Publish Afterwards' set to Always.";

/**
 * Adds Publish Afterwards to the operation that edits the agent `agentId`. If publishing fails, the edit stays, and
 * the output and a hint contain the reason. `published` is null if its answer was lost.
 *
 * @param isAgent whether the output of `edit` is the agent; it then includes the fields returned after publishing
 */
export function thenPublish(edit: Operation['run'], isAgent: boolean): Operation['run'] {
	return async (api, input, local) => {
		const agentId = String(input.agentId);
		const { publishes, name } = await beforeEdit(api, agentId, local.publishAfterwards);
		const { value, error: notEdited } = await toResult(edit(api, input, local));
		if (notEdited !== undefined) {
			// An error with a report says what became of the agent.
			throw publishes && notEdited.report === undefined && api.mayHaveChanged
				? notEdited.with({ itemAdvice: MAY_BE_DRAFT })
				: notEdited;
		}
		const edited = value as IDataObject;
		if (isAgent && isPublished(edited.current_status)) {
			// The edit did not change anything, so the agent did not become a draft.
			return { ...edited, published: true };
		}
		const known = isAgent ? edited.name : name;
		const agent = isBlank(known) ? agentId : `"${String(known)}"`;
		if (!publishes) {
			api.note(asHtml(`Agent ${agent} is a draft: its calls fail until it is published.`));
			return edited;
		}
		const { value: body, error } = await toResult(api.request(publishRequest(agentId)));
		if (error) {
			const publishMessage = messageWithAdvice(error);
			const failure = { publishCode: error.code, publishMessage };
			if (error.accepted === 'unknown') {
				api.note(asHtml(`Agent ${agent} was changed. It is unknown whether it was published: ${publishMessage}`));
				return { ...edited, ...(isAgent && { current_status: null }), published: null, ...failure };
			}
			api.note(asHtml(`Agent ${agent} was changed, but publishing it failed: ${publishMessage}`));
			return { ...edited, published: false, ...failure };
		}
		return { ...edited, ...(isAgent && isRecord(body.data) && body.data), published: true };
	};
}

/**
 * Returns whether to publish an agent after the next edit, and its name if it was read. An earlier item or attempt may
 * have made it a draft.
 */
async function beforeEdit(api: Api, agentId: string, chosen: unknown): Promise<{ publishes: boolean; name?: unknown }> {
	if (chosen !== 'ifPublished' || api.isMarked(publishedBefore(agentId))) {
		return { publishes: chosen !== 'never' };
	}
	const before = await api.remember(`status of agent ${agentId}`, async () => {
		const body = await api.request({
			method: 'GET',
			path: ['agents', agentId],
			codes: { 404: 'AGENT_NOT_FOUND' },
		});
		return objectIn(body, 'the agent', agentId);
	});
	return { publishes: wasPublished(api, agentId, before), name: before.name };
}
