import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';

function read(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

const packageJson = JSON.parse(read('package.json')) as {
	homepage: string;
	dependencies?: object;
	peerDependencies: object;
	n8n: object;
};

test('the package brings no library: n8n forbids it', () => {
	expect(packageJson.dependencies).toBeUndefined();
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(packageJson.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
});

test('every link to the project follows the homepage in package.json', () => {
	const files = ['credentials', 'nodes', 'icons'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name)),
	);
	const links = files.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/https:\/\/github\.com\/[^\s"'#)]+/g)].map(([link]) => ({ file, link })),
	);
	expect(links.length).toBeGreaterThan(0);
	expect(
		links.filter(({ link }) => link.replace(/\/(issues$|blob\/main\/docs\/.*)/, '') !== packageJson.homepage),
	).toEqual([]);
});

test('npm publish is refused on a machine of your own: such a package has no provenance', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const [node = '', ...args] = scripts.prepublishOnly?.split(' ') ?? [];
	expect(node).toBe('node');
	const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm run release') });
	// There, the tarball is packed already, and no script runs.
	expect(read('.github/workflows/publish.yml')).toMatch(/npm publish \S+\.tgz .*--provenance.*--ignore-scripts/);
});

test('the scripts that users of n8n-node expect are there', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
	expect(Object.keys(scripts)).toEqual(
		expect.arrayContaining(['build', 'dev', 'lint', 'lint:fix', 'release', 'prepublishOnly']),
	);
});
