import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { contractHelp, readOptions, TOKEN_VARIABLE, WrongCommandLine } from './options.mts';
import { asMarkdown } from './report.mts';
import { startContract } from './run.mts';

/** The project's folder, or the package's. */
const ROOT = new URL('../../', import.meta.url);

/** Exit codes: 0 every tested assumption is true, 1 some assumption is false, 2 it did not run, 130 it was stopped. */
async function main(): Promise<number> {
	// The first arguments are the program and `contract`, the name of this command.
	const given = readOptions(process.argv.slice(3));
	if (!given) {
		process.stdout.write(contractHelp());
		return 0;
	}
	const token = process.env[TOKEN_VARIABLE] || (process.stdin.isTTY ? await ask('The environment token: ', true) : '');
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw new WrongCommandLine(`The token is missing or contains spaces. Set ${TOKEN_VARIABLE}.`);
	}
	const costs = [given.write && COSTS.write, given.call !== undefined && COSTS.call].filter((text) => text !== false);
	say(costs.join('\n') || COSTS.read);
	if (given.call !== undefined && !/^y(es)?$/i.test(await ask(`Call ${given.call} now? [y/N] `))) {
		throw new WrongCommandLine('Nothing was called, and nothing was tested.');
	}
	const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
	const run = startContract({
		...given,
		token,
		version,
		docs: new URL('docs/', ROOT),
		home: homedir(),
		say: (line) => say(run.clean(line)),
	});
	let signals = 0;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			signals += 1;
			if (signals > 1) {
				say('Stopped. The next start deletes the remaining objects.');
				process.exit(130);
			}
			say('Stopping. The created objects are deleted first. Press Ctrl-C again to end at once.');
			run.stop();
		});
	}
	const report = await run.report;
	mkdirSync(given.out, { recursive: true });
	writeFileSync(join(given.out, 'report.md'), run.clean(asMarkdown(report)));
	writeFileSync(join(given.out, 'report.json'), run.clean(`${JSON.stringify(report, null, '\t')}\n`));
	if (report.ended !== null) {
		say(run.clean(`It ended early: ${report.ended}.`));
	}
	const count = (is: string) => report.results.filter((result) => result.is === is).length;
	const counts = `${count('confirmed')} confirmed, ${count('otherwise')} otherwise, ${count('notTested')} not tested`;
	say(`${counts}: ${join(given.out, 'report.md')}`);
	if (signals > 0) {
		return 130;
	}
	return report.ended !== null ? 2 : count('otherwise') > 0 ? 1 : 0;
}

/** What a run will do. It is shown before the run does anything. */
const COSTS = {
	read: 'It only reads.',
	write: `It creates its own objects, whose names begin with "Contract check", and deletes them: agents and campaigns in draft,
a calendar, and a SIP trunk. Drafts call nobody, and the service does not document a price for them.`,
	call: `It places test calls, which cost nothing according to the service's description, and ends them before they ring: one
through the first published agent, and with --write another in its own campaign.`,
};

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** @param isHidden hides the typed text @returns an empty text if the input ends */
async function ask(question: string, isHidden = false): Promise<string> {
	const output = new Writable({ write: (_chunk, _encoding, done) => done() });
	// Created before the question is shown, so that a token that is pasted at once stays hidden.
	const lines = createInterface({ input: process.stdin, output, terminal: isHidden });
	process.stdout.write(question);
	const line = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
	lines.close();
	if (isHidden) {
		process.stdout.write('\n');
	}
	return line.trim();
}

// The reader of the output may have exited. The created objects still have to be deleted.
for (const stream of [process.stdout, process.stderr]) {
	stream.on('error', () => undefined);
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		process.stderr.write(`contract: ${error instanceof Error ? error.message : 'An unknown error occurred.'}\n`);
		process.exit(2);
	},
);
