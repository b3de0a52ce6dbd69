import type { INodePropertyOptions } from 'n8n-workflow';

import { isTimeZone } from '../fields/timeKinds';

/** The current names that Node.js accepts and does not list: it lists the former ones, such as Asia/Calcutta. */
const CURRENT_NAMES = [
	'Africa/Asmara',
	'America/Argentina/Buenos_Aires',
	'America/Argentina/Catamarca',
	'America/Argentina/Cordoba',
	'America/Argentina/Jujuy',
	'America/Argentina/Mendoza',
	'America/Atikokan',
	'America/Indiana/Indianapolis',
	'America/Kentucky/Louisville',
	'America/Nuuk',
	'Asia/Ho_Chi_Minh',
	'Asia/Kathmandu',
	'Asia/Kolkata',
	'Asia/Yangon',
	'Atlantic/Faroe',
	'Europe/Kyiv',
	'Pacific/Chuuk',
	'Pacific/Kanton',
	'Pacific/Pohnpei',
];

/** Returns the IANA time zones that this Node.js accepts, UTC first; the service uses the same names. */
export function timeZones(): INodePropertyOptions[] {
	const zones = new Set([...Intl.supportedValuesOf('timeZone'), ...CURRENT_NAMES.filter(isTimeZone)]);
	zones.delete('UTC');
	return ['UTC', ...[...zones].sort()].map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone }));
}
