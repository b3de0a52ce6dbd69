// Benchmarks the nodes against alternatives and writes docs/contributing/benchmarks.md: npm run bench -- [rows]
// Without rows, it measures all of them. With rows, such as 1 1c 3, the other results stay unchanged.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { folder, installOwnPackage, n8nModules, resultsFolder } from '../test/bench/lab.mts';
import { page, section, targetTable } from '../test/bench/page.mts';
import type { RowResult } from '../test/bench/result.mts';
import { cpu } from '../test/bench/rows/cpu.mts';
import { large } from '../test/bench/rows/large.mts';
import { loading } from '../test/bench/rows/loading.mts';
import { memory } from '../test/bench/rows/memory.mts';
import { rateLimit } from '../test/bench/rows/rateLimit.mts';
import { defaults, throughput } from '../test/bench/rows/throughput.mts';
import { root } from './lib/places.mts';

/** In the order of measurement; the slowest is last. */
const rows: ReadonlyMap<string, () => Promise<RowResult>> = new Map([
	['1', throughput],
	['1c', defaults],
	['2', cpu],
	['5', loading],
	['3', rateLimit],
	['4', memory],
	['7', large],
]);

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const versionOf = (name: string) =>
	(JSON.parse(readFileSync(join(n8nModules, name, 'package.json'), 'utf8')) as { version: string }).version;

/** Describes the machine and the versions. */
function environmentFacts() {
	const [{ model } = { model: 'unknown processor' }, ...others] = cpus();
	return {
		machine: `${others.length + 1} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}`,
		versions: `Node.js ${process.versions.node}, ${['n8n', 'n8n-core', 'n8n-nodes-base', 'axios'].map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
		date: new Date().toISOString().slice(0, 10),
	};
}

/** Returns the results of earlier runs. */
function earlierResults(file: string): RowResult[] {
	if (!existsSync(file)) {
		return [];
	}
	return (JSON.parse(readFileSync(file, 'utf8')) as { results: RowResult[] }).results;
}

/** Puts a result in the place of the earlier one of its row. */
function replace(results: RowResult[], result: RowResult): void {
	const same = results.findIndex(({ title }) => title === result.title);
	results.splice(same === -1 ? results.length : same, 1, result);
	results.sort((left, right) => (left.title < right.title ? -1 : 1));
}

async function main(chosen: string[]): Promise<void> {
	const unknown = chosen.filter((name) => !rows.has(name));
	if (unknown.length > 0) {
		throw new Error(`There is no row ${unknown.join(', ')}. Rows: ${[...rows.keys()].join(', ')}.`);
	}
	mkdirSync(join(folder, 'logs'), { recursive: true });
	mkdirSync(resultsFolder, { recursive: true });
	const [published, all] = [join(resultsFolder, 'benchmarks.json'), join(folder, 'results.json')];
	const [results, measured] = [earlierResults(published), earlierResults(all)];
	const lastMinutes = (name: string) =>
		Math.ceil((results.find(({ title }) => title.startsWith(`${name}.`))?.seconds ?? 600) / 60);
	const wanted = [...rows].filter(([name]) => chosen.length === 0 || chosen.includes(name));
	const minutes = wanted.reduce((sum, [name]) => sum + lastMinutes(name), 0);
	console.log(`${minutes} minutes, if they take as long as the last time. Let the machine do nothing else.`);
	console.log('Building the package and installing it as n8n does …');
	await installOwnPackage();
	if (chosen.length === 0) {
		results.length = 0;
	}
	for (const [name, run] of wanted) {
		console.log(`── Row ${name} ──`);
		const started = performance.now();
		const row = await run();
		const result = { ...row, seconds: Math.round((performance.now() - started) / 1000) };
		const { raw: _raw, ...shown } = result;
		replace(measured, result);
		replace(results, shown);
		console.log(`\n${section(result).join('\n\n')}\n\n${targetTable([result])}\n`);
		// Saved after each row, so that a later failure does not lose results.
		writeFileSync(all, JSON.stringify({ ...environmentFacts(), results: measured }, null, '\t'));
		writeFileSync(published, `${JSON.stringify({ ...environmentFacts(), results }, null, '\t')}\n`);
		writeFileSync(join(root, 'docs', 'contributing', 'benchmarks.md'), page(results, environmentFacts()));
	}
	console.log(`The numbers are in docs/contributing/benchmarks.md and ${published}, each round in ${all}`);
}

try {
	await main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
