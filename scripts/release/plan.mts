/** A version such as 1.2.3 or 1.2.3-rc.1. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\da-z]+(?:\.[\da-z]+)*)?$/;
const STEPS = ['major', 'minor', 'patch'] as const;
const UNRELEASED = '## [Unreleased]\n';

/** What a release changes: the text of each file, by its path. */
export type Files = Record<string, string>;

/** The pages that name a tarball. */
const PAGES = ['README.md', 'docs/install.md', 'docs/contributing/sandbox.md'];

/** The files with the version, relative to the root of the project. */
export const RELEASE_FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md', ...PAGES];

/**
 * Works out the next version.
 *
 * @param current such as 0.1.0
 * @param wanted `major`, `minor`, `patch`, or a version
 * @throws Error if `wanted` is neither, or a version before the current one
 */
export function nextVersion(current: string, wanted: string): string {
	const numbers = numbersOf(current);
	const step = STEPS.findIndex((name) => name === wanted);
	if (step !== -1) {
		return numbers.map((number, index) => (index < step ? number : index === step ? number + 1 : 0)).join('.');
	}
	const next = numbersOf(wanted);
	const index = next.findIndex((number, at) => number !== numbers[at]);
	if (index !== -1 && next[index]! < numbers[index]!) {
		throw new Error(`${wanted} comes before the current version, ${current}.`);
	}
	return wanted;
}

function numbersOf(version: string): number[] {
	const parts = VERSION.exec(version)?.slice(1, 4);
	if (!parts) {
		throw new Error(`"${version}" is no version. Use ${STEPS.join(', ')}, or a version such as 1.2.3.`);
	}
	return parts.map(Number);
}

/**
 * Writes a version into the files.
 *
 * @param files those of {@link RELEASE_FILES}, as they are
 * @param date of the release, such as 2026-01-31
 * @returns the files that change
 * @throws Error if CHANGELOG.md has nothing to release, or the version already
 */
export function withVersion(files: Files, version: string, date: string): Files {
	const { version: current } = JSON.parse(files['package.json'] ?? '') as { version: string };
	const changed = { ...files };
	for (const name of ['package.json', 'package-lock.json']) {
		changed[name] = withJsonVersion(files[name] ?? '', name, version);
	}
	changed['CHANGELOG.md'] = withEntry(files['CHANGELOG.md'] ?? '', version, date);
	for (const name of PAGES) {
		changed[name] = files[name]?.replaceAll(`-${current}.tgz`, `-${version}.tgz`) ?? '';
	}
	return Object.fromEntries(Object.entries(changed).filter(([name, text]) => text !== files[name]));
}

function withJsonVersion(text: string, name: string, version: string): string {
	const content = JSON.parse(text) as { version: string; packages?: Record<string, { version: string }> };
	content.version = version;
	const own = content.packages?.[''];
	if (own) {
		own.version = version;
	}
	const indent = /^[\t ]+/m.exec(text)?.[0];
	if (indent === undefined) {
		throw new Error(`${name} is not indented.`);
	}
	return `${JSON.stringify(content, null, indent)}\n`;
}

function withEntry(changelog: string, version: string, date: string): string {
	if (changelog.includes(`## [${version}]`)) {
		throw new Error(`CHANGELOG.md has an entry for ${version} already.`);
	}
	const [before, after] = changelog.split(UNRELEASED);
	if (after === undefined || after.split(/^## /m)[0]!.trim() === '') {
		throw new Error('CHANGELOG.md has nothing below [Unreleased]: write down what has changed.');
	}
	return `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}`;
}
