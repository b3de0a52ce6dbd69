// The quick start: node scripts/run.mjs start [--once]
// Runs the package in a real n8n against the sandbox: it needs no account and calls nobody.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { cache } from './lib/places.mts';
import { claimFolder } from './quickstart/folder.mts';
import { eventCounts, judge } from './quickstart/outcome.mts';
import { checksList, countsTable, eventsTable } from './quickstart/report.mts';
import { runQuickStart, type Started } from './quickstart/run.mts';

const started: Started = {};
let stopping: Promise<void> | undefined;

/** Stops n8n, then the sandbox that it uses. */
async function stop(): Promise<void> {
	stopping ??= (async () => {
		await started.n8n?.stop();
		await started.sandbox?.process.stop();
	})();
	await stopping;
}

for (const [signal, status] of [
	['SIGINT', 130],
	['SIGTERM', 143],
	['SIGHUP', 129],
] as const) {
	process.on(signal, () => {
		if (!stopping) {
			console.log('\nStopping n8n and the sandbox …');
		}
		void stop().finally(() => process.exit(status));
	});
}

async function main(): Promise<boolean> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	const summary = join(cache, 'quickstart-summary.json');
	rmSync(summary, { force: true });
	const folder = claimFolder();
	console.log(`Everything is written to ${folder}, which is empty at each start.\n`);

	const { records, owner } = await runQuickStart(folder, started);
	const { counts, checks } = judge(records);
	console.log(`\n${countsTable(counts)}\n\n${eventsTable(eventCounts(records.attempts))}\n`);
	console.log(`${checksList(checks)}\n`);
	const failed = checks.filter(({ passed }) => !passed).length;
	writeFileSync(summary, JSON.stringify({ passed: checks.length - failed, failed }));

	if (values.once) {
		await stop();
		if (failed > 0) {
			console.log(`Not as expected. The logs are in ${join(folder, 'logs')}\n`);
		}
		console.log(JSON.stringify(counts));
		return failed === 0;
	}
	console.log(`n8n stays up until you press Ctrl-C.

  Editor    ${started.n8n?.url}
  Email     ${owner.email}
  Password  ${owner.password}
  Sandbox   ${started.sandbox?.url} (token ${started.sandbox?.token})
  Logs      ${join(folder, 'logs')}
`);
	await Promise.race([started.n8n?.process.ended, started.sandbox?.process.ended]);
	if (stopping) {
		return true;
	}
	throw new Error(`n8n or the sandbox has ended by itself. The logs are in ${join(folder, 'logs')}`);
}

try {
	process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
	if (!stopping) {
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	}
	process.exitCode = 1;
}
await stop();
