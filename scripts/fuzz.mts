// Sends random requests to the sandbox: npm run test:fuzz -- [--requests 10000] [--seed 1]
// Nothing may end in an internal error, hang, or break what comes later. A failure shows the smallest sequence that fails.
import { parseArgs } from 'node:util';

import { fuzz } from '../test/sandbox/fuzz/run.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values } = parseArgs({
	options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
	throw new Error('--requests and --seed are whole numbers, and at least one request is sent.');
}

const started = Date.now();
const statuses: Record<string, number> = {};
let outcome = 'passed';
try {
	await fuzz(requests, seed, statuses);
} catch (error) {
	console.log((error as Error).message);
	outcome = 'FAILED';
	process.exitCode = 1;
}
for (const [status, count] of Object.entries(statuses)) {
	console.log(`${status}: ${count}`);
}
const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0);
console.log(`${outcome}: ${sent} requests with the seed ${seed} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
