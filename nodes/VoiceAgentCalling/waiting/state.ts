import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Memory } from '../../shared/lib/boundedMap';
import { isRecord } from '../../shared/lib/isRecord';
import { resumeAddress } from '../../shared/nodeLink/ownAddress';
import { type Operation } from '../operation/operation';
import type { CallOutcome } from './callOutcome';

/** A call that an execution waits for. */
export interface AwaitedCall {
	item: number;
	id: string;
	/** ID of the agent or campaign that calls. */
	owner: string;
}

/** What an execution waits for. It lies in n8n's context of the node, so it is stored with the execution. */
export interface WaitState {
	/** Which of the node's runs waits. */
	run: number;
	/** When the first call was placed, and when the time is up, in milliseconds since 1970. */
	since: number;
	until: number;
	calledBy: Operation['calledBy'];
	/** Whether the end of a call is not enough, since the call is to bring something. */
	forMore: boolean;
	calls: AwaitedCall[];
}

/** Keeps what is waited for; there is one wait for a node at a time. */
export function keepState(caller: IExecuteFunctions, state: WaitState): void {
	caller.getContext('node').waiting = state as unknown as IDataObject;
}

/**
 * What the node waits for. n8n gives a waiting node's `webhook()` no access to its context but by an expression.
 */
export function readState(caller: IWebhookFunctions): WaitState | undefined {
	const context: unknown = caller.evaluateExpression(`{{ $node[${JSON.stringify(caller.getNode().name)}].context }}`);
	const waiting = isRecord(context) ? context.waiting : undefined;
	return isRecord(waiting) ? (waiting as unknown as WaitState) : undefined;
}

/** Where this node of this execution is resumed. The node's ID in it keeps what is meant for it from other nodes. */
export function nodeResumeAddress(caller: IExecuteFunctions | IWebhookFunctions): string {
	const url = new URL(resumeAddress(caller));
	url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(caller.getNode().id)}`;
	return url.href;
}

/** Where a run of a node waits; what is meant for one place counts for no other. */
export function placeOf(caller: IExecuteFunctions | IWebhookFunctions, run: number) {
	return { execution: caller.getExecutionId(), node: caller.getNode().id, run };
}

/** What this process knows of a wait. */
export interface Known {
	outcomes: Map<number, CallOutcome>;
	/**
	 * True where the wait began in this process: then no outcome was told to another one, or to one that has ended since.
	 */
	complete: boolean;
	/** The execution is being resumed, or was. */
	resumed: boolean;
	/** This process sees to it that the wait ends in time. */
	watched: boolean;
	/** The service is being asked about the calls; gives whether it has answered. */
	asking?: Promise<boolean>;
}

const waits = new Memory<Known>();

/** What this process knows of a wait; of one that is new here, nothing. */
export function knownOf(caller: IExecuteFunctions | IWebhookFunctions, run: number): Known {
	const key = JSON.stringify(placeOf(caller, run));
	const known = waits.get(key) ?? { outcomes: new Map(), complete: false, resumed: false, watched: false };
	waits.set(key, known);
	return known;
}

/** To be called when a wait is over: what was kept for it is not needed any more, but that it is over is. */
export function endWait(known: Known): void {
	known.outcomes.clear();
	known.resumed = true;
}
