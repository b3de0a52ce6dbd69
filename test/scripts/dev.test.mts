import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { watchSources } from '../../scripts/dev/sources.mts';
import { syncFolder } from '../../scripts/dev/sync.mts';
import { until } from '../../scripts/lib/waiting.mts';

let folder: string;
const path = (name: string) => join(folder, name);

function write(name: string, text: string): void {
	mkdirSync(dirname(path(name)), { recursive: true });
	writeFileSync(path(name), text);
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'dev with blanks '));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('n8n gets what has changed, loses what is gone, and nothing else is written again', () => {
	write('from/same.js', 'same');
	write('from/deep/changed.js', 'new');
	write('from/deep/added.js', 'added');
	write('to/same.js', 'same');
	write('to/deep/changed.js', 'old');
	write('to/deep/gone.js', 'gone');
	utimesSync(path('to/same.js'), 1, 1);
	expect(syncFolder(path('from'), path('to'))).toEqual(['deep/added.js', 'deep/changed.js', 'deep/gone.js']);
	const present = readdirSync(path('to'), { recursive: true }).map(String);
	expect(present.sort()).toEqual(['deep', 'deep/added.js', 'deep/changed.js', 'same.js']);
	expect(readFileSync(path('to/deep/changed.js'), 'utf8')).toBe('new');
	expect(statSync(path('to/same.js')).mtimeMs).toBe(1000);
	expect(syncFolder(path('from'), path('to'))).toEqual([]);
});

test('changes of the source lead to one build at a time, and none is missed', async () => {
	for (const name of ['nodes/deep/first.ts', 'credentials/second.ts', 'icons/third.svg']) {
		write(name, 'old');
	}
	const seen: string[] = [];
	let running = 0;
	let most = 0;
	let held = Promise.resolve();
	const stop = watchSources(folder, async () => {
		most = Math.max(most, ++running);
		seen.push(readFileSync(path('nodes/deep/first.ts'), 'utf8') + readFileSync(path('icons/third.svg'), 'utf8'));
		await held;
		running--;
	});
	const otherwise = () => new Error(`The last build saw ${seen.at(-1)}, and ${running} are running`);
	const becomes = (isSo: () => boolean) => until(async () => isSo() || undefined, { seconds: 20, otherwise });
	const last = (text: string) => becomes(() => seen.at(-1) === text);
	write('nodes/deep/first.ts', 'a');
	await last('aold');
	await becomes(() => running === 0);
	let finish = () => {};
	held = new Promise((resolve) => {
		finish = resolve;
	});
	write('icons/third.svg', 'b');
	await last('ab');
	write('nodes/deep/first.ts', 'c');
	// Longer than it waits for more changes.
	await sleep(600);
	expect([running, seen.at(-1)]).toEqual([1, 'ab']);
	finish();
	await last('cb');
	stop();
	expect(most).toBe(1);
});
