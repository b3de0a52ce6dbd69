import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/places.mts';
import type { Check } from '../quickstart/outcome.mts';
import { byNumber } from './install.mts';

/** What of a node in n8n's list of all nodes is used here. */
export interface NodeOfN8n {
	/** With its package, such as `n8n-nodes-base.set`. */
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
 * The n8n that each example needs, as the page says.
 *
 * @returns by the name of the file, such as `stop-all-calls.json`
 */
export function neededVersions(page = readFileSync(join(root, PAGE), 'utf8')): Map<string, string> {
	const rows = page.matchAll(/^\| \[[^\]]+\]\(\.\.\/\.\.\/examples\/(.+?\.json)\).*\| ([^|]*) \|$/gm);
	return new Map([...rows].map(([, file = '', version = '']) => [file, version]));
}

/** The nodes of an example that an n8n lacks, in this version or with this operation. @param known n8n's list of nodes */
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
 * Compares the page of the examples with an n8n: what it says to need this n8n or an older one has all of its nodes
 * here. An example that needs a newer one may lack something or not: one version between can lack it again.
 */
export function exampleChecks(version: string, known: readonly NodeOfN8n[], versions: readonly string[]): Check[] {
	const needed = neededVersions();
	return readdirSync(join(root, 'examples')).map((file) => {
		const workflow = JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as Workflow;
		const missing = missingNodes(workflow, known);
		const from = needed.get(file) ?? 'nothing';
		const shouldRun = byNumber.compare(version, from) >= 0;
		// The newest version that is too old has to lack something, or the page asks for more than is needed.
		const isJustTooOld = versions.filter((one) => byNumber.compare(one, from) < 0)[0] === version;
		const passed = shouldRun ? missing.length === 0 : !isJustTooOld || missing.length > 0;
		const what = missing.length === 0 ? 'has all nodes' : `lacks ${missing.join(', ')}`;
		return { text: `n8n ${version} ${what} of ${file}, which needs ${from}`, passed };
	});
}

/** The nodes that a running n8n offers. @param n8nUrl its address @param cookie of somebody who has logged in */
export async function nodesOf(n8nUrl: string, cookie: string): Promise<NodeOfN8n[]> {
	const response = await fetch(`${n8nUrl}/types/nodes.json`, { headers: { cookie } });
	if (!response.ok) {
		throw new Error(`n8n answered /types/nodes.json with ${response.status}`);
	}
	return (await response.json()) as NodeOfN8n[];
}
