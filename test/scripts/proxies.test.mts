import { ownPrograms } from './ownPrograms.mts';

const { call, path, program } = ownPrograms();

/** Looks for the proxies where there is nothing but the test's own programs. */
const prepare = (user: number) => call(user, 'proxies.mjs', 'prepareProxies', { PATH: path() }, '');

test('what is missing is installed by apt-get as root, and both are taken where they are', () => {
	const nginx = program('nginx');
	const tinyproxy = path('tinyproxy');
	program('apt-get', `[ "$1" = update ] || { echo "$*" > "${tinyproxy}"; /bin/chmod +x "${tinyproxy}"; }`);
	const both = { NGINX_PATH: nginx, TINYPROXY_PATH: tinyproxy };
	expect(prepare(0)).toEqual(both);
	program('apt-get', 'exit 1');
	expect(prepare(0)).toEqual(both);
});

test('without root the error says what to install', () => {
	program('nginx');
	expect(prepare(1000)).toBe(
		'One test puts nginx before n8n and tinyproxy before the service, and they are not both here. Install them so that nginx and tinyproxy are on the path, then run the same command again.',
	);
});
