import type { IDataObject } from 'n8n-workflow';

import { objectIn } from '../../../shared/client/refusals';
import { isGone, toResult, unreadable } from '../../../shared/errors/serviceError';
import { agent } from '../../../shared/pickers/locators';
import { defaultCountry, otherNumber } from '../../fields/phoneNumbers';
import { defineOperation } from '../../operation/defineOperation';

export const getActive = defineOperation({
	name: 'Get Active',
	value: 'getActive',
	action: 'Get active call',
	description: 'Get the call that an agent has with a phone number now. Returns no item if there is none.',
	fields: [agent, otherNumber],
	options: [defaultCountry],
	async run(api, { agentId, phone }) {
		const path = ['agents', agentId];
		const { value: response, error } = await toResult(
			api.request({ method: 'GET', path: [...path, 'active-call', phone] }),
		);
		if (error === undefined) {
			const { data } = response;
			if (!Array.isArray(data)) {
				throw unreadable('without a list');
			}
			if (data.length > 0) {
				return data as IDataObject[];
			}
		} else if (!isGone(error)) {
			throw error;
		}
		// Either the call or the agent does not exist. A missing call is a valid result, so check that the agent exists.
		const body = await api.request({ method: 'GET', path, codes: { 404: 'AGENT_NOT_FOUND' } });
		objectIn(body, 'the agent', agentId);
		return [];
	},
});
