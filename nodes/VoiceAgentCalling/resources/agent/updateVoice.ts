import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/isRecord';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { conversationSpeed, simplifiedAgent, whoSpeaksFirst } from './fields';
import { putSettings } from './putSettings';
import { ambientBackground, ambientVolume, similarity, spokenLanguage, stability, voice } from './voiceFields';

const part = {
	name: 'voice',
	required: [voice, conversationSpeed, whoSpeaksFirst],
	preserved: [spokenLanguage, ambientBackground],
	currentIn: (agent: IDataObject) => {
		const { template, ambient_background } = (isRecord(agent.voice) ? agent.voice : {}) as IDataObject;
		return { ...agent, voice_id: isRecord(template) ? (template as IDataObject).id : undefined, ambient_background };
	},
	// The agent was read just before, so 404 means that the voice does not exist.
	codes: { 404: 'VOICE_NOT_FOUND' },
} as const;

export const updateVoice = defineOperation({
	name: 'Update Voice',
	value: 'updateVoice',
	action: 'Update the voice of an agent',
	description:
		'Change how a voice agent sounds. What you leave out is read from the agent and sent back unchanged, since the service wants it all at once; the volume, similarity and stability are not. The agent becomes a draft and must be published again before it can call.',
	fields: [agent],
	updates: [
		ambientBackground,
		ambientVolume,
		conversationSpeed,
		similarity,
		spokenLanguage,
		stability,
		voice,
		whoSpeaksFirst,
	],
	run: (api, { agentId, ...changes }) => putSettings(api, agentId, part, changes),
	simplified: simplifiedAgent,
	drafts: true,
});
