import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ownVersion, removeN8n, versions } from '../../scripts/compat/install.mts';
import { type CompatRun, PAGE, readRuns, withRuns } from '../../scripts/compat/versionTable.mts';
import { cache, root } from '../../scripts/lib/places.mts';

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const page = read(PAGE);

const run = (version: string, more: Partial<CompatRun> = {}): CompatRun => ({
	...{ version, date: '2026-01-02', platform: 'Node.js 24.1, linux', commit: 'abcdef1234', passed: 12, failed: 0 },
	...more,
});

describe('The table of n8n versions in docs/contributing/compatibility.md', () => {
	test('is as npm run test:compat has written it, with every version that it runs, and all checks passed', () => {
		const runs = readRuns(page);
		expect(runs.map(({ version }) => version)).toEqual(versions);
		expect(runs.filter(({ passed, failed }) => passed === 0 || failed > 0)).toEqual([]);
	});

	test.each([
		['a number', (text: string) => text.replace('12 passed', '13 passed')],
		['a date', (text: string) => text.replace('2026-01-02', '2026-02-02')],
		['a row', (text: string) => text.replace(/\| 2\.0\.0 .*\n/, '')],
		['one more row', (text: string) => text.replace('<!-- End -->', '| 3.0.0 | … | … | … | 12 passed |\n<!-- End -->')],
	])('is refused where somebody has edited %s', (_what, edit) => {
		const written = withRuns(
			page,
			versions.map((version) => run(version)),
			versions,
		);
		expect(readRuns(written)).toEqual(versions.map((version) => run(version)));
		expect(edit(written)).not.toBe(written);
		expect(() => readRuns(edit(written))).toThrow('was edited');
	});

	test('keeps the rows of versions that were not run, and shows what failed', () => {
		const [first, second] = ['2.0.0', '1.0.0'];
		const both = withRuns(page, [run(first), run(second)], [first, second]);
		const failed = run(second, { date: '2026-03-04', passed: 11, failed: 1 });
		expect(readRuns(withRuns(both, [failed], [first, second]))).toEqual([run(first), failed]);
		expect(readRuns(withRuns(both, [], [first]))).toEqual([run(first)]);
	});
});

test('A version is removed after its run, and the n8n of all other commands stays', () => {
	const version = '0.0.1';
	const folder = join(cache, `n8n-${version}`);
	mkdirSync(join(folder, 'node_modules'), { recursive: true });
	writeFileSync(join(folder, 'installed-from'), 'a test');
	const isOwnThere = existsSync(join(cache, 'n8n'));
	removeN8n(version);
	expect(existsSync(folder)).toBe(false);
	removeN8n(ownVersion);
	expect(existsSync(join(cache, 'n8n'))).toBe(isOwnThere);
});

test('What CI leaves out for a change runs once a week', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const [, matrix = ''] = /command: \[(.*)\]/.exec(read('.github', 'workflows', 'scheduled.yml')) ?? [];
	const weekly = matrix.split(', ').map((command) => command.replaceAll("'", ''));
	const [, leftOut = ''] =
		/What it leaves out \((.*?)\) runs once a week/.exec(read('docs', 'contributing', 'commands.md')) ?? [];
	expect(leftOut.replaceAll('`', '').split(', ')).toEqual(weekly);
	expect(Object.keys(scripts)).toEqual(expect.arrayContaining(weekly.map((command) => command.split(' ')[0])));
});
