import { mkdirSync } from 'node:fs';

import { ownPrograms } from './ownPrograms.mts';

const { call, path, program } = ownPrograms();

beforeEach(() => mkdirSync(path('lib')));

/** Looks for faketime where there is nothing but what the test has put there. */
const prepare = (user: number) => call(user, 'faketime.mjs', 'prepareFaketime', { PATH: path() }, path('lib'));

test('a missing faketime is installed by apt-get as root, and found again', () => {
	const place = path('lib', 'some-processor', 'faketime');
	program('apt-get', `[ "$1" = update ] || { /bin/mkdir -p "${place}"; echo > "${place}/libfaketimeMT.so.1"; }`);
	expect(prepare(0)).toBe(`${place}/libfaketimeMT.so.1`);
	program('apt-get', 'exit 1');
	expect(prepare(0)).toBe(`${place}/libfaketimeMT.so.1`);
});

test('without root the error says what to install', () => {
	expect(prepare(1000)).toBe(
		'faketime starts the tests at other moments, and there is none here. Install the Debian package faketime, then run the same command again.',
	);
});
