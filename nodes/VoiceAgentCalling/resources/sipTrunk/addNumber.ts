import { defineField, textual } from '../../../shared/fields/field';
import { e164 } from '../../../shared/fields/kinds';
import { sipTrunk } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

const number = e164('number', {
	displayName: 'Phone Number',
	name: 'carrierNumber',
	required: true,
	description: 'Your number at this carrier, with + and the country code. It is checked before anything is sent.',
});

const countryCode = defineField({
	key: 'country_code',
	properties: [
		{
			displayName: 'Country Code',
			name: 'countryCode',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. DE',
			description: 'Two-letter country code of the number (ISO 3166-1)',
		},
	],
	check: (zod) =>
		textual(
			zod,
			zod
				.string()
				.trim()
				.toUpperCase()
				.regex(/^[A-Z]{2}$/, 'Enter a two-letter country code, like DE or US'),
		),
});

export const addNumber = defineOperation({
	name: 'Add Number',
	value: 'addNumber',
	action: 'Add number to SIP trunk',
	description: 'Add a number of your carrier to the phone numbers of the environment, so that agents can use it',
	fields: [sipTrunk, number, countryCode],
	request: ({ trunkId, ...body }) => ({
		method: 'POST',
		path: ['sip-trunks', trunkId, 'dids'],
		body,
		...refusals,
	}),
	output: (response) => response.data,
});
