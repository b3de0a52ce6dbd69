// The sandbox in a process of its own, for the fuzz test. Messages: it sends {url} once it listens, and answers each
// message with {problems, heap}: what has gone wrong since the last one, and the bytes in use, after a collection of
// garbage if the message is "heap".
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

import { startSandbox } from '../../../sandbox/server.mts';
import { answerCheck } from '../answerCheck.mts';

// Every name is this machine: no request leaves it.
dns.lookup = ((_name: string, options: { all?: boolean }, done: (error: null, ...found: unknown[]) => void) =>
	setImmediate(() =>
		options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
	)) as unknown as typeof dns.lookup;
syncBuiltinESMExports();

let problems: string[] = [];
const note = (what: string) => (error: unknown) => {
	problems.push(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
};
console.error = note('console.error');
process.on('warning', note('warning'));
process.on('unhandledRejection', note('unhandledRejection'));
process.on('uncaughtException', note('uncaughtException'));

const check = answerCheck();
const { url } = await startSandbox({
	seed: 1,
	startTime: Date.UTC(2030, 0, 7, 9),
	speed: 0,
	rateLimit: Number.MAX_SAFE_INTEGER,
	minimumStatusMs: 0,
	actionLimitMs: 500,
	onAnswer(request, answer) {
		const difference = check(request, answer);
		if (difference) {
			problems.push(`An answer differs from docs/openapi.json. ${difference}`);
		}
	},
});
process.on('disconnect', () => process.exit());
process.on('message', (asked) => {
	if (asked === 'heap') {
		globalThis.gc?.();
	}
	process.send?.({ problems, heap: process.memoryUsage().heapUsed });
	problems = [];
});
process.send?.({ url });
