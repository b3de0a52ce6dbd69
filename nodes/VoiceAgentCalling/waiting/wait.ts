// A wait for calls ends in one of these ways:
//
// - Before it begins: no call was sent, all outcomes are known, or a trigger is missing (callWait.ts, resumeTokens.ts).
// - By event: the outcomes and artifacts of all calls are known. The trigger sends each event to `webhook()` of the node,
//   which continues the execution with the last one (resume.ts, callTarget.ts). After a completed call, the node waits up
//   to five seconds for an event about voicemail.
// - At the time limit: this process sends itself a message (deadline.ts). The node polls the service, for up to 90 seconds
//   if it does not respond (serviceRequests.ts), and open calls are `timedOut`.
// - Two minutes later, by n8n itself, if the process has ended meanwhile: all calls are `timedOut`.
// - By polling: `pollUntilOver` in startWait.ts, until all calls are over, the time limit, or a cancellation.

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/json';
import { asHtml } from '../../shared/lib/text';
import { resumeAddress, storedContext } from '../../shared/n8nInternals';
import type { CallerIdField } from '../operation/call';

/** How the user has chosen to wait, see `fields/waiting.ts`; the same for all items. */
export type WaitBy = 'automatic' | 'event' | 'polling';

/** How a run waits. */
export type WaitedBy = Exclude<WaitBy, 'automatic'>;

/** A result of a call besides its outcome. Each artifact arrives in an event of its own. */
export type Artifact = 'report' | 'transcript' | 'recording';

/** A call that an execution waits for. */
export interface AwaitedCall {
	item: number;
	id: string;
	/** ID of the agent or campaign that places the call. */
	owner: string;
	artifacts?: Artifact[];
	/**
	 * How long after the end of the call an event may still report voicemail, in milliseconds; undefined if this n8n
	 * receives no such event.
	 */
	voicemailWaitMs?: number;
	/** ID of the webhook that delivers the events of the call to this n8n. */
	webhook?: string;
}

/** A campaign as the node outputs it. */
export interface AwaitedCampaign extends IDataObject {
	id: string;
	name?: string;
	/** The status as the service returns it. */
	status?: string;
	/** The statistics as the service returns them. */
	stats?: IDataObject;
	/** How the campaign ended; `timedOut` until it has ended. */
	outcome: 'completed' | 'cancelled' | 'deleted' | 'timedOut';
}

export function hasEnded({ outcome }: AwaitedCampaign): boolean {
	return outcome !== 'timedOut';
}

/** Returns the sentence that a campaign has ended without some of its calls, if it has. */
export function leftInWords({ id, name, outcome, stats }: AwaitedCampaign): string[] {
	const [total, ...others] = ['total_calls', 'completed_calls', 'failed_calls'].map((key) => Number(stats?.[key]));
	const left = others.reduce((rest, count) => rest - count, total);
	const which = `"${name ?? id}"`;
	return (outcome === 'completed' || outcome === 'cancelled') && left > 0
		? [asHtml(`${left} of ${total} calls of ${which} neither completed nor failed: Campaign → Get Calls lists them.`)]
		: [];
}

/** A campaign whose end an execution waits for. */
export interface OpenCampaign {
	id: string;
	/** ID of the webhook that the node has created for it. */
	webhookId: string;
	/** The items that wait for it. */
	items: number[];
}

/** What an execution waits for. n8n stores this state with the execution, in the context of the node. */
export type WaitState = CallWaitState | CampaignWaitState;

/** The hints that n8n shows above the output. */
export interface WaitHints {
	/** While phones may still ring. */
	hints: string[];
	/** When all calls are over. */
	hintsAtEnd: string[];
}

interface StoredWait extends WaitHints {
	/** Index of the node's run. */
	run: number;
	/** When the time limit is reached, in milliseconds since 1970. */
	until: number;
}

export interface CallWaitState extends StoredWait {
	/** When the first call was placed, in milliseconds since 1970. */
	since: number;
	callerIdField: CallerIdField;
	calls: AwaitedCall[];
}

export interface CampaignWaitState extends StoredWait {
	campaigns: OpenCampaign[];
}

/** Stores the state. A node has one wait at a time. */
export function storeState(caller: IExecuteFunctions, state: WaitState): void {
	caller.getContext('node').waiting = state as unknown as IDataObject;
}

/** Reads the stored state; undefined if the node does not wait. */
export function readState(caller: IWebhookFunctions): WaitState | undefined {
	const { waiting } = storedContext(caller);
	return isRecord(waiting) ? (waiting as unknown as WaitState) : undefined;
}

/**
 * Returns the URL that resumes this node of this execution. Its path ends with the node's ID: several nodes may wait.
 */
export function nodeResumeAddress(caller: IExecuteFunctions | IWebhookFunctions): string {
	const url = new URL(resumeAddress(caller));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(caller.getNode().id)}`;
	return url.href;
}

/** Identifies a wait: the ID of the execution, the ID of the node, and the index of its run. */
export interface WaitId {
	execution: string;
	node: string;
	run: number;
}

export function waitIdOf(caller: IExecuteFunctions | IWebhookFunctions, run: number): WaitId {
	return { execution: caller.getExecutionId(), node: caller.getNode().id, run };
}

/** Whether a message is meant for a wait. */
export function isFor(wait: WaitId, { execution, node, run }: IDataObject): boolean {
	return execution === wait.execution && node === wait.node && run === wait.run;
}
