import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadKeys } from '../../nodes/shared/nodeLink/keys.ts';
import { MESSAGE_HEADER } from '../../nodes/shared/nodeLink/messages.ts';
import { TICKET_FIELD, type Ticket, unseal } from '../../nodes/shared/nodeLink/ticket.ts';
import { until } from '../../scripts/lib/waiting.mts';
import { failureOf } from './executionData.mts';
import type { Instance, WorkflowNode } from './instance.mts';

const AGENT_END = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const CAMPAIGN_END = ['campaign_call.completed', 'campaign_call.failed'];
const CAMPAIGN_ARTIFACTS = ['event_call_report', 'event_call_transcript', 'event_recording'];
const NODE = 'n8n-nodes-voice-agent-calling.voiceAgentCalling';

/** The name of the node that waits. An expression that n8n evaluates could not have it. */
export const CALL = 'Call {{ "constructor" }}';

/** Slow enough that a call rings for hours: the tests move the clock. */
export const stillClock = { speed: 0.001, options: ['--rate-limit', '100000'] };

/** The option Time Limit with so many seconds. */
export const seconds = (amount: number) => ({ values: { amount, unit: 'seconds' } });

/** A picker's value by ID. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Workflows that place calls and wait for their outcome, and the published triggers that tell it to them. */
export class CallAndWait {
	readonly n8n: Instance;
	readonly agentId: string;
	readonly campaignId: string;
	/** The workflow with the trigger on the agent. */
	agentTrigger = '';
	/** The workflow with the trigger on the campaign. */
	campaignTrigger = '';

	constructor(n8n: Instance) {
		this.n8n = n8n;
		this.agentId = n8n.sandbox.agentId;
		this.campaignId = n8n.sandbox.campaignId;
	}

	/**
	 * Publishes a trigger on the agent and one on the campaign.
	 *
	 * @param more further events of the agent
	 */
	async publishTriggers(more: string[] = []): Promise<void> {
		const onAgent = this.n8n.trigger(this.campaignId, {
			source: 'agent',
			agent: byId(this.agentId),
			events: [...AGENT_END, 'event_phone_call_started', ...more],
		});
		const onCampaign = this.n8n.trigger(this.campaignId, {
			events: [...CAMPAIGN_END, ...CAMPAIGN_ARTIFACTS, 'campaign_call.started'],
		});
		this.agentTrigger = await this.n8n.createWorkflow('Events of the agent', [onAgent]);
		await this.n8n.editor.publish(this.agentTrigger);
		this.campaignTrigger = await this.n8n.createWorkflow('Events of the campaign', [onCampaign]);
		await this.n8n.editor.publish(this.campaignTrigger);
		await this.n8n.webhooksWhen(this.campaignId, ({ length }) => length === 1);
		await this.agentWebhooksWhen(1);
	}

	/** Starts a workflow that places calls and waits for them; gives the IDs of workflow and execution. */
	async start(
		name: string,
		numbers: string[],
		{ onError, options, ...parameters }: { onError?: string; options?: object; [parameter: string]: unknown },
	) {
		const nodes: WorkflowNode[] = [
			this.n8n.node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			this.n8n.node('Numbers', 'n8n-nodes-base.code', 2, {
				jsCode: `return ${JSON.stringify(numbers.map((to) => ({ json: { to } })))};`,
			}),
			{
				...this.n8n.node(CALL, NODE, 1, {
					resource: 'call',
					operation: 'placeAndWait',
					agent: byId(this.agentId),
					phoneNumber: '={{ $json.to }}',
					...parameters,
					options: { metadataJson: '{"contact":"7"}', ...options },
				}),
				...(onError !== undefined && { onError }),
			},
			this.n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
		];
		const workflowId = await this.n8n.createWorkflow(name, nodes, ['Start', 'Numbers', CALL, 'After']);
		const executionId = await this.n8n.editor.run(workflowId, 'Start');
		return { workflowId, executionId };
	}

	async status(executionId: string): Promise<string> {
		return (await this.n8n.editor.execution(executionId)).status;
	}

	/** Waits until an execution has a status; one that has failed cannot come to have another. */
	async statusBecomes(executionId: string, wanted: string, seconds = 60): Promise<void> {
		let last = '';
		await until(
			async () => {
				last = await this.status(executionId);
				if (last === 'error' && wanted !== 'error') {
					throw new Error(`Execution ${executionId} failed: ${await failureOf(this.n8n.editor, executionId)}`);
				}
				return last === wanted || undefined;
			},
			{ seconds, otherwise: () => new Error(`Execution ${executionId} is ${last}, not ${wanted}`) },
		);
	}

	/** Moves the sandbox's clock; resolves when what was due then has happened and is delivered. */
	async advance(seconds: number): Promise<void> {
		// In steps: a call stays 200 ms of real time in each status.
		for (let left = seconds; left > 0; left -= 5) {
			await this.n8n.service.post('/_sandbox/advance', { seconds: Math.min(5, left) });
			await sleep(210);
		}
	}

	/** Events of a kind come so many sandbox seconds after they happened; null: never. */
	async delay(seconds: number | null, ...kinds: string[]): Promise<void> {
		for (const event of kinds) {
			await this.n8n.service.post('/_sandbox/delays', { event, seconds });
		}
	}

	/** The webhooks of the agent, once there are so many. */
	async agentWebhooksWhen(count: number): Promise<Array<{ id: string; webhook_url: string }>> {
		const ask = async () => {
			const { data } = await this.n8n.service.get(`/api/v1/agents/${this.agentId}/webhooks`);
			const { webhooks } = data.data as { webhooks: Array<{ id: string; webhook_url: string }> };
			return webhooks.length === count ? webhooks : undefined;
		};
		const otherwise = () => new Error(`The agent did not come to have ${count} webhooks`);
		return await until(ask, { seconds: 40, otherwise });
	}

	/** How many executions the trigger on the agent has started. */
	async startedByAgent(): Promise<number> {
		return (await this.n8n.editor.executions(this.agentTrigger)).length;
	}

	/** The requests that placed or queued calls. */
	async sentCalls(): Promise<Array<{ to: string; context: Record<string, unknown> }>> {
		const requests = await this.n8n.requests();
		return requests
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'))
			.map(({ body }) => body as { to: string; context: Record<string, unknown> });
	}

	/** The ticket that the service got with the latest call to a number. */
	async ticketOf(to: string): Promise<Ticket> {
		const keys = await this.keys();
		const call = (await this.sentCalls()).findLast((sent) => sent.to === to);
		return unseal(keys.tickets, call?.context[TICKET_FIELD])!;
	}

	/** The status of n8n's answer to a message to a waiting node, signed as a trigger with that token signs it. */
	async answerTo(ticket: Ticket, message: object, token?: string): Promise<number> {
		const { messages } = await this.keys(token);
		const body = JSON.stringify(message);
		const signature = createHmac('sha256', messages).update(body).digest('hex');
		const headers = { 'content-type': 'application/json', [MESSAGE_HEADER]: signature };
		return (await fetch(ticket.url, { method: 'POST', body, headers })).status;
	}

	/** The keys that belong to a token, the credential's own if none is given. */
	async keys(token = this.n8n.sandbox.token) {
		return await loadKeys({ getCredentials: async () => ({ environmentToken: token }) as never });
	}
}
