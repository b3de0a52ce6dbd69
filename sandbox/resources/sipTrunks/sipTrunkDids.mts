import { z } from 'zod';

import { haveCallsInProgress, numbersOf, settleNumbers } from '../../engine/trunkState.mts';
import { codedError } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { newId } from '../../world/ids.mts';
import { formatNumber, type PhoneNumber } from '../../world/phoneNumber.mts';
import type { SipTrunk } from '../../world/sipTrunk.mts';
import type { World } from '../../world/world.mts';
import { didBody } from './sipTrunkFields.mts';
import { createdDidSchema, didSchema } from './sipTrunkSchemas.mts';
import { findTrunk } from './sipTrunks.mts';

const LIST = '/api/v1/sip-trunks/:trunk_id/dids';
const refusal = 'authentication';

/** A SIP trunk's own numbers (DIDs): list, create, delete. They are also phone numbers of the environment. */
export const sipTrunkDidRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List a SIP trunk's DIDs",
		description: 'The phone numbers for calls over the trunk.',
		refusal,
		responses: { 200: dataOf(z.array(didSchema)) },
		handle: ({ world, params }) => ok(numbersOf(world, findTrunk(world, params.trunk_id)).map(didObject)),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Add a DID to a SIP trunk',
		description: 'The number becomes a phone number of the environment.',
		refusal,
		body: didBody,
		responses: { 201: dataOf(createdDidSchema) },
		errors: { 409: { when: 'The number already exists', body: codedError('DID_ALREADY_EXISTS') } },
		handle({ world, params, body }) {
			const trunk = findTrunk(world, params.trunk_id);
			const { number, country_code } = body();
			if ([...world.phoneNumbers.values()].some((known) => known.number === number)) {
				throw flatError(409, `The number ${number} already exists.`, { code: 'DID_ALREADY_EXISTS' });
			}
			return created({ ...didObject(addDid(world, trunk, newId(world), number, country_code)), trunk_id: trunk.id });
		},
	}),
	route({
		method: 'DELETE',
		path: `${LIST}/:phone_number_id`,
		summary: 'Delete a DID of a SIP trunk',
		description: 'The phone number is removed from the environment and its agents. It must not have calls in progress.',
		refusal,
		responses: { 200: doneBody },
		errors: { 409: { when: 'The DID is still in use', body: codedError('DID_IN_USE') } },
		handle({ world, params }) {
			const trunk = findTrunk(world, params.trunk_id);
			const number = numbersOf(world, trunk).find(({ id }) => id === params.phone_number_id);
			if (!number) {
				throw notFound('DID');
			}
			if (inUse(world, number)) {
				throw flatError(409, 'The DID is still in use.', { code: 'DID_IN_USE' });
			}
			trunk.didIds = trunk.didIds.filter((id) => id !== number.id);
			world.phoneNumbers.delete(number.id);
			for (const agent of world.agents.values()) {
				agent.phoneNumberIds = agent.phoneNumberIds.filter((id) => id !== number.id);
			}
			return done('DID deleted successfully.');
		},
	}),
];

/** Adds a number to a trunk and to the environment. */
export function addDid(world: World, trunk: SipTrunk, id: string, number: string, country_code: string): PhoneNumber {
	const did: PhoneNumber = {
		id,
		number,
		country_code,
		formatted_number: formatNumber(number),
		international_number: `${number} (${country_code})`,
		current_status: 'inactive',
		created: world.clock.now(),
	};
	world.phoneNumbers.set(id, did);
	trunk.didIds.push(id);
	settleNumbers(world, trunk);
	return did;
}

function didObject({ id, number, country_code, formatted_number }: PhoneNumber): Record<string, unknown> {
	return { id, number, country_code, formatted_number };
}

/** Whether a number belongs to a published agent or has a call in progress. */
function inUse(world: World, number: PhoneNumber): boolean {
	const assigned = [...world.agents.values()].some(
		({ current_status, phoneNumberIds }) => current_status === 'published' && phoneNumberIds.includes(number.id),
	);
	return assigned || haveCallsInProgress(world, [number]);
}
