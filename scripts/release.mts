// Releases a version: npm run release -- <major|minor|patch|version> [--dry-run|--yes]
// Without --yes it changes nothing and says what it would do; --dry-run makes all checks that a release needs.
// npm gets the package from publish.yml, never from here.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { npmProgram, root } from './lib/places.mts';
import { runVisibly } from './lib/process.mts';
import type { Finding } from './release/checks.mts';
import { dryRun } from './release/dryRun.mts';
import { type Files, nextVersion, RELEASE_FILES, withVersion } from './release/plan.mts';

const BRANCH = 'main';
const REMOTE = 'origin';

const { values, positionals } = parseArgs({
	options: { yes: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
	allowPositionals: true,
});

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Whether a git command succeeds. */
function succeeds(...args: string[]): boolean {
	try {
		execFileSync('git', args, { cwd: root, stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

/** The address of the remote; undefined where there is none. */
function addressOfRemote(): string | undefined {
	return succeeds('remote', 'get-url', REMOTE) ? git('remote', 'get-url', REMOTE) : undefined;
}

/** What of this copy of the project may keep it from a release. */
function checkCopy(version: string): Finding[] {
	const branch = git('branch', '--show-current');
	const isReached = succeeds('fetch', '--quiet', REMOTE, BRANCH);
	const isBehind = isReached && git('rev-list', '--count', `HEAD..${REMOTE}/${BRANCH}`) !== '0';
	const hasTag =
		(isReached && git('ls-remote', '--tags', REMOTE, `refs/tags/${version}`) !== '') ||
		succeeds('rev-parse', '--verify', '--quiet', `refs/tags/${version}`);
	const unknown = addressOfRemote() === undefined ? `there is no remote "${REMOTE}" here` : undefined;
	const check = (what: string, holds: boolean, problem: string) => ({ what, problems: holds ? [] : [problem] });
	return [
		check(`the branch is ${BRANCH}`, branch === BRANCH, `You are on ${branch || 'no branch'}: switch to ${BRANCH}.`),
		check(
			'all changes are committed',
			git('status', '--porcelain') === '',
			'There are changes that are not committed.',
		),
		check(`there is no tag ${version} yet`, !hasTag, `The tag ${version} exists already.`),
		unknown === undefined
			? check(
					`this copy has all commits of ${REMOTE}/${BRANCH}`,
					isReached && !isBehind,
					isReached
						? `${REMOTE}/${BRANCH} has commits that you do not have: pull first.`
						: `${REMOTE} has no branch ${BRANCH}, or cannot be reached.`,
				)
			: { what: `this copy has all commits and tags of ${REMOTE}/${BRANCH}`, unknown },
	];
}

/** The changed lines of a file, as a diff shows them. */
function changedLines(before: string, after: string): string[] {
	const [old, now] = [before.split('\n'), after.split('\n')];
	return [
		...old.filter((line) => !now.includes(line)).map((line) => `- ${line.trim()}`),
		...now.filter((line) => !old.includes(line)).map((line) => `+ ${line.trim()}`),
	];
}

async function release(wanted: string): Promise<void> {
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const files: Files = Object.fromEntries(RELEASE_FILES.map((file) => [file, read(file)]));
	const { version: current } = JSON.parse(files['package.json']!) as { version: string };
	const version = nextVersion(current, wanted);
	const date = new Date().toISOString().slice(0, 10);
	const changed = withVersion(files, version, date);
	console.log(`Version ${current} → ${version}\n`);
	for (const [file, text] of Object.entries(changed)) {
		console.log([file, ...changedLines(files[file]!, text).map((line) => `  ${line}`)].join('\n'));
	}
	console.log(`\nThen: commit "Release ${version}", tag ${version}, push both to ${REMOTE}.`);
	console.log(
		'The pushed tag starts .github/workflows/publish.yml, which tests, packs and publishes with provenance.\n',
	);

	const findings = checkCopy(version);
	if (values['dry-run']) {
		process.exitCode = (await dryRun({ version, date, changed, remote: addressOfRemote() }, findings)) > 0 ? 1 : 0;
		return;
	}
	const inTheWay = findings.flatMap(({ problems = [], unknown }) => (unknown ? [`${unknown}.`] : problems));
	if (inTheWay.length > 0) {
		throw new Error(`Not possible yet:\n${inTheWay.map((line) => `  ${line}`).join('\n')}`);
	}
	if (!values.yes) {
		const again = `npm run release -- ${wanted}`;
		console.log(`Nothing has changed. To check everything: ${again} --dry-run. To do it: ${again} --yes`);
		return;
	}
	if ((await runVisibly([npmProgram(), 'run', 'lint'], root)) !== 0) {
		throw new Error('The lint has found something: nothing has changed.');
	}
	for (const [file, text] of Object.entries(changed)) {
		writeFileSync(join(root, file), text);
	}
	git('commit', '--quiet', '--message', `Release ${version}`, '--', ...Object.keys(changed));
	git('tag', version);
	// Both or none: a tag without its commit would be published from nowhere.
	git('push', '--quiet', '--atomic', REMOTE, BRANCH, `refs/tags/${version}`);
	console.log(`${version} is pushed. Watch the workflow "Publish" on GitHub.`);
}

try {
	const [wanted, ...more] = positionals;
	if (process.env.GITHUB_ACTIONS) {
		throw new Error('In GitHub Actions, .github/workflows/publish.yml publishes.');
	}
	if (wanted === undefined || more.length > 0) {
		throw new Error('Say which version: npm run release -- major, minor, patch, or a version such as 1.2.3.');
	}
	if (values.yes && values['dry-run']) {
		throw new Error('--dry-run changes nothing, --yes releases: say one of them.');
	}
	await release(wanted);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
}
