import type { INodeExecutionData } from 'n8n-workflow';

import { assertDeliverable } from '../../shared/client/address';
import { type Api, createSharedApi } from '../../shared/client/api';
import { ServiceError, sentences, toResult } from '../../shared/errors/serviceError';
import { type Keys, loadKeys } from '../../shared/keys';
import { runIndexOf } from '../../shared/n8nInternals';
import { DEFAULT_CAMPAIGN_POLL_SECONDS } from '../fields/waiting';
import { isFailed } from '../operation/items';
import { type OperationRun, settleItem } from '../operation/operationRun';
import { campaignResumeAddress, createCampaignWebhook, deleteCampaignWebhooks, readAgain } from './campaignRequests';
import { mainError } from './serviceRequests';
import {
	assertWaitingReachable,
	failOrPoll,
	fallAsleep,
	longestTimeLimit,
	OTHERWISE,
	pollUntilOver,
} from './startWait';
import {
	type AwaitedCampaign,
	hasEnded,
	leftInWords,
	type OpenCampaign,
	type WaitBy,
	type WaitedBy,
	type WaitHints,
	waitIdOf,
} from './wait';

/** How the node waits for a campaign, as the fields of `fields/waiting.ts` say. */
interface CampaignWaitSettings {
	waitBy: WaitBy;
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
	/** The values that were last read. */
	campaign: AwaitedCampaign;
}

const ONLY_LATER = 'Polling finds the end of a campaign up to one Poll Interval later.';

/** The steps of a run that waits for campaigns, before the campaigns are read and afterwards. */
export class CampaignWait {
	private readonly operationRun: OperationRun;

	/** For requests that all items share. */
	private readonly api: Api;

	/** The input by item; undefined for an item that could not be read. */
	private readonly inputs: ReadonlyArray<{ campaignId: string; settings: CampaignWaitSettings } | undefined>;

	private waitedBy: WaitedBy = 'polling';

	/** Set if the run waits by event. */
	private keys: Keys | undefined;

	/** The campaigns with a webhook, for which the execution sleeps. */
	private open: OpenCampaign[] = [];

	/** When the time limit is reached, in milliseconds since 1970. */
	private readonly until: number;

	constructor(operationRun: OperationRun) {
		this.operationRun = operationRun;
		this.api = createSharedApi(operationRun.run);
		this.inputs = operationRun.items.map(({ input, state }) =>
			state.is === 'ready' && input !== undefined
				? {
						campaignId: String(input.values.campaignId),
						settings: input.local as unknown as CampaignWaitSettings,
					}
				: undefined,
		);
		const settings = this.inputs.map((input) => input?.settings);
		this.until = operationRun.startedAt + longestTimeLimit(settings, 'campaignId');
	}

	/** Checks, before anything is sent, that a waiting execution can be resumed. If not, all items fail. */
	async prepare(): Promise<void> {
		const { settings } = this;
		if (settings === undefined || settings.waitBy === 'polling') {
			return;
		}
		this.keys = await loadKeys(this.operationRun.run.caller);
		const errors = new Map<number, ServiceError>();
		for (const [item, input] of this.inputs.entries()) {
			const { error } = input === undefined ? {} : await toResult(this.checkAddress(input.campaignId));
			if (error !== undefined) {
				errors.set(item, error);
			}
		}
		this.waitedBy = failOrPoll(this.operationRun, settings.waitBy, errors, ONLY_LATER);
	}

	/** Polls the campaigns that have not ended, or creates webhooks for them. */
	async after(): Promise<void> {
		const { run, items, continueOnFail } = this.operationRun;
		const open = this.groups().filter(({ campaign }) => !hasEnded(campaign));
		for (const { campaign } of open) {
			this.noteInactive(campaign);
		}
		if (this.waitedBy === 'event') {
			await this.register(open);
		}
		if (this.waitedBy === 'polling') {
			await this.poll(open);
		} else if (run.stop.isCanceled || (items.some(({ state }) => isFailed(state)) && !continueOnFail)) {
			await deleteCampaignWebhooks(run.caller, this.takeOpen());
		}
		for (const sentence of this.groups().flatMap(({ campaign }) => leftInWords(campaign))) {
			run.hints.add(sentence);
		}
	}

	/**
	 * Puts the execution to sleep until the campaigns have ended. If n8n itself ends the wait, the campaigns have the
	 * outcome `timedOut`.
	 *
	 * @param items the output of the node so far
	 */
	async finish(items: INodeExecutionData[], hints: WaitHints): Promise<void> {
		const { until, open } = this;
		if (open.length > 0) {
			await fallAsleep(this.operationRun, { run: this.runIndex, until, ...hints, campaigns: open }, items);
		}
	}

	/** The settings of the first item that could be read: Wait By and Poll Interval are the same for all items. */
	private get settings(): CampaignWaitSettings | undefined {
		return this.inputs.find((input) => input !== undefined)?.settings;
	}

	private get runIndex(): number {
		return runIndexOf(this.operationRun.run.caller);
	}

	/** @throws ServiceError if the service or this n8n could not reach the execution */
	private async checkAddress(campaignId: string): Promise<void> {
		const { caller, connection } = this.operationRun.run;
		try {
			assertDeliverable(campaignResumeAddress(caller, campaignId), connection.base);
		} catch (error) {
			throw error instanceof ServiceError ? error.with({ advice: sentences(error.advice, OTHERWISE) }) : error;
		}
		await assertWaitingReachable(this.api, caller, this.keys as Keys);
	}

	/** Groups the items by campaign, in the order of the items. */
	private groups(): Group[] {
		const groups = new Map<string, Group>();
		for (const [item, { state }] of this.operationRun.items.entries()) {
			const id = this.inputs[item]?.campaignId;
			if (state.is !== 'done' || id === undefined) {
				continue;
			}
			const group = groups.get(id) ?? { id, item, items: [], campaign: state.items[0] as AwaitedCampaign };
			group.items.push(item);
			groups.set(id, group);
		}
		return [...groups.values()];
	}

	/** Sets the output of the items that wait for a campaign. */
	private setCampaign(group: Group, campaign: AwaitedCampaign): void {
		group.campaign = campaign;
		for (const item of group.items) {
			settleItem(this.operationRun, item, { is: 'done', items: [{ ...campaign }] });
		}
	}

	/** Adds a note if a campaign cannot end by itself. */
	private noteInactive({ id, name, status }: AwaitedCampaign): void {
		if (status === 'draft' || status === 'paused') {
			const is = status === 'draft' ? 'a draft' : 'paused';
			this.operationRun.run.hints.add(
				`Campaign "${name ?? id}" is ${is}: it can only complete after somebody sets its status, for example with Campaign → Set Status.`,
			);
		}
	}

	/** Creates the webhooks of campaigns. If that fails, the items fail or, with Wait By Automatic, the run polls. */
	private async register(groups: readonly Group[]): Promise<void> {
		const errors = new Map<number, ServiceError>();
		for (const group of groups) {
			const { error } = await toResult(this.registerOne(group));
			for (const item of error ? group.items : []) {
				errors.set(item, error as ServiceError);
			}
		}
		this.waitedBy = failOrPoll(this.operationRun, this.settings?.waitBy ?? 'event', errors, ONLY_LATER);
		if (this.waitedBy === 'polling') {
			await deleteCampaignWebhooks(this.operationRun.run.caller, this.takeOpen());
		}
	}

	/** Creates the webhook of a campaign, then reads it again: it may have ended before the webhook existed. */
	private async registerOne(group: Group): Promise<void> {
		const { caller } = this.operationRun.run;
		const { api, until } = this;
		const wait = waitIdOf(caller, this.runIndex);
		const webhookId = await createCampaignWebhook({ caller, api, keys: this.keys as Keys, wait, until }, group.id);
		const created = { id: group.id, webhookId, items: group.items };
		const { value: campaign = group.campaign } = await toResult(readAgain(api.request, group.campaign));
		this.setCampaign(group, campaign);
		if (hasEnded(campaign)) {
			await deleteCampaignWebhooks(caller, [created]);
		} else {
			this.open.push(created);
		}
	}

	/** Returns the campaigns with a webhook, and stops waiting for them. */
	private takeOpen(): OpenCampaign[] {
		const { open } = this;
		this.open = [];
		return open;
	}

	/** Polls the service until the campaigns have ended or the time limit is reached. */
	private async poll(open: readonly Group[]): Promise<void> {
		await pollUntilOver(this.operationRun, open, {
			what: 'campaigns',
			intervalSeconds: this.settings?.pollInterval ?? DEFAULT_CAMPAIGN_POLL_SECONDS,
			until: this.until,
			read: async (groups) => {
				const errors: ServiceError[] = [];
				for (const group of groups) {
					const { value: campaign, error } = await toResult(readAgain(this.api.request, group.campaign));
					if (campaign) {
						this.setCampaign(group, campaign);
					} else {
						errors.push(error);
					}
				}
				const ended = groups.filter(({ campaign }) => hasEnded(campaign));
				return { outcomes: new Map(ended.map(({ item, campaign }) => [item, campaign])), error: mainError(errors) };
			},
		});
	}
}
