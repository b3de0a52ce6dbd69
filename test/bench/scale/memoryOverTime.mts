import { readdirSync, readFileSync } from 'node:fs';

import type { Point } from './timeline.mts';

/** A process, with all that it has started. */
export interface Watched {
	name: string;
	pid: number | undefined;
}

/** The memory of each process in MB, over time. */
export type MemoryOverTime = Record<string, Point[]>;

/** The time of the processor that a process and its descendants have used, in ticks of the system, by name. */
export type ProcessorTime = Record<string, number>;

/** Looks at the memory and the processor time of processes every few seconds. Linux only. */
export class Watch {
	readonly memory: MemoryOverTime = {};
	private readonly processes: () => Watched[];
	private readonly started = performance.now();
	private readonly timer: NodeJS.Timeout;

	/** @param processes those that run at the moment */
	constructor(processes: () => Watched[], seconds: number) {
		this.processes = processes;
		this.look();
		this.timer = setInterval(() => this.look(), seconds * 1000);
	}

	/** Returns the processor time until now. */
	processorTime(): ProcessorTime {
		const children = childrenByParent();
		const times = this.processes().map(({ name, pid }) => {
			return [name, sum(family(pid, children).map(ticksOf))] as const;
		});
		return Object.fromEntries(times);
	}

	stop(): MemoryOverTime {
		clearInterval(this.timer);
		this.look();
		return this.memory;
	}

	private look(): void {
		const children = childrenByParent();
		const second = Math.round((performance.now() - this.started) / 100) / 10;
		for (const { name, pid } of this.processes()) {
			const bytes = sum(family(pid, children).map(memoryOf));
			(this.memory[name] ??= []).push([second, Math.round(bytes / 1e6)]);
		}
	}
}

/** @returns the most memory of each process, in MB */
export function peaks(memory: MemoryOverTime): Record<string, number> {
	return Object.fromEntries(
		Object.entries(memory).map(([name, points]) => [name, Math.max(...points.map(([, value]) => value))]),
	);
}

/** Returns the processes and their parents, each with its children. */
function childrenByParent(): Map<number, number[]> {
	const children = new Map<number, number[]>();
	for (const name of readdirSync('/proc')) {
		const parent = /^\d+$/.test(name) && statOf(Number(name))[1];
		if (parent) {
			children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
		}
	}
	return children;
}

function family(pid: number | undefined, children: ReadonlyMap<number, number[]>): number[] {
	return pid === undefined ? [] : [pid, ...(children.get(pid) ?? []).flatMap((child) => family(child, children))];
}

/** Returns the fields of `/proc/PID/stat` after the name of the program: state, parent and so on. */
function statOf(pid: number): string[] {
	const text = read(`/proc/${pid}/stat`);
	return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ticksOf(pid: number): number {
	const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
	return user + system;
}

/** Returns the bytes in memory. What several processes share, as those of PostgreSQL do, counts once in their sum. */
function memoryOf(pid: number): number {
	return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
}

/** Returns a file of /proc, or nothing if the process has ended. */
function read(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return '';
	}
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
