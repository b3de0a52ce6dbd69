import { defineField, type FieldSource } from '../../shared/fields/field';

/** The languages that the service documents for agents. */
const languages = [
	{ name: 'Chinese (Taiwan)', value: 'zh-TW' },
	{ name: 'Dutch', value: 'nl-NL' },
	{ name: 'English (Canada)', value: 'en-CA' },
	{ name: 'English (United States)', value: 'en-US' },
	{ name: 'French', value: 'fr-FR' },
	{ name: 'German', value: 'de-DE' },
	{ name: 'Italian', value: 'it-IT' },
	{ name: 'Japanese', value: 'ja-JP' },
	{ name: 'Korean', value: 'ko-KR' },
	{ name: 'Other', value: 'other', description: 'Enter a language code' },
	{ name: 'Portuguese (Brazil)', value: 'pt-BR' },
	{ name: 'Portuguese (Portugal)', value: 'pt-PT' },
	{ name: 'Spanish', value: 'es-ES' },
];

/** Makes a field for a language, from a list or by its code. @param description its purpose */
export function language(description: string) {
	return defineField({
		key: 'language',
		properties: [
			{
				displayName: 'Language',
				name: 'language',
				type: 'options',
				options: languages,
				default: 'en-US',
				description,
			},
			{
				displayName: 'Language Code',
				name: 'languageCode',
				type: 'string',
				default: '',
				placeholder: 'e.g. en-GB',
				description: 'Code of a language that is not in the list',
				displayOptions: { show: { language: ['other'] } },
			},
		],
		read: ({ get }: FieldSource) => {
			const chosen = get('language');
			return chosen === 'other' ? get('languageCode') : chosen;
		},
		check: (zod) =>
			zod
				.string()
				.trim()
				.regex(/^[a-z0-9]+([-_][a-z0-9]+)*$/i, 'Enter the code of a language, like en-GB'),
	});
}
