import { decimal, text } from '../../../shared/fields/kinds';
import { locator } from '../../../shared/pickers/locators';
import { language } from '../../fields/language';

export const voice = locator(
	'voice_id',
	{
		displayName: 'Voice',
		name: 'voice',
		description: 'Voice of the agent',
		list: 'searchVoiceTemplates',
	},
	{ optional: true },
);

export const spokenLanguage = language('Language that the agent speaks');

export const ambientBackground = text('ambient_background', {
	displayName: 'Ambient Background',
	name: 'ambientBackground',
	placeholder: 'e.g. office',
	description: 'Background sound, such as office, cafe or quiet',
});

export const ambientVolume = decimal(
	'ambient_volume',
	{
		displayName: 'Ambient Volume',
		name: 'ambientVolume',
		default: 1,
		description:
			'Volume of the background, 0 to 2. The service does not return it: if you leave it out, it is reset to 1.',
	},
	{ min: 0, max: 2 },
);

const fidelity = 'only for high-fidelity voice templates, 0.5 to 1';

export const similarity = decimal(
	'similarity',
	{
		displayName: 'Similarity',
		name: 'similarity',
		default: 0.75,
		description: `How close the voice is to its original: ${fidelity}`,
	},
	{ min: 0.5, max: 1 },
);

export const stability = decimal(
	'stability',
	{
		displayName: 'Stability',
		name: 'stability',
		default: 0.75,
		description: `How even the voice sounds: ${fidelity}`,
	},
	{ min: 0.5, max: 1 },
);
