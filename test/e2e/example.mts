import { readExample, type WorkflowFile, withChoices } from '../../scripts/quickstart/examples.mts';
import type { Instance } from './instance.mts';

/**
 * Imports an example as the editor does, with what a person chooses in it; gives the workflow's id.
 *
 * @param change what else a person sets, each of it one field in the editor
 */
export async function importExample(
	n8n: Instance,
	file: string,
	change: (workflow: WorkflowFile) => void = () => {},
): Promise<string> {
	const { credential } = n8n;
	const { campaignId, agentId } = n8n.sandbox;
	const workflow = withChoices(readExample(file), 'unused', { credential, campaignId, agentId });
	change(workflow);
	const { name, nodes, connections, settings } = workflow;
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name,
		nodes,
		connections,
		settings,
	});
	return id;
}

/** The node of a name. */
export function nodeOf(workflow: WorkflowFile, name: string) {
	const found = workflow.nodes.find((node) => node.name === name);
	if (!found) {
		throw new Error(`The example has no node ${name}`);
	}
	return found;
}

/** Adds options to those of a node in an example. */
export function addOptions({ parameters }: ReturnType<typeof nodeOf>, options: object): void {
	parameters.options = { ...(parameters.options as object | undefined), ...options };
}

/** Submits a form of n8n, one value for each of its fields; gives the status. */
export async function submitForm(
	address: string,
	values: ReadonlyArray<string | File>,
	headers: Record<string, string> = {},
): Promise<number> {
	const body = new FormData();
	values.forEach((value, index) => {
		body.set(`field-${index}`, value);
	});
	return (await fetch(address, { method: 'POST', body, headers })).status;
}

/** All rows of a data table of n8n, none where it is not made yet. */
export async function tableRows<Row>(n8n: Instance, table: string): Promise<Row[]> {
	const { data } = await n8n.editor.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
		'GET',
		'/rest/data-tables-global',
	);
	const found = data.find(({ name }) => name === table);
	if (!found) {
		return [];
	}
	const rows: Row[] = [];
	for (let count = 1; rows.length < count; ) {
		const query = new URLSearchParams({ skip: String(rows.length), take: '250' });
		const path = `/rest/projects/${found.projectId}/data-tables/${found.id}/rows?${query}`;
		const page = await n8n.editor.request<{ count: number; data: Row[] }>('GET', path);
		rows.push(...page.data);
		count = page.data.length === 0 ? 0 : page.count;
	}
	return rows;
}
