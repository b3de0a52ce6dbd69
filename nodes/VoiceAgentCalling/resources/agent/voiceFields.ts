import { decimal, text } from '../../../shared/fields/kinds';
import { locator } from '../../../shared/pickers/locators';
import { language } from '../../fields/language';

export const voice = locator(
	'voice_id',
	{
		displayName: 'Voice',
		name: 'voice',
		description: 'The voice that the agent speaks with',
		list: 'searchVoiceTemplates',
	},
	{ optional: true },
);

export const spokenLanguage = language('The language that the agent speaks');

export const ambientBackground = text('ambient_background', {
	displayName: 'Ambient Background',
	name: 'ambientBackground',
	placeholder: 'e.g. office',
	description: 'The sounds behind the voice, such as office, cafe or quiet',
});

export const ambientVolume = decimal(
	'ambient_volume',
	{
		displayName: 'Ambient Volume',
		name: 'ambientVolume',
		default: 1,
		description: 'How loud the background is, 0 to 2. It cannot be read back: without it, the service takes 1.',
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
