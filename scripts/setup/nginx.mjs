import { delimiter } from 'node:path';

import { find, findOrInstall } from './debian.mjs';

/** Debian installs nginx in a folder that is on the PATH of root only. */
const forRoot = '/usr/sbin';

/** Returns the path of an nginx: an installed one, or one that apt-get installs now. */
export async function prepareNginx(env = process.env) {
	const path = { PATH: [env.PATH ?? '', forRoot].join(delimiter) };
	const what = {
		name: 'nginx',
		size: 'some seconds, 3 MB',
		packages: () => ['nginx-light'],
		missing: 'These tests put nginx before n8n, and there is none here.',
		otherWay: 'Install nginx so that it is on the path, then run the same command again.',
	};
	return await findOrInstall(() => find('nginx', path), what, env);
}
