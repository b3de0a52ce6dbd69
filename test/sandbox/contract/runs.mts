import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Report } from '../../../sandbox/contract/report.mts';
import { type ContractOptions, type Run, startContract } from '../../../sandbox/contract/run.mts';
import type { SandboxOptions } from '../../../sandbox/options.mts';
import { root } from '../../../scripts/lib/places.mts';
import { type SandboxClient, startClient } from '../client.mts';
import { listening } from '../listening.mts';

/** The token of the account. It must not be shown anywhere. */
export const TOKEN = 'vac_live_5f2d8a7c41e94b0e';
/** A number that is answered. */
export const NUMBER = '+12025550123';

/** Five minutes of this service, the delay of a call that never rings, take three seconds. */
export const startService = (options: Partial<SandboxOptions> = {}) =>
	startClient({ token: TOKEN, speed: 100, ...options });

const homes: string[] = [];
afterAll(() => homes.map((home) => rmSync(home, { recursive: true, force: true })));

/** Creates a home folder until the end of the test file. Runs keep the names of created objects there. */
export function newHome(): string {
	const home = mkdtempSync(join(tmpdir(), 'contract-'));
	homes.push(home);
	return home;
}

/** Reads all files that a run wrote below its home folder. */
export const filesIn = (home: string) =>
	readdirSync(home, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

/** Returns a free port. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const { port } = new URL(await listening(server));
	await once(server.close(), 'close');
	return Number(port);
}

/** Starts a run against a service. By default it only reads. */
export function start(baseUrl: string, options: Partial<ContractOptions> = {}): Run {
	return startContract({
		baseUrl,
		token: TOKEN,
		write: false,
		call: undefined,
		version: '0',
		receive: undefined,
		receivePort: 0,
		docs: pathToFileURL(join(root, 'docs/')),
		home: newHome(),
		say: () => undefined,
		...options,
		pace: { lookMs: 5, waitMs: 20_000, limitedMs: 1, responseMs: 20_000, ...options.pace },
	});
}

/** Returns the report of a run with all tests. */
export async function testEverything(url: string, options: Partial<ContractOptions> = {}): Promise<Report> {
	const receivePort = await freePort();
	const receive = `http://127.0.0.1:${receivePort}`;
	return await start(url, { write: true, call: NUMBER, receive, receivePort, ...options }).report;
}

/** Returns the questions with a result. */
export const withResult = ({ results }: Report, is: Report['results'][number]['is']) =>
	results.filter((result) => result.is === is).map(({ question }) => question);

/** Returns the objects of a service with the name of a run. */
export async function leftIn(service: SandboxClient): Promise<string[]> {
	const paths = ['/agents?per_page=100', '/campaigns?per_page=100', '/sip-trunks', '/calendars'];
	const lists = await Promise.all(paths.map((path) => service.api('GET', path)));
	const rows = lists.flatMap(({ data }) => data.data as unknown as Array<{ name: string }>);
	return rows.map(({ name }) => name).filter((name) => name.startsWith('Contract check'));
}
