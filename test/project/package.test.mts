import { spawnSync } from 'node:child_process';

import { root } from '../../scripts/lib/places.mts';
import { filesIn, npmScripts, read, sourcesIn } from './sources.mts';

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

test('the published code can be read: no line is long, and functions keep the names that stack traces show', () => {
	const files = filesIn(['dist'], /\.js$/);
	expect(files.length).toBeGreaterThan(10);
	const longest = files.map(
		(file) =>
			[
				file,
				Math.max(
					...read(file)
						.split('\n')
						.map(({ length }) => length),
				),
			] as const,
	);
	expect(longest.filter(([, length]) => length > 3000)).toEqual([]);
	const code = files.map(read).join('\n');
	const named = sourcesIn('nodes').flatMap((file) => read(file).match(/(?<=^export (?:async )?function )\w+/gm) ?? []);
	expect(named.length).toBeGreaterThan(500);
	const missing = named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
	// Rollup renames what several modules call the same, and leaves out what nothing uses.
	expect(missing.length).toBeLessThan(named.length / 50);
});
