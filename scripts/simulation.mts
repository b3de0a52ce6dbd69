// Plays random histories around both nodes: npm run test:simulation -- [--minutes 60] [--seed N]
// A failure prints its seed, and the shortest history that fails.
// npm run test:simulation -- variants: plays the actions of users against each variant of the service.
// npm run test:simulation -- fuzz [--requests 10000] [--seed N]: random requests to the sandbox. None may end in an
// internal error, hang, or break what comes later.
import { parseArgs } from 'node:util';

import { fuzz } from '../test/sandbox/fuzz/run.mts';
import { runJest } from './lib/testRun.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		minutes: { type: 'string', default: '60' },
		requests: { type: 'string', default: '10000' },
		seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
	},
});
const [minutes, requests, seed] = [values.minutes, values.requests, values.seed].map(Number) as [
	number,
	number,
	number,
];
if (!(minutes > 0) || !(requests > 0) || !Number.isInteger(requests) || !Number.isInteger(seed)) {
	throw new Error('--minutes is a number above 0, --requests and --seed are whole numbers.');
}

/** Sends the requests, and prints the count of each status. A failure prints the shortest sequence that fails. */
async function runFuzz(): Promise<number> {
	const statuses: Record<string, number> = {};
	try {
		await fuzz(requests, seed, statuses);
		return 0;
	} catch (error) {
		console.log((error as Error).message);
		return 1;
	} finally {
		console.log(`${requests} requests with the seed ${seed}: ${JSON.stringify(statuses)}`);
	}
}

if (positionals[0] === 'variants') {
	process.exitCode = await runJest(['test/integration/variants'], { env: { ...process.env, VARIANTS: 'all' } });
} else if (positionals[0] === 'fuzz') {
	process.exitCode = await runFuzz();
} else {
	console.log(`Playing histories with the seed ${seed} for ${minutes} minutes …`);
	process.exitCode = await runJest(['test/integration/simulation', '-t', 'whatever happens'], {
		env: {
			...process.env,
			SIMULATION_MINUTES: String(minutes),
			SIMULATION_SEED: String(seed),
			// Loading the package again for each process fills the memory of the usual limit within an hour.
			NODE_OPTIONS: '--max-old-space-size=10000',
		},
	});
}
