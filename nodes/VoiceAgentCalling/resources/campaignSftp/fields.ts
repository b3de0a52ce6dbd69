import { choice, defineField, onlyFor, reworded, withRules } from '../../../shared/fields/field';
import { hostName, integer, secret, text, toggle } from '../../../shared/fields/kinds';

/** The error codes for refusals of the SFTP endpoints. A campaign has at most one configuration. */
export const refusals = { codes: { 404: 'CONFIGURATION_NOT_FOUND' } } as const;

/** The error codes for refusals of imports and exports, which need an enabled configuration. */
export const triggerRefusals = { codes: { ...refusals.codes, 422: 'SFTP_NOT_ENABLED' } } as const;

const PEM = /^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\r?\n[^]+\n-----END [A-Z0-9 ]*PRIVATE KEY-----\s*$/;

const ONE_LINE = /^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)([\w+/=\s]+)(-----END [A-Z0-9 ]*PRIVATE KEY-----)\s*$/;

/** Restores the line breaks of a PEM key, which the editor of older n8n versions removes from password fields. */
function withLines(key: string): string {
	const [, begin, inner = '', end] = ONE_LINE.exec(key.trim().includes('\n') ? '' : key) ?? [];
	if (begin === undefined) {
		return key;
	}
	return [begin, ...(inner.replace(/\s/g, '').match(/.{1,64}/g) ?? []), end, ''].join('\n');
}

const host = hostName('host', {
	displayName: 'Host',
	name: 'host',
	required: true,
	placeholder: 'e.g. sftp.example.com',
	description: 'Host name or IP address of the SFTP server, without port and path',
});

const username = text('username', {
	displayName: 'Username',
	name: 'username',
	required: true,
	description: 'User name of the service at the SFTP server',
});

const authType = choice('auth_type', {
	displayName: 'Authentication',
	name: 'authType',
	options: [
		{ name: 'Password', value: 'password' },
		{ name: 'Private Key', value: 'private_key' },
	],
	default: 'password',
	required: true,
	description: 'How the service logs in',
});

const password = onlyFor(
	'authType',
	['password'],
	secret('password', {
		displayName: 'Password',
		name: 'password',
		required: true,
		description: 'Password for the login. The service never returns it.',
	}),
);

const privateKey = onlyFor(
	'authType',
	['private_key'],
	defineField({
		...secret(
			'private_key',
			{
				displayName: 'Private Key',
				name: 'privateKey',
				required: true,
				description: 'Private key for the login, complete and in PEM format. The service never returns it.',
			},
			{ multiline: true },
		),
		check: (zod) =>
			zod
				.string()
				.transform(withLines)
				.refine(
					(key) => PEM.test(key),
					'Enter all lines of the key, from -----BEGIN to -----END, with their line breaks',
				),
	}),
);

const passphrase = onlyFor(
	'authType',
	['private_key'],
	secret('private_key_passphrase', {
		displayName: 'Private Key Passphrase',
		name: 'privateKeyPassphrase',
		description: 'Passphrase of the private key, if it has one',
	}),
);

const port = integer(
	'port',
	{
		displayName: 'Port',
		name: 'port',
		default: 22,
		description: 'Port of the SFTP server, 1 to 65535. The default is 22.',
	},
	{ min: 1, max: 65_535 },
);

const importPath = text('import_path', {
	displayName: 'Import Path',
	name: 'importPath',
	placeholder: 'e.g. /contacts',
	description: 'Folder on the server from which the service imports contact files',
});

const exportPath = text('export_path', {
	displayName: 'Export Path',
	name: 'exportPath',
	placeholder: 'e.g. /results',
	description: 'Folder on the server to which the service writes result files',
});

const importSchedule = choice('import_schedule', {
	displayName: 'Import Schedule',
	name: 'importSchedule',
	options: [
		{ name: 'Daily', value: 'daily' },
		{ name: 'Hourly', value: 'hourly' },
		{ name: 'Manual', value: 'manual', description: 'Only when you run Trigger Import' },
	],
	default: 'manual',
	description: 'How often the service looks for new contact files while the configuration is enabled',
});

const enabled = toggle('is_enabled', {
	displayName: 'Enabled',
	name: 'enabled',
	default: true,
	description:
		'Whether the service imports according to the schedule, so that the contacts of an active campaign are called. Requires a successful Test Connection.',
});

/** The required fields of a new configuration. */
export const requiredSettings = [host, username, authType, password, privateKey] as const;

/** The optional fields of a new configuration. */
export const optionalSettings = [exportPath, importPath, importSchedule, port, passphrase] as const;

/** The fields that an update can change. */
export const changeableSettings = [
	enabled,
	host,
	username,
	reworded(authType, {
		description: 'How the service logs in. Add it to change the password or key.',
	}),
	password,
	privateKey,
	importSchedule,
	port,
	...withRules({ empty: 'null' }, exportPath, importPath, passphrase),
] as const;
