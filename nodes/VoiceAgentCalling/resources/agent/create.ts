import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { toResult } from '../../../shared/errors/serviceError';
import { optional } from '../../../shared/fields/field';
import { creationDefaults } from '../../agents/document/agentFields';
import { defineOperation } from '../../operation/defineOperation';
import { createdObject } from '../../operation/responses';
import {
	agentName,
	behavior,
	createdAgentOutputs,
	firstMessage,
	phoneNumbers,
	prompt,
	spokenLanguage,
	voice,
} from './fields';

/**
 * Gives a new agent its voice, which the service does not accept with the other settings. If this fails, the agent already
 * exists, and a retry would create a second one. So the output has the reason instead of an error.
 */
async function giveVoice(api: Api, agent: IDataObject, body: IDataObject): Promise<IDataObject> {
	const path = ['agents', String(agent.id), 'voice'];
	// The agent was just created, so 404 means that the voice does not exist.
	const request = api.request({ method: 'PUT', path, body, codes: { 404: 'VOICE_NOT_FOUND' } });
	const { value: response, error } = await toResult(request);
	return error === undefined
		? { ...agent, ...Object(response.data), voiceSet: true }
		: { ...agent, voiceSet: false, voiceCode: error.code, voiceMessage: error.message };
}

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create agent',
	description: 'Create a voice agent as a draft. To call, it needs a prompt, a voice, phone numbers and Publish.',
	fields: [
		agentName,
		optional(firstMessage),
		optional(prompt),
		spokenLanguage,
		optional(voice),
		optional(phoneNumbers()),
	],
	options: behavior,
	optionsTitle: 'Behavior',
	async run(api, { voice_id, phone_number_ids = [], ...input }) {
		const body = {
			label: input.name,
			...creationDefaults(),
			...input,
			...(phone_number_ids.length > 0 && { phone_number_ids }),
		};
		const response = await api.request({ method: 'POST', path: ['agents'], body });
		const agent = createdObject(response, 'agent');
		const lacksNumber = phone_number_ids.length === 0 ? ' and has no phone number' : '';
		api.note(`The agent is a draft${lacksNumber}: it cannot call before Agent → Publish.`);
		if (voice_id === undefined) {
			return agent;
		}
		const { conversation_speed, who_speaks_first, language } = body as IDataObject;
		return await giveVoice(api, agent, { voice_id, conversation_speed, who_speaks_first, language });
	},
	outputs: createdAgentOutputs,
});
