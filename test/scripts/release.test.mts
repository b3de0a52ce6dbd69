import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import {
	checkChangelog,
	checkProofs,
	checkProvenance,
	checkTarball,
	MOST_BYTES,
	type Packed,
} from '../../scripts/release/checks.mts';
import { nextVersion, RELEASE_FILES, withVersion } from '../../scripts/release/plan.mts';

const root = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const FILES = [
	'package.json',
	'package-lock.json',
	'README.md',
	'LICENSE',
	'docs/install.md',
	'docs/contributing/sandbox.md',
	'.github/workflows/publish.yml',
	'.github/workflows/ci.yml',
];
const SCANS = ["n8n's scan of the source", "n8n's scan of the unpacked tarball"];
/** It notes its calls, says what the lint found, and packs. */
const NPM = `
const [, command, , to] = process.argv.slice(2);
const { appendFileSync, copyFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('npm-calls', process.argv.slice(2).join(' '));
if (command === 'lint') {
	console.log(${JSON.stringify(SCANS)}.map((name) => 'passed: ' + name + ' (1.0 s)').join('\\n'));
}
if (command === 'pack') {
	mkdirSync(to + '/package/dist', { recursive: true });
	const { workspaces, ...manifest } = require(process.cwd() + '/package.json');
	writeFileSync(to + '/package/package.json', JSON.stringify(manifest));
	['LICENSE', 'README.md'].forEach((file) => copyFileSync(file, to + '/package/' + file));
	writeFileSync(to + '/package/dist/a.js', '');
	require('node:child_process').execFileSync('tar', ['-czf', to + '/package.tgz', '-C', to, 'package']);
	console.log(to + '/package.tgz');
}`;
/** Stands for a script that `npm run` would run, where it is run directly. */
const asNpm = (args: string) => `process.argv.splice(2, Infinity, ${args});
process.getBuiltinModule('node:module').createRequire(import.meta.url)(process.env.npm_execpath);
`;
const UNRELEASED = '# Changelog\n\n## [Unreleased]\n';
const PROOFS = '| n8n asks for | Proof |\n|---|---|\n| A lint | `npm run lint` |\n| A video | Publisher |\n';
let template: string;
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
	/** A clone of a project with these scripts and manifests at version 0.1.0, whose origin is a folder. `npm` is {@link NPM}. */
	beforeAll(() => {
		template = mkdtempSync(join(tmpdir(), 'release template '));
		project = join(template, 'project');
		const { version } = JSON.parse(read('package.json')) as { version: string };
		const write = (file: string, text: string) => {
			mkdirSync(dirname(join(project, file)), { recursive: true });
			writeFileSync(join(project, file), text);
		};
		for (const part of ['release.mts', 'release', 'lib']) {
			cpSync(join(root, 'scripts', part), join(project, 'scripts', part), { recursive: true });
		}
		cpSync(join(root, 'scripts', 'setup', 'dist.mjs'), join(project, 'scripts', 'setup', 'dist.mjs'));
		for (const file of FILES) {
			const isManifest = file.endsWith('.json');
			const [from, to] = isManifest
				? [`"version": "${version}"`, '"version": "0.1.0"']
				: [`-${version}.tgz`, '-0.1.0.tgz'];
			write(file, read(file).replaceAll(from, to));
		}
		write('.ci/budgets.json', read('.ci/budgets.json'));
		write('scripts/lint.mts', asNpm("'run', 'lint'"));
		write('scripts/pack.mts', asNpm("'run', 'pack', '--', process.argv[2]"));
		write('CHANGELOG.md', `${UNRELEASED}\nThe first version.\n\n## [0.0.1] - 2026-01-01\n\nEarlier.\n`);
		write('docs/contributing/verification.md', PROOFS);
		write('.gitignore', 'npm-calls\n');
		execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', join(template, 'origin')]);
		git('init', '--quiet', '--initial-branch', 'main');
		git('config', 'user.email', 'somebody@example.com');
		git('config', 'user.name', 'Somebody');
		git('add', '.');
		git('commit', '--quiet', '--message', 'Begin');
		git('remote', 'add', 'origin', '../origin');
		git('push', '--quiet', '--set-upstream', 'origin', 'main');
	});

	afterAll(() => rmSync(template, { recursive: true, force: true }));

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'release with blanks '));
		project = join(folder, 'project');
		cpSync(template, folder, { recursive: true });
		writeFileSync(join(folder, 'npm.cjs'), NPM);
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
	const own = (file: string) => readFileSync(join(project, file), 'utf8');
	const atOrigin = () => execFileSync('git', ['ls-remote', join(folder, 'origin')], { encoding: 'utf8' });

	function release(args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
		const { GITHUB_ACTIONS, ...inherited } = process.env;
		const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'release.mts'), ...args], {
			cwd: project,
			encoding: 'utf8',
			env: { ...inherited, npm_execpath: join(folder, 'npm.cjs'), ...env },
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
		expect(output).toMatch(/\+ npm install .*-calling-0\.2\.0\.tgz/);
		expect(output).toContain('Nothing has changed.');
		expect([git('status', '--porcelain'), git('tag'), atOrigin()]).toEqual(['', '', before]);
	});

	test('with --yes it lints, writes the version everywhere, and pushes the commit and the tag that publish.yml waits for', () => {
		const [manifest, lock] = [own('package.json'), own('package-lock.json').split('\n')];
		expect(release(['patch', '--yes'])).toMatchObject({
			status: 0,
			output: expect.stringContaining('0.1.1 is pushed'),
		});
		expect(own('npm-calls')).toBe('run lint');
		expect(own('package.json')).toBe(manifest.replace('"version": "0.1.0"', '"version": "0.1.1"'));
		const packages = { '': { version: '0.1.1' } };
		expect(JSON.parse(own('package-lock.json'))).toMatchObject({ version: '0.1.1', packages });
		const changed = own('package-lock.json').split('\n');
		expect(changed.filter((line, index) => line !== lock[index])).toHaveLength(2);
		for (const file of ['README.md', 'docs/install.md', 'docs/contributing/sandbox.md']) {
			expect(own(file)).toMatch(/-(calling|sandbox)-0\.1\.1\.tgz/);
		}
		// publish.yml compares the heading before it packs.
		const entry = '## [Unreleased]\n\n## [0.1.1] - DATE\n\nThe first version.\n\n## [0.0.1] - DATE\n\nEarlier.';
		expect(own('CHANGELOG.md').replace(/\d{4}-\d\d-\d\d/g, 'DATE')).toContain(entry);
		expect([git('status', '--porcelain'), git('log', '-1', '--format=%s')]).toEqual(['', 'Release 0.1.1']);
		for (const name of ['refs/tags/0.1.1', 'refs/heads/main']) {
			expect(atOrigin()).toContain(`${git('rev-parse', '0.1.1')}\t${name}`);
		}
	});

	test('it names everything that is in the way, before anything changes', () => {
		git('commit', '--quiet', '--allow-empty', '--message', 'Of somebody else');
		git('push', '--quiet');
		git('reset', '--quiet', '--hard', 'HEAD~1');
		git('switch', '--quiet', '--create', 'other');
		git('tag', '0.2.0');
		writeFileSync(join(project, 'README.md'), 'changed');
		const before = [git('rev-parse', 'HEAD'), atOrigin(), git('tag')];
		const { status, output } = release(['0.2.0', '--yes']);
		expect(output.split('Not possible yet:\n')[1]?.split('\n')).toEqual([
			'  You are on other: switch to main.',
			'  There are changes that are not committed.',
			'  The tag 0.2.0 exists already.',
			'  origin/main has commits that you do not have: pull first.',
			'',
		]);
		expect(status).toBe(1);
		expect([git('rev-parse', 'HEAD'), atOrigin(), git('tag')]).toEqual(before);
	});

	test('it stops where the origin cannot be reached', () => {
		git('remote', 'set-url', 'origin', '../gone');
		const { status, output } = release(['0.2.0', '--yes']);
		expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining('cannot be reached.') });
		expect([git('status', '--porcelain'), git('tag')]).toEqual(['', '']);
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
		expect([git('status', '--porcelain'), git('tag'), atOrigin()]).toEqual(['', '', before]);
	});

	describe('with --dry-run', () => {
		/** Runs it with a folder of its own for what is temporary. */
		function dryRun() {
			const temporary = join(folder, 'temporary');
			mkdirSync(temporary, { recursive: true });
			const ended = release(['1.0.0', '--dry-run'], { TMPDIR: temporary });
			expect(readdirSync(temporary)).toEqual([]);
			return { ...ended, lines: ended.output.trim().split('\n') };
		}

		test('it makes every check in a copy, says the result of each and what it cannot know, and changes nothing', () => {
			const before = [git('rev-parse', 'HEAD'), atOrigin(), git('tag')];
			const { status, lines } = dryRun();
			expect(lines.filter((line) => /^(FAILED|not checked)/.test(line))).toEqual([
				'not checked: publish.yml publishes from the repository that package.json names ("origin" is not on GitHub: ../origin)',
				'not checked: verification.md names a proof that is there: A video (all or part of it is for the publisher)',
			]);
			expect(lines.filter((line) => line.startsWith('passed: '))).toEqual(
				expect.arrayContaining([
					'passed: this copy has all commits of origin/main',
					'passed: verification.md names a proof that is there: A lint',
					...SCANS.map((name) => `passed: lint: ${name}`),
					'passed: the packed package.json has version 1.0.0',
				]),
			);
			expect(lines.at(-1)).toMatch(/^\d\d passed, 0 failed, 2 cannot be checked here\. Nothing has changed\.$/);
			expect(status).toBe(0);
			expect(git('status', '--porcelain', '--ignored')).toBe('');
			expect([git('rev-parse', 'HEAD'), atOrigin(), git('tag')]).toEqual(before);
		});

		test('it names each check that failed, also what the lint, the tarball and the copy of the project have', () => {
			git('remote', 'remove', 'origin');
			writeFileSync(join(project, 'README.md'), 'changed');
			const faults = `${NPM.replace('passed: ', 'FAILED: ').replace("'/package/dist/a.js'", "'/package/dist/a.js.map'")}
				process.exitCode = command === 'lint' ? 1 : 0;`;
			writeFileSync(join(folder, 'npm.cjs'), faults);
			const { status, lines } = dryRun();
			expect(lines.filter((line) => line.startsWith('FAILED: '))).toEqual([
				'FAILED: all changes are committed (There are changes that are not committed.)',
				...SCANS.map((name) => `FAILED: lint: ${name} (its output says why)`),
				'FAILED: the lint (it ended with status 1)',
				expect.stringContaining('dist/a.js.map has no place in it'),
			]);
			expect(lines.filter((line) => line.endsWith('(there is no remote "origin" here)'))).toHaveLength(2);
			expect(lines.at(-1)).toContain(' 5 failed, ');
			expect(status).toBe(1);
		});

		test('a lint that did not scan, and a tarball that was not packed, are no success', () => {
			writeFileSync(join(folder, 'npm.cjs'), '');
			const { status, lines } = dryRun();
			expect(lines.filter((line) => line.startsWith('FAILED: '))).toEqual([
				...SCANS.map((name) => `FAILED: lint: ${name} (it did not run)`),
				'FAILED: packing (it ended with status 0 and wrote no tarball)',
			]);
			expect(status).toBe(1);
		});
	});

	test.each([
		['together with --dry-run', ['1.0.0', '--dry-run'], {}, 'say one of them'],
		['in GitHub Actions, where publish.yml publishes', ['minor'], { GITHUB_ACTIONS: 'true' }, 'publish.yml publishes'],
	])('it is refused %s', (_when, args, env, reason) => {
		expect(release([...args, '--yes'], env)).toEqual({ status: 1, output: expect.stringContaining(reason) });
		expect(git('tag')).toBe('');
	});
});

describe('What a dry run checks', () => {
	const problemsOf = (findings: Array<{ problems?: string[] }>) => findings.flatMap(({ problems = [] }) => problems);

	const packed: Packed = {
		files: ['LICENSE', 'README.md', 'package.json', 'dist/a.js', 'dist/types/nodes.json', 'dist/icons/a.svg'],
		bytes: MOST_BYTES,
		manifest: { version: '1.0.0', peerDependencies: {} },
	};

	test.each<[string, Partial<Packed>, string[]]>([
		['what is published', {}, []],
		['no license', { files: packed.files.slice(1) }, ['LICENSE is missing']],
		['a test', { files: [...packed.files, 'test/a.js'] }, ['test/a.js has no place in it']],
		['one byte more', { bytes: MOST_BYTES + 1 }, ['it is too large']],
		['a dependency', { manifest: { version: '1.0.0', dependencies: {} } }, ['it has "dependencies"']],
		['another version', { manifest: { version: '0.1.0' } }, ['it has 0.1.0']],
	])('a tarball with %s', (_what, more, problems) => {
		expect(problemsOf(checkTarball({ ...packed, ...more }, '1.0.0'))).toEqual(problems);
	});

	const manifest = { homepage: 'https://github.com/o/p', repository: { url: 'https://github.com/o/p.git' } };
	const [publish, ci] = ['publish.yml', 'ci.yml'].map((name) => read(`.github/workflows/${name}`)) as [string, string];
	const workflows = { 'publish.yml': publish, 'ci.yml': ci };
	const without = (name: keyof typeof workflows, from: string | RegExp, to = '') => {
		expect(workflows[name].replace(from, to)).not.toBe(workflows[name]);
		return { ...workflows, [name]: workflows[name].replace(from, to) };
	};

	test.each(['https://github.com/o/p', 'git@github.com:o/p.git', 'ssh://git@github.com/o/p.git'])(
		'the provenance names the repository that %s is',
		(remote) => expect(problemsOf(checkProvenance(manifest, remote, workflows))).toEqual([]),
	);

	const lookalike = { repository: { url: 'https://github.com.evil.example/o/p' } };
	test.each<[what: string, problem: string, more: object, edit?: Parameters<typeof without>, remote?: string]>([
		['another origin', '"origin" is o/q', {}, undefined, 'https://github.com/o/q'],
		['a host that looks like it', 'evil.example', lookalike],
		['another homepage', 'o/q', { homepage: 'https://github.com/o/q' }],
		['no right to sign', 'no "id-token: write"', {}, ['publish.yml', 'id-token: write', '# id-token: write']],
		['no provenance', 'no "npm publish … --provenance"', {}, ['publish.yml', ' --provenance --access', ' # --access']],
		['an action by its tag', 'is not pinned', {}, ['ci.yml', /@[\da-f]{40} # (v\S+)/, '@$1']],
	])('the provenance is refused with %s', (_what, ...given) => {
		const [problem, more, edit, remote] = given;
		const found = checkProvenance({ ...manifest, ...more }, remote, edit ? without(...edit) : workflows);
		expect(problemsOf(found)).toEqual([expect.stringContaining(problem)]);
	});

	const changelog = `${UNRELEASED}\n## [1.0.0] - 2026-01-31\n\nThe first version.\n\n## [0.1.0] - 2026-01-01\n\nMore.\n`;

	test.each<[string, string, number]>([
		['the entry of today', changelog, 0],
		['an entry of another day', changelog.replace('01-31', '01-30'), 1],
		['an empty entry', changelog.replace('The first version.\n', ''), 1],
		['something under Unreleased', changelog.replace('[Unreleased]\n', '$&\n- More.\n'), 1],
		['nothing of it', '# Changelog\n', 2],
	])('a changelog with %s', (_what, text, count) => {
		expect(checkChangelog(text, '1.0.0', '2026-01-31').problems).toHaveLength(count);
	});

	test.each([
		['1.0.0', 'has an entry for 1.0.0 already'],
		['1.1.0', 'has nothing below [Unreleased]'],
	])('no version %s is written where the changelog %s', (version, reason) => {
		const files = Object.fromEntries(RELEASE_FILES.map((file) => [file, read(file)]));
		expect(() => withVersion({ ...files, 'CHANGELOG.md': changelog }, version, '2026-01-31')).toThrow(reason);
	});

	const page = read('docs/contributing/verification.md');
	const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
	const exists = (path: string) => existsSync(join(root, 'docs', 'contributing', path));

	test('each row of docs/contributing/verification.md has a proof that is there, or is for the publisher', () => {
		const proofs = checkProofs(page, scripts, exists);
		expect(proofs.length).toBeGreaterThan(60);
		expect(proofs.filter(({ unknown }) => unknown !== undefined).length).toBeGreaterThan(2);
		expect(problemsOf(proofs)).toEqual([]);
	});

	test.each([
		['a file that is not there', '[gone](../../test/gone.test.mts)', 'there is no ../../test/gone.test.mts'],
		['a command that is not there', '`npm run gone`', 'there is no npm run gone'],
		['a statement only', 'n8n has none', 'it names no proof'],
	])('a row with %s is named', (_what, proof, problem) => {
		const [row] = checkProofs(PROOFS.replace('`npm run lint`', proof), scripts, exists);
		expect(row).toEqual({ what: 'verification.md names a proof that is there: A lint', problems: [problem] });
	});
});
