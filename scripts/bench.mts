// Benchmarks the nodes against alternatives and writes docs/benchmarks.md: node scripts/run.mjs bench [rows]
// Without rows, it measures all of them (half an hour). With rows, such as 1 1b 3, the other results stay unchanged.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { folder, installOwnPackage, n8nModules } from '../test/bench/lab.mts';
import { page, section, targetTable } from '../test/bench/page.mts';
import type { RowResult } from '../test/bench/result.mts';
import { cpu } from '../test/bench/rows/cpu.mts';
import { deliveries } from '../test/bench/rows/deliveries.mts';
import { loading } from '../test/bench/rows/loading.mts';
import { memory } from '../test/bench/rows/memory.mts';
import { rateLimit } from '../test/bench/rows/rateLimit.mts';
import { realN8n } from '../test/bench/rows/realN8n.mts';
import { throughput } from '../test/bench/rows/throughput.mts';
import { root } from './lib/places.mts';

/** In the order of measurement; the slowest is last. */
const rows: ReadonlyMap<string, () => Promise<RowResult>> = new Map([
	['1', throughput],
	['1b', realN8n],
	['2', cpu],
	['6', deliveries],
	['5', loading],
	['3', rateLimit],
	['4', memory],
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

async function main(chosen: string[]): Promise<void> {
	const unknown = chosen.filter((name) => !rows.has(name));
	if (unknown.length > 0) {
		throw new Error(`There is no row ${unknown.join(', ')}. Rows: ${[...rows.keys()].join(', ')}.`);
	}
	mkdirSync(join(folder, 'logs'), { recursive: true });
	console.log('Building the package and installing it as n8n does …');
	await installOwnPackage();
	const file = join(folder, 'results.json');
	const results = chosen.length > 0 ? earlierResults(file) : [];
	for (const [name, run] of rows) {
		if (chosen.length > 0 && !chosen.includes(name)) {
			continue;
		}
		console.log(`── Row ${name} ──`);
		const result = await run();
		const same = results.findIndex(({ title }) => title === result.title);
		results.splice(same === -1 ? results.length : same, 1, result);
		results.sort((left, right) => (left.title < right.title ? -1 : 1));
		console.log(`\n${section(result).join('\n\n')}\n\n${targetTable([result])}\n`);
		// Saved after each row, so that a later failure does not lose results.
		writeFileSync(file, JSON.stringify({ ...environmentFacts(), results }, null, '\t'));
		writeFileSync(join(root, 'docs', 'benchmarks.md'), page(results, environmentFacts()));
	}
	console.log(`The numbers are in docs/benchmarks.md, each round in ${file}`);
}

try {
	await main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
