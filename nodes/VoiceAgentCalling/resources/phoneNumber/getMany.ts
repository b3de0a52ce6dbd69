import { choice } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { returnAll, search } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';

const direction = choice('direction', {
	displayName: 'Direction',
	name: 'direction',
	options: [
		{ name: 'Inbound', value: 'inbound' },
		{ name: 'Outbound', value: 'outbound' },
	],
	default: 'outbound',
	description: 'Only return numbers for calls in this direction',
});

const hasVoice = toggle('has_voice', {
	displayName: 'Has Voice',
	name: 'hasVoice',
	default: true,
	description: 'Whether to return only numbers with voice, or only numbers without it',
});

const hasWhatsapp = toggle('has_whatsapp', {
	displayName: 'Has WhatsApp',
	name: 'hasWhatsapp',
	default: true,
	description: 'Whether to return only numbers with WhatsApp, or only numbers without it',
});

const type = choice('type', {
	displayName: 'Type',
	name: 'type',
	options: [
		{ name: 'Fax', value: 'fax' },
		{ name: 'MMS', value: 'mms' },
		{ name: 'SMS', value: 'sms' },
		{ name: 'Voice', value: 'voice' },
		{ name: 'WhatsApp', value: 'whatsapp' },
	],
	default: 'voice',
	description: 'Only return numbers of this type',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many phone numbers',
	description: 'List many phone numbers of the environment, with their IDs, uses and prices',
	fields: [returnAll],
	filters: [direction, hasVoice, hasWhatsapp, search, type],
	request: ({ direction, has_voice, has_whatsapp, search, type }) => ({
		method: 'GET',
		path: ['phone-numbers'],
		query: { direction, has_voice, has_whatsapp, search, type },
	}),
	items: (response) => response.data,
	outputs: outputsOf('GET /phone-numbers', [
		'number',
		'formatted_number',
		'country_code',
		'type',
		'current_status',
		'has_voice',
		'has_whatsapp',
		'current_price',
		'currency',
		'id',
	]),
});
