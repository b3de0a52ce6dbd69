import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { messageWithAdvice, toResult } from '../../../shared/errors/serviceError';
import { optional } from '../../../shared/fields/field';
import { isBlank } from '../../../shared/lib/json';
import { asHtml } from '../../../shared/lib/text';
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
 * exists, and a retry would create a second one. So the output and a hint have the reason instead of an error.
 */
async function giveVoice(api: Api, agent: IDataObject, body: IDataObject): Promise<IDataObject> {
	const path = ['agents', String(agent.id), 'voice'];
	// The agent was just created, so 404 means that the voice does not exist.
	const request = api.request({ method: 'PUT', path, body, codes: { 404: 'VOICE_NOT_FOUND' } });
	const { value: response, error } = await toResult(request);
	if (error === undefined) {
		return { ...agent, ...Object(response.data), voiceSet: true };
	}
	const [voiceSet, what] =
		error.accepted === 'no' ? [false, 'could not be set'] : [null, 'may not be set, as the answer was lost'];
	api.note(asHtml(`The voice of agent "${String(agent.name)}" ${what}: ${messageWithAdvice(error)}`));
	return { ...agent, voiceSet, voiceCode: error.code, voiceMessage: error.message };
}

/** Returns the hint about a new agent, with the names of the fields that it needs before it can be published. */
function draftHint(isSet: Readonly<Record<string, boolean>>): string {
	const missing = Object.keys(isSet).filter((name) => !isSet[name]);
	const first = missing.length > 0 ? ` Set these first with Agent → Update: ${missing.join(', ')}.` : '';
	return `The agent is a draft: it cannot call before Agent → Publish.${first}`;
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
		const { conversation_speed, who_speaks_first, language, description } = body as IDataObject;
		const voiceSettings = { voice_id, conversation_speed, who_speaks_first, language };
		const created = voice_id === undefined ? agent : await giveVoice(api, agent, voiceSettings);
		api.note(
			draftHint({
				Prompt: !isBlank(description),
				Voice: created.voiceSet === true,
				'Phone Numbers': phone_number_ids.length > 0,
			}),
		);
		return created;
	},
	outputs: createdAgentOutputs,
});
