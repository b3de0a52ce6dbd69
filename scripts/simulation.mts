// Plays random histories around both nodes: npm run test:simulation -- [--minutes 60] [--seed N]
// A failure shows its seed, and the shortest history after which something is wrong.
// Does what users do at each variant of the service: npm run test:simulation -- variants
import { parseArgs } from 'node:util';

import { runJest } from './lib/jest.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: `${Date.now() % 2 ** 31}` } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) {
	throw new Error('--minutes is a number above 0, and --seed a whole number.');
}
if (positionals.includes('variants')) {
	process.exitCode = await runJest(['test/integration/variants'], { env: { ...process.env, VARIANTS: 'all' } });
} else {
	console.log(`Playing histories with the seed ${seed} for ${minutes} minutes …`);
	process.exitCode = await runJest(['test/integration/simulation', '-t', 'whatever happens'], {
		env: { ...process.env, SIMULATION_MINUTES: String(minutes), SIMULATION_SEED: String(seed) },
	});
}
