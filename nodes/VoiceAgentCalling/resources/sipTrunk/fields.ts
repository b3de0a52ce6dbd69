import { choice, withRules } from '../../../shared/fields/field';
import { hostName, integer, secret, text, toggle } from '../../../shared/fields/kinds';

/** The error codes for refusals of the SIP trunk endpoints, which exist only on some plans. */
export const refusals = {
	codes: { 403: 'CUSTOM_SIP_TRUNKS_NOT_ALLOWED', 409: 'CALLS_IN_PROGRESS', 422: 'TRUNK_INVALID' },
} as const;

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
	description: 'Name of the carrier',
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
	description: `User name of the service at the carrier. ${UNVERIFIES}.`,
});

const password = secret('password', {
	displayName: 'Password',
	name: 'password',
	required: true,
	description: `Password of the service at the carrier. The service never returns it. ${UNVERIFIES}.`,
});

const port = integer(
	'port',
	{
		displayName: 'Port',
		name: 'port',
		default: 5061,
		description: 'Port of the carrier, 1 to 65535. The default is 5061 for TLS and 5060 for UDP and TCP.',
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
	description: `Transport protocol of SIP messages. The default is TLS. ${UNVERIFIES}.`,
});

const outboundProxy = hostName('outbound_proxy', {
	displayName: 'Outbound Proxy',
	name: 'outboundProxy',
	placeholder: 'e.g. proxy.example.com',
	description: 'Host through which calls are sent, if it differs from the domain',
});

const authRealm = text('auth_realm', {
	displayName: 'Auth Realm',
	name: 'authRealm',
	description:
		'Authentication realm, if it differs from the domain. Changing it may reset the verification of a trunk.',
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
	port,
	transport,
	...withRules({ empty: 'null' }, authRealm, outboundProxy),
] as const;
