import { loadKeys } from '../../nodes/shared/keys.ts';
import { findResumeTokens, type ResumeToken, unseal } from '../../nodes/shared/triggerSecrets/resumeToken.ts';
import { messageKey, sendMessageTo } from '../message.mts';
import { byId, type Instance, type Items, type RemoteWebhook } from './instance.mts';

const AGENT_END = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
const CAMPAIGN_END = ['campaign_call.completed', 'campaign_call.failed'];
const CAMPAIGN_ARTIFACTS = ['event_call_report', 'event_call_transcript', 'event_recording'];

/** The name of the node that waits. An expression that n8n evaluates could not have it. */
export const CALL = 'Call {{ "constructor" }}';

/** Slow enough that a call rings for hours: the tests move the clock. */
export const stillClock = { speed: 0.001, options: ['--rate-limit', '100000'] };

/** The option Time Limit with so many seconds. */
export const seconds = (amount: number) => ({ timeLimit: { values: { amount, unit: 'seconds' } } });

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

	/** Parameters that queue a call in the campaign instead. */
	get queued() {
		return { resource: 'campaign', operation: 'queueCallAndWait', campaign: byId(this.campaignId) };
	}

	/**
	 * Publishes a trigger on the agent and one on the campaign.
	 *
	 * @param more further events of the agent
	 */
	async publishTriggers(more: string[] = []): Promise<void> {
		const ofAgent = [...AGENT_END, 'event_phone_call_started', ...more];
		const ofCampaign = [...CAMPAIGN_END, ...CAMPAIGN_ARTIFACTS, 'campaign_call.started'];
		const onAgent = this.n8n.trigger(this.campaignId, { source: 'agent', agent: byId(this.agentId), events: ofAgent });
		this.agentTrigger = await this.n8n.published('Events of the agent', [onAgent]);
		const onCampaign = this.n8n.trigger(this.campaignId, { events: ofCampaign });
		this.campaignTrigger = await this.n8n.published('Events of the campaign', [onCampaign]);
		await this.n8n.soleWebhook();
		await this.agentWebhook();
	}

	/** Starts a workflow that places calls and waits for them; gives the ID of the execution. */
	async begin(numbers: string[], choices: { onError?: string; options?: object; [parameter: string]: unknown } = {}) {
		const { onError, options, ...parameters } = choices;
		const call = this.n8n.action(CALL, {
			resource: 'call',
			operation: 'placeAndWait',
			agent: byId(this.agentId),
			phoneNumber: '={{ $json.to }}',
			...parameters,
			options: { metadataJson: '{"contact":"7"}', ...options },
		});
		const people = numbers.map((to) => ({ to }));
		const workflowId = await this.n8n.chain(`Calls ${numbers.join()}`, [
			this.n8n.manualStart(),
			this.n8n.given('Numbers', people),
			{ ...call, ...(onError !== undefined && { onError }) },
			this.n8n.node('After', 'n8n-nodes-base.noOp', 1, {}),
		]);
		return await this.n8n.editor.run(workflowId, 'Start');
	}

	/** The same, once the execution waits. */
	async waiting(...start: Parameters<CallAndWait['begin']>): Promise<string> {
		const executionId = await this.begin(...start);
		await this.n8n.statusBecomes(executionId, 'waiting');
		return executionId;
	}

	/** The items after the node that waited, when the execution is over. */
	async itemsOf(executionId: string, upToSeconds = 60): Promise<Items> {
		await this.n8n.statusBecomes(executionId, 'success', upToSeconds);
		return await this.n8n.outputOf(executionId, 'After');
	}

	async status(executionId: string): Promise<string> {
		return (await this.n8n.editor.execution(executionId)).status;
	}

	/** The webhook of the agent, once there is one. */
	async agentWebhook(): Promise<RemoteWebhook> {
		return (await this.n8n.agentWebhook(this.agentId)) as RemoteWebhook;
	}

	/** How many executions the trigger on the agent has started. */
	async startedByAgent(): Promise<number> {
		return (await this.n8n.editor.executions(this.agentTrigger)).length;
	}

	/** The context of the latest call to a number. */
	async contextOf(to: string): Promise<Record<string, unknown>> {
		return (await this.n8n.dialed(to)).at(-1)?.context as Record<string, unknown>;
	}

	/** The resume token that the service got with the latest call to a number. */
	async resumeTokenOf(to: string): Promise<ResumeToken> {
		return unseal((await this.keys()).resumeTokens, findResumeTokens(await this.contextOf(to))[0])!;
	}

	/** The status of n8n's answer to a message to a waiting node, signed as a trigger with that token signs it. */
	async answerTo(resumeToken: ResumeToken, message: object, token = this.n8n.sandbox.token): Promise<number> {
		const key = await messageKey(token);
		return (await sendMessageTo(resumeToken.url, key, JSON.stringify(message))).status;
	}

	/** The keys that belong to a token, the credential's own if none is given. */
	async keys(token = this.n8n.sandbox.token) {
		return await loadKeys({ getCredentials: async () => ({ environmentToken: token }) as never });
	}
}
