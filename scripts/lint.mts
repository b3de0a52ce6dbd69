// n8n's own gate, each part of it, and this project's own rules: node scripts/lint.mts (after a build)
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { INodeType } from 'n8n-workflow';

import { cache, npmProgram, root } from './lib/places.mts';
import { runProcess } from './lib/process.mts';

/** What of ESLint and of the scan is used here; their own types are not installed with the rest. */
interface LintResult {
	errorCount: number;
	warningCount: number;
}
interface ESLint {
	lintFiles(patterns: string[]): Promise<LintResult[]>;
	lintText(code: string, options: { filePath: string }): Promise<LintResult[]>;
	loadFormatter(): Promise<{ format(results: LintResult[]): Promise<string> | string }>;
}
interface ESLintModule {
	ESLint: new (options: { cwd: string; overrideConfigFile?: string }) => ESLint;
}
interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(folder: string, patterns: string[]): Promise<{ passed: boolean; message?: string; details?: string }>;
}

const tools = join(root, 'tools', 'lint');
const installed = (...path: string[]) => join(tools, 'node_modules', ...path);
const { ESLint } = createRequire(join(tools, 'package.json'))('eslint') as ESLintModule;
const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(
	pathToFileURL(installed('@n8n', 'scan-community-package', 'scanner', 'scanner.mjs')).href
)) as Scanner;

/** Runs a tool that is installed with the project, and shows what it prints. */
function runTool(program: string, ...args: string[]): boolean {
	const path = join(root, 'node_modules', ...program.split('/'));
	return spawnSync(process.execPath, [path, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

/** Format, sorted imports, braces: Biome, by biome.json. */
async function checkStyle(): Promise<boolean> {
	return runTool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings');
}

/** Who imports whom, by .dependency-cruiser.cjs. */
async function checkImports(): Promise<boolean> {
	return runTool('dependency-cruiser/bin/dependency-cruiser.mjs', 'credentials', 'nodes', 'sandbox', 'scripts', 'test');
}

/** `n8n-node lint` with the configuration that n8n asks for, over the whole tree. */
async function lintAsN8nDoes(): Promise<boolean> {
	const program = installed('@n8n', 'node-cli', 'bin', 'n8n-node.mjs');
	const { status } = spawnSync(process.execPath, [program, 'lint'], { cwd: root, stdio: 'inherit' });
	return status === 0;
}

/** What the nodes look like to n8n: they are put together at load time, where the rules cannot see into them. */
async function lintDescriptions(): Promise<boolean> {
	const eslint = new ESLint({ cwd: root });
	const results = [];
	for (const name of ['VoiceAgentCalling', 'VoiceAgentCallingTrigger']) {
		const filePath = join(root, 'nodes', name, `${name}.node.ts`);
		results.push(...(await eslint.lintText(rendered(name), { filePath })));
	}
	return await isClean(eslint, results);
}

/** The description of a built node, written as one literal. */
function rendered(name: string): string {
	const built = createRequire(import.meta.url)(join(root, 'dist', 'nodes', name, `${name}.node.js`)) as Record<
		string,
		new () => INodeType
	>;
	// Without its lifecycle methods a description with webhooks is incomplete to the rules.
	const description = { ...new built[name]().description, webhooks: undefined };
	const literal = JSON.stringify(description, null, '\t')
		.replace(/"([A-Za-z_$][\w$]*)":/g, '$1:')
		.replace(/(inputs|outputs): \[\s*"main"\s*\]/g, '$1: [NodeConnectionTypes.Main]');
	// A node that works its outputs out by an expression names no connection.
	const connections = literal.includes('NodeConnectionTypes.') ? 'NodeConnectionTypes, ' : '';
	return [
		`import { ${connections}type INodeType, type INodeTypeDescription } from 'n8n-workflow';`,
		`export class ${name} implements INodeType {`,
		`description: INodeTypeDescription = ${literal};`,
		'}',
		'',
	].join('\n');
}

/** The rules that n8n has no word on. */
async function lintOwnRules(): Promise<boolean> {
	const eslint = new ESLint({ cwd: root, overrideConfigFile: join(tools, 'eslint.config.mjs') });
	return await isClean(eslint, await eslint.lintFiles(['.']));
}

async function isClean(eslint: ESLint, results: LintResult[]): Promise<boolean> {
	const formatter = await eslint.loadFormatter();
	process.stdout.write(await formatter.format(results));
	return results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
}

async function scanSource(): Promise<boolean> {
	return await scan(root, SOURCE_FILE_PATTERNS);
}

/** The package as it would be published, unpacked again. */
async function scanTarball(): Promise<boolean> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-calling-scan-'));
	try {
		const here = { cwd: root, env: process.env, logFile: join(cache, 'logs', 'scan.log') };
		const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
		const packed = await runProcess({ ...here, name: 'npm pack', args: [npmProgram(), ...pack] });
		const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
		const { status } = spawnSync('tar', ['-xzf', filename], { cwd: folder, stdio: 'inherit' });
		if (status !== 0) {
			throw new Error(`"tar -xzf ${filename}" ended with status ${status}`);
		}
		return await scan(join(folder, 'package'), ['**/*.js', 'package.json']);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

async function scan(folder: string, patterns: string[]): Promise<boolean> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	// It passes also where it has looked at nothing, and then says so.
	if (message) {
		console.log([message, details].filter(Boolean).join('\n'));
	}
	return passed && message === undefined;
}

const parts = [
	['format and style', checkStyle],
	['imports', checkImports],
	['n8n-node lint', lintAsN8nDoes],
	['the same rules over the rendered descriptions', lintDescriptions],
	["this project's own rules", lintOwnRules],
	["n8n's scan of the source", scanSource],
	["n8n's scan of the unpacked tarball", scanTarball],
] as const;

for (const [name, check] of parts) {
	const started = Date.now();
	const passed = await check();
	if (!passed) {
		process.exitCode = 1;
	}
	console.log(`${passed ? 'passed' : 'FAILED'}: ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
