import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nextVersion } from '../../scripts/release/plan.mts';

const root = join(__dirname, '..', '..');
const FILES = ['package.json', 'package-lock.json', 'README.md', 'docs/install.md', 'docs/contributing/sandbox.md'];
const NPM = "require('node:fs').appendFileSync('npm-calls', process.argv.slice(2).join(' '))";
let folder: string;
let project: string;

describe('The next version', () => {
	test.each([
		['0.1.0', 'major', '1.0.0'],
		['0.1.9', 'minor', '0.2.0'],
		['1.2.9', 'patch', '1.2.10'],
		['0.1.0', '0.1.0', '0.1.0'],
		['0.9.0', '0.10.0', '0.10.0'],
		['0.1.0', '0.2.0-rc.1', '0.2.0-rc.1'],
	])('after %s, %s leads to %s', (current, wanted, next) => {
		expect(nextVersion(current, wanted)).toBe(next);
	});

	test.each([
		['1.0.0', '0.9.9', 'comes before'],
		['0.10.0', '0.9.0', 'comes before'],
		['0.1.0', 'v0.2.0', 'is no version'],
		['0.1.0', '0.2', 'is no version'],
		['0.1.0', '--tag', 'is no version'],
	])('after %s, %s is refused', (current, wanted, reason) => {
		expect(() => nextVersion(current, wanted)).toThrow(reason);
	});
});

describe('npm run release', () => {
	/** A clone of a project with these scripts and manifests at version 0.1.0, whose origin is a folder. `npm` only notes its call. */
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'release with blanks '));
		project = join(folder, 'project');
		cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
		mkdirSync(join(project, 'docs', 'contributing'), { recursive: true });
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		for (const file of FILES) {
			const text = readFileSync(join(root, file), 'utf8');
			const isManifest = file.endsWith('.json');
			writeFileSync(
				join(project, file),
				isManifest
					? text.replaceAll(`"version": "${version}"`, '"version": "0.1.0"')
					: text.replaceAll(`-${version}.tgz`, '-0.1.0.tgz'),
			);
		}
		writeFileSync(join(project, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\nThe first version.\n');
		writeFileSync(join(project, '.gitignore'), 'npm-calls\n');
		writeFileSync(join(folder, 'npm.cjs'), NPM);
		execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', join(folder, 'origin')]);
		git('init', '--quiet', '--initial-branch', 'main');
		git('config', 'user.email', 'somebody@example.com');
		git('config', 'user.name', 'Somebody');
		git('add', '.');
		git('commit', '--quiet', '--message', 'Begin');
		git('remote', 'add', 'origin', join(folder, 'origin'));
		git('push', '--quiet', '--set-upstream', 'origin', 'main');
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
	const read = (file: string) => readFileSync(join(project, file), 'utf8');
	const atOrigin = () => execFileSync('git', ['ls-remote', join(folder, 'origin')], { encoding: 'utf8' });

	function release(args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
		const { GITHUB_ACTIONS, ...own } = process.env;
		const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'release.mts'), ...args], {
			cwd: project,
			encoding: 'utf8',
			env: { ...own, npm_execpath: join(folder, 'npm.cjs'), ...env },
		});
		return { status, output: stdout + stderr };
	}

	test('without --yes nothing changes: it says what it would write, commit, tag and push', () => {
		const before = atOrigin();
		const { status, output } = release(['minor']);
		expect(status).toBe(0);
		expect(output).toContain('Version 0.1.0 → 0.2.0');
		expect(output).toContain('+ "version": "0.2.0",');
		expect(output).toMatch(/\+ ## \[0\.2\.0\] - \d{4}-\d\d-\d\d/);
		expect(output).toContain(
			'+ npm install --prefix ~/.n8n/nodes --legacy-peer-deps .cache/pack/n8n-nodes-voice-agent-calling-0.2.0.tgz',
		);
		expect(output).toContain('This was a dry run: nothing has changed.');
		expect(git('status', '--porcelain')).toBe('');
		expect(git('tag')).toBe('');
		expect(atOrigin()).toBe(before);
	});

	test('with --yes it lints, writes the version everywhere, and pushes the commit and the tag that publish.yml waits for', () => {
		expect(release(['0.1.0', '--yes'])).toMatchObject({
			status: 0,
			output: expect.stringContaining('0.1.0 is pushed'),
		});
		expect(release(['patch', '--yes'])).toMatchObject({ status: 1, output: expect.stringContaining('nothing below') });
		writeFileSync(join(project, 'CHANGELOG.md'), read('CHANGELOG.md').replace('## [Unreleased]\n', '$&\n- More.\n'));
		git('commit', '--quiet', '--all', '--message', 'More');
		expect(release(['patch', '--yes']).status).toBe(0);

		expect(read('npm-calls')).toBe('run lintrun lint');
		expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.1.1' });
		expect(JSON.parse(read('package-lock.json'))).toMatchObject({
			version: '0.1.1',
			packages: { '': { version: '0.1.1' } },
		});
		expect(read('README.md')).toContain('calling-0.1.1.tgz');
		expect(read('docs/install.md')).toContain('calling-0.1.1.tgz');
		expect(read('docs/contributing/sandbox.md')).toContain('sandbox-0.1.1.tgz');
		expect(read('CHANGELOG.md')).toMatch(
			/## \[Unreleased\]\n\n## \[0\.1\.1\] - \S+\n\n- More\.\n\n## \[0\.1\.0\] - \S+\n\nThe first version\./,
		);
		expect(git('status', '--porcelain')).toBe('');
		expect(git('log', '-1', '--format=%s')).toBe('Release 0.1.1');
		expect(atOrigin()).toContain(`${git('rev-parse', '0.1.1')}\trefs/tags/0.1.1`);
		expect(atOrigin()).toContain(`${git('rev-parse', '0.1.1')}\trefs/heads/main`);
		// What publish.yml compares before it packs.
		expect(read('CHANGELOG.md')).toContain('## [0.1.1] - ');
	});

	test('only the version changes in the manifests', () => {
		const [before, lockBefore] = [read('package.json'), read('package-lock.json')];
		release(['0.1.7', '--yes']);
		expect(read('package.json')).toBe(before.replace('"version": "0.1.0"', '"version": "0.1.7"'));
		const [lines, linesBefore] = [read('package-lock.json'), lockBefore].map((text) => text.split('\n'));
		expect(lines!.filter((line, index) => line !== linesBefore![index])).toHaveLength(2);
	});

	test.each<[string, string, () => void]>([
		['a changed file', 'not committed', () => writeFileSync(join(project, 'README.md'), 'changed')],
		['another branch', 'switch to main', () => git('switch', '--quiet', '--create', 'other')],
		['the tag', 'The tag 0.2.0 exists already', () => git('tag', '0.2.0')],
		['no origin', 'cannot be reached', () => git('remote', 'remove', 'origin')],
		[
			'commits of somebody else',
			'pull first',
			() => {
				git('commit', '--quiet', '--allow-empty', '--message', 'Theirs');
				git('push', '--quiet');
				git('reset', '--quiet', '--hard', 'HEAD~1');
			},
		],
	])('it stops at %s, before anything changes', (_what, reason, prepare) => {
		prepare();
		const before = [git('rev-parse', 'HEAD'), atOrigin(), git('tag')];
		const { status, output } = release(['0.2.0', '--yes']);
		expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining(reason) });
		expect([git('rev-parse', 'HEAD'), atOrigin(), git('tag')]).toEqual(before);
	});

	test('commits of somebody else that come meanwhile stop both: no tag is pushed without its commit', () => {
		const other = join(folder, 'other');
		execFileSync('git', ['clone', '--quiet', join(folder, 'origin'), other]);
		const author = ['-c', 'user.email=other@example.com', '-c', 'user.name=Other'];
		execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'Theirs'], { cwd: other });
		const options = JSON.stringify({ cwd: other });
		writeFileSync(
			join(folder, 'npm.cjs'),
			`require('child_process').execFileSync('git', ['push', '--quiet'], ${options})`,
		);
		expect(release(['minor', '--yes']).status).toBe(1);
		const theirs = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: other, encoding: 'utf8' }).trim();
		expect(atOrigin()).toContain(`${theirs}\trefs/heads/main`);
		expect(atOrigin()).not.toContain('refs/tags');
	});

	test('a failed lint stops it before anything changes', () => {
		writeFileSync(join(folder, 'npm.cjs'), 'process.exitCode = 1');
		const before = atOrigin();
		const { status, output } = release(['minor', '--yes']);
		expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining('The lint has found something') });
		expect(git('status', '--porcelain')).toBe('');
		expect([git('tag'), atOrigin()]).toEqual(['', before]);
	});

	test('in GitHub Actions it refuses: publish.yml publishes', () => {
		expect(release(['minor', '--yes'], { GITHUB_ACTIONS: 'true' })).toEqual({
			status: 1,
			output: expect.stringContaining('publish.yml publishes'),
		});
	});
});
