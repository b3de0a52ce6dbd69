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
const result = await fuzz({ requests, seed });
const seconds = ((Date.now() - started) / 1000).toFixed(1);
for (const [status, count] of Object.entries(result.statuses)) {
	console.log(`${status === '0' ? 'cut by a fault' : status}: ${count}`);
}
console.log(`The slowest request took ${result.slowest.ms} ms: ${result.slowest.request}`);
if (result.failure !== undefined) {
	console.log(result.failure);
	process.exitCode = 1;
}
const outcome = result.failure === undefined ? 'passed' : 'FAILED';
console.log(`${outcome}: ${result.requests} requests with the seed ${seed} (${seconds} s)`);
