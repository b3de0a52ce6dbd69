import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../shared/lib/isRecord';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { agentOutputs, conversationSpeed, whoSpeaksFirst } from './fields';
import { putSettings } from './putSettings';
import { ambientBackground, ambientVolume, similarity, spokenLanguage, stability, voice } from './voiceFields';

const part = {
	name: 'voice',
	required: [voice, conversationSpeed, whoSpeaksFirst],
	preserved: [spokenLanguage, ambientBackground],
	preservedIfAccepted: [similarity, stability],
	currentIn: (agent: IDataObject, { voice_id }: IDataObject) => {
		const voice = (isRecord(agent.voice) ? agent.voice : {}) as IDataObject;
		const { ambient_background, stability, similarity_boost } = voice;
		const current = isRecord(voice.template) ? (voice.template as IDataObject).id : undefined;
		// Another voice does not take over the tuning of this one.
		const tuning = [undefined, current].includes(voice_id as string) && { stability, similarity: similarity_boost };
		return { ...agent, voice_id: current, ambient_background, ...tuning };
	},
	// The agent was read just before, so 404 means that the voice does not exist.
	codes: { 404: 'VOICE_NOT_FOUND' },
} as const;

export const updateVoice = defineOperation({
	name: 'Update Voice',
	value: 'updateVoice',
	action: 'Update agent voice',
	description:
		'Change how a voice agent sounds. Other settings keep their current values, except the ambient volume: the service does not return it, so it is reset to 1 unless you set it.',
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
	outputs: agentOutputs,
	drafts: 'agent',
});
