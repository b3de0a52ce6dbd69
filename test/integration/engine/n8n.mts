import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * n8n-core writes a key and its settings into the user folder when it is loaded: a temporary folder keeps the tests
 * away from the settings of the user who runs them.
 */
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-user-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_DIAGNOSTICS_ENABLED = 'false';
process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));

const require = createRequire(process.env.N8N_MODULES ?? import.meta.url);
require('reflect-metadata');

/** n8n's engine. Required, not imported: an import would load a second copy of n8n-workflow (its ESM build). */
export const core = require('n8n-core') as typeof import('n8n-core');

/** The copy of n8n-workflow that n8n-core and the package under test use. */
export const n8n = require('n8n-workflow') as typeof import('n8n-workflow');

/** Loads a module from n8n-core's own tree: express types, its logger, its container. */
export const requireFromCore = createRequire(require.resolve('n8n-core'));

/** One line that n8n or a node wrote to n8n's log. */
export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: unknown;
}

export const logLines: LogLine[] = [];

const write = (level: LogLine['level']) => (message: string, metadata?: unknown) => {
	logLines.push({ level, message, metadata });
};
export const logger = {
	error: write('error'),
	warn: write('warn'),
	info: write('info'),
	debug: write('debug'),
	scoped: () => logger,
};
const { Container } = requireFromCore('@n8n/di') as {
	Container: { set(type: unknown, instance: unknown): void };
};
const { Logger } = requireFromCore('@n8n/backend-common') as { Logger: unknown };
Container.set(Logger, logger);
n8n.LoggerProxy.init(logger);
