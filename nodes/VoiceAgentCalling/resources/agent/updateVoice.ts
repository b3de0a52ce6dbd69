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
	kept: [spokenLanguage, ambientBackground],
	presentIn: (agent: IDataObject) => {
		const present = isRecord(agent.voice) ? agent.voice : {};
		const { template, ambient_background } = present as IDataObject;
		return { ...agent, voice_id: isRecord(template) ? (template as IDataObject).id : undefined, ambient_background };
	},
	// The agent has just been read: it is the voice that is not there.
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
