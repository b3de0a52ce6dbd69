import { z } from 'zod';

import { ASSUMED, named } from '../../http/named.mts';
import { identifier, shownNumber, timestamp } from '../../http/responseSchemas.mts';

const transport = z.enum(['udp', 'tcp', 'tls']);
const port = z.number().int().min(1).max(65_535);
const flags = { is_active: z.boolean(), is_verified: z.boolean() };
const trunk = { id: identifier, name: z.string(), provider_name: z.string(), domain: z.string(), transport, ...flags };
const health_status = z.enum(['healthy', 'unhealthy']).nullable().describe(`Null before the first check. ${ASSUMED}`);

export const listedTrunkSchema = named('SipTrunkSummary', z.object({ ...trunk, health_status, created_at: timestamp }));
export const trunkSchema = named(
	'SipTrunk',
	z.object({
		...trunk,
		health_status,
		created_at: timestamp,
		username: z.string(),
		port,
		outbound_proxy: z.string().nullable(),
		auth_realm: z.string().nullable(),
		last_health_check_at: timestamp.nullable().describe('Null before the first check.'),
		updated_at: timestamp,
	}),
);
export const createdTrunkSchema = named('CreatedSipTrunk', z.object({ ...trunk, port, created_at: timestamp }));
export const updatedTrunkSchema = z.object({ id: identifier, name: z.string(), ...flags, updated_at: timestamp });

export const verifiedSchema = z.object({
	is_verified: z.literal(true),
	health_status: z.literal('healthy'),
	last_health_check_at: timestamp,
});
export const unverifiedSchema = z.object({
	is_verified: z.literal(false),
	health_status: z.literal('unhealthy'),
	error: z.string(),
});
export const trunkHealthSchema = named(
	'SipTrunkHealth',
	z.object({
		is_healthy: z.boolean(),
		response_time_ms: z.number().min(0),
		error: z.string().optional(),
		checked_at: timestamp,
	}),
);

const did = { id: identifier, number: shownNumber, country_code: z.string(), formatted_number: z.string() };
export const didSchema = named('Did', z.object(did));
export const createdDidSchema = named('CreatedDid', z.object({ ...did, trunk_id: identifier }));
