import { type Listing, listings } from '../../nodes/shared/pickers/listings.ts';
import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { signature } from './coverage.mts';

/** The signatures of the endpoints that fill the lists of an operation's fields; see `signature`. */
export function pickersOf({ fields, updates, options, filters }: Operation): string[] {
	const properties = JSON.stringify([fields, updates, options, filters].flat().map((field) => field.properties));
	return Object.entries<Listing>(listings)
		.filter(([name]) => properties.includes(`"${name}"`))
		.map(([, { under = [], path }]) => signature('GET', ['/api/v1', ...path(...under.map(() => '{id}'))].join('/')));
}
