import { type Listing, listings } from '../../nodes/shared/pickers/listings.ts';
import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { signature } from './coverage.mts';

/** The endpoints from which the lists of an operation's fields are filled, as `signature` writes them. */
export function pickersOf({ fields, updates, options, filters }: Operation): string[] {
	const properties = JSON.stringify([fields, updates, options, filters].flat().map((field) => field.properties));
	return Object.entries<Listing>(listings)
		.filter(([name]) => properties.includes(`"${name}"`))
		.map(([, { under = [], path }]) => signature('GET', ['/api/v1', ...path(...under.map(() => '{id}'))].join('/')));
}
