import { join } from 'node:path';

import { cache } from '../lib/places.mts';

/** n8n's program file: the project's own n8n, or the one in the cache folder that N8N_TO_TRY names. */
export const n8nProgram = join(cache, process.env.N8N_TO_TRY ?? 'n8n', 'node_modules', 'n8n', 'bin', 'n8n');

// n8n's own settings in the user's shell (another database, another key, a proxy) must not get in here.
const passedOn =
	/^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/**
 * Returns the environment of an n8n with its own user folder, which listens only on this machine and sends no
 * telemetry.
 *
 * @param extra settings that override these
 */
export function n8nEnvironment(userFolder: string, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => passedOn.test(name));
	return {
		...Object.fromEntries(inherited),
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		...extra,
	};
}
