import { z } from 'zod';

import { hostName } from '../../http/schemas.mts';
import { E164 } from '../../world/phoneNumber.mts';
import { COUNTRIES } from './countries.mts';

const text = z.string().min(1);

/** Body of a trunk's creation. */
export const sipTrunkCreateBody = z.object({
	name: text.max(255),
	provider_name: text,
	domain: hostName,
	username: text,
	password: text,
	port: z.number().int().min(1).max(65_535).nullable().default(null),
	transport: z.enum(['udp', 'tcp', 'tls']).default('tls'),
	outbound_proxy: hostName.nullable().default(null),
	auth_realm: text.nullable().default(null),
	is_active: z.boolean().default(false),
});

/** Body of a trunk's update. A missing field has no default here: an update does not change it. */
export const sipTrunkUpdateBody = sipTrunkCreateBody.partial();

/** Body of a DID's creation. */
export const didBody = z.object({
	country_code: z.string().refine((code) => COUNTRIES.has(code), 'The selected country_code is invalid.'),
	number: z.string().regex(E164),
});
