import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { oldNode } from '../../scripts/lib/oldVersions.mts';
import { root } from '../../scripts/lib/places.mts';
import { installPackage } from '../../scripts/n8n/install.mts';

const NAME = 'n8n-nodes-voice-agent-calling';

let folder: string;
let tarball: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'packed package '));
	const pack = [join(root, 'scripts', 'pack.mts'), folder];
	tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trimEnd().split('\n').at(-1)!;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nodes = { 20: oldNode(20), 22: oldNode(22), 24: process.execPath };

test.each(Object.entries(nodes))('an n8n on Node.js %s installs and loads the package', async (version, node) => {
	const userFolder = join(folder, version);
	await installPackage(tarball, userFolder, join(folder, `install-${version}.log`), node);
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', NAME);
	const { n8n } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { n8n: { nodes: string[] } };
	const script = `
		const files = ${JSON.stringify(n8n.nodes.map((file) => join(installed, file)))};
		const nodes = files.map((file) => new (require(file)[path.basename(file, '.node.js')])());
		console.log(process.version, nodes.map(({ description }) => description.name).join());`;
	// n8n's own packages, as n8n gives them to the nodes that it loads.
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	const output = execFileSync(node, ['-e', script], { encoding: 'utf8', env });
	expect(output).toMatch(new RegExp(`^v${version}\\.\\S+ voiceAgentCalling,voiceAgentCallingTrigger\\n$`));
});

test('the tarball has dist/, the README, the license and a package.json without what concerns the repository alone', () => {
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	const unpacked = join(folder, 'package');
	expect(readdirSync(unpacked).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
	const keys = Object.keys(JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as object);
	for (const key of ['devEngines', 'engines', 'workspaces', 'overrides', 'dependencies']) {
		expect(keys).not.toContain(key);
	}
	const files = readdirSync(join(unpacked, 'dist'), { recursive: true, encoding: 'utf8' }).filter((path) =>
		statSync(join(unpacked, 'dist', path)).isFile(),
	);
	expect(files.filter((path) => !/\.(js|json|svg)$/.test(path))).toEqual([]);
});
