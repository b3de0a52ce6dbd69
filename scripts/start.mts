// The quick start: npm start [--keep [--reset]] [--once]
// Runs the package in a real n8n against the sandbox, without an account and without real calls.
import './lib/endWithParent.cjs';

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Owner } from './lib/editor.mts';
import { readKept, writeKept } from './lib/kept.mts';
import { countsTable, eventCounts, judge } from './lib/outcome.mts';
import { cache, keptFolder } from './lib/places.mts';
import {
	claimFolder,
	claimKeptFolder,
	continueKept,
	emptyFolder,
	type Ports,
	placesIn,
	runQuickStart,
	type Started,
	speed,
} from './lib/quickStart.mts';

/** The ports that `--keep` tries first. A start without it tries others, so that both can run at the same time. */
const keptPorts: Ports = { n8n: 5778, sandbox: 4110 };

const { values } = parseArgs({
	options: { keep: { type: 'boolean' }, reset: { type: 'boolean' }, once: { type: 'boolean' } },
});
const started: Started = {};
let stopping: Promise<void> | undefined;
/** Whether n8n or the sandbox has ended unexpectedly. */
let hasLost = false;

/** Stops n8n, then the sandbox that it uses. */
async function stop(): Promise<void> {
	stopping ??= (async () => {
		const { n8n, sandbox } = started;
		if (sandbox?.process.isRunning()) {
			// Retries of the sandbox must wait for the next start, instead of failing while n8n stops.
			await Promise.race([sandbox.setSpeed(0).catch(() => {}), sandbox.process.ended, pause(1000)]);
		}
		await n8n?.stop();
		await sandbox?.process.stop();
	})();
	await stopping;
}

async function pause(milliseconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
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
		void stop().finally(() => process.exit(hasLost ? 1 : status));
	});
}

/** The result of a start. */
interface Begun {
	folder: string;
	/** The login of the editor; undefined if the user has changed it. */
	owner: Owner | undefined;
	/** Whether an event has started a workflow, or the kept n8n runs again. */
	works: boolean;
}

/** Runs the quick start in an empty folder. */
async function begin(folder: string, ports?: Ports): Promise<Begun & { owner: Owner }> {
	const summary = join(cache, 'quickstart-summary.json');
	rmSync(summary, { force: true });
	const { records, owner } = await runQuickStart(folder, started, { ports });
	const { counts } = judge(records);
	const events = [...eventCounts(records.attempts)].sort(([one], [other]) => one.localeCompare(other));
	const lines = events.map(([event, count]) => `  ${String(count).padStart(4)} × ${event}`);
	console.log(`\n${countsTable(counts)}\n\n${lines.join('\n')}\n`);
	const works = counts.executions > 0;
	writeFileSync(summary, JSON.stringify({ passed: Number(works), failed: Number(!works) }));
	if (!works) {
		console.log(`No event has started the second workflow. The logs are in ${join(folder, 'logs')}\n`);
	}
	if (values.once) {
		console.log(JSON.stringify(counts));
	}
	return { folder, owner, works };
}

/** Begins in the kept folder, or continues there after an earlier start. */
async function beginOrContinue(): Promise<Begun> {
	const folder = keptFolder;
	if (!(await claimKeptFolder())) {
		const { n8nPort } = readKept(folder) ?? {};
		const where = n8nPort === undefined ? '' : `: http://127.0.0.1:${n8nPort}`;
		throw new Error(`npm start -- --keep is running already${where}. End it with Ctrl-C first.`);
	}
	if (values.reset) {
		emptyFolder(folder);
	}
	console.log(`Everything is kept for the next start, in ${folder}`);
	console.log('To delete it and start over: npm start -- --keep --reset\n');
	const kept = readKept(folder);
	if (!kept) {
		emptyFolder(folder);
		const begun = await begin(folder, keptPorts);
		const portOf = (part?: { url: string }) => Number(new URL(part?.url ?? '').port);
		writeKept(folder, { n8nPort: portOf(started.n8n), sandboxPort: portOf(started.sandbox), owner: begun.owner });
		return begun;
	}
	const contents = await continueKept(folder, kept, started);
	console.log(`\nn8n has what was kept${contents ? `: ${contents}` : ''}.\n`);
	return { folder, owner: contents ? kept.owner : undefined, works: true };
}

/** Waits until n8n and the sandbox have ended. If only one has ended, prints how to start it again. */
async function stayUp(folder: string): Promise<void> {
	const { n8n, sandbox } = started;
	if (!n8n || !sandbox) {
		return;
	}
	const { stateFile, log } = placesIn(folder);
	const { port } = new URL(sandbox.url);
	const sandboxCommand = `npm run sandbox -- --port ${port} --speed ${speed} --state "${stateFile}"`;
	const startCommand = values.keep ? '"npm start -- --keep" continues with what was kept' : '"npm start" starts over';
	const report = async (name: string, own: typeof n8n.process, other: typeof n8n.process, advice: string) => {
		const how = await own.ended;
		if (stopping) {
			return;
		}
		hasLost = true;
		const rest = other.isRunning() ? advice : `Nothing is running anymore: ${startCommand}.`;
		console.log(`\n${name} ${how} (log: ${log(name === 'n8n' ? 'n8n' : 'sandbox')}). ${rest}`);
	};
	await Promise.all([
		report('n8n', n8n.process, sandbox.process, `The sandbox goes on. End it with Ctrl-C: then ${startCommand}.`),
		report(
			'The sandbox',
			sandbox.process,
			n8n.process,
			`n8n goes on. In another terminal, this starts the sandbox again with the same address and data:\n\n  ${sandboxCommand}\n`,
		),
	]);
}

async function main(): Promise<boolean> {
	let begun: Begun;
	if (values.keep) {
		begun = await beginOrContinue();
	} else {
		const folder = claimFolder();
		console.log(`Everything is written to ${folder}, which is empty at each start.\n`);
		begun = await begin(folder);
	}
	if (values.once) {
		await stop();
		return begun.works;
	}
	const login = begun.owner
		? `  Email     ${begun.owner.email}\n  Password  ${begun.owner.password}`
		: '  Login     as you have changed it in n8n';
	console.log(`n8n and the sandbox stay up until you press Ctrl-C.

  Editor    ${started.n8n?.url}/home/workflows
${login}
  Console   ${started.sandbox?.url} (what the sandbox does: its calls, deliveries and requests)
  Base URL  ${started.sandbox?.url} (environment token ${started.sandbox?.token})
  Clock     the sandbox's runs ${speed} times as fast as yours, so its times are ahead (Console → Clock & faults)
  Logs      ${join(begun.folder, 'logs')}
`);
	await stayUp(begun.folder);
	return !hasLost;
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
