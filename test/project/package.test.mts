import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';

function read(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

const packageJson = JSON.parse(read('package.json')) as {
	homepage: string;
	scripts: Record<string, string>;
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
	expect(links.filter(({ link }) => link !== packageJson.homepage)).toEqual([]);
});

test('each lock file leaves the place that packages come from to npm', () => {
	for (const folder of ['.', 'sandbox', 'tools/bench', 'tools/lint', 'tools/mutation', 'tools/n8n']) {
		expect(read(join(folder, 'package-lock.json'))).not.toMatch(/"resolved": "https?:/);
	}
});

test("the README's table names every operation of every resource", () => {
	const rows = read('README.md')
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const missing = resources.flatMap(({ name, operations }) => {
		const row = rows.find(([, resource = '']) => resource.split(', ').includes(name));
		const named = row?.[2]?.split(/[^\w ]+/).map((words) => words.trim());
		return operations.filter((one) => !named?.includes(one.name)).map((one) => `${name} → ${one.name}`);
	});
	expect(missing).toEqual([]);
});

test('the README names no npm script that is not there', () => {
	const readme = read('README.md');
	const scripts = [...readme.matchAll(/npm (?:run )?(start|test|sandbox|bench|build|pack|run \w+)\b/g)].map(
		([, script]) => script,
	);
	expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([]);
});
