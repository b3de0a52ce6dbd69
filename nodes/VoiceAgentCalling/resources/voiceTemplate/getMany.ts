import { choice } from '../../../shared/fields/field';
import { idsLast } from '../../../shared/outputJson';
import { voicesIn } from '../../../shared/pickers/listings';
import { returnAll } from '../../fields/common';
import { language } from '../../fields/language';
import { defineOperation } from '../../operation/defineOperation';

const oneItemFor = choice('oneItemFor', {
	displayName: 'One Item for Each',
	name: 'oneItemFor',
	options: [
		{ name: 'Group', value: 'group', description: 'One item for each voice, with the list of its qualities' },
		{
			name: 'Voice',
			value: 'voice',
			description: 'One item for each quality of a voice, with the ID to set for an agent',
		},
	],
	default: 'voice',
	description: 'What to return as one item. The limit counts items.',
});

const gender = choice('gender', {
	displayName: 'Gender',
	name: 'gender',
	options: [
		{ name: 'Female', value: 'female' },
		{ name: 'Male', value: 'male' },
	],
	default: 'female',
	description: 'Only return voices of this gender',
});

const qualityTier = choice('quality_tier', {
	displayName: 'Quality Tier',
	name: 'qualityTier',
	options: [
		{ name: 'Basic', value: 'basic' },
		{ name: 'Beta', value: 'beta' },
		{ name: 'Pro', value: 'pro' },
		{ name: 'Ultra', value: 'ultra' },
	],
	default: 'pro',
	description: 'Only return voices of this quality',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many voice templates',
	description: 'List many voices for agents, with their languages and costs per minute in US dollars',
	fields: [returnAll],
	filters: [gender, language('Only return voices for this language'), qualityTier],
	options: [oneItemFor],
	async run(api, { oneItemFor, gender, language, quality_tier }, { limit }) {
		const listed = await api.pages(
			{ method: 'GET', path: ['voice-templates'], query: { gender, language, quality_tier } },
			oneItemFor === 'group' ? ({ data }) => data : voicesIn,
			limit,
		);
		return listed.map(idsLast);
	},
});
