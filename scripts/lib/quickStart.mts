import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { tryLock } from '../setup/lock.mjs';
import { Editor, newOwner, type Owner } from './editor.mts';
import { contactsOf, readExample, withChoices } from './examples.mts';
import { type Kept, portsAreFree } from './kept.mts';
import { importInto, installPackage, type N8nServer, startN8n } from './n8n.mts';
import { isFirstRoundOver, type Records } from './outcome.mts';
import { packPackage } from './packPackage.mts';
import { keptFolder, userFolders } from './places.mts';
import { until, waitFor } from './process.mts';
import { Sandbox } from './sandbox.mts';

/** Creates a function that runs a step: it prints the name of the step first, and the time that it took afterwards. */
export function printedSteps(total: number) {
	let number = 0;
	return async <T,>(what: string, work: () => Promise<T>): Promise<T> => {
		number += 1;
		const started = Date.now();
		process.stdout.write(`[${number}/${total}] ${what} … `);
		try {
			const result = await work();
			process.stdout.write(`${((Date.now() - started) / 1000).toFixed(1)} s\n`);
			return result;
		} catch (error) {
			process.stdout.write('failed\n');
			throw error;
		}
	};
}

/**
 * Returns an empty folder for one quick start: `quickstart` in the folder for temporary files, with a number if others
 * run at the same time. Files of an earlier run are removed.
 */
export function claimFolder(): string {
	for (let number = 1; ; number++) {
		const folder = join(userFolders, number === 1 ? 'quickstart' : `quickstart-${number}`);
		if (tryLock(`${folder}.running`)) {
			emptyFolder(folder);
			return folder;
		}
	}
}

/**
 * Claims a folder for this process alone, until the process ends. After a crash, it waits until the lock of the crashed
 * process is stale.
 *
 * @param folder by default that of `npm start -- --keep`
 * @returns false if another process uses it
 */
export async function claimKeptFolder(folder: string = keptFolder): Promise<boolean> {
	const mark = `${folder}.running`;
	const touched = () => statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
	const first = touched();
	while (tryLock(mark) === undefined) {
		const now = touched();
		if (now !== undefined && now !== first) {
			return false;
		}
		await sleep(200);
	}
	return true;
}

/** Returns the paths in the folder of a quick start. */
export function placesIn(folder: string) {
	const logs = join(folder, 'logs');
	return {
		userFolder: join(folder, 'user'),
		stateFile: join(folder, 'sandbox.state'),
		logs,
		log: (name: string) => join(logs, `${name}.log`),
	};
}

/** Creates an empty folder that only its owner can read. Existing content is deleted. */
export function emptyFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Fast enough to finish the first attempts within seconds; the retries follow hours later in sandbox time. */
export const speed = 20;

const queueExample = readExample('queue-calls-for-contacts.json');
const reactExample = readExample('react-to-campaign-events.json');
// Older versions of n8n do not keep static data of a workflow whose ID has more than 16 characters.
const queueId = 'queueForContacts';
const reactId = 'reactToEvents';
const credential = { id: 'quickStartSandbox', name: 'Sandbox' };

/** The started processes; the caller stops them. */
export interface Started {
	sandbox?: Sandbox;
	n8n?: N8nServer;
}

/** The ports to try first. */
export interface Ports {
	n8n: number;
	sandbox: number;
}

/**
 * Runs the complete quick start: package, n8n, sandbox, examples, calls, events, a forged delivery.
 *
 * @param folder the folder for all output
 * @param started filled with each process as soon as it starts, so that the caller can stop it at any time
 * @param env additional settings of n8n
 */
export async function runQuickStart(
	folder: string,
	started: Started,
	{ env = {}, ports }: { env?: NodeJS.ProcessEnv; ports?: Ports } = {},
): Promise<{ records: Records; owner: Owner }> {
	const { userFolder, stateFile, log } = placesIn(folder);
	const step = printedSteps(6);

	await step('Building the package and installing it into an n8n of its own', async () => {
		await installPackage(await packPackage(folder, log('pack')), userFolder, log('install'));
	});
	const sandbox = await step('Starting the sandbox of the service', async () => {
		return (started.sandbox = await Sandbox.start(speed, log('sandbox'), ports?.sandbox, ['--state', stateFile]));
	});
	await step('Importing a credential and two example workflows', async () => {
		await importAll(userFolder, sandbox, log('import'));
	});
	const { n8n, editor, owner } = await step('Starting n8n and logging in', async () => {
		const server = (started.n8n = await startN8n({ userFolder, logFile: log('n8n'), port: ports?.n8n, env }));
		return { n8n: server, ...(await logIn(server)) };
	});
	const webhookId = await step('Publishing "React to campaign events"', async () => {
		await editor.publish(reactId);
		return await until(() => sandbox.webhookAt(n8n.url), {
			seconds: 30,
			otherwise: () => n8n.process.failure('registered no webhook within 30 seconds'),
		});
	});
	const records = await step('Running "Queue calls for contacts", waiting for the events', () =>
		collect({ sandbox, editor, webhookId }),
	);
	return { records, owner };
}

async function importAll(userFolder: string, sandbox: Sandbox, logFile: string): Promise<void> {
	const data = { baseUrl: sandbox.url, environmentToken: sandbox.token };
	const credentials = [{ ...credential, type: 'voiceAgentCallingApi', data }];
	const choices = { credential, campaignId: sandbox.campaignId, campaignName: await sandbox.campaignName() };
	const workflows = [withChoices(queueExample, queueId, choices), withChoices(reactExample, reactId, choices)];
	await importInto(userFolder, 'credentials', credentials, logFile);
	await importInto(userFolder, 'workflow', workflows, logFile);
}

async function logIn({ url }: N8nServer): Promise<{ editor: Editor; owner: Owner }> {
	const owner = newOwner('Quick', 'Start');
	const editor = new Editor(url);
	await editor.setUpOwner(owner);
	return { editor, owner };
}

interface Running {
	sandbox: Sandbox;
	editor: Editor;
	webhookId: string;
}

/** Waits for the expected records. After the timeout it returns the present records; `judge` compares them. */
async function collect({ sandbox, editor, webhookId }: Running): Promise<Records> {
	const contacts = contactsOf(queueExample);
	const toTrigger = async () => (await sandbox.deliveries()).filter(({ webhook_id }) => webhook_id === webhookId);

	const runId = await editor.run(queueId, 'When You Click Execute');
	const isRunOver = async () => isOver((await editor.execution(runId)).status) || undefined;
	await waitFor(isRunOver, { seconds: 60 });
	const queueRun = (await editor.execution(runId)).status;

	let shown = '';
	const isRoundOver = async () => {
		const attempts = await toTrigger();
		const text = `${await sandbox.queuedCalls()} of ${contacts} queued, ${attempts.length} delivery attempts`;
		if (text !== shown) {
			process.stdout.write(`\n      ${text}`);
		}
		shown = text;
		return queueRun !== 'success' || isFirstRoundOver(attempts, contacts) || undefined;
	};
	await waitFor(isRoundOver, { seconds: 60 });
	process.stdout.write('\n      ');

	const forged = await sandbox.forge(webhookId);
	const areAllOver = async () => (await editor.executions(reactId)).every(({ status }) => isOver(status)) || undefined;
	await waitFor(areAllOver, { seconds: 60 });
	const executions = await Promise.all((await editor.executions(reactId)).map(({ id }) => editor.execution(id)));
	const [queued, attempts] = [await sandbox.queuedCalls(), await toTrigger()];
	return { contacts, queueRun, queued, attempts, forged, executions };
}

function isOver(status: string): boolean {
	return !['new', 'running', 'waiting', 'unknown'].includes(status);
}

/**
 * Starts the n8n and sandbox of an earlier quick start again, with the present package. It imports nothing and places
 * no calls.
 *
 * @param started filled with each process as soon as it starts, so that the caller can stop it at any time
 * @returns the numbers of workflows and credentials in n8n; undefined if the user has changed the login
 */
export async function continueKept(folder: string, kept: Kept, started: Started): Promise<string | undefined> {
	const { userFolder, stateFile, logs, log } = placesIn(folder);
	// The logs of a crash must survive the next start.
	rmSync(`${logs}-before`, { recursive: true, force: true, maxRetries: 3 });
	if (existsSync(logs)) {
		renameSync(logs, `${logs}-before`);
	}
	const step = printedSteps(3);
	await step('Building the package and installing it into the n8n that was kept', async () => {
		await installPackage(await packPackage(folder, log('pack')), userFolder, log('install'));
	});
	const sandbox = await step('Starting the sandbox with its data', async () => {
		await portsAreFree(kept);
		// Its clock stands still until n8n runs, because a retry that is due would fail.
		return (started.sandbox = await Sandbox.start(0, log('sandbox'), kept.sandboxPort, ['--state', stateFile]));
	});
	return await step('Starting n8n with its workflows', async () => {
		const server = (started.n8n = await startN8n({ userFolder, logFile: log('n8n'), port: kept.n8nPort }));
		await sandbox.setSpeed(speed);
		return await contentsOf(server, kept.owner);
	});
}

async function contentsOf({ url }: N8nServer, owner: Owner): Promise<string | undefined> {
	const editor = new Editor(url);
	try {
		await editor.logIn(owner);
	} catch {
		return undefined;
	}
	const all = await editor.request<Array<{ active: boolean; isArchived?: boolean }>>('GET', '/rest/workflows');
	const workflows = all.filter(({ isArchived }) => !isArchived);
	const published = workflows.filter(({ active }) => active);
	const credentials = await editor.request<unknown[]>('GET', '/rest/credentials');
	return `workflows: ${workflows.length} (${published.length} published), credentials: ${credentials.length}`;
}
