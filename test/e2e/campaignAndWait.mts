import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../scripts/lib/waiting.mts';
import type { Instance, RemoteWebhook, WorkflowNode } from './instance.mts';

const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

/** Workflows that wait for campaigns. */
export class CampaignAndWait {
	readonly n8n: Instance;

	constructor(n8n: Instance) {
		this.n8n = n8n;
	}

	/** Creates a campaign in the state `status`. @returns its ID */
	async campaign(name: string, status: 'draft' | 'active' = 'active'): Promise<string> {
		const { data } = await this.n8n.service.get(`/api/v1/campaigns/${this.n8n.sandbox.campaignId}`);
		const { agent_id, timezone, start_date, days_of_week } = data.data;
		const created = await this.n8n.service.post<{ data: { id: string } }>('/api/v1/campaigns', {
			...{ name, campaign_type: 'custom', agent_id, timezone, start_date, days_of_week },
			call_time_ranges: [{ start: '00:00', end: '23:59' }],
		});
		const { id } = created.data.data;
		if (status !== 'draft') {
			await this.setStatus(id, status);
		}
		return id;
	}

	async setStatus(id: string, status: string): Promise<void> {
		await this.n8n.service.patch(`/api/v1/campaigns/${id}/status`, { status });
	}

	/** Queues a real call in the campaign and lets it end, so that it counts in the statistics. */
	async call(id: string): Promise<void> {
		await this.n8n.service.post(`/api/v1/campaigns/${id}/call`, { to: '+12025550001' });
		for (let steps = 0; steps < 10; steps++) {
			await this.n8n.service.post('/_sandbox/advance', { seconds: 10 });
			await sleep(210);
		}
	}

	/** The webhooks by which executions wait for a campaign. */
	async waits(id: string): Promise<RemoteWebhook[]> {
		return (await this.n8n.webhooks(id)).filter(({ name }) => name.startsWith('n8n waits for this campaign'));
	}

	/** Waits until executions wait for a campaign with so many webhooks. */
	async waitsBecome(id: string, count: number, seconds = 30): Promise<void> {
		let last: unknown;
		await until(
			async () => {
				const found = await this.waits(id);
				last = found;
				return found.length === count || undefined;
			},
			{ seconds, otherwise: () => new Error(`The waits stayed ${JSON.stringify(last)}`) },
		);
	}

	/** Starts a workflow that waits for campaigns; gives the execution's ID. */
	async start(name: string, ids: string[], { options = {}, ...parameters }: Record<string, unknown> = {}) {
		const nodes: WorkflowNode[] = [
			this.n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			this.n8n.node('Campaigns', 'n8n-nodes-base.code', 2, {
				jsCode: `return ${JSON.stringify(ids.map((id) => ({ json: { id } })))};`,
			}),
			this.n8n.node('Wait', NODE, 1, {
				...{ resource: 'campaign', operation: 'waitUntilCompleted' },
				campaign: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				...parameters,
				options,
			}),
			this.n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
		];
		const workflowId = await this.n8n.createWorkflow(name, nodes, ['Start', 'Campaigns', 'Wait', 'After']);
		return await this.n8n.editor.run(workflowId, 'Start');
	}

	/** Waits until an execution has a status. */
	async statusBecomes(executionId: string, wanted: string, seconds = 60): Promise<void> {
		let last = '';
		await until(
			async () => {
				({ status: last } = await this.n8n.editor.execution(executionId));
				return last === wanted || undefined;
			},
			{ seconds, otherwise: () => new Error(`Execution ${executionId} is ${last}, not ${wanted}`) },
		);
	}
}
