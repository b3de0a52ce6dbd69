import { delimiter } from 'node:path';

import { find, findOrInstall } from './debian.mjs';

/** Debian installs nginx in a folder that is on the PATH of root only. */
const forRoot = '/usr/sbin';

/** Returns the paths of an nginx and a tinyproxy, as the environment variables that the tests read; installs them if needed. */
export async function prepareProxies(env = process.env, elsewhere = forRoot) {
	const path = { PATH: [env.PATH ?? '', elsewhere].join(delimiter) };
	const findBoth = () => {
		const [nginx, tinyproxy] = ['nginx', 'tinyproxy'].map((name) => find(name, path));
		return nginx && tinyproxy ? { NGINX_PATH: nginx, TINYPROXY_PATH: tinyproxy } : undefined;
	};
	const what = {
		name: 'nginx and tinyproxy',
		size: 'some seconds, 5 MB',
		packages: () => ['nginx-light', 'tinyproxy-bin'],
		missing: 'One test puts nginx before n8n and tinyproxy before the service, and they are not both here.',
		otherWay: 'Install them so that nginx and tinyproxy are on the path, then run the same command again.',
	};
	return await findOrInstall(findBoth, what, env);
}
