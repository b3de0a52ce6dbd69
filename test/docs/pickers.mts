import { type Listing, listings } from '../../nodes/shared/pickers/listings.ts';
import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { signature } from './coverage.mts';

/** The signatures of the endpoints that fill the lists of an operation's fields; see `signature`. */
export function pickersOf({ fields, updates, options, filters }: Operation): string[] {
	const properties = JSON.stringify([fields, updates, options, filters].flat().map((field) => field.properties));
	const lists = Object.entries<Listing>(listings).map(([name, { under = [], path }]) => ({
		name,
		paths: [path(...under.map(() => '{id}')).join('/')],
	}));
	const ofTriggers = ['campaigns', 'campaigns/{id}/webhooks', 'agents', 'agents/{id}/webhooks'];
	return [
		...lists,
		{ name: 'searchUsers', paths: ['calendars', 'calendars/{id}/members'] },
		{ name: 'searchTriggers', paths: ofTriggers },
	]
		.filter(({ name }) => properties.includes(`"${name}"`))
		.flatMap(({ paths }) => paths.map((path) => signature('GET', `/api/v1/${path}`)));
}
