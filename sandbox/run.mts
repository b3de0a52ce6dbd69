import { readFileSync } from 'node:fs';

import { helpText, readCommandLine, UsageError, variantsText, wantedText } from './commandLine.mts';
import { type RunningSandbox, startSandbox } from './server.mts';
import { StateError } from './state/state.mts';

/** The package.json of the project or, in the sandbox's package, its own. Both have the same version. */
const MANIFEST = new URL('../package.json', import.meta.url);

const LISTEN_ERRORS: Record<string, (port: number) => string> = {
	EADDRINUSE: (port) => `Port ${port} is taken. Choose another with --port, or 0 for any free port.`,
	EACCES: (port) => `This user may not listen on port ${port}. Choose a port from 1024 with --port.`,
};

/**
 * Starts the sandbox from the command line. Its only line on stdout is `{"url","token","seed"}`; a terminal also gets
 * the addresses on stderr. With an option such as `--help` it only prints a text.
 */
async function main(): Promise<void> {
	const args = process.argv.slice(2);
	const wanted = wantedText(args);
	if (wanted) {
		const texts = { help: helpText, variants: variantsText, version: () => `${version()}\n` };
		process.stdout.write(texts[wanted]());
		return;
	}
	const options = readCommandLine(args);
	let sandbox: RunningSandbox;
	try {
		sandbox = await startSandbox(options);
	} catch (error) {
		const listenError = LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? ''];
		if (listenError && (error as NodeJS.ErrnoException).syscall === 'listen') {
			throw new UsageError(listenError(options.port));
		}
		if (error instanceof StateError) {
			throw new UsageError(error.message);
		}
		throw error;
	}
	const { url, token, seed } = sandbox;
	// Set before the line with the URL is written: its reader may end the sandbox at once.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit(0), fail));
	}
	process.stdout.write(`${JSON.stringify({ url, token, seed })}\n`);
	if (process.stderr.isTTY) {
		process.stderr.write(`\n  Console        ${url}\n  API reference  ${url}/docs\n  Ctrl-C ends the sandbox.\n\n`);
	}
}

function version(): string {
	return (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
}

function fail(error: unknown): void {
	const isPlain = error instanceof UsageError || error instanceof StateError;
	process.stderr.write(`${isPlain ? `sandbox: ${error.message}` : error instanceof Error ? error.stack : error}\n`);
	process.exit(error instanceof UsageError ? 2 : 1);
}

// The reader of the output may have exited. Without the line with the address, nobody uses the sandbox.
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => {});
main().catch(fail);
