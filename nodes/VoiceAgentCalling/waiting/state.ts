import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../shared/lib/json';
import { resumeAddress, storedContext } from '../../shared/n8nInternals';
import type { CallerIdField } from '../operation/call';
import type { Artifact } from './artifacts';

/** A call that an execution waits for. */
export interface AwaitedCall {
	item: number;
	id: string;
	/** ID of the agent or campaign that calls. */
	owner: string;
	/** What is awaited besides its outcome. */
	artifacts?: Artifact[];
	/**
	 * How long after its end an event may still say that voicemail answered, in milliseconds; undefined if no such event
	 * reaches this n8n.
	 */
	voicemailWaitMs?: number;
	/** ID of the webhook that delivers its events to this n8n. */
	webhook?: string;
}

/** A campaign whose end an execution waits for. */
export interface OpenCampaign {
	id: string;
	/** ID of the webhook that the node has created for it. */
	webhookId: string;
	/** The items that wait for it. */
	items: number[];
}

/** What an execution waits for. It is in n8n's context of the node, which n8n stores with the execution. */
export type WaitState = CallWaitState | CampaignWaitState;

interface StoredWait {
	/** Index of the node's run. */
	run: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	/** What n8n shows above the output. */
	hints: string[];
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

/** Stores the state; a node has one wait at a time. */
export function storeState(caller: IExecuteFunctions, state: WaitState): void {
	caller.getContext('node').waiting = state as unknown as IDataObject;
}

/** Reads the stored state; undefined if the node does not wait. */
export function readState(caller: IWebhookFunctions): WaitState | undefined {
	const { waiting } = storedContext(caller);
	return isRecord(waiting) ? (waiting as unknown as WaitState) : undefined;
}

/** The URL that resumes this node of this execution. The node's ID in it separates it from other nodes that wait. */
export function nodeResumeAddress(caller: IExecuteFunctions | IWebhookFunctions): string {
	const url = new URL(resumeAddress(caller));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(caller.getNode().id)}`;
	return url.href;
}

/** Identifies a wait: the execution, the node by ID, and the index of its run. */
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
