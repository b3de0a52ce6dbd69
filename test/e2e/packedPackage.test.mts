import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { installPackage } from '../../scripts/lib/n8n.mts';
import { oldNode } from '../../scripts/lib/oldVersions.mts';
import { root } from '../../scripts/lib/places.mts';

/** Of the tarball. */
const MOST_BYTES = 450_000;

let folder: string;
let tarball: string;
/** The package as n8n has installed it. */
let installed: string;
let manifest: Record<string, unknown> & { n8n: { nodes: string[] } };

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'packed package '));
	const pack = [join(root, 'scripts', 'pack.mts'), folder];
	tarball = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trimEnd().split('\n').at(-1)!;
	await installPackage(tarball, folder, join(folder, 'install.log'), oldNode(20));
	installed = join(folder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-voice-agent-calling');
	manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs = { 20: oldNode(20), 22: oldNode(22), 24: process.execPath };

test.each(Object.entries(programs))('an n8n on Node.js %s loads the package', (version, program) => {
	const script = `
		const files = ${JSON.stringify(manifest.n8n.nodes.map((file) => join(installed, file)))};
		const nodes = files.map((file) => new (require(file)[path.basename(file, '.node.js')])());
		console.log(process.version, nodes.map(({ description }) => description.name).join());`;
	// n8n's own packages, as n8n gives them to the nodes that it loads.
	const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
	const output = execFileSync(program, ['-e', script], { encoding: 'utf8', env });
	expect(output).toMatch(new RegExp(`^v${version}\\.\\S+ voiceAgentCalling,voiceAgentCallingTrigger\\n$`));
});

test('the package has dist/, the README, the license and a package.json without what concerns the repository alone', () => {
	const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
	const paths = files.map(({ parentPath, name }) => relative(installed, join(parentPath, name)));
	const top = new Set(paths.map((path) => path.split('/')[0]));
	expect([...top].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
	expect(paths.filter((path) => path.startsWith('dist/') && !/\.(js|json|svg)$|\.LICENSE/.test(path))).toEqual([]);
	// n8n forbids runtime dependencies; the others concern the repository alone.
	expect(Object.keys(manifest)).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/^(dependencies|devEngines|engines|overrides|workspaces)$/)]),
	);
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	expect(manifest.version).toBe(version);
	expect(statSync(tarball).size).toBeLessThanOrEqual(MOST_BYTES);
});
