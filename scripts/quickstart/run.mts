import { contactsOf, readExample, withChoices } from '../lib/examples.mts';
import { packPackage } from '../lib/packPackage.mts';
import { Sandbox } from '../lib/sandbox.mts';
import { until, waitFor } from '../lib/waiting.mts';
import { importInto } from '../n8n/cli.mts';
import { Editor, newOwner, type Owner } from '../n8n/editor.mts';
import { installPackage } from '../n8n/install.mts';
import { type N8nServer, startN8n } from '../n8n/server.mts';
import { placesIn } from './folder.mts';
import { isFirstRoundOver, type Records } from './outcome.mts';
import { printedSteps } from './steps.mts';

/** Fast enough to finish the first attempts within seconds; the retries follow hours later in sandbox time. */
export const speed = 20;

const queueExample = readExample('queue-calls-for-contacts.json');
const reactExample = readExample('react-to-campaign-events.json');
// Older versions of n8n keep no static data of a workflow whose ID has more than 16 characters.
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
 * @param env more of n8n's settings
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

/** Waits for the expected records and returns what is there, also after the timeout; `judge` compares. */
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
