import type { WorkflowFile } from '../../scripts/quickstart/examples.mts';
import { importExample, nodeOf } from './example.mts';
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
	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
	return await importExample(n8n, 'queue-a-large-campaign.json', (example) => {
		example.name += `: ${table}`;
		example.settings = { ...(example.settings as object), executionTimeout: timeoutSeconds };
		for (const name of ['Queue Call', 'What the Service Has']) {
			parametersOf(example, name).campaign = locator('id', campaignId);
		}
		parametersOf(example, 'Every Five Minutes').rule = {
			interval: [{ field: 'seconds', secondsInterval: everySeconds }],
		};
		parametersOf(example, 'Ledger').tableName = table;
		parametersOf(example, 'Add to the Ledger').dataTableId = locator('name', table);
		for (const assignment of assignmentsOf(example)) {
			assignment.value = settings[assignment.name] ?? assignment.value;
		}
		if (contacts) {
			parametersOf(example, 'Contacts').jsCode = `return ${JSON.stringify(contacts.map((json) => ({ json })))};`;
		}
		Object.assign(nodeOf(example, 'Queue Call'), queueCall);
	});
}

function parametersOf(workflow: WorkflowFile, name: string): Record<string, unknown> {
	return nodeOf(workflow, name).parameters;
}

function assignmentsOf(workflow: WorkflowFile) {
	const { assignments } = parametersOf(workflow, 'Settings').assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	return assignments;
}

/** How many of each, such as of each state. */
export function tally(values: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) {
		counts[value] = (counts[value] ?? 0) + 1;
	}
	return counts;
}
