import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { root } from '../lib/places.mts';
import { runCaptured } from '../lib/process.mts';
import { checkChangelog, checkProofs, checkProvenance, checkTarball, type Finding, type Packed } from './checks.mts';
import type { Files } from './plan.mts';

const VERIFICATION = join('docs', 'contributing', 'verification.md');

/** The parts of the lint that n8n runs over a package that is submitted. */
const SCANS = ["n8n's scan of the source", "n8n's scan of the unpacked tarball"];

/** A release that is tried. */
interface Plan {
	version: string;
	/** Of the release, such as 2026-01-31. */
	date: string;
	/** The files that change. */
	changed: Files;
	/** The address of the remote that the release would be pushed to. */
	remote: string | undefined;
}

/**
 * Makes all checks of a release that can be made before it, in a copy of the last commit with the changes of the
 * release. Prints one line for each.
 *
 * @param first what was checked before
 * @returns how many failed
 */
export async function dryRun(plan: Plan, first: Finding[]): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'voice-agent-calling-release-'));
	// A signal ends the process by an exit, so that what it started and wrote goes, too.
	const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	process.on('exit', clear);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => process.exit(1));
	}
	console.log('Checking a copy of the last commit with these changes (some minutes) …\n');
	const copy = copyProject(folder, plan.changed);
	const findings = [...first, checkChangelog(readIn(copy, 'CHANGELOG.md'), plan.version, plan.date)];
	const workflow = (name: string) => readIn(copy, '.github', 'workflows', name);
	const manifest = JSON.parse(readIn(copy, 'package.json')) as Parameters<typeof checkProvenance>[0] & {
		scripts: object;
	};
	const workflows = { 'publish.yml': workflow('publish.yml'), 'ci.yml': workflow('ci.yml') };
	findings.push(...checkProvenance(manifest, plan.remote, workflows));
	const exists = (path: string) => existsSync(join(copy, VERIFICATION, '..', path));
	findings.push(...checkProofs(readIn(copy, VERIFICATION), manifest.scripts, exists));
	print(findings);
	const later = await checkLint(copy);
	print(later);
	const packed = await checkPacked(copy, folder, plan.version);
	print(packed);
	return summarize([...findings, ...later, ...packed]);
}

const readIn = (...path: string[]) => readFileSync(join(...path), 'utf8');

/**
 * Copies the last commit, and writes the changes. The installed packages are those of the project: nothing that may
 * install, such as `npm run lint`, is run in the copy.
 */
function copyProject(folder: string, changed: Files): string {
	const copy = join(folder, 'project');
	execFileSync('git', ['clone', '--quiet', '--shared', root, copy]);
	for (const modules of ['node_modules', 'sandbox/node_modules', 'tools/lint/node_modules']) {
		if (existsSync(join(root, modules))) {
			symlinkSync(join(root, modules), join(copy, modules), 'junction');
		}
	}
	for (const [file, text] of Object.entries(changed)) {
		writeFileSync(join(copy, file), text);
	}
	return copy;
}

/** Runs the lint; each of its parts is a check. */
async function checkLint(copy: string): Promise<Finding[]> {
	const { status, output } = await runCaptured([join('scripts', 'lint.mts'), '--build'], copy);
	const parts = [...output.matchAll(/^(passed|FAILED): (.+) \([\d.]+ s\)$/gm)];
	const findings = parts.map(([, result, name = '']) => ({
		what: `lint: ${name}`,
		problems: result === 'passed' ? [] : ['its output says why'],
	}));
	const missing = SCANS.filter((name) => !parts.some(([, , part]) => part === name));
	findings.push(...missing.map((name) => ({ what: `lint: ${name}`, problems: ['it did not run'] })));
	if (status !== 0) {
		printOutput(output);
		findings.push({ what: 'the lint', problems: [`it ended with status ${status}`] });
	}
	return findings;
}

async function checkPacked(copy: string, folder: string, version: string): Promise<Finding[]> {
	const { status, output } = await runCaptured([join('scripts', 'pack.mts'), folder], copy);
	const tarball = output.trimEnd().split('\n').at(-1) ?? '';
	if (status !== 0 || !existsSync(tarball)) {
		printOutput(output);
		return [{ what: 'packing', problems: [`it ended with status ${status} and wrote no tarball`] }];
	}
	return checkTarball(readTarball(tarball, folder), version);
}

function readTarball(tarball: string, folder: string): Packed {
	const tar = (...args: string[]) => execFileSync('tar', args, { encoding: 'utf8' });
	const files = tar('-tzf', tarball).trimEnd().split('\n');
	tar('-xzf', tarball, '-C', folder, 'package/package.json');
	return {
		files: files.filter((file) => !file.endsWith('/')).map((file) => file.replace('package/', '')),
		bytes: statSync(tarball).size,
		manifest: JSON.parse(readIn(folder, 'package', 'package.json')) as Record<string, unknown>,
	};
}

/** Indented, so that a line of a check stands out. */
function printOutput(output: string): void {
	console.log(output.trimEnd().replace(/^(?=.)/gm, '  '));
}

function resultOf({ problems = [], unknown }: Finding): 'passed' | 'FAILED' | 'not checked' {
	return problems.length > 0 ? 'FAILED' : unknown === undefined ? 'passed' : 'not checked';
}

function print(findings: readonly Finding[]): void {
	for (const finding of findings) {
		const result = resultOf(finding);
		const why = result === 'FAILED' ? finding.problems?.join('; ') : finding.unknown;
		console.log(`${result}: ${finding.what}${why ? ` (${why})` : ''}`);
	}
}

function summarize(findings: readonly Finding[]): number {
	const count = (result: string) => findings.filter((finding) => resultOf(finding) === result).length;
	const [passed, failed, unknown] = ['passed', 'FAILED', 'not checked'].map(count);
	console.log(`\n${passed} passed, ${failed} failed, ${unknown} cannot be checked here. Nothing has changed.`);
	return failed ?? 1;
}
