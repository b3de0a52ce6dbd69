import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { findOrInstall } from './debian.mjs';

/** Debian has a folder of libraries for each kind of processor. */
const debianFolder = '/usr/lib';

/** Returns the path of the library of faketime that fakes the time in all threads; apt-get installs it if needed. */
export async function prepareFaketime(env = process.env, folder = debianFolder) {
	const findLibrary = () =>
		readdirSync(folder)
			.map((name) => join(folder, name, 'faketime', 'libfaketimeMT.so.1'))
			.find((file) => existsSync(file));
	const what = {
		name: 'faketime',
		size: 'some seconds, 1 MB',
		packages: () => ['faketime'],
		missing: 'faketime starts the tests at other moments, and there is none here.',
		otherWay: 'Install the Debian package faketime, then run the same command again.',
	};
	return await findOrInstall(findLibrary, what, env);
}
