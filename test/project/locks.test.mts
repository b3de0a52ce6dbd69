import { execFileSync } from 'node:child_process';

import { root } from '../../scripts/lib/places.mts';
import { read } from './sources.mts';

interface Entry {
	version?: string;
	resolved?: string;
	optionalDependencies?: Record<string, string>;
}

const listed = ['ls-files', 'package-lock.json', '*/package-lock.json'];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
const packagesIn = (file: string) => (JSON.parse(read(file)) as { packages: Record<string, Entry> }).packages;

/** Finds a package as Node.js does: in the folder of the one that needs it, and in each folder above. */
function isListed(packages: Record<string, Entry>, from: string, name: string): boolean {
	const above = from.lastIndexOf('node_modules/') - 1;
	return (
		Object.hasOwn(packages, `${from === '' ? '' : `${from}/`}node_modules/${name}`) ||
		(from !== '' && isListed(packages, above > 0 ? from.slice(0, above) : '', name))
	);
}

// npm 11 refuses to install from a lock file that lacks the package of any platform, and npm 10 leaves the platform
// without its program. A version whose packages for other platforms are not in the registry loses their entries: go back
// to the newest version that has all of them. So are pinned: Biome, swc and Rollup in package.json, unrs-resolver in the
// lock files, msgpackr-extract in the overrides of each n8n.
test.each(files)('%s lists each optional package of every platform', (file) => {
	const packages = packagesIn(file);
	const missing = Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies)
			.filter((name) => !isListed(packages, path, name))
			.map((name) => `${name}, for ${path}@${version}`),
	);
	expect(missing).toEqual([]);
});

test.each(files)('%s leaves it to npm where packages come from', (file) => {
	const addresses = Object.values(packagesIn(file)).filter(({ resolved }) => /^https?:/.test(resolved ?? ''));
	expect(addresses).toEqual([]);
});
