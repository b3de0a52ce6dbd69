import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './places.mts';

/** The parts of an exported workflow that the quick start uses. */
export interface WorkflowFile {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	[key: string]: unknown;
}

interface WorkflowNode {
	name: string;
	type: string;
	position: [x: number, y: number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
}

/** The choices that a user makes in the editor after importing an example. */
export interface Choices {
	credential: { id: string; name: string };
	campaignId: string;
	/** The name that the editor shows. Without it, the campaign is chosen by its ID. */
	campaignName?: string;
	/** The agent, only for examples that place calls with an agent. */
	agentId?: string;
}

const packagePrefix = 'n8n-nodes-voice-agent-calling.';

/** Returns the number of contacts in the first example, each of which gets one call. */
export function contactsOf(workflow: WorkflowFile): number {
	const node = workflow.nodes.find(({ name }) => name === 'Contacts');
	const { contacts } = JSON.parse(String(node?.parameters.jsonOutput)) as { contacts: unknown[] };
	return contacts.length;
}

/** Reads an example without changes. */
export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as WorkflowFile;
}

/** Returns the example with an ID, and with the choices in each node of this package. */
export function withChoices(
	workflow: WorkflowFile,
	id: string,
	{ credential, campaignId, campaignName, agentId }: Choices,
): WorkflowFile {
	const locators = { campaign: locator(campaignId, campaignName), agent: agentId && locator(agentId) };
	const nodes = workflow.nodes.map((node) => {
		if (!node.type.startsWith(packagePrefix)) {
			return node;
		}
		const parameters = chosenIn(node.parameters, locators);
		if ('filters' in parameters) {
			parameters.filters = chosenIn(parameters.filters as Record<string, unknown>, locators);
		}
		return { ...node, parameters, credentials: { voiceAgentCallingApi: credential } };
	});
	// Older n8n versions do not set these on import.
	return { ...workflow, id, nodes, active: false, versionId: randomUUID() };
}

/** Returns the value that the editor stores for a chosen campaign or agent. */
const locator = (value: string, name?: string) =>
	name === undefined ? { __rl: true, mode: 'id', value } : { __rl: true, mode: 'list', value, cachedResultName: name };

/** Returns the parameters with the choices filled in. */
function chosenIn(parameters: Record<string, unknown>, locators: object) {
	const chosen = { ...parameters };
	for (const [name, value] of Object.entries(locators)) {
		// An expression reads the value from each item, so nothing is to be chosen.
		if (name in chosen && value !== undefined && !isExpression(chosen[name])) {
			chosen[name] = value;
		}
	}
	return chosen;
}

function isExpression(value: unknown): boolean {
	return String(Object(value).value).startsWith('=');
}
