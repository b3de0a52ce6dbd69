import { choice, clearable, defineField, onlyFor, reworded } from '../../../shared/fields/field';
import { hostName, integer, secret, text, toggle } from '../../../shared/fields/kinds';

/** Advice on errors of the SFTP endpoints. A campaign has at most one configuration. */
export const refusals = {
	advice: {
		404: 'The campaign has no SFTP configuration yet (Campaign SFTP, Create makes one), or it does not belong to the environment of the token.',
	},
};

/** Advice on errors of imports and exports, which need an enabled configuration. */
export const triggerRefusals = {
	advice: {
		...refusals.advice,
		422: "If the SFTP configuration is disabled, enable it with Campaign SFTP, Update ('Enabled'), which needs a successful Test Connection. Otherwise correct the values named above.",
	},
};

const PEM = /^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\r?\n[^]+\n-----END [A-Z0-9 ]*PRIVATE KEY-----\s*$/;

const ONE_LINE = /^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)([\w+/=\s]+)(-----END [A-Z0-9 ]*PRIVATE KEY-----)\s*$/;

/** Restores the line breaks of a PEM key: the editor of older n8n versions removes them from password fields. */
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
	description: 'Name or address of the SFTP server, without port and path',
});

const username = text('username', {
	displayName: 'Username',
	name: 'username',
	required: true,
	description: 'Name that the service logs in with',
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
		description: 'Password for the login. The service never shows it again.',
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
				description: 'Private key for the login, in PEM with all its lines. The service never shows it again.',
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
		description: 'What the private key is locked with, if it is',
	}),
);

const port = integer(
	'port',
	{
		displayName: 'Port',
		name: 'port',
		default: 22,
		description: 'Port of the SFTP server, 1 to 65535; 22 unless it was set',
	},
	{ min: 1, max: 65_535 },
);

const importPath = text('import_path', {
	displayName: 'Import Path',
	name: 'importPath',
	placeholder: 'e.g. /contacts',
	description: 'Folder on the server that the service takes contact files from',
});

const exportPath = text('export_path', {
	displayName: 'Export Path',
	name: 'exportPath',
	placeholder: 'e.g. /results',
	description: 'Folder on the server that the service writes result files to',
});

const importSchedule = choice('import_schedule', {
	displayName: 'Import Schedule',
	name: 'importSchedule',
	options: [
		{ name: 'Daily', value: 'daily' },
		{ name: 'Hourly', value: 'hourly' },
		{ name: 'Manual', value: 'manual', description: 'Only when Trigger Import asks for it' },
	],
	default: 'manual',
	description: 'How often the service looks for new contact files while the configuration is enabled',
});

const enabled = toggle('is_enabled', {
	displayName: 'Enabled',
	name: 'enabled',
	default: true,
	description:
		'Whether the service imports by the schedule, so that the contacts of an active campaign are called. A successful Test Connection is needed first.',
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
		description: 'How the service logs in. Add it to set another password or key too.',
	}),
	password,
	privateKey,
	clearable(exportPath),
	clearable(importPath),
	importSchedule,
	port,
	clearable(passphrase),
] as const;
