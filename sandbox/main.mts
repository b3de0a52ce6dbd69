import { readCommandLine, UsageError } from './commandLine.mts';
import { type RunningSandbox, startSandbox } from './server.mts';

/** Starts the sandbox from the command line; its only line on stdout is `{"url","token","seed"}`. */
async function main(): Promise<void> {
	const options = readCommandLine(process.argv.slice(2));
	let sandbox: RunningSandbox;
	try {
		sandbox = await startSandbox(options);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
			throw new UsageError(`Port ${options.port} is taken. Choose another with --port, or 0 for any free one.`);
		}
		throw error;
	}
	const { url, token, seed } = sandbox;
	process.stdout.write(`${JSON.stringify({ url, token, seed })}\n`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
	}
}

main().catch((error: unknown) => {
	const usage = error instanceof UsageError;
	process.stderr.write(`${usage ? `sandbox: ${error.message}` : error instanceof Error ? error.stack : error}\n`);
	process.exit(usage ? 2 : 1);
});
