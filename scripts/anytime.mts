// Everything that needs no n8n, as if it ran at other moments and in other time zones: npm run test:anytime
// Words after `--` select test files. Linux only: Debian's faketime moves the clock; timers go on as they are.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root } from './lib/places.mts';
import { countTests, type JestResults } from './lib/testCounts.mts';
import { buildIfChanged } from './setup/dist.mjs';

/** Where and when tests that depend on the moment have failed, or would. */
const moments = [
	{ at: '2027-03-28T00:59:30Z', zone: 'UTC', why: 'Europe changes its clocks 30 seconds later' },
	{ at: '2027-11-07T05:59:30Z', zone: 'America/New_York', why: 'the hour that comes twice begins' },
	{ at: '2026-11-25T01:40:00Z', zone: 'UTC', why: 'at night' },
	{ at: '2026-12-31T23:58:00Z', zone: 'UTC', why: 'the year ends' },
	{ at: '2028-02-29T12:00:00Z', zone: 'Asia/Kolkata', why: 'a leap day' },
	{ at: '2027-07-04T22:15:00Z', zone: 'America/New_York', why: 'a Sunday in summer' },
	{ at: '2027-06-16T08:59:50Z', zone: 'UTC', why: 'calling hours begin' },
	{ at: '2027-06-16T11:29:50Z', zone: 'Asia/Kolkata', why: 'calling hours end' },
];

const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const resultsFile = join(cache, 'anytime-results.json');

/** Runs the tests as if they started at a moment. @returns how many passed and failed */
function runAt({ at, zone, why }: (typeof moments)[number]): { passed: number; failed: number } {
	console.log(`\n── ${at}, TZ=${zone}: ${why} ──`);
	rmSync(resultsFile, { force: true });
	const env = {
		...process.env,
		TZ: zone,
		LD_PRELOAD: process.env.FAKETIME_LIBRARY,
		FAKETIME: `+${Math.round((Date.parse(at) - Date.now()) / 1000)}`,
		FAKETIME_DONT_FAKE_MONOTONIC: '1',
		// The times of files stay, by which jest knows what it has cached.
		NO_FAKE_STAT: '1',
	};
	const args = [jest, '--json', '--outputFile', resultsFile, ...process.argv.slice(2)];
	const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
	return countTests(resultsIn(resultsFile), status !== 0);
}

function resultsIn(file: string): JestResults | undefined {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as JestResults;
	} catch {
		return undefined;
	}
}

await buildIfChanged();
const total = { passed: 0, failed: 0 };
for (const moment of moments) {
	const { passed, failed } = runAt(moment);
	console.log(`${passed} passed, ${failed} failed`);
	total.passed += passed;
	total.failed += failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
