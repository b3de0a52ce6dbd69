import { readExample, type WorkflowFile, withChoices } from '../../scripts/lib/examples.mts';
import { until } from '../../scripts/lib/process.mts';
import { startFakeModel, type Turn } from './fakeModel.mts';
import type { DataTable, Instance, WorkflowNode } from './instance.mts';

/**
 * Imports an example as the editor does, with what a person chooses in it; gives the workflow's id.
 *
 * @param file its name, or a workflow that a page shows
 * @param change what else a person sets, each of it one field in the editor
 */
export async function importExample(
	n8n: Instance,
	file: string | WorkflowFile,
	change: (workflow: WorkflowFile) => void = () => {},
): Promise<string> {
	const { credential } = n8n;
	const { campaignId, agentId } = n8n.sandbox;
	const example = typeof file === 'string' ? readExample(file) : file;
	const workflow = withChoices(example, 'unused', { credential, campaignId, agentId });
	change(workflow);
	const { name, nodes, connections, settings } = workflow;
	// n8n 2.0 and older store nothing without it.
	const body = { name, nodes, connections, settings, active: false };
	return (await n8n.editor.request<{ id: string }>('POST', '/rest/workflows', body)).id;
}

/** The same, published. */
export async function publishExample(...[n8n, file, change]: Parameters<typeof importExample>): Promise<string> {
	const id = await importExample(n8n, file, change);
	await n8n.editor.publish(id);
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

/** Lets a schedule start an example only when a test does. */
export function neverByItself(workflow: WorkflowFile, schedule: string): void {
	const triggerAtDayOfMonth = ((new Date().getUTCDate() + 14) % 28) + 1;
	const rule = { interval: [{ field: 'months', triggerAtDayOfMonth }] };
	Object.assign(nodeOf(workflow, schedule).parameters, { rule });
}

/** Adds options to those of a node in an example. */
export function addOptions({ parameters }: ReturnType<typeof nodeOf>, options: object): void {
	parameters.options = { ...(parameters.options as object | undefined), ...options };
}

/** Enters values in a node that sets fields. */
export function enter(workflow: WorkflowFile, node: string, values: Record<string, unknown>): void {
	const { assignments } = nodeOf(workflow, node).parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const [name, value] of Object.entries(values)) {
		const found = assignments.find((one) => one.name === name);
		if (!found) {
			throw new Error(`${node} sets no ${name}`);
		}
		found.value = value;
	}
}

/** A function that lets a node use a new credential. */
export async function credentialFor(n8n: Instance, type: string, data: Record<string, unknown>) {
	const credential = { id: await n8n.createCredential(type, type, data), name: type };
	return (node: { credentials?: WorkflowNode['credentials'] }) => {
		node.credentials = { [type]: credential };
	};
}

/** A fake model, and a function that lets a node use it. */
export async function modelFor(n8n: Instance, turns: Turn[] | ((said: string) => Turn)) {
	const model = await startFakeModel(turns);
	return { ...model, use: await credentialFor(n8n, 'openAiApi', { apiKey: 'none', url: model.url }) };
}

/** What the forms of the examples are protected with. */
export const authorization = `Basic ${Buffer.from('ada:form-1').toString('base64')}`;

/** Publishes an example that starts with a form, and protects it; gives its address, and the workflow's id. */
export async function publishForm(
	n8n: Instance,
	file: string,
	node: string,
	change: (workflow: WorkflowFile) => void = () => {},
): Promise<{ form: string; workflowId: string }> {
	const protect = await credentialFor(n8n, 'httpBasicAuth', { user: 'ada', password: 'form-1' });
	let form = '';
	const workflowId = await publishExample(n8n, file, (workflow) => {
		const start = nodeOf(workflow, node);
		form = `${n8n.n8n.url}/form/${String(Object(start).webhookId)}`;
		protect(start);
		change(workflow);
	});
	return { form, workflowId };
}

/** Submits a form of n8n, one value for each of its fields. */
export async function postForm(
	address: string,
	values: ReadonlyArray<string | File>,
	init: RequestInit = {},
): Promise<Response> {
	const body = new FormData();
	for (const [index, value] of values.entries()) {
		body.set(`field-${index}`, value);
	}
	return await fetch(address, { method: 'POST', body, ...init });
}

/** The same; gives the status. */
export async function submitForm(address: string, values: ReadonlyArray<string | File>, headers = {}): Promise<number> {
	return (await postForm(address, values, { headers })).status;
}

/** The data table of a name; undefined where it is not made yet. */
async function tableOf(n8n: Instance, name: string): Promise<string | undefined> {
	const { data } = await n8n.editor.request<{ data: DataTable[] }>('GET', '/rest/data-tables-global');
	const found = data.find((table) => table.name === name);
	return found && `/rest/projects/${found.projectId}/data-tables/${found.id}`;
}

/** All rows of a data table of n8n, none where it is not made yet. */
export async function tableRows<Row>(n8n: Instance, table: string): Promise<Row[]> {
	const found = await tableOf(n8n, table);
	const rows: Row[] = [];
	for (let count = 1; found && rows.length < count; ) {
		const query = new URLSearchParams({ skip: String(rows.length), take: '250' });
		const page = await n8n.editor.request<{ count: number; data: Row[] }>('GET', `${found}/rows?${query}`);
		rows.push(...page.data);
		count = page.data.length === 0 ? 0 : page.count;
	}
	return rows;
}

/**
 * The only row that `whose` finds in a data table, once it is as wanted.
 *
 * @param hours by how much the sandbox's clock is moved on before each look
 */
export async function rowWhen<Row>(
	n8n: Instance,
	table: string,
	whose: (row: Row) => boolean,
	wanted: (row: Row) => boolean = () => true,
	{ hours = 0, seconds = 40 } = {},
): Promise<Row> {
	let rows: Row[] = [];
	const ask = async () => {
		if (hours > 0) {
			await n8n.advance(hours * 3600);
		}
		rows = (await tableRows<Row>(n8n, table)).filter(whose);
		return rows.some(wanted) || undefined;
	};
	await until(ask, { seconds, otherwise: () => new Error(`The rows stayed ${JSON.stringify(rows)}`) });
	expect(rows).toHaveLength(1);
	return rows[0]!;
}

/** Makes a data table as a person does, whose columns are text. */
export async function makeTable(n8n: Instance, name: string, rows: Array<Record<string, string>>): Promise<string> {
	const project = await n8n.editor.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project.id}/data-tables`;
	const columns = Object.keys(rows[0] ?? {}).map((column) => ({ name: column, type: 'string' }));
	const { id } = await n8n.editor.request<{ id: string }>('POST', tables, { name, columns });
	await addRows(n8n, name, rows);
	return id;
}

/** Adds rows to a data table. */
export async function addRows(n8n: Instance, table: string, data: object[]): Promise<void> {
	await n8n.editor.request('POST', `${await tableOf(n8n, table)}/insert`, { data, returnType: 'count' });
}

/** Changes the rows of a data table that have a value in a column. */
export async function changeRows(n8n: Instance, table: string, [columnName, value]: string[], data: object) {
	const filter = { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
	await n8n.editor.request('PATCH', `${await tableOf(n8n, table)}/rows`, { filter, data });
}
