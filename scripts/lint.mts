// Checks the project by every part of n8n's own gate and by its own rules: node scripts/lint.mts [--build] [--fix]
// It reads dist/, which --build updates. --fix applies the automatic fixes first.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { INodeType } from 'n8n-workflow';

import { packPackage } from './lib/packPackage.mts';
import { cache, root } from './lib/places.mts';
import { runCaptured, runProcess } from './lib/process.mts';
import { buildIfChanged } from './setup/dist.mjs';

/** The used parts of ESLint and of n8n's scan, whose own types are not installed with the project. */
interface LintResult {
	errorCount: number;
	warningCount: number;
}
interface ESLint {
	lintFiles(patterns: string[]): Promise<LintResult[]>;
	lintText(code: string, options: { filePath: string }): Promise<LintResult[]>;
	loadFormatter(): Promise<{ format(results: LintResult[]): Promise<string> | string }>;
}
interface ESLintOptions {
	cwd: string;
	fix?: boolean;
	overrideConfigFile?: string;
	cache?: boolean;
	cacheLocation?: string;
	cacheStrategy?: 'content' | 'metadata';
}
interface ESLintModule {
	ESLint: (new (options: ESLintOptions) => ESLint) & { outputFixes(results: LintResult[]): Promise<void> };
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

const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
const n8nNode = installed('@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

/** The findings of a part of the lint. The output is empty if there are none. */
interface Findings {
	passed: boolean;
	output: string;
}

const { values: options } = parseArgs({ options: { build: { type: 'boolean' }, fix: { type: 'boolean' } } });

/** Runs a program of Node.js in the project's folder. */
async function runTool(program: string, ...args: string[]): Promise<Findings> {
	const { status, output } = await runCaptured([program, ...args], root);
	return { passed: status === 0, output };
}

/** Checks format, sorted imports and braces with Biome, by biome.json. */
async function checkStyle(): Promise<Findings> {
	return await runTool(biome, 'check', '--error-on-warnings');
}

/** Checks the imports, by .dependency-cruiser.cjs. */
async function checkImports(): Promise<Findings> {
	const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
	return await runTool(program, 'credentials', 'nodes', 'sandbox', 'scripts', 'test');
}

/** Runs `n8n-node lint` with the configuration that n8n requires, over the whole tree. */
async function lintAsN8nDoes(): Promise<Findings> {
	return await runTool(n8nNode, 'lint');
}

/** Checks the spelling of the pages, of the examples' notes, and of the texts of the nodes. */
async function checkSpelling(): Promise<Findings> {
	return await runTool(join('scripts', 'spelling.mts'));
}

/**
 * Applies n8n's rules to the descriptions as literals, because the rules cannot see descriptions built at load time.
 */
async function lintDescriptions(): Promise<Findings> {
	const eslint = new ESLint({ cwd: root });
	const results = [];
	for (const name of ['VoiceAgentCalling', 'VoiceAgentCallingTrigger']) {
		const filePath = join(root, 'nodes', name, `${name}.node.ts`);
		results.push(...(await eslint.lintText(rendered(name), { filePath })));
	}
	return await findingsOf(eslint, results);
}

const UNSORTED = 'n8n-nodes-base/node-param-options-type-unsorted-items';

/** Returns the source of a class with the description of a built node as one literal. */
function rendered(name: string): string {
	const built = createRequire(import.meta.url)(join(root, 'dist', 'nodes', name, `${name}.node.js`)) as Record<
		string,
		new () => INodeType
	>;
	// The rules require lifecycle methods in a description with webhooks, so these are left out.
	const description = { ...new built[name]().description, webhooks: undefined };
	const literal = JSON.stringify(description, null, '\t')
		.replace(/"([A-Za-z_$][\w$]*)":/g, '$1:')
		.replace(/(inputs|outputs): \[\s*"main"\s*\]/g, '$1: [NodeConnectionTypes.Main]')
		// docs/contributing/publishing.md explains the order of the resources.
		.replace(/(name: "resource",[^[]*?)(\n\s*options: )/, `$1\n// eslint-disable-next-line ${UNSORTED}$2`);
	return [
		`import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';`,
		`export class ${name} implements INodeType {`,
		`description: INodeTypeDescription = ${literal};`,
		'}',
		'',
	].join('\n');
}

/** Applies the project's own ESLint rules. Each checks a single file, so results of unchanged files can be cached. */
async function lintOwnRules(): Promise<Findings> {
	const eslint = new ESLint({
		cwd: root,
		overrideConfigFile: join(tools, 'eslint.config.mjs'),
		cache: true,
		cacheLocation: join(cache, 'eslint', 'own-rules.json'),
		cacheStrategy: 'content',
	});
	return await findingsOf(eslint, await eslint.lintFiles(['.']));
}

async function findingsOf(eslint: ESLint, results: LintResult[]): Promise<Findings> {
	const formatter = await eslint.loadFormatter();
	return {
		passed: results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0),
		output: await formatter.format(results),
	};
}

async function scanSource(): Promise<Findings> {
	return await scan(root, SOURCE_FILE_PATTERNS);
}

/** Scans the package as it would be published, unpacked again. */
async function scanTarball(): Promise<Findings> {
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-calling-scan-'));
	try {
		const here = { cwd: root, env: process.env, logFile: join(cache, 'logs', 'scan.log') };
		const tarball = await packPackage(folder, here.logFile);
		await runProcess({ ...here, name: 'tar', program: 'tar', args: ['-xzf', tarball], cwd: folder });
		return await scan(join(folder, 'package'), ['**/*.js', 'package.json']);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 3 });
	}
}

async function scan(folder: string, patterns: string[]): Promise<Findings> {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	// It also passes if it did not examine any file, but then it returns a message.
	return {
		passed: passed && message === undefined,
		output: message ? `${[message, details].filter(Boolean).join('\n')}\n` : '',
	};
}

/** Applies the automatic fixes. Biome comes last, because it formats the output of ESLint. */
async function fixAll(): Promise<void> {
	await runTool(n8nNode, 'lint', '--fix');
	const eslint = new ESLint({ cwd: root, overrideConfigFile: join(tools, 'eslint.config.mjs'), fix: true });
	await ESLint.outputFixes(await eslint.lintFiles(['.']));
	await runTool(biome, 'check', '--write');
}

type Part = readonly [name: string, check: () => Promise<Findings>];

/** Lists that run at the same time: the first two in other processes, the last one in this process. */
const lists: Part[][] = [
	[
		['n8n-node lint', lintAsN8nDoes],
		['format and style', checkStyle],
		['imports', checkImports],
	],
	[['spelling', checkSpelling]],
	[
		["this project's own rules", lintOwnRules],
		["n8n's rules over the rendered descriptions", lintDescriptions],
		["n8n's scan of the source", scanSource],
		["n8n's scan of the unpacked tarball", scanTarball],
	],
];

if (options.fix) {
	await fixAll();
}
if (options.build) {
	await buildIfChanged();
}
await Promise.all(
	lists.map(async (list) => {
		for (const [name, check] of list) {
			const started = Date.now();
			const { passed, output } = await check();
			if (!passed) {
				process.exitCode = 1;
			}
			const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
			process.stdout.write(`${output}${passed ? 'passed' : 'FAILED'}: ${name} (${took})\n`);
		}
	}),
);
