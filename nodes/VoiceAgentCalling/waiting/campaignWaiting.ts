import type { INodeExecutionData } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/deliveries/address';
import { ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { replaceInput, runIndexOf } from '../../shared/lib/n8nInternals';
import { type Keys, loadKeys } from '../../shared/nodeLink/keys';
import { sendMessage } from '../../shared/nodeLink/messages';
import { DEFAULT_CAMPAIGN_POLL_SECONDS } from '../fields/waitForCampaign';
import { failed } from '../operation/items';
import { type Api, createSharedApi } from '../sending/api';
import { canceled } from '../sending/itemErrors';
import { type AwaitedCampaign, hasEnded, readAgain } from './campaignEnd';
import { type OpenCampaign, storeCampaignWait } from './campaignState';
import { campaignResumeAddress, createCampaignWebhook, deleteCampaignWebhooks } from './campaignWebhooks';
import { GRACE_MS, watchDeadline } from './deadline';
import { pollUntilOver } from './polling';
import { nodeResumeAddress, waitIdOf } from './state';
import { longestTimeLimit } from './tickets';
import { whyUnreachable } from './triggers';
import type { WaitingRun } from './wait';

/** How the node waits for a campaign, as the fields of `fields/waitForCampaign.ts` say. */
interface CampaignWaitSettings {
	waitBy: 'event' | 'polling';
	/** In milliseconds. */
	timeLimit?: number;
	/** In seconds. */
	pollInterval?: number;
}

/** The items that wait for a campaign. */
interface Group {
	id: string;
	/** Index of the first item. */
	item: number;
	items: number[];
	/** As it was read last. */
	campaign: AwaitedCampaign;
}

const BY_POLLING = 'Or set Wait By to Polling.';

/** What a run of an operation that waits for campaigns does before they are read, and afterwards. */
export class CampaignWaiting {
	private readonly waitingRun: WaitingRun;

	/** For requests that all items share. */
	private readonly api: Api;

	/** By item; undefined for an item that could not be read. */
	private readonly inputs: ReadonlyArray<{ campaignId: string; settings: CampaignWaitSettings } | undefined>;

	private keys: Keys | undefined;

	/** The campaigns with a webhook, for which the execution sleeps. */
	private open: OpenCampaign[] = [];

	/** When the time is up, in milliseconds since 1970. */
	private readonly until: number;

	constructor(waitingRun: WaitingRun) {
		this.waitingRun = waitingRun;
		this.api = createSharedApi(waitingRun.run, this.assertWanted);
		this.inputs = waitingRun.inputs.map((input) =>
			input instanceof ServiceError
				? undefined
				: {
						campaignId: String(input.values.campaignId),
						settings: input.local as unknown as CampaignWaitSettings,
					},
		);
		const settings = this.inputs.map((input) => input?.settings);
		this.until = waitingRun.startedAt + longestTimeLimit(settings, 'campaignId');
	}

	/** Checks that a waiting execution can be resumed; to be called before anything is sent. If not, all items fail. */
	async prepare(): Promise<void> {
		if (!this.sleeps) {
			return;
		}
		const { run, inputs, outcomes } = this.waitingRun;
		this.keys = await loadKeys(run.caller);
		for (const [item, input] of this.inputs.entries()) {
			if (input !== undefined) {
				const { error } = await toResult(this.checkAddress(input.campaignId));
				if (error) {
					inputs[item] = error;
					outcomes[item] = { error };
				}
			}
		}
	}

	/** Looks at the campaigns that were read. Polls those that have not ended, or creates webhooks for them. */
	async placed(): Promise<void> {
		const { run, outcomes, isCanceled } = this.waitingRun;
		const open = this.groups().filter(({ campaign }) => !hasEnded(campaign));
		for (const { campaign } of open) {
			this.noteInactive(campaign);
		}
		if (!this.sleeps) {
			await this.poll(open);
			return;
		}
		for (const group of open) {
			const { error } = await toResult(this.register(group));
			for (const item of error ? group.items : []) {
				outcomes[item] = { error: error as ServiceError };
			}
		}
		if (isCanceled() || (outcomes.some(failed) && !run.caller.continueOnFail())) {
			await deleteCampaignWebhooks(run.caller, this.open.splice(0));
		}
	}

	/**
	 * Puts the execution to sleep in n8n's database until the campaigns have ended. When n8n itself ends the wait, it
	 * outputs the node's input; so the input is replaced by the campaigns, with the outcome `timedOut`.
	 *
	 * @param items the output of the node, if it does not wait
	 */
	async putToWait(items: INodeExecutionData[]): Promise<void> {
		const { caller } = this.waitingRun.run;
		if (this.open.length === 0 || this.keys === undefined) {
			return;
		}
		const wait = { run: this.runIndex, until: this.until, campaigns: this.open };
		storeCampaignWait(caller, wait);
		replaceInput(caller, items);
		watchDeadline(caller, this.keys.messages, wait, () => deleteCampaignWebhooks(caller, wait.campaigns));
		await caller.putExecutionToWait(new Date(this.until + GRACE_MS));
	}

	/** Whether the execution sleeps in n8n's database while it waits. Wait By is the same for all items. */
	get sleeps(): boolean {
		return this.inputs.find((input) => input !== undefined)?.settings.waitBy === 'event';
	}

	private get runIndex(): number {
		return runIndexOf(this.waitingRun.run.caller);
	}

	private readonly assertWanted = (): void => {
		if (this.waitingRun.isCanceled()) {
			throw canceled();
		}
	};

	/** @throws ServiceError if the service or this n8n could not reach the execution */
	private async checkAddress(campaignId: string): Promise<void> {
		const { caller, connection } = this.waitingRun.run;
		try {
			assertDeliverable(campaignResumeAddress(caller, campaignId), connection.base);
			await this.api.remember('address of waiting executions', async () => {
				const url = nodeResumeAddress(caller);
				const { messages } = this.keys as Keys;
				const reply = await toResult(sendMessage(caller.helpers, messages, url, { command: 'check' }));
				const reason = whyUnreachable(url, reply);
				if (reason !== undefined) {
					const { what, advice } = reason;
					throw new ServiceError(what, { code: 'NO_ANSWER', advice, accepted: 'no' });
				}
			});
		} catch (error) {
			throw error instanceof ServiceError ? error.with({ advice: sentences(error.advice, BY_POLLING) }) : error;
		}
	}

	/** The campaigns that were read, each once, in the order of the items. */
	private groups(): Group[] {
		const groups = new Map<string, Group>();
		for (const [item, outcome] of this.waitingRun.outcomes.entries()) {
			const id = this.inputs[item]?.campaignId;
			if (outcome === undefined || failed(outcome) || id === undefined) {
				continue;
			}
			const group = groups.get(id) ?? { id, item, items: [], campaign: outcome.items[0] as AwaitedCampaign };
			group.items.push(item);
			groups.set(id, group);
		}
		return [...groups.values()];
	}

	/** Sets what the items that wait for a campaign output. */
	private set(group: Group, campaign: AwaitedCampaign): void {
		group.campaign = campaign;
		for (const item of group.items) {
			this.waitingRun.outcomes[item] = { items: [{ ...campaign }] };
		}
	}

	/** Says that a campaign cannot end by itself. */
	private noteInactive({ id, name, status }: AwaitedCampaign): void {
		if (status === 'draft' || status === 'paused') {
			const is = status === 'draft' ? 'a draft' : 'paused';
			this.waitingRun.run.notes.add(
				`Campaign "${name ?? id}" is ${is}: it can only complete after somebody sets its status, for example with Campaign → Set Status.`,
			);
		}
	}

	/** Creates the webhook of a campaign, then reads it again: it may have ended before the webhook was there. */
	private async register(group: Group): Promise<void> {
		const { caller } = this.waitingRun.run;
		const { api, until } = this;
		const wait = waitIdOf(caller, this.runIndex);
		const webhookId = await createCampaignWebhook({ caller, api, keys: this.keys as Keys, wait, until }, group.id);
		this.open.push({ id: group.id, webhookId, items: group.items });
		const { value: campaign = group.campaign } = await toResult(readAgain(api.request, group.campaign));
		this.set(group, campaign);
		if (hasEnded(campaign)) {
			await deleteCampaignWebhooks(caller, this.open.splice(-1));
		}
	}

	/** Polls the service until the campaigns have ended or the time is up. */
	private async poll(open: readonly Group[]): Promise<void> {
		const { run, isCanceled } = this.waitingRun;
		const seconds = this.inputs.find((input) => input !== undefined)?.settings.pollInterval;
		const onError = ({ message }: ServiceError) =>
			void run.notes.add(`The service could not be asked about the campaigns for a while: ${message}`);
		await pollUntilOver(open, {
			intervalMs: (seconds ?? DEFAULT_CAMPAIGN_POLL_SECONDS) * 1000,
			until: this.until,
			read: async (groups) => {
				for (const group of groups) {
					const { value: campaign, error } = await toResult(readAgain(this.api.request, group.campaign));
					if (campaign) {
						this.set(group, campaign);
					} else if (!isCanceled()) {
						onError(error);
					}
				}
				const ended = groups.filter(({ campaign }) => hasEnded(campaign));
				return new Map(ended.map(({ item, campaign }) => [item, campaign]));
			},
			sleep: async (ms) => void (await toResult(run.pace.sleep(ms, this.assertWanted))),
			isCanceled,
			onError,
		});
	}
}
