import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';

import { lockNewest, versions } from '../../scripts/compat/install.mts';
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

describe('The newest n8n', () => {
	let folder: string;
	const npmOfAll = process.env.npm_execpath;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'newest n8n '));
		jest.spyOn(console, 'log').mockImplementation(() => {});
	});

	afterEach(() => {
		jest.restoreAllMocks();
		process.env.npm_execpath = npmOfAll;
		rmSync(folder, { recursive: true, force: true });
	});

	/** Looks for it with a registry that has these versions, and says this where something of one is asked for. */
	async function lockWith(version: string, versions: string[], answers: Record<string, string> = {}): Promise<string> {
		process.env.npm_execpath = join(folder, 'npm.cjs');
		const registry = `
			const answers = ${JSON.stringify(answers)};
			if (process.argv[2] === 'view') console.log(${JSON.stringify(JSON.stringify({ version, versions }))});
			else {
				const answer = answers[require(process.cwd() + '/package.json').dependencies.n8n];
				if (answer) { console.error(answer); process.exitCode = 1; }
			}`;
		writeFileSync(process.env.npm_execpath, registry);
		return await lockNewest(join(folder, 'lock'));
	}

	const said = () => jest.mocked(console.log).mock.calls.flat().join('\n');
	const gone = 'npm error code ETARGET\nnpm error notarget No matching version found for n8n-core@2.50.0.';

	test('is the latest one, which neither a trial version nor one that is to come is', async () => {
		const versions = ['2.9.0', '2.50.0', '2.50.1-rc.1', '2.51.0', '2.49.9'];
		expect(await lockWith('2.50.0', versions)).toBe('2.50.0');
		const manifest = JSON.parse(readFileSync(join(folder, 'lock', 'package.json'), 'utf8')) as object;
		expect(manifest).toMatchObject({ dependencies: { n8n: '2.50.0' }, overrides: expect.any(Object) });
	});

	test('is an older one where npm lacks a package of the latest, and that is said', async () => {
		expect(await lockWith('2.50.0', ['2.9.0', '2.49.9', '2.49.10-rc.1', '2.50.0'], { '2.50.0': gone })).toBe('2.49.9');
		expect(said()).toContain('n8n 2.50.0 cannot be installed from npm: No matching version found for n8n-core@2.50.0.');
	});

	test('is not an older one where npm fails for another reason', async () => {
		const noNetwork = { '2.50.0': 'npm error code ECONNREFUSED' };
		await expect(lockWith('2.50.0', ['2.49.9', '2.50.0'], noNetwork)).rejects.toThrow('ECONNREFUSED');
	});

	test('runs tests that are there', () => {
		process.env.TEST_TIER = 'newest';
		const { projects } = jest.requireActual<{ projects: [{ testMatch: string[] }] }>(join(root, 'jest.config.cjs'));
		const files = readdirSync(join(root, 'test', 'e2e')).map((name) => `<rootDir>/test/e2e/${name}`);
		const { testMatch } = projects[0];
		expect(testMatch.filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))).toEqual([]);
		expect(testMatch.filter((pattern) => pattern.includes('/example'))).toHaveLength(3);
	});
});

test('What CI leaves out for a change runs once a week', () => {
	const [, matrix] = /command: \[(.*)\]/.exec(read('.github/workflows/scheduled.yml')) ?? [];
	const weekly = matrix.replaceAll("'", '').split(', ');
	const [, leftOut] = /What it leaves out \((.*?)\) runs once a week/.exec(read('docs/contributing/commands.md')) ?? [];
	expect(leftOut.replaceAll('`', '').split(', ')).toEqual(weekly);
	expect(Object.keys(npmScripts)).toEqual(expect.arrayContaining(weekly.map((command) => command.split(' ')[0])));
});
