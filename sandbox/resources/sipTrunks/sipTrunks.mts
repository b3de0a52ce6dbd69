import { z } from 'zod';

import { haveCallsInProgress, numbersOf, settleNumbers, unverify } from '../../engine/trunkState.mts';
import { codedError, flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields, notFound } from '../../http/httpErrors.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import { newId } from '../../world/ids.mts';
import type { SipTrunk } from '../../world/sipTrunk.mts';
import type { World } from '../../world/world.mts';
import { sipTrunkCreateBody, sipTrunkUpdateBody } from './sipTrunkFields.mts';
import { createdTrunkSchema, listedTrunkSchema, trunkSchema, updatedTrunkSchema } from './sipTrunkSchemas.mts';

/** A change of any of these fields makes a new verification necessary. */
const VERIFIED = ['domain', 'transport', 'username', 'password', 'auth_realm'] as const;
const DEFAULT_PORTS = { udp: 5060, tcp: 5060, tls: 5061 };

const LIST = '/api/v1/sip-trunks';
const ONE = `${LIST}/:trunk_id`;
const refusal = 'authentication';

/** SIP trunks: list, create, get, update, delete. Responses never contain a trunk's password. */
export const sipTrunkObjectRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: 'List SIP trunks',
		description: 'All SIP trunks, without their passwords.',
		refusal,
		responses: { 200: dataOf(z.array(listedTrunkSchema)) },
		handle: ({ world }) => ok([...world.sipTrunks.values()].map(listed)),
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Create a SIP trunk',
		description: 'The trunk is inactive: verify it, then activate it with an update.',
		refusal,
		body: sipTrunkCreateBody,
		responses: { 201: dataOf(createdTrunkSchema) },
		handle({ world, body }) {
			const settings = body();
			if (settings.is_active) {
				throw notVerified();
			}
			const trunk = newTrunk(world, settings);
			world.sipTrunks.set(trunk.id, trunk);
			const { id, name, provider_name, domain, transport, is_active, is_verified } = trunk;
			return created({
				id,
				name,
				provider_name,
				domain,
				transport,
				port: portOf(trunk),
				is_active,
				is_verified,
				created_at: iso(trunk.created),
			});
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get a SIP trunk',
		description: 'With its login, without its password.',
		refusal,
		responses: { 200: dataOf(trunkSchema) },
		handle({ world, params }) {
			const trunk = findTrunk(world, params.trunk_id);
			const { username, outbound_proxy, auth_realm, health, updated } = trunk;
			return ok({
				...listed(trunk),
				username,
				port: portOf(trunk),
				outbound_proxy,
				auth_realm,
				last_health_check_at: health && iso(health.checked),
				updated_at: iso(updated),
			});
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update a SIP trunk',
		description: 'A change of the domain, transport or login makes it unverified and inactive.',
		refusal,
		body: sipTrunkUpdateBody,
		responses: { 200: dataOf(updatedTrunkSchema) },
		handle({ world, params, body }) {
			const trunk = findTrunk(world, params.trunk_id);
			const changes = body();
			const moved = VERIFIED.some((field) => changes[field] !== undefined && changes[field] !== trunk[field]);
			if (changes.is_active && (moved || !trunk.is_verified)) {
				throw notVerified();
			}
			Object.assign(trunk, changes, { updated: world.clock.now(), healthKeptUntil: 0 });
			if (moved) {
				unverify(trunk);
			}
			settleNumbers(world, trunk);
			const { id, name, is_active, is_verified, updated } = trunk;
			return ok({ id, name, is_active, is_verified, updated_at: iso(updated) });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Delete a SIP trunk',
		description: 'It must not have DIDs or calls in progress.',
		refusal,
		responses: { 200: doneBody },
		errors: {
			409: {
				when: 'The trunk has active calls or still has DIDs',
				body: z.union([flatErrorBody, codedError('TRUNK_HAS_DIDS')]),
			},
		},
		handle({ world, params }) {
			const trunk = findTrunk(world, params.trunk_id);
			if (haveCallsInProgress(world, numbersOf(world, trunk))) {
				throw flatError(409, 'The SIP trunk has active calls. Wait for them to end.');
			}
			if (trunk.didIds.length > 0) {
				throw flatError(409, 'The SIP trunk still has DIDs. Delete them first.', { code: 'TRUNK_HAS_DIDS' });
			}
			world.sipTrunks.delete(trunk.id);
			return done('SIP trunk deleted successfully.');
		},
	}),
];

/** @throws 404 in the flat format */
export function findTrunk(world: World, id: string | undefined): SipTrunk {
	const trunk = world.sipTrunks.get(id ?? '');
	if (!trunk) {
		throw notFound('SIP trunk');
	}
	return trunk;
}

/** Returns a trunk without numbers and without a health check. */
export function newTrunk(
	world: World,
	given: Pick<SipTrunk, 'name' | 'provider_name' | 'domain' | 'username' | 'password'> & Partial<SipTrunk>,
): SipTrunk {
	const now = world.clock.now();
	return {
		id: newId(world),
		port: null,
		transport: 'tls',
		outbound_proxy: null,
		auth_realm: null,
		is_active: false,
		is_verified: false,
		health: null,
		healthKeptUntil: 0,
		didIds: [],
		created: now,
		updated: now,
		...given,
	};
}

function listed(trunk: SipTrunk): Record<string, unknown> {
	const { id, name, provider_name, domain, transport, is_active, is_verified } = trunk;
	return {
		id,
		name,
		provider_name,
		domain,
		transport,
		is_active,
		is_verified,
		health_status: healthStatus(trunk),
		created_at: iso(trunk.created),
	};
}

/** Returns the status of the last check; null before the first check. */
export function healthStatus({ health }: SipTrunk): 'healthy' | 'unhealthy' | null {
	return health && (health.is_healthy ? 'healthy' : 'unhealthy');
}

function portOf({ port, transport }: SipTrunk): number {
	return port ?? DEFAULT_PORTS[transport];
}

function notVerified() {
	return invalidFields({ is_active: ['The SIP trunk must be verified before it can be activated.'] });
}
