import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Check } from './outcome.mts';
import { cache, npmProgram, root } from './places.mts';
import { runProcess } from './process.mts';
import type { Started } from './quickStart.mts';

const tools = join(root, 'tools');
const prefix = 'n8n-';

/** The n8n version that all other commands use. */
export const ownVersion = (
	JSON.parse(readFileSync(join(tools, 'n8n', 'package.json'), 'utf8')) as { dependencies: { n8n: string } }
).dependencies.n8n;

/** Compares the numbers in versions such as 2.0.0 and 2.41.1. */
export const byNumber = new Intl.Collator('en', { numeric: true });

/** The available n8n versions, the newest first: the own version, and the versions with a lock file in `tools`. */
export const versions: readonly string[] = [
	ownVersion,
	...readdirSync(tools)
		.filter((name) => name.startsWith(prefix) && existsSync(join(tools, name, 'package-lock.json')))
		.map((name) => name.slice(prefix.length)),
].sort((one, other) => byNumber.compare(other, one));

/**
 * Installs a version of n8n from its lock file, unless it is installed already. The setup installs the own version.
 *
 * @returns the name of its folder in `.cache`
 */
export async function installN8n(version: string): Promise<string> {
	if (version === ownVersion) {
		return 'n8n';
	}
	const manifests = join(tools, prefix + version);
	const folder = join(cache, prefix + version);
	const stampFile = join(folder, 'installed-from');
	const lock = readFileSync(join(manifests, 'package-lock.json'));
	const stamp = `${createHash('sha256').update(lock).digest('hex')} node-${process.versions.modules}\n`;
	if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
		return prefix + version;
	}

	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	mkdirSync(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		copyFileSync(join(manifests, file), join(folder, file));
	}
	const options = { cwd: folder, env: process.env, logFile: join(folder, 'install.log') };
	const npm = async (...args: string[]) =>
		await runProcess({ ...options, name: `npm ${args[0]}`, args: [npmProgram(), ...args, '--no-audit', '--no-fund'] });
	console.log(`Installing n8n ${version} into ${folder} (2 to 5 minutes, 2 GB) …`);
	await npm('install', '--no-save', '--ignore-scripts', '--legacy-peer-deps');
	// The only native module that n8n cannot start without.
	await npm('rebuild', 'sqlite3');
	await runProcess({ ...options, name: 'Loading sqlite3', args: ['-e', "require('sqlite3')"] });
	// The stamp is written last, so that an interrupted installation is repeated.
	writeFileSync(stampFile, stamp);
	return prefix + version;
}

/** Deletes an installed version, 2 GB, from `.cache`, except the project's own. */
export function removeN8n(version: string): void {
	if (version !== ownVersion) {
		rmSync(join(cache, prefix + version), { recursive: true, force: true, maxRetries: 3 });
	}
}

/** A running n8n with the published trigger of the quick start. */
export interface Target {
	/** n8n's address. */
	n8n: string;
	/** The address that the trigger registered. */
	webhook: string;
}

/** A response of n8n itself to a webhook request that does not reach the node. */
interface N8nText {
	what: string;
	says: string;
	/** n8n's own advice; it differs between versions. */
	hint: string;
	/** The advice in docs/reference/errors.md. */
	advice: string;
	status: number;
	provoke(target: Target): Promise<Response>;
}

const json = (body: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** The responses of n8n 2.41 to webhook requests at the wrong time or with the wrong method or body. */
export const n8nTexts: N8nText[] = [
	{
		what: 'The production URL is called while the workflow is not published, or after it was unpublished',
		says: 'The requested webhook "POST your-workflow/webhook" is not registered.',
		hint: "The workflow must be active for a production URL to run successfully. You can activate the workflow using the toggle in the top-right of the editor. Note that unlike test URL calls, production URL calls aren't shown on the canvas (only in the executions list)",
		advice:
			'Publish the workflow. If it is published and the service still gets this answer, run Webhook → Check Registration in another workflow: it says which webhook has an old URL, and the new one. Catch up on what was missed before you publish again.',
		status: 404,
		provoke: async ({ n8n }) => await fetch(`${n8n}/webhook/your-workflow/webhook`, json('{}')),
	},
	{
		what: 'The test URL is called while the editor does not listen',
		says: 'The requested webhook "your-workflow/webhook" is not registered.',
		hint: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
		advice:
			'A test run registers a webhook of its own and takes it away after the first event. For all events, publish the workflow.',
		status: 404,
		provoke: async ({ n8n }) => await fetch(`${n8n}/webhook-test/your-workflow/webhook`, json('{}')),
	},
	{
		what: 'The URL is called with another HTTP method: opened in a browser, for example',
		says: 'This webhook is not registered for GET requests. Did you mean to make a POST request?',
		hint: '',
		advice:
			"A browser shows this for a trigger that works: the service delivers by POST only. If the service gets this answer, somebody changed the webhook's method: set it to POST with Update, then use Catch Up.",
		status: 404,
		provoke: async ({ webhook }) => await fetch(webhook),
	},
	{
		what: 'A delivery is cut off, or is no JSON',
		says: 'Failed to parse request body',
		hint: 'Unexpected end of JSON input',
		advice:
			'It starts nothing, and the node does not see it. If the service gets this answer, look at what is between it and n8n.',
		status: 422,
		provoke: async ({ webhook }) => await fetch(webhook, json('{"event": ')),
	},
];

/**
 * Compares the messages of n8n in docs/reference/errors.md with those of a running n8n.
 *
 * @param exactly whether to compare n8n's advice, too, which older versions word differently
 */
export async function n8nTextChecks({ n8n, sandbox }: Started, exactly: boolean): Promise<Check[]> {
	if (!n8n || !sandbox) {
		throw new Error('Nothing is running');
	}
	const listing = await fetch(`${sandbox.url}/api/v1/campaigns/${sandbox.campaignId}/webhooks`, {
		headers: { authorization: `Bearer ${sandbox.token}` },
	});
	const { data } = (await listing.json()) as { data: { webhooks: Array<{ webhook_url: string }> } };
	const webhook = data.webhooks.find(({ webhook_url }) => webhook_url.startsWith(n8n.url))?.webhook_url;
	if (webhook === undefined) {
		throw new Error('The trigger has registered no webhook');
	}
	const checks: Check[] = [];
	for (const { what, says, hint, status, provoke } of n8nTexts) {
		const response = await provoke({ n8n: n8n.url, webhook });
		const { message, hint: actualHint = '' } = (await response.json()) as { message?: string; hint?: string };
		const isSame = response.status === status && message === says && (!exactly || actualHint === hint);
		const instead = isSame ? '' : `, but ${response.status} ${JSON.stringify({ message, hint: actualHint })}`;
		checks.push({ text: `n8n responds with "${says}" (${what})${instead}`, passed: isSame });
	}
	return checks;
}

/** The used parts of a node in n8n's list of all nodes. */
interface NodeOfN8n {
	/** The name with its package, such as `n8n-nodes-base.set`. */
	name: string;
	version: number | number[];
	properties: Array<{ name: string; options?: Array<{ value?: unknown }> }>;
}

interface Workflow {
	nodes: Array<{ name: string; type: string; typeVersion: number; parameters: Record<string, unknown> }>;
}

const PAGE = join('docs', 'examples', 'README.md');
const OWN = 'n8n-nodes-voice-agent-calling.';

/**
 * Reads the n8n version that each example needs from the page of the examples.
 *
 * @returns the versions by the name of the file, such as `stop-all-calls.json`
 */
export function neededVersions(page = readFileSync(join(root, PAGE), 'utf8')): Map<string, string> {
	const rows = page.matchAll(/^\| \[[^\]]+\]\(\.\.\/\.\.\/examples\/(.+?\.json)\).*\| ([^|]*) \|$/gm);
	return new Map([...rows].map(([, file = '', version = '']) => [file, version]));
}

/**
 * Returns the nodes of an example that n8n lacks, by version, resource or operation.
 *
 * @param known n8n's list of nodes
 */
function missingNodes({ nodes }: Workflow, known: readonly NodeOfN8n[]): string[] {
	const missing = nodes
		.filter(({ type }) => !type.startsWith(OWN))
		.filter(({ type, typeVersion, parameters }) => {
			const same = known.filter(({ name, version }) => name === type && [version].flat().includes(typeVersion));
			const offered = (parameter: string) =>
				same.flatMap(({ properties }) =>
					properties.filter(({ name }) => name === parameter).flatMap(({ options = [] }) => options),
				);
			const lacks = (parameter: string) =>
				parameters[parameter] !== undefined &&
				offered(parameter).length > 0 &&
				!offered(parameter).some(({ value }) => value === parameters[parameter]);
			return same.length === 0 || lacks('resource') || lacks('operation');
		});
	return missing.map(({ name }) => name);
}

/**
 * Compares the page of the examples with a version of n8n. Examples that need this version or an older one must find
 * all of their nodes. Others may find them, too, because a version in between can lack a node again.
 */
export function exampleChecks(version: string, known: readonly NodeOfN8n[], versions: readonly string[]): Check[] {
	const needed = neededVersions();
	return readdirSync(join(root, 'examples')).map((file) => {
		const workflow = JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as Workflow;
		const missing = missingNodes(workflow, known);
		const from = needed.get(file) ?? 'nothing';
		const shouldRun = byNumber.compare(version, from) >= 0;
		// The newest version that is too old must lack a node, otherwise the page requires a newer one than necessary.
		const isJustTooOld = versions.filter((one) => byNumber.compare(one, from) < 0)[0] === version;
		const passed = shouldRun ? missing.length === 0 : !isJustTooOld || missing.length > 0;
		const what = missing.length === 0 ? 'has all nodes' : `lacks ${missing.join(', ')}`;
		return { text: `n8n ${version} ${what} of ${file}, which needs ${from}`, passed };
	});
}

/** Reads the nodes that a running n8n offers. @param n8nUrl its address @param cookie the cookie of a login */
export async function nodesOf(n8nUrl: string, cookie: string): Promise<NodeOfN8n[]> {
	const response = await fetch(`${n8nUrl}/types/nodes.json`, { headers: { cookie } });
	if (!response.ok) {
		throw new Error(`n8n returned ${response.status} for /types/nodes.json`);
	}
	return (await response.json()) as NodeOfN8n[];
}
