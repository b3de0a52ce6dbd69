import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';
import { isRecord } from '../../shared/lib/isRecord';
import { resumeAddress, storedContext } from '../../shared/lib/n8nInternals';
import type { Operation } from '../operation/operation';
import type { Artifact, Findings } from './artifacts';
import type { CallOutcome } from './callOutcome';

/** A call that an execution waits for. */
export interface AwaitedCall {
	item: number;
	id: string;
	/** ID of the agent or campaign that calls. */
	owner: string;
	/** What is awaited besides its outcome. */
	artifacts?: Artifact[];
	/**
	 * How long after its end an event may still say that a machine took it, in milliseconds; undefined if no such event
	 * reaches this n8n.
	 */
	graceMs?: number;
	/** ID of the webhook that delivers its events to this n8n. */
	webhook?: string;
}

/** What an execution waits for. It is in n8n's context of the node, which n8n stores with the execution. */
export interface WaitState {
	/** Index of the node's run. */
	run: number;
	/** When the first call was placed, in milliseconds since 1970. */
	since: number;
	/** When the time is up, in milliseconds since 1970. */
	until: number;
	calledBy: Operation['calledBy'];
	calls: AwaitedCall[];
}

/** Stores the state; a node has one wait at a time. */
export function storeState(caller: IExecuteFunctions, state: WaitState): void {
	caller.getContext('node').waiting = state as unknown as IDataObject;
}

/** Reads the stored state. */
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

/** What this process knows about a wait. */
export interface WaitProgress {
	outcomes: Map<number, CallOutcome>;
	/** What else is known about calls, by item. */
	findings: Map<number, Findings>;
	/** Whether the wait began in this process, so that no other one has received an event. */
	complete: boolean;
	/** Whether the execution is being resumed, or was. */
	resumed: boolean;
	/** Whether this process is about to resume the execution, and only waits for late events. */
	holding: boolean;
	/** Whether this process ends the wait when the time is up. */
	watched: boolean;
	/** Running questions about the calls; resolves to whether the service has responded, or another process resumes. */
	asking?: Promise<boolean | 'elsewhere'>;
}

const progressByWait = new BoundedMap<WaitProgress>();

/** What this process knows about a wait; empty at first. */
export function progressOf(caller: IExecuteFunctions | IWebhookFunctions, run: number): WaitProgress {
	const key = JSON.stringify(waitIdOf(caller, run));
	const progress = progressByWait.get(key) ?? {
		...{ outcomes: new Map(), findings: new Map() },
		...{ complete: false, resumed: false, holding: false, watched: false },
	};
	progressByWait.set(key, progress);
	return progress;
}

/** Marks a wait as over and drops what is known about its calls. */
export function endWait(progress: WaitProgress): void {
	progress.outcomes.clear();
	progress.findings.clear();
	progress.resumed = true;
}

/**
 * Ends a wait when n8n has responded to the message that resumes the execution. After an error of n8n the wait goes on,
 * because the sender repeats its message.
 *
 * @param ended called if the wait has ended
 */
export function endWithResponse(caller: IWebhookFunctions, progress: WaitProgress, ended = () => {}): void {
	const response = caller.getResponseObject();
	const settle = () => {
		if (response.statusCode >= 500) {
			progress.resumed = false;
		} else {
			endWait(progress);
			ended();
		}
	};
	// The sender can hang up before. Then nothing would tell that the response is over.
	if (response.destroyed) {
		settle();
	} else {
		response.once('close', settle);
	}
}
