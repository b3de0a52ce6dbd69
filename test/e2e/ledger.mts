import { readExample, withChoices, type WorkflowFile } from '../../scripts/quickstart/examples.mts';
import type { Instance } from './instance.mts';

/** One contact as the ledger has it. */
export interface Row {
	number: string;
	contact: string;
	batch: number;
	state: string;
	message: string;
	execution: string;
}

/** What a person changes about the example after importing it. */
export interface LedgerChoices {
	campaignId: string;
	/** The name of the ledger, which is one for each campaign. */
	table: string;
	/** How often the workflow starts by itself. */
	everySeconds: number;
	/** When n8n ends an execution. */
	timeoutSeconds: number;
	/** Other values in the node of that name. */
	settings: Record<string, number>;
	/** Contacts in place of the example's own. */
	contacts?: object[];
	/** Other settings of the node that sends. */
	queueCall?: object;
}

/** Imports the example of the large campaign as the editor does; gives the workflow's id. */
export async function importLargeCampaign(n8n: Instance, choices: LedgerChoices): Promise<string> {
	const { campaignId, table, everySeconds, timeoutSeconds, settings, contacts, queueCall } = choices;
	const credential = { id: 'e2eSandbox', name: 'Sandbox' };
	const example = withChoices(readExample('queue-a-large-campaign.json'), 'unused', { credential, campaignId });
	// Each of these is one field in the editor.
	parametersOf(example, 'Every Five Minutes').rule = { interval: [{ field: 'seconds', secondsInterval: everySeconds }] };
	parametersOf(example, 'Ledger').tableName = table;
	parametersOf(example, 'Add to the Ledger').dataTableId = { __rl: true, mode: 'name', value: table };
	for (const assignment of assignmentsOf(example)) assignment.value = settings[assignment.name] ?? assignment.value;
	if (contacts) parametersOf(example, 'Contacts').jsCode = `return ${JSON.stringify(contacts.map((json) => ({ json })))};`;
	Object.assign(nodeOf(example, 'Queue Call'), queueCall);
	const { name, nodes, connections } = example;
	const { id } = await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', {
		name: `${name}: ${table}`,
		nodes,
		connections,
		settings: { ...(example.settings as object), executionTimeout: timeoutSeconds },
	});
	return id;
}

function nodeOf(workflow: WorkflowFile, name: string) {
	const found = workflow.nodes.find((node) => node.name === name);
	if (!found) throw new Error(`The example has no node ${name}`);
	return found;
}

function parametersOf(workflow: WorkflowFile, name: string): Record<string, unknown> {
	return nodeOf(workflow, name).parameters;
}

function assignmentsOf(workflow: WorkflowFile) {
	const { assignments } = parametersOf(workflow, 'Settings').assignments as { assignments: Array<{ name: string; value: unknown }> };
	return assignments;
}

/** All rows of a ledger, none where it is not made yet. */
export async function ledgerRows(n8n: Instance, table: string): Promise<Row[]> {
	const { data } = await n8n.editor.request<{ data: Array<{ id: string; name: string; projectId: string }> }>('GET', '/rest/data-tables-global');
	const found = data.find(({ name }) => name === table);
	if (!found) return [];
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

/** How many of each, such as of each state. */
export function tally(values: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
	return counts;
}
