// Prepares a release: npm run release -- <major|minor|patch|version>
// Writes the version and the date, commits and tags. Then push both: the tag starts publish.yml, which tests, packs and
// publishes the package with provenance.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { npmProgram, root } from './lib/places.mts';

/** The pages that contain the name of the tarball. */
const PAGES = ['README.md', 'docs/install.md', 'docs/contributing/sandbox.md'];
const UNRELEASED = '## [Unreleased]\n';

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const versionNow = () => (JSON.parse(read('package.json')) as { version: string }).version;

function release(wanted: string): void {
	if (git('status', '--porcelain') !== '') {
		throw new Error('There are changes that are not committed.');
	}
	const [before, after = ''] = read('CHANGELOG.md').split(UNRELEASED);
	if (after.split(/^## /m)[0]!.trim() === '') {
		throw new Error('CHANGELOG.md has nothing below [Unreleased]: write down what has changed.');
	}
	const current = versionNow();
	execFileSync(process.execPath, [npmProgram(), 'version', wanted, '--no-git-tag-version'], { cwd: root });
	const version = versionNow();
	const date = new Date().toISOString().slice(0, 10);
	write('CHANGELOG.md', `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}`);
	for (const page of PAGES) {
		write(page, read(page).replaceAll(`-${current}.tgz`, `-${version}.tgz`));
	}
	git('commit', '--quiet', '--all', '--message', `Release ${version}`);
	git('tag', version);
	console.log(`${current} → ${version}. To publish it: git push --atomic origin HEAD ${version}`);
}

try {
	const [wanted = '', ...more] = process.argv.slice(2);
	if (more.length > 0 || !/^(major|minor|patch|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(wanted)) {
		throw new Error('Enter the version: npm run release -- major, minor, patch, or a version such as 1.2.3.');
	}
	release(wanted);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
