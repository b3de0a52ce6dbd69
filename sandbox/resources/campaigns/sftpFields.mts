import { z } from 'zod';

import { invalidFields } from '../../http/httpErrors.mts';
import { hostName } from '../../http/schemas.mts';
import type { SftpConnection } from '../../world/sftp.mts';

/** The fields of the login. */
export const sftpConnectionBody = z.object({
	host: hostName,
	port: z.number().int().min(1).max(65_535).default(22),
	username: z.string().min(1),
	auth_type: z.enum(['password', 'private_key']),
	password: z.string().min(1).nullable().default(null),
	private_key: z
		.string()
		.regex(/^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----\s/)
		.nullable()
		.default(null),
	private_key_passphrase: z.string().nullable().default(null),
});

/** The folders and the schedule. */
export const sftpSettingsBody = z.object({
	import_path: z.string().min(1).nullable().default(null),
	export_path: z.string().min(1).nullable().default(null),
	import_schedule: z.enum(['manual', 'hourly', 'daily']).default('manual'),
});

export const sftpCreateBody = sftpConnectionBody.merge(sftpSettingsBody);

/** An update does not change missing fields, so that defaults do not apply. */
export const sftpUpdateBody = sftpCreateBody.extend({ is_enabled: z.boolean() }).partial();

export const exportBody = z.object({ file_data_ids: z.array(z.string().uuid()).min(1) });

/** @throws 422 if the secret that the `auth_type` needs is missing */
export function checkSecret(connection: SftpConnection): void {
	const field = connection.auth_type;
	if (connection[field] === null) {
		throw invalidFields({ [field]: [`The ${field} field is required when auth_type is ${field}.`] });
	}
}
