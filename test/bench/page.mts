import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { readRows, type WrittenTable, withRows } from '../../scripts/lib/writtenTable.mts';
import type { Target } from './numbers.mts';

/** The result of a row of the benchmarks. */
export interface RowResult {
	/** The cells of its table. */
	cells: string[][];
	targets: Target[];
	/** All measurements. */
	raw: unknown;
}

const page = join('docs', 'contributing', 'benchmarks.md');
const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (command: string, columns: string[]): WrittenTable => {
	return { page, command, head: `${line(columns)}\n|${columns.map(() => '---').join('|')}|\n` };
};

/** The tables of the page. */
export const tables = {
	lastRun: table('bench, last run', ['Last run', 'Machine', 'Versions']),
	targets: table('bench, targets', ['Row', 'Target', 'Reached', '']),
	1: table('bench -- 1', ['N', 'Our node', '/ HTTP Request', 'With 2N', '/ least node']),
	2: table('bench -- 2', ['Variables', 'Our node', '/ HTTP Request', '/ least node']),
	3: table('bench -- 3', ['Calls', 'Refused', '/ ideal']),
	4: table('bench -- 4', ['Items', 'Our node', 'HTTP Request', 'Process', 'HTTP Request']),
	5: table('bench -- 5', ['Package', 'Start', 'First use']),
};
export type RowName = 1 | 2 | 3 | 4 | 5;

/** Reads a table of the page. @throws Error if somebody has edited it */
export function read(name: keyof typeof tables): string[] {
	return readRows(readFileSync(join(root, page), 'utf8'), tables[name]);
}

function write(name: keyof typeof tables, rows: string[]): void {
	const file = join(root, page);
	writeFileSync(file, withRows(readFileSync(file, 'utf8'), rows, tables[name]));
}

/** Returns the lines of a row's targets. */
export function targetLines(name: RowName, { targets }: RowResult): string[] {
	return targets.map(({ wanted, reached, met }) => line([String(name), wanted, reached, met ? 'met' : '**missed**']));
}

/** Returns the lines of a row's table. */
export function lines({ cells }: RowResult): string[] {
	return cells.map(line);
}

/** Writes a row's table and its targets into the page, and what describes the run. */
export function publish(name: RowName, result: RowResult, run: string[]): void {
	const others = read('targets').filter((other) => !other.startsWith(`| ${name} |`));
	const all = [...others, ...targetLines(name, result)];
	// By the row; its lines keep their order.
	all.sort((left, right) => left.charCodeAt(2) - right.charCodeAt(2));
	write('targets', all);
	write(name, lines(result));
	write('lastRun', [line(run)]);
}
