import { readdirSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

import { versions } from '../../scripts/compat/install.mts';
import { type CompatRun, PAGE, readRuns, withRuns } from '../../scripts/compat/versionTable.mts';
import { root } from '../../scripts/lib/places.mts';
import { npmScripts, read } from './sources.mts';

const page = read(PAGE);

const run = (version: string): CompatRun => ({
	version,
	date: '2026-01-02',
	platform: 'Node.js 24.1, linux',
	commit: 'abcdef1234',
	passed: 12,
	failed: 0,
});

describe('The table of n8n versions in docs/contributing/compatibility.md', () => {
	test('is as npm run test:compat has written it, with every version that it runs, and all checks passed', () => {
		const runs = readRuns(page);
		expect(runs.map(({ version }) => version)).toEqual(versions);
		expect(runs.filter(({ passed, failed }) => passed === 0 || failed > 0)).toEqual([]);
	});

	test.each([
		['a number', '12 passed', '13 passed'],
		['a date', '2026-01-02', '2026-02-02'],
		['a row', /\| 2\.0\.0 .*\n/, ''],
		['one more row', '<!-- End -->', '| 3.0.0 | … | … | … | 12 passed |\n<!-- End -->'],
	])('is refused where somebody has edited %s', (_what, from, to) => {
		const runs = versions.map((version) => run(version));
		const written = withRuns(page, runs, versions);
		expect(readRuns(written)).toEqual(runs);
		expect(written).toMatch(from);
		expect(() => readRuns(written.replace(from, to))).toThrow('was edited');
	});
});

test('The run with the newest n8n has tests that are there', () => {
	process.env.TEST_TIER = 'newest';
	const { projects } = jest.requireActual<{ projects: [{ testMatch: string[] }] }>(join(root, 'jest.config.cjs'));
	const files = readdirSync(join(root, 'test', 'e2e')).map((name) => `<rootDir>/test/e2e/${name}`);
	const { testMatch } = projects[0];
	expect(testMatch.filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))).toEqual([]);
	expect(testMatch.filter((pattern) => pattern.includes('/example'))).toHaveLength(3);
});

test('What CI leaves out for a change runs once a week', () => {
	const [, matrix] = /command: \[(.*)\]/.exec(read('.github/workflows/scheduled.yml')) ?? [];
	const weekly = matrix.replaceAll("'", '').split(', ');
	const [, leftOut] = /What it leaves out \((.*?)\) runs once a week/.exec(read('docs/contributing/commands.md')) ?? [];
	expect(leftOut.replaceAll('`', '').split(', ')).toEqual(weekly);
	expect(Object.keys(npmScripts)).toEqual(expect.arrayContaining(weekly.map((command) => command.split(' ')[0])));
});
