import { comes } from './eventually.mts';
import type { Instance, RemoteWebhook } from './instance.mts';

/** Workflows that wait for campaigns. */
export class CampaignAndWait {
	readonly n8n: Instance;

	constructor(n8n: Instance) {
		this.n8n = n8n;
	}

	/** Creates a campaign in the state `status`. @returns its ID */
	async campaign(name: string, status: 'draft' | 'active' = 'active'): Promise<string> {
		const id = await this.n8n.createCampaign(name);
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
		await this.n8n.advanceBySteps(100, 10);
	}

	/** The webhooks by which executions wait for a campaign. */
	async waits(id: string): Promise<RemoteWebhook[]> {
		return (await this.n8n.webhooks(id)).filter(({ name }) => name.startsWith('n8n waits for this campaign'));
	}

	/** Waits until no execution waits for a campaign any more. */
	async nobodyWaits(id: string): Promise<void> {
		await comes(async () => (await this.waits(id)).length === 0, 'the end of all waits for the campaign');
	}

	/** Starts a workflow that waits for campaigns; gives the execution's ID, once it waits. */
	async start(ids: string[], options: object = {}): Promise<string> {
		const campaign = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const wait = { resource: 'campaign', operation: 'waitUntilCompleted', campaign, options };
		const given = ids.map((id) => ({ id }));
		const workflowId = await this.n8n.chain('Waits', [
			this.n8n.manualStart(),
			this.n8n.given('Campaigns', given),
			this.n8n.action('Wait', wait),
			this.n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
		]);
		const executionId = await this.n8n.editor.run(workflowId, 'Start');
		await this.n8n.statusBecomes(executionId, 'waiting');
		return executionId;
	}

	/** ID, outcome and the rest of each item after the wait, when the execution is over. */
	async itemsOf(executionId: string) {
		await this.n8n.statusBecomes(executionId, 'success');
		const items = await this.n8n.outputOf(executionId, 'After');
		return { items, outcomes: items.map(({ id, outcome }) => [id, outcome]) };
	}
}
