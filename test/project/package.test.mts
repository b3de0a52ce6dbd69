import { spawnSync } from 'node:child_process';

import { root } from '../../scripts/lib/places.mts';
import { filesIn, npmScripts, read } from './sources.mts';

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
	const links = filesIn(['credentials', 'nodes', 'icons'], /./).flatMap(
		(file) => read(file).match(/https:\/\/github\.com\/[^\s"'#)]+/g) ?? [],
	);
	expect(links.length).toBeGreaterThan(0);
	const projects = links.map((link) => link.replace(/\/(issues$|blob\/main\/docs\/.*)/, ''));
	expect([...new Set(projects)]).toEqual([packageJson.homepage]);
});

test('npm publish is refused on a machine of your own: such a package has no provenance', () => {
	const { status, stderr } = spawnSync(npmScripts.prepublishOnly, { cwd: root, encoding: 'utf8', shell: true });
	expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm run release') });
	// There, the tarball is packed already, and no script runs.
	expect(read('.github/workflows/publish.yml')).toMatch(/npm publish \S+\.tgz .*--provenance.*--ignore-scripts/);
});
