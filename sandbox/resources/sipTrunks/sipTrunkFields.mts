import { z } from 'zod';

import { hostName } from '../../http/schemas.mts';
import { E164 } from '../../world/phoneNumber.mts';

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

/** Body of a trunk's update. Missing fields do not change, so that defaults do not apply. */
export const sipTrunkUpdateBody = sipTrunkCreateBody.partial();

/** Body of a DID's creation. */
export const didBody = z.object({
	country_code: z.string().refine((code) => COUNTRIES.has(code), 'The selected country_code is invalid.'),
	number: z.string().regex(E164),
});

/** The country codes of ISO 3166-1 alpha-2. */
const CODES = `
	AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
	CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
	GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
	KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
	MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
	SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
	UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`;

const COUNTRIES: ReadonlySet<string> = new Set(CODES.trim().split(/\s+/));
