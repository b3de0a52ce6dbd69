// Runs the tests that need no n8n at eight moments: npm run test:anytime -- [arguments for jest]
// A clock change, the end of a year or the hour in which calling hours begin must make no difference to a test.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runJest } from './lib/jest.mts';
import { cache } from './lib/places.mts';
import { countTests, type JestResults } from './lib/testCounts.mts';
import { buildIfChanged } from './setup/dist.mjs';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

interface Moment {
	what: string;
	/** In UTC. */
	time: string;
	/** Where the machine is. */
	zone: string;
}

const moments: Moment[] = [
	{ what: 'half a minute before the clocks change in Europe', time: '2027-03-28T00:59:30Z', zone: 'Asia/Kolkata' },
	{ what: 'in the night', time: '2027-01-13T01:40:00Z', zone: 'Asia/Kolkata' },
	{ what: 'two minutes before the year ends', time: '2027-12-31T23:58:00Z', zone: 'America/New_York' },
	{ what: 'a leap day that ends in India', time: '2028-02-29T18:29:30Z', zone: 'Asia/Kolkata' },
	{ what: 'a Sunday evening in summer', time: '2027-08-01T19:30:00Z', zone: 'UTC' },
	{
		what: 'half a minute before the clocks change in New York',
		time: '2027-11-07T05:59:30Z',
		zone: 'America/New_York',
	},
	{ what: 'just before the hours of a work day begin', time: '2027-06-16T08:59:50Z', zone: 'UTC' },
	{ what: 'just before the hours of a work day end', time: '2027-06-17T16:59:50Z', zone: 'America/New_York' },
];

const words = process.argv.slice(2);
mkdirSync(cache, { recursive: true });

await buildIfChanged();

/** Each moment of each week tries the properties with other values. */
const today = Math.floor(Date.now() / 86_400_000);
let passed = 0;
const failures: string[] = [];
let failed = 0;
for (const moment of moments) {
	const name = `${moment.time} in ${moment.zone}, ${moment.what}`;
	const seed = `${today + moments.indexOf(moment)}`;
	console.log(`\n── ${name}, FAST_CHECK_SEED=${seed} ──`);
	const counts = await runAt(moment, seed);
	passed += counts.passed;
	failed += counts.failed;
	if (counts.failed > 0) {
		failures.push(`Failed at ${name}: ${counts.failed}`);
	}
}
console.log(`\n${[...failures, `${passed} passed, ${failed} failed`].join('\n')}`);
process.exitCode = failed > 0 ? 1 : 0;

async function runAt(moment: Moment, seed: string): Promise<{ passed: number; failed: number }> {
	const file = join(cache, 'anytime-results.json');
	rmSync(file, { force: true });
	const env = { ...envAt(moment), FAST_CHECK_SEED: seed };
	const status = await runJest(['--json', '--outputFile', file, ...words], { env });
	return countTests(readResults(file), status !== 0);
}

/**
 * An environment in which a process and those that it starts believe that it is this moment, from which time goes on.
 *
 * @throws Error if they do not
 */
function envAt({ time, zone }: Moment): NodeJS.ProcessEnv {
	const seconds = Math.round((Date.parse(time) - Date.now()) / 1000);
	const env = {
		...process.env,
		TZ: zone,
		FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
		LD_PRELOAD: [process.env.FAKETIME_LIBRARY, process.env.LD_PRELOAD].filter(Boolean).join(' '),
		// Timers run by this clock.
		FAKETIME_DONT_FAKE_MONOTONIC: '1',
		// Node.js reads the times of files past the library, so it must not change those that are written.
		NO_FAKE_STAT: '1',
	};
	const seen = execFileSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' });
	if (!(Math.abs(Number(seen) - Date.parse(time)) < 60_000)) {
		throw new Error(`faketime does not change the time: it is ${seen}`);
	}
	return env;
}

function readResults(file: string): JestResults | undefined {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as JestResults;
	} catch {
		return undefined;
	}
}
