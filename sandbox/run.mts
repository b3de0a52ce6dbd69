import { readFileSync } from 'node:fs';

import { helpText, readCommandLine, UsageError, variantsText, wantedText } from './commandLine.mts';
import { type RunningSandbox, startSandbox } from './server.mts';
import { StateError } from './state/state.mts';

/** The project's package.json, and in the package of the sandbox its own one: both have the same version. */
const MANIFEST = new URL('../package.json', import.meta.url);

const LISTEN_ERRORS: Record<string, (port: number) => string> = {
	EADDRINUSE: (port) => `Port ${port} is taken. Choose another with --port, or 0 for any free one.`,
	EACCES: (port) => `This user may not listen on port ${port}. Choose one from 1024 with --port.`,
};

/**
 * Starts the sandbox from the command line; its only line on stdout is `{"url","token","seed"}`. People who watch get
 * another one on stderr. With `--help` or `--version` it prints that, and starts nothing.
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
	// Before the line with the URL: whoever has read it may end the sandbox.
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

// Whoever reads the output may have ended. Without the line with the address, nobody uses the sandbox.
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => {});
main().catch(fail);
