import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/places.mts';

/** What a check before a release came to: it passed unless it has problems, or could not be made here. */
export interface Finding {
	what: string;
	problems?: string[];
	/** Why it could not be made here. */
	unknown?: string;
}

const { most: bounds } = JSON.parse(readFileSync(join(root, '.ci', 'budgets.json'), 'utf8')) as {
	most: Record<string, number>;
};

/** Bytes that the tarball may have. */
export const MOST_BYTES = Number(bounds['bytes of the tarball']);

/** What has to be at the top of the tarball, and nothing else. */
const PACKED = ['LICENSE', 'README.md', 'dist', 'package.json'];

/** What concerns the repository alone, or what n8n forbids. */
const KEPT_OUT = ['dependencies', 'devEngines', 'engines', 'overrides', 'workspaces'];

/** What was packed. */
export interface Packed {
	/** The paths of the files in the tarball, such as `dist/icons/voiceAgentCalling.svg`. */
	files: string[];
	bytes: number;
	manifest: Record<string, unknown>;
}

/** Compares a tarball with what is to be published. */
export function checkTarball({ files, bytes, manifest }: Packed, version: string): Finding[] {
	const strange = files.filter(
		(file) => !PACKED.includes(file.split('/')[0]!) || (file.startsWith('dist/') && !/\.(js|json|svg)$/.test(file)),
	);
	const missing = PACKED.filter((name) => !files.some((file) => file.split('/')[0] === name));
	const keys = KEPT_OUT.filter((key) => Object.hasOwn(manifest, key));
	const most = MOST_BYTES.toLocaleString('en');
	return [
		{
			what: `the tarball has LICENSE, README.md, package.json, and of dist/ what n8n loads (${files.length} files)`,
			problems: [
				...missing.map((name) => `${name} is missing`),
				...strange.map((file) => `${file} has no place in it`),
			],
		},
		{
			what: `the tarball has ${bytes.toLocaleString('en')} bytes, of ${most} at most`,
			problems: bytes > MOST_BYTES ? ['it is too large'] : [],
		},
		{
			what: 'the packed package.json has no runtime dependencies, and nothing of the repository alone',
			problems: keys.map((key) => `it has "${key}"`),
		},
		{
			what: `the packed package.json has version ${version}`,
			problems: manifest.version === version ? [] : [`it has ${String(manifest.version)}`],
		},
	];
}

/** Checks that npm can prove from which repository, workflow and commit the package comes. */
export function checkProvenance(
	manifest: { homepage?: string; repository?: { url?: string } },
	remote: string | undefined,
	workflows: Record<'publish.yml' | 'ci.yml', string>,
): Finding[] {
	const repository = repositoryOf(manifest.repository?.url);
	const origin = repositoryOf(remote);
	const noOrigin = remote === undefined ? 'there is no remote "origin" here' : `"origin" is not on GitHub: ${remote}`;
	const [publish, ci] = [withoutComments(workflows['publish.yml']), withoutComments(workflows['ci.yml'])];
	const job = publish.split(/^ {2}(?=\w+:$)/m).find((text) => text.includes('npm publish')) ?? '';
	const command = /npm publish .*/.exec(job)?.[0] ?? '';
	const used = [...`${publish}\n${ci}`.matchAll(/\buses: *(\S+)/g)].map(([, action = '']) => action);
	return [
		{
			what: 'package.json names a GitHub repository, and the homepage is the same',
			problems:
				repository !== undefined && repository === repositoryOf(manifest.homepage)
					? []
					: [`it has ${String(manifest.repository?.url)} and ${String(manifest.homepage)}`],
		},
		{
			what: 'publish.yml publishes from the repository that package.json names',
			...(origin === undefined
				? { unknown: noOrigin }
				: { problems: origin === repository ? [] : [`"origin" is ${origin}, package.json has ${String(repository)}`] }),
		},
		{
			what: 'publish.yml may sign (id-token: write) and publishes with --provenance',
			problems: [
				/^ +id-token: write$/m.test(job) ? '' : 'the job that publishes has no "id-token: write"',
				/ --provenance( |$)/.test(command) ? '' : `there is no "npm publish … --provenance", but "${command}"`,
			].filter(Boolean),
		},
		{
			what: `publish.yml and ci.yml pin their actions by commit (${used.length})`,
			problems: [
				...(used.length > 0 ? [] : ['they use no action']),
				...used.filter((action) => !/^\.\/|@[\da-f]{40}$/.test(action)).map((action) => `${action} is not pinned`),
			],
		},
	];
}

/** The owner and name of a repository on GitHub, however its address is written. */
function repositoryOf(address = ''): string | undefined {
	return /^(?:git\+)?(?:https:\/\/|ssh:\/\/)?(?:[\w-]+@)?github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
		address,
	)?.[1];
}

const withoutComments = (text: string) => text.replace(/(^|\s)#.*$/gm, '');

/** Checks that the changes are written down under the version, and that nothing is left under Unreleased. */
export function checkChangelog(changelog: string, version: string, date: string): Finding {
	const [, ...sections] = changelog.split(/^## /m);
	const textBelow = (title: string) => {
		const section = sections.find((one) => one.split('\n')[0] === title);
		return section?.slice(title.length).trim();
	};
	return {
		what: `CHANGELOG.md has what is in ${version}, with the date ${date}, and nothing under Unreleased`,
		problems: [
			textBelow(`[${version}] - ${date}`) ? '' : 'it has no such entry',
			textBelow('[Unreleased]') === '' ? '' : 'something is left under Unreleased, or the heading is missing',
		].filter(Boolean),
	};
}

/**
 * Goes through the tables of docs/contributing/verification.md that have a proof for each row. A proof is a file, a
 * command of package.json, or what only the publisher can do.
 *
 * @param exists whether a file is there; its path as the page has it
 */
export function checkProofs(page: string, scripts: object, exists: (path: string) => boolean): Finding[] {
	return [...page.matchAll(/^\| (?:n8n asks for|Rule) \| (?:Proof|Held by) \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm)].flatMap(
		([, table = '']) =>
			table
				.trimEnd()
				.split('\n')
				.map((row) => {
					const [, what = '', proof = ''] = /^\| (.+?) \| (.+) \|$/.exec(row) ?? [];
					const files = [...proof.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path);
					const commands = [...proof.matchAll(/`npm (?:run )?([\w:]+)/g)]
						.map(([, name = '']) => name)
						.filter((name) => name !== 'publish');
					const isForPublisher = /\bPublisher\b/.test(proof);
					return {
						what: `verification.md names a proof that is there: ${what || row}`,
						problems: [
							...files.filter((path) => !exists(path)).map((path) => `there is no ${path}`),
							...commands.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `there is no npm run ${name}`),
							...(files.length + commands.length > 0 || isForPublisher ? [] : ['it names no proof']),
						],
						...(isForPublisher ? { unknown: 'all or part of it is for the publisher' } : {}),
					};
				}),
	);
}
