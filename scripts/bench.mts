// Measures the nodes and alternatives to them, and writes the tables of docs/contributing/benchmarks.md:
// npm run bench -- [--rounds N] [rows]
// Without rows, it measures all of them. With --rounds, it prints the results and does not change the page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { folder, installOwnPackage, n8nModules } from '../test/bench/lab.mts';
import { lines, publish, type RowName, targetLines } from '../test/bench/page.mts';
import { cpu } from '../test/bench/rows/cpu.mts';
import { loading } from '../test/bench/rows/loading.mts';
import { memory } from '../test/bench/rows/memory.mts';
import { rateLimit } from '../test/bench/rows/rateLimit.mts';
import { throughput } from '../test/bench/rows/throughput.mts';

const ROUNDS = 5;
const rows = { 1: throughput, 2: cpu, 3: rateLimit, 4: memory, 5: loading };

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(rows, name));
if (unknown.length > 0) {
	console.error(`There is no row ${unknown.join(', ')}. Rows: ${Object.keys(rows).join(', ')}.`);
	process.exit(2);
}

/** Returns the day, the machine and the versions. */
function circumstances(): string[] {
	const [{ model } = { model: 'unknown processor' }] = cpus();
	const machine = `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
	const { version } = JSON.parse(readFileSync(join(n8nModules, 'n8n', 'package.json'), 'utf8')) as { version: string };
	return [new Date().toISOString().slice(0, 10), machine, `Node.js ${process.versions.node}, n8n ${version}`];
}

try {
	mkdirSync(join(folder, 'logs'), { recursive: true });
	console.log('All rows take about 35 minutes. Let the machine do nothing else.');
	console.log('Building the package and installing it as n8n does …');
	await installOwnPackage();
	const wanted = positionals.length > 0 ? positionals : Object.keys(rows);
	for (const name of wanted.map(Number) as RowName[]) {
		console.log(`── Row ${name} ──`);
		const result = await rows[name](Number(values.rounds ?? ROUNDS));
		console.log(['', ...lines(result), '', ...targetLines(name, result), ''].join('\n'));
		// The results are written after each row, so that a later failure does not lose them.
		writeFileSync(join(folder, `row-${name}.json`), JSON.stringify(result, null, '\t'));
		if (values.rounds === undefined) {
			publish(name, result, circumstances());
		}
	}
	console.log(`All measurements are in ${folder}.`);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
