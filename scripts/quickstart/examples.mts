import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/places.mts';

/** A workflow as n8n exports it, as far as it matters here. */
export interface WorkflowFile {
	id?: string;
	name: string;
	nodes: WorkflowNode[];
	[key: string]: unknown;
}

interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
}

/** What a person chooses in the editor after importing an example. */
export interface Choices {
	credential: { id: string; name: string };
	campaignId: string;
	/** Of the examples that call through an agent. */
	agentId?: string;
}

const packagePrefix = 'n8n-nodes-voice-agent-calling.';

/** The contacts of the first example, one call each. */
export function contactsOf(workflow: WorkflowFile): number {
	const node = workflow.nodes.find(({ name }) => name === 'Contacts');
	const { contacts } = JSON.parse(String(node?.parameters.jsonOutput)) as { contacts: unknown[] };
	return contacts.length;
}

/** Reads an example as it is. */
export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(join(root, 'examples', file), 'utf8')) as WorkflowFile;
}

/** The example with an id to find it by, and with the choices made in each node of this package. */
export function withChoices(
	workflow: WorkflowFile,
	id: string,
	{ credential, campaignId, agentId }: Choices,
): WorkflowFile {
	const ids: Record<string, string | undefined> = { campaign: campaignId, agent: agentId };
	const nodes = workflow.nodes.map((node) => {
		if (!node.type.startsWith(packagePrefix)) {
			return node;
		}
		const parameters = { ...node.parameters };
		for (const [name, value] of Object.entries(ids)) {
			if (name in parameters && value !== undefined) {
				parameters[name] = { __rl: true, mode: 'id', value };
			}
		}
		return { ...node, parameters, credentials: { voiceAgentCallingApi: credential } };
	});
	// The import of an older n8n leaves these to the file.
	return { ...workflow, id, nodes, active: false, versionId: randomUUID() };
}
