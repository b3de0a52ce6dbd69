import { choice, clearable } from '../../../shared/fields/field';
import { hostName, integer, secret, text, toggle } from '../../../shared/fields/kinds';

/** Advice on errors of the SIP trunk endpoints, which exist only on some plans. */
export const refusals = {
	advice: {
		403: "Custom SIP trunks need a plan that has them (allow_custom_sip_trunks): look at the plan in the service's dashboard. If it has them, use a token with the permission.",
		409: 'Calls over its numbers are in progress. Run this again when they are over: Call, Get Many lists them.',
		422: 'Correct the values named above. A trunk can be active only once SIP Trunk, Verify has succeeded.',
	},
};

/** Part of the description of each field whose change makes the trunk unverified. */
const UNVERIFIES = 'Changing it resets the verification of a trunk';

const trunkName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Main carrier',
		description: 'Name of the trunk in the service, up to 255 characters',
	},
	{ max: 255 },
);

const providerName = text('provider_name', {
	displayName: 'Provider Name',
	name: 'providerName',
	required: true,
	placeholder: 'e.g. example-carrier',
	description: 'The carrier that the trunk leads to',
});

const domain = hostName('domain', {
	displayName: 'Domain',
	name: 'domain',
	required: true,
	placeholder: 'e.g. sip.example.com',
	description: `SIP domain or proxy host of the carrier. ${UNVERIFIES}.`,
});

const username = text('username', {
	displayName: 'Username',
	name: 'username',
	required: true,
	description: `Name that the service logs in to the carrier with. ${UNVERIFIES}.`,
});

const password = secret('password', {
	displayName: 'Password',
	name: 'password',
	required: true,
	description: `Password for the carrier. The service never shows it again. ${UNVERIFIES}.`,
});

const port = integer(
	'port',
	{
		displayName: 'Port',
		name: 'port',
		default: 5061,
		description:
			'Port of the carrier, 1 to 65535. Where none was ever set, it is 5061 for TLS and 5060 for UDP and TCP.',
	},
	{ min: 1, max: 65_535 },
);

const transport = choice('transport', {
	displayName: 'Transport',
	name: 'transport',
	options: [
		{ name: 'TCP', value: 'tcp' },
		{ name: 'TLS', value: 'tls' },
		{ name: 'UDP', value: 'udp' },
	],
	default: 'tls',
	description: `How the SIP messages travel; TLS unless it was set. ${UNVERIFIES}.`,
});

const outboundProxy = hostName('outbound_proxy', {
	displayName: 'Outbound Proxy',
	name: 'outboundProxy',
	placeholder: 'e.g. proxy.example.com',
	description: 'Host that the calls go out through, if not the domain itself',
});

const authRealm = text('auth_realm', {
	displayName: 'Auth Realm',
	name: 'authRealm',
	description:
		'Realm of the login, if the carrier needs another one than the domain. Changing it may reset the verification of a trunk.',
});

const active = toggle('is_active', {
	displayName: 'Active',
	name: 'active',
	description: 'Whether the trunk is in use. It must be verified first.',
});

/** The required fields of a new trunk. */
export const requiredSettings = [trunkName, providerName, domain, username, password] as const;

/** The optional fields of a new trunk. */
export const optionalSettings = [active, authRealm, outboundProxy, port, transport] as const;

/** The fields that an update can change. */
export const changeableSettings = [
	...requiredSettings,
	active,
	clearable(authRealm),
	clearable(outboundProxy),
	port,
	transport,
] as const;
