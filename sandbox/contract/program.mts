import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Run, startContract } from './contract.mts';
import { contractHelp, type GivenOptions, readOptions, TOKEN_VARIABLE, WrongCommandLine } from './contractOptions.mts';
import { asMarkdown, type Report } from './report.mts';

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
	const token = process.env[TOKEN_VARIABLE] ?? (await askHidden('The environment token: '));
	if (!/^[\x21-\x7e]+$/.test(token)) {
		throw new WrongCommandLine(`There is no token. Set ${TOKEN_VARIABLE}; a token has no spaces.`);
	}
	say(costs(given));
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
	write(given, run, report);
	if (signals > 0) {
		return 130;
	}
	return report.ended !== null ? 2 : report.results.some(({ is }) => is === 'otherwise') ? 1 : 0;
}

/** What a run will do, before it does anything. */
function costs({ write, publish, activate, call, receive }: GivenOptions): string {
	const lines = [
		write
			? `It creates, changes and deletes objects of its own: agents in draft, campaigns in draft, a calendar, and a SIP
trunk where your plan has them. Their names begin with "Contract check". Drafts call nobody, and the service documents
no price for them. It changes nothing else.`
			: call === undefined
				? 'It only reads.'
				: '',
		receive === undefined ? '' : 'Webhooks of these agents and campaigns send to this machine.',
		publish ? 'It asks to publish an agent that has no voice. Should that succeed, it takes it back.' : '',
		activate ? 'It activates a campaign of its own with the published agent that it finds first.' : '',
		call === undefined
			? ''
			: `It calls the number with "is_testing", through the published agent that it finds first. The service documents
that test calls cost nothing.`,
	];
	return lines.filter((line) => line !== '').join('\n');
}

function write({ out, record }: GivenOptions, run: Run, report: Report): void {
	const save = (folder: string, name: string, text: string) => {
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, name), run.clean(text));
	};
	save(out, 'report.md', asMarkdown(report));
	save(out, 'report.json', `${JSON.stringify(report, null, '\t')}\n`);
	if (record !== undefined) {
		save(record, 'exchanges.json', `${JSON.stringify(run.recording(), null, '\t')}\n`);
	}
	const count = (is: string) => report.results.filter((result) => result.is === is).length;
	if (report.ended !== null) {
		say(run.clean(`It ended early: ${report.ended}.`));
	}
	say(
		`${count('confirmed')} confirmed, ${count('otherwise')} otherwise, ${count('notTested')} not tested: ${join(out, 'report.md')}`,
	);
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

/** @returns an empty text where nobody answers */
async function ask(question: string): Promise<string> {
	process.stdout.write(question);
	const lines = createInterface({ input: process.stdin });
	const answer = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
	lines.close();
	return answer.trim();
}

/** Asks without showing what is typed. @throws WrongCommandLine where nobody can answer */
async function askHidden(question: string): Promise<string> {
	const { stdin } = process;
	if (!stdin.isTTY) {
		throw new WrongCommandLine(`There is no token. Set ${TOKEN_VARIABLE}.`);
	}
	// First: whoever pastes it at once must not see it.
	stdin.setRawMode(true);
	process.stdout.write(question);
	// What is typed comes with its keys: the end, Ctrl-C, and the one that deletes.
	const typed = await new Promise<string>((resolve) => {
		let text = '';
		const read = (chunk: Buffer) => {
			for (const key of chunk.toString('utf8')) {
				text = key === '\x7f' ? text.slice(0, -1) : text + key;
			}
			const isLeft = text.includes('\x03') || text.includes('\x04');
			if (isLeft || /[\r\n]/.test(text)) {
				stdin.off('data', read);
				resolve(isLeft ? '' : text.trim());
			}
		};
		stdin.on('data', read);
	});
	stdin.setRawMode(false);
	stdin.pause();
	process.stdout.write('\n');
	return typed;
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
