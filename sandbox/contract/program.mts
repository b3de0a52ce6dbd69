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

/** Exit codes: 0 all is as assumed, 1 something is otherwise, 2 it did not run, 130 it was stopped. */
async function main(): Promise<number> {
	// After `contract`, the name of this command.
	const given = readOptions(process.argv.slice(3));
	if (!given) {
		process.stdout.write(contractHelp());
		return 0;
	}
	const token = process.env[TOKEN_VARIABLE] || (process.stdin.isTTY ? await ask('The environment token: ', true) : '');
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw new WrongCommandLine(`There is no token. Set ${TOKEN_VARIABLE}; a token has no spaces.`);
	}
	const kinds = [given.write && COSTS.write, given.call !== undefined && COSTS.call].filter((text) => text !== false);
	say(kinds.join('\n') || COSTS.read);
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
				say('Stopped. The next start deletes what is left.');
				process.exit(130);
			}
			say('Stopping. What was created is deleted first; once more ends it at once.');
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

/** What a run will do, before it does anything. */
const COSTS = {
	read: 'It only reads.',
	write: `It creates objects of its own, whose names begin with "Contract check", and deletes them: agents and campaigns in
draft, a calendar, and a SIP trunk. Drafts call nobody, and the service documents no price for them.`,
	call: `It places test calls, which cost nothing by the description, and ends them before they ring: one through the
published agent that it finds first, and with --write one in a campaign of its own.`,
};

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** @param isHidden whether what is typed is not shown @returns an empty text where nobody answers */
async function ask(question: string, isHidden = false): Promise<string> {
	const output = new Writable({ write: (_chunk, _encoding, done) => done() });
	// First: whoever pastes a token at once must not see it.
	const lines = createInterface({ input: process.stdin, output, terminal: isHidden });
	process.stdout.write(question);
	const line = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
	lines.close();
	if (isHidden) {
		process.stdout.write('\n');
	}
	return line.trim();
}

// Whoever reads may be gone. What was created has to be deleted all the same.
for (const stream of [process.stdout, process.stderr]) {
	stream.on('error', () => undefined);
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		process.stderr.write(`contract: ${error instanceof Error ? error.message : 'something unknown went wrong.'}\n`);
		process.exit(2);
	},
);
