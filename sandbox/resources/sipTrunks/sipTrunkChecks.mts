import { z } from 'zod';

import { checkTrunk, healthOf, settleNumbers, unverify } from '../../engine/trunkState.mts';
import { ok, type RouteResponse } from '../../http/response.mts';
import { dataOf, failedResult } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { SipTrunk } from '../../world/sipTrunk.mts';
import type { World } from '../../world/world.mts';
import { trunkHealthSchema, unverifiedSchema, verifiedSchema } from './sipTrunkSchemas.mts';
import { findTrunk, healthStatus } from './sipTrunks.mts';

const ONE = '/api/v1/sip-trunks/:trunk_id';
const refusal = 'authentication';

/** The two checks of a SIP trunk: its verification, and its health, which does not change the verification. */
export const sipTrunkCheckRoutes: Route[] = [
	route({
		method: 'POST',
		path: `${ONE}/verify`,
		summary: 'Verify a SIP trunk',
		description:
			'For an unreachable host, the response is 200. In the sandbox, hosts that end in `.invalid` are unreachable.',
		refusal,
		responses: { 200: z.union([dataOf(verifiedSchema), failedResult({ data: unverifiedSchema })]) },
		handle: ({ world, params }) => verify(world, findTrunk(world, params.trunk_id)),
	}),
	route({
		method: 'GET',
		path: `${ONE}/health`,
		summary: "Check a SIP trunk's health",
		description: 'The result is reused for a while before the host is checked again.',
		refusal,
		responses: { 200: dataOf(trunkHealthSchema) },
		handle({ world, params }) {
			const { checked, ...found } = healthOf(world, findTrunk(world, params.trunk_id));
			return ok({ ...found, checked_at: iso(checked) });
		},
	}),
];

/** Verifies a trunk. A failure is a result, not an error of the request: 200 with `success: false`. */
function verify(world: World, trunk: SipTrunk): RouteResponse {
	const { is_healthy, error, checked } = checkTrunk(world, trunk);
	trunk.updated = checked;
	if (is_healthy) {
		trunk.is_verified = true;
	} else {
		unverify(trunk);
	}
	settleNumbers(world, trunk);
	const found = { is_verified: trunk.is_verified, health_status: healthStatus(trunk) };
	return is_healthy
		? ok({ ...found, last_health_check_at: iso(checked) })
		: { status: 200, body: { success: false, data: { ...found, error } } };
}
