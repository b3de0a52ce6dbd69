import { waitFor } from '../../../scripts/lib/process.mts';
import type { Instance, SandboxRequest } from '../instance.mts';

/** What the judge of a built workflow works with. */
export interface WorldParts {
	/** Calls a tool of n8n's own MCP server. */
	tool: (tool: string, args: object) => Promise<string>;
	n8n: Instance;
	/** Data tables: their IDs by name. */
	tables: Record<string, string>;
	projectId: string;
	agentId: string;
	campaignId: string;
}

/** What is in an answer of n8n or of the sandbox: the judges know its fields. */
type Json = ReturnType<typeof JSON.parse>;
type Row = Record<string, Json>;

interface NodeJson {
	name: string;
	type: string;
	parameters: Row;
}

/** The statuses of an execution that has not ended. */
const underWay = ['new', 'running', 'waiting'];

/** A running n8n and a sandbox, in which workflows that a model wrote are created, started and watched. */
export class World {
	readonly parts: WorldParts;
	/** How many of the requests were there before. */
	private earlier = 0;

	constructor(parts: WorldParts) {
		this.parts = parts;
	}

	/** Calls a tool whose answer is JSON. */
	private async json(tool: string, args: object): Promise<Json> {
		const text = await this.parts.tool(tool, args);
		try {
			return JSON.parse(text);
		} catch {
			throw new Error(`${tool}: ${text.slice(0, 500)}`);
		}
	}

	/** Validates and creates a workflow. @returns its ID, or what is wrong with the code */
	async create(code: string): Promise<{ id: string; problems: string[] }> {
		const checked = await this.json('validate_workflow', { code });
		if (!checked.valid) {
			return { id: '', problems: [`invalid: ${(checked.errors ?? []).join('; ').slice(0, 600)}`] };
		}
		const created = await this.json('create_workflow_from_code', { code });
		const problems = created.workflowId ? [] : [`not created: ${created.error}`];
		return { id: created.workflowId ?? '', problems };
	}

	async nodes(id: string): Promise<NodeJson[]> {
		return (await this.json('get_workflow_details', { workflowId: id })).workflow.nodes;
	}

	/** The parameters and the rest of the first node of a type. */
	async nodeOf(id: string, type: string): Promise<NodeJson | undefined> {
		return (await this.nodes(id)).find((node) => node.type.endsWith(`.${type}`));
	}

	/** Publishes a workflow, and waits until its triggers have registered their webhooks. */
	async publish(id: string): Promise<void> {
		const answer = await this.json('publish_workflow', { workflowId: id });
		if (answer.success === false || answer.error) {
			throw new Error(`not published: ${JSON.stringify(answer)}`);
		}
		const triggers = (await this.nodes(id)).filter(({ type }) => type.endsWith('.voiceAgentCallingTrigger'));
		const isRegistered = async () => {
			const all = (await this.received()).filter(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'));
			return all.length >= triggers.length || undefined;
		};
		await waitFor(isRegistered, { seconds: 10 });
	}

	async unpublish(id: string): Promise<void> {
		await this.parts.tool('unpublish_workflow', { workflowId: id });
	}

	/** Starts a workflow by its form, whose fields are filled by what they ask for. */
	async submit(id: string, values: Record<string, string>) {
		const form = await this.nodeOf(id, 'formTrigger');
		const fields: Array<{ fieldLabel: string; fieldName?: string }> = form?.parameters.formFields?.values ?? [];
		const formData = fields.map(({ fieldLabel, fieldName }) => {
			const found = Object.keys(values).find((word) => `${fieldLabel} ${fieldName}`.toLowerCase().includes(word));
			return [fieldName || fieldLabel, found === undefined ? 'x' : values[found]];
		});
		const start = { triggerNodeName: form?.name, inputs: { formData: Object.fromEntries(formData) } };
		// It waits until somebody looks at its last page.
		return await this.run(id, start, ['new', 'running']);
	}

	/** Starts a workflow as a person does: by its Manual Trigger, or else by its form. */
	async byHand(id: string) {
		const manual = await this.nodeOf(id, 'manualTrigger');
		if (manual === undefined && (await this.nodeOf(id, 'formTrigger'))) {
			return await this.submit(id, {});
		}
		return await this.run(id, manual ? { triggerNodeName: manual.name } : {});
	}

	/** Starts a workflow. @returns how it ended, and the items of its nodes */
	private async run(id: string, start: object, goesOn = underWay) {
		const answer = await this.json('execute_workflow', { workflowId: id, executionMode: 'manual', ...start });
		if (!answer.executionId) {
			throw new Error(`not started: ${JSON.stringify(answer)}`);
		}
		const execution = { workflowId: id, executionId: answer.executionId };
		const isOver = async () => {
			const { status } = (await this.json('get_workflow_execution', execution)).execution;
			return !goesOn.includes(status) || undefined;
		};
		await waitFor(isOver, { seconds: 90 });
		const ended = await this.json('get_workflow_execution', { ...execution, includeData: true });
		const { runData = {}, lastNodeExecuted = '' } = ended.data?.resultData ?? {};
		const items = (name: string): Row[] =>
			(runData[name] ?? []).flatMap((run: Json) => (run.data?.main ?? []).flat().map((item: Json) => item?.json ?? {}));
		return {
			status: String(ended.execution.status),
			/** The items of the node that ran last. */
			last: items(lastNodeExecuted),
			all: Object.keys(runData).flatMap(items),
			text: JSON.stringify(ended.data ?? {}),
		};
	}

	/** Waits until nothing of a workflow runs any more. */
	async settled(id: string, count: number): Promise<void> {
		const isSettled = async () => {
			const { data, executions } = await this.json('search_workflow_executions', { workflowId: id });
			const all = (data ?? executions ?? []) as Array<{ status: string }>;
			const areOver = all.every(({ status }) => !underWay.includes(status));
			return (all.length >= count && areOver) || undefined;
		};
		await waitFor(isSettled, { seconds: 40 });
	}

	/** Leaves out the requests until now. */
	async forget(): Promise<void> {
		this.earlier = (await this.parts.n8n.requests()).length;
	}

	/** What the service was asked to do since {@link forget}. */
	async received(): Promise<SandboxRequest[]> {
		return (await this.parts.n8n.requests()).slice(this.earlier);
	}

	/** The requests that place calls or queue them. */
	async calls(): Promise<Array<{ to: string; what: string; payload: Row; isTaken: boolean }>> {
		return (await this.received())
			.filter(({ method, path }) => method === 'POST' && /\/(agents|campaigns)\/[^/]+\/call$/.test(path))
			.map(({ path, body = {}, status }) => ({
				to: String(body.to),
				what: `${path.includes('/agents/') ? 'call' : 'queue'} ${body.to}`,
				payload: (body.payload ?? {}) as Row,
				isTaken: status !== null && status < 300,
			}));
	}

	/** What they are: `call +1…` or `queue +1…`. */
	async whats(): Promise<string[]> {
		return (await this.calls()).map(({ what }) => what);
	}

	/** The numbers that the service has called or queued. */
	async called(): Promise<string[]> {
		return (await this.calls()).filter(({ isTaken }) => isTaken).map(({ to }) => to);
	}

	async nobodyCalled(): Promise<boolean> {
		return (await this.calls()).length === 0;
	}

	/** Whether nothing was changed at the service, but by calls and by the webhooks of triggers. */
	async nothingChanged(): Promise<boolean> {
		return !(await this.received()).some(
			({ method, path }) => method !== 'GET' && !/\/call$|\/webhooks(\/|$)/.test(path),
		);
	}

	async rows(table: string): Promise<Row[]> {
		const { tables, projectId } = this.parts;
		const { data, rows } = await this.json('get_data_table_rows', { dataTableId: tables[table], projectId });
		return data ?? rows ?? [];
	}

	/** Delivers an event to each webhook of the campaign that wants it. */
	async event(event: string, data: Row): Promise<void> {
		const path = `/api/v1/campaigns/${this.parts.campaignId}/webhooks`;
		const found = (await this.parts.n8n.service.get<Json>(path)).data;
		const webhooks: Array<{ id: string; events: string[] }> = found.data.webhooks;
		for (const { id } of webhooks.filter(({ events }) => events.includes(event))) {
			await this.parts.n8n.delivered(id, { event, data });
		}
	}
}
